//! The server, the keys and the login of a command, with the place where each was given.

use std::env::VarError;

use clap::builder::TypedValueParser as _;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, Error, FromArgMatches};
use multirail_types::Secret;

use super::LoginName;
use super::text::{Text, not_text};
use crate::logins::Name;

/// The variable with the server's address.
pub(crate) const SERVER_VARIABLE: &str = "MULTIRAIL_URL";

/// A value from an option or a variable.
#[derive(Clone, Debug)]
pub(crate) struct Given<T> {
    pub(crate) value: T,
    /// True if an option of the command line has the value.
    pub(crate) is_option: bool,
}

/// The server and the key of a command.
#[derive(Clone, Debug)]
pub(crate) struct AccessOptions {
    pub(crate) server: Option<Given<String>>,
    /// The address in the variable, also if the option has another: keys in variables are for this one.
    pub(crate) server_of_variables: Option<String>,
    pub(crate) api_key: Option<Given<Secret>>,
    pub(crate) profile: Given<Name>,
}

/// The operator's key of a command that needs it for some calls.
#[derive(Clone, Debug)]
pub(crate) struct OperatorOptions {
    pub(crate) admin_key: Option<Given<Secret>>,
}

// Ordinary comments on groups: clap would show doc comments as the text of the command.

// The arguments of `AccessOptions`.
#[derive(Args)]
struct AccessArguments {
    /// The server's address. Keys of a login or of variables are only for their own server [default: the login's,
    /// otherwise http://127.0.0.1:8080]
    #[arg(long, value_name = "URL", env = SERVER_VARIABLE, value_parser = Text)]
    server: Option<String>,
    /// The merchant's secret key, instead of the login. Other users of the machine can see options, so prefer the login
    /// or the variable
    #[arg(
        long,
        value_name = "KEY",
        env = "MULTIRAIL_API_KEY",
        hide_env_values = true,
        value_parser = Text.map(Secret::from)
    )]
    api_key: Option<Secret>,
    #[command(flatten)]
    login: LoginName,
}

// The argument of `OperatorOptions`.
#[derive(Args)]
struct OperatorArguments {
    /// The operator's key, instead of the login's. The variable counts only if the server's address is given too, and
    /// isn't another than that in MULTIRAIL_URL
    #[arg(
        long,
        value_name = "KEY",
        env = "MULTIRAIL_ADMIN_API_KEY",
        hide_env_values = true,
        value_parser = Text.map(Secret::from)
    )]
    admin_key: Option<Secret>,
}

impl FromArgMatches for AccessOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let AccessArguments {
            server,
            api_key,
            login,
        } = AccessArguments::from_arg_matches(matches)?;
        Ok(Self {
            server: server
                .map(|value| given(matches, "server", value))
                .filter(|server| server.is_option || !server.value.is_empty()),
            server_of_variables: server_of_variables()?,
            api_key: api_key.map(|value| given(matches, "api_key", value)),
            profile: given(matches, "profile", login.profile),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for AccessOptions {
    fn augment_args(command: Command) -> Command {
        with_purpose_of_login(AccessArguments::augment_args(command))
    }

    fn augment_args_for_update(command: Command) -> Command {
        with_purpose_of_login(AccessArguments::augment_args_for_update(command))
    }
}

/// Explains the login to readers of the help, who may have a server and a key in variables.
fn with_purpose_of_login(command: Command) -> Command {
    let purpose =
        "The login to use (`multirail login`), instead of a server and a key in variables";
    command.mut_arg("profile", |profile| profile.help(purpose))
}

impl FromArgMatches for OperatorOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let OperatorArguments { admin_key } = OperatorArguments::from_arg_matches(matches)?;
        Ok(Self {
            admin_key: admin_key.map(|value| given(matches, "admin_key", value)),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for OperatorOptions {
    fn augment_args(command: Command) -> Command {
        OperatorArguments::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        OperatorArguments::augment_args_for_update(command)
    }
}

/// Returns the address in the variable. An empty variable counts as absent. An unreadable one is refused even where an
/// option has an address, because keys in variables could go to another server.
fn server_of_variables() -> Result<Option<String>, Error> {
    match std::env::var(SERVER_VARIABLE) {
        Ok(address) => Ok(Some(address).filter(|address| !address.is_empty())),
        Err(VarError::NotPresent) => Ok(None),
        Err(VarError::NotUnicode(_)) => Err(not_text(SERVER_VARIABLE)),
    }
}

fn given<T>(matches: &ArgMatches, id: &str, value: T) -> Given<T> {
    Given {
        value,
        is_option: matches.value_source(id) == Some(ValueSource::CommandLine),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_told_from_defaults() {
        let command = OperatorOptions::augment_args(AccessOptions::augment_args(Command::new("x")));
        let arguments = ["x", "--profile", "shop", "--admin-key", "admin"];
        let matches = command
            .clone()
            .try_get_matches_from(arguments)
            .expect("read");
        let access = AccessOptions::from_arg_matches(&matches).expect("read");
        assert!(access.profile.is_option);
        assert_eq!(access.profile.value.to_string(), "shop");
        let operator = OperatorOptions::from_arg_matches(&matches).expect("read");
        assert!(operator.admin_key.is_some_and(|key| key.is_option));
        let matches = command.try_get_matches_from(["x"]).expect("read");
        let access = AccessOptions::from_arg_matches(&matches).expect("read");
        assert!(!access.profile.is_option);
    }
}
