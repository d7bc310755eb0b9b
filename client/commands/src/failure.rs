//! The reasons why a command fails, and their exit codes.

use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::terminal::one_line;

/// The exit code when the arguments, a file or the login don't fit.
pub(crate) const USAGE: u8 = 2;

/// The reason why a command failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The arguments, a file or the login don't fit. Nothing was sent, or nothing was changed.
    #[error("{0}")]
    Usage(String),
    /// A call failed.
    #[error("{0} failed")]
    Call(String, #[source] Box<multirail_client::Error>),
    /// The server did something else than the command expects.
    #[error("{0}")]
    Unexpected(String),
    /// A file can't be read or written.
    #[error("{}", .0.display())]
    File(PathBuf, #[source] io::Error),
    #[error("cannot write")]
    Output(#[from] io::Error),
}

impl Failure {
    /// Wraps the error of a call. `what` names the call.
    pub(crate) fn call(what: &str, error: impl Into<multirail_client::Error>) -> Self {
        Self::Call(what.to_owned(), Box::new(error.into()))
    }

    pub(crate) fn file(path: &Path, error: io::Error) -> Self {
        Self::File(path.to_owned(), error)
    }

    /// Returns the program's exit code.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Usage(_) => USAGE,
            // The reader of the output has gone.
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => 0,
            Self::Call(..) | Self::Unexpected(_) | Self::File(..) | Self::Output(_) => 1,
        }
    }

    /// Prints the reason with its causes in one line.
    pub(crate) fn tell(&self, to: &mut dyn Write) -> io::Result<()> {
        if self.exit_code() == 0 {
            return Ok(());
        }
        let line = format!("multirail: {}", with_causes(self));
        writeln!(to, "{}", one_line(&line))
    }
}

/// Describes an error with its causes.
pub(crate) fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(&format!(": {error}"));
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_does_not_control_the_terminal() {
        let mut told = Vec::new();
        let failure = Failure::Unexpected("a\u{9b}2Jb".to_owned());
        failure.tell(&mut told).expect("told");
        let told = String::from_utf8(told).expect("a text");
        assert_eq!(told, "multirail: a\u{fffd}2Jb\n");
    }
}
