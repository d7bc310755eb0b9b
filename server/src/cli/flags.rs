//! The options that set settings, in groups. Each subcommand has the groups that it uses.

use std::path::PathBuf;

use clap::Args;

use super::arguments::Command;
use crate::config::{Inputs, Problem, Problems, Setting};

/// An option, and its value if it is given.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Flag {
    Config(Option<PathBuf>),
    Setting(Setting, Option<String>),
}

impl Flag {
    fn is_given(&self) -> bool {
        match self {
            Flag::Config(value) => value.is_some(),
            Flag::Setting(_, value) => value.is_some(),
        }
    }

    /// Checks whether this is the same option.
    fn is_same(&self, other: &Flag) -> bool {
        self.name() == other.name()
    }

    fn name(&self) -> String {
        match self {
            Flag::Config(_) => "--config".to_owned(),
            Flag::Setting(setting, _) => setting.option(),
        }
    }

    /// Adds the value to the inputs, if it is given.
    pub(super) fn add(self, inputs: Inputs) -> Inputs {
        match self {
            Flag::Config(Some(file)) => Inputs {
                config_file: Some(file),
                ..inputs
            },
            Flag::Setting(setting, Some(value)) => inputs.with(setting, value),
            Flag::Config(None) | Flag::Setting(_, None) => inputs,
        }
    }
}

// Ordinary comments on these groups: clap would show doc comments as the text of the subcommand.

// The source of the settings.
#[derive(Args, Clone, Debug)]
pub(super) struct ConfigFlags {
    /// Configuration file; ./multirail.toml is read when it is there [env: MULTIRAIL_CONFIG]
    #[arg(long, value_name = "FILE", help_heading = "Settings")]
    config: Option<PathBuf>,
}

impl ConfigFlags {
    pub(super) fn flags(&self) -> Vec<Flag> {
        vec![Flag::Config(self.config.clone())]
    }
}

#[derive(Args, Clone, Debug)]
pub(super) struct LogFlags {
    /// text, json, or auto: text on a terminal, JSON otherwise [env: MULTIRAIL_LOG_FORMAT]
    #[arg(long, value_name = "FORMAT", help_heading = "Settings")]
    log_format: Option<String>,
}

impl LogFlags {
    fn flags(&self) -> Vec<Flag> {
        vec![Flag::Setting(Setting::LogFormat, self.log_format.clone())]
    }
}

#[derive(Args, Clone, Debug)]
pub(super) struct ListenFlags {
    /// Address and port to listen on [default: 127.0.0.1:8080] [env: MULTIRAIL_LISTEN]
    #[arg(long, value_name = "ADDRESS", help_heading = "Settings")]
    listen: Option<String>,
}

impl ListenFlags {
    fn flags(&self) -> Vec<Flag> {
        vec![Flag::Setting(Setting::Listen, self.listen.clone())]
    }
}

#[derive(Args, Clone, Debug)]
pub(super) struct ModeFlags {
    /// A server for trials on this machine: processor simulator, movable clock, keys made on the first start [env:
    /// MULTIRAIL_SANDBOX]
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", help_heading = "Settings")]
    sandbox: Option<String>,

    /// A sandbox that other machines may reach: listens on any address, prints no keys [env: MULTIRAIL_SANDBOX_PUBLIC]
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", help_heading = "Settings")]
    sandbox_public: Option<String>,
}

impl ModeFlags {
    fn flags(&self) -> Vec<Flag> {
        vec![
            Flag::Setting(Setting::Sandbox, self.sandbox.clone()),
            Flag::Setting(Setting::SandboxPublic, self.sandbox_public.clone()),
        ]
    }
}

// The options of commands that work on the database themselves.
#[derive(Args, Clone, Debug)]
pub(super) struct DatabaseFlags {
    #[command(flatten)]
    config: ConfigFlags,
    /// The database of the payments: sqlite:<path> or postgres://… [env: MULTIRAIL_DATABASE_URL]
    #[arg(long, value_name = "URL", help_heading = "Settings")]
    database_url: Option<String>,
    #[command(flatten)]
    log: LogFlags,
}

impl DatabaseFlags {
    pub(super) fn flags(&self) -> Vec<Flag> {
        let database = Flag::Setting(Setting::DatabaseUrl, self.database_url.clone());
        let mut flags = self.config.flags();
        flags.push(database);
        flags.extend(self.log.flags());
        flags
    }
}

// The options of the simulator in a process of its own.
#[derive(Args, Clone, Debug)]
pub(super) struct SimulatorFlags {
    #[command(flatten)]
    config: ConfigFlags,
    #[command(flatten)]
    listen: ListenFlags,
    #[command(flatten)]
    log: LogFlags,
}

impl SimulatorFlags {
    pub(super) fn flags(&self) -> Vec<Flag> {
        let mut flags = self.config.flags();
        flags.extend(self.listen.flags());
        flags.extend(self.log.flags());
        flags
    }
}

// The options of a server.
#[derive(Args, Clone, Debug)]
pub(super) struct ServeFlags {
    #[command(flatten)]
    database: DatabaseFlags,
    #[command(flatten)]
    listen: ListenFlags,
    #[command(flatten)]
    mode: ModeFlags,

    /// A proxy in front terminates TLS [env: MULTIRAIL_BEHIND_PROXY]
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", help_heading = "Settings")]
    behind_proxy: Option<String>,

    /// The address by which payers reach this server; every redirect and return link begins with it [default:
    /// http://<listen>] [env: MULTIRAIL_PUBLIC_URL]
    #[arg(long, value_name = "URL", help_heading = "Settings")]
    public_url: Option<String>,
}

impl ServeFlags {
    pub(super) fn flags(&self) -> Vec<Flag> {
        let mut flags = self.database.flags();
        flags.extend(self.listen.flags());
        flags.extend(self.mode.flags());
        let behind_proxy = self.behind_proxy.clone();
        flags.push(Flag::Setting(Setting::BehindProxy, behind_proxy));
        flags.push(Flag::Setting(Setting::PublicUrl, self.public_url.clone()));
        flags
    }
}

/// Returns the options of a command line. Those in front of the subcommand count as well; those behind it win.
///
/// # Errors
/// Options in front of a subcommand that doesn't use them.
pub(super) fn merged(
    in_front: Vec<Flag>,
    command: Option<&Command>,
) -> Result<Vec<Flag>, Problems> {
    let Some(command) = command else {
        return Ok(in_front);
    };
    let mut used = command.flags();
    for flag in in_front.into_iter().filter(Flag::is_given) {
        match used.iter_mut().find(|one| one.is_same(&flag)) {
            Some(one) if one.is_given() => {}
            Some(one) => *one = flag,
            None => return Err(unused(&flag)),
        }
    }
    Ok(used)
}

/// Refuses options in front of a subcommand that uses none.
pub(super) fn check_none(in_front: Vec<Flag>) -> Result<(), Problems> {
    match in_front.iter().find(|flag| flag.is_given()) {
        Some(flag) => Err(unused(flag)),
        None => Ok(()),
    }
}

fn unused(flag: &Flag) -> Problems {
    let name = flag.name();
    Problems(vec![Problem(format!(
        "{name}: this subcommand doesn't use it"
    ))])
}
