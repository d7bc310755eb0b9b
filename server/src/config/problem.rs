//! Problems of a configuration, one line each.

use std::fmt;
use std::path::PathBuf;

use super::setting::Setting;

/// The source of a value.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Source {
    /// An option of the command line.
    Option(Setting),
    /// An environment variable.
    Variable(String),
    /// A file that an environment variable names.
    FileOf {
        /// The variable.
        variable: String,
        /// The file.
        path: PathBuf,
    },
    /// The configuration file.
    ConfigFile(PathBuf),
    /// No source has a value.
    Default,
    /// No subcommand was given, which means a sandbox.
    NoSubcommand,
    /// Another setting implies it.
    Implied(Setting),
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Option(setting) => f.write_str(&setting.option()),
            Self::Variable(name) => f.write_str(name),
            Self::FileOf { variable, path } => write!(f, "{} ({variable})", path.display()),
            Self::ConfigFile(path) => write!(f, "{}", path.display()),
            Self::Default => f.write_str("default"),
            Self::NoSubcommand => f.write_str("default without a subcommand"),
            Self::Implied(setting) => write!(f, "implied by {setting}"),
        }
    }
}

/// One problem in one line, with its solution if that isn't obvious.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Problem(pub String);

impl Problem {
    pub(super) fn new(setting: Setting, source: &Source, what: impl fmt::Display) -> Self {
        Self(format!("{setting} ({source}): {what}"))
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// All problems, at least one: shown together, a line each.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Problems(pub Vec<Problem>);

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            problem.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}
