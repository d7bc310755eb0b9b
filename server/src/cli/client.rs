//! The commands that are clients of a running server.

use clap::{ArgMatches, CommandFactory, FromArgMatches};

use super::arguments::{Arguments, DocumentFormat};
use super::flags::{ServeFlags, check_none};
use super::{Failure, Work};

/// The commands that are clients of a running server. The program brings them along, so that the server is built without
/// its client.
#[derive(Clone, Copy)]
pub struct ClientCommands {
    /// Describes them with their options.
    pub described: fn() -> Vec<clap::Command>,
    /// Runs the one that the arguments name, and returns the exit code.
    pub run: fn(&ArgMatches, Document<'_>) -> u8,
}

/// Returns the interface document as JSON.
pub type Document<'a> = &'a dyn Fn() -> Result<String, String>;

impl ClientCommands {
    /// Returns the whole command line.
    pub(super) fn whole(&self) -> clap::Command {
        Arguments::command().subcommands((self.described)())
    }

    /// Returns whether one of them has this name.
    pub(super) fn has(&self, name: &str) -> bool {
        let mut all = (self.described)().into_iter();
        all.any(|command| command.get_name() == name)
    }
}

/// Refuses options of settings in front of a subcommand that isn't the server's.
pub(super) fn check_unused(matches: &ArgMatches) -> Result<(), Failure> {
    let given = ServeFlags::from_arg_matches(matches).map(|flags| flags.flags());
    // Nothing is required, so this can't fail.
    check_none(given.unwrap_or_default()).map_err(Failure::Settings)
}

/// Runs the command of the client that the arguments name, and returns the exit code.
pub(super) fn run_client<W: Work>(work: &W, client: &ClientCommands, matches: &ArgMatches) -> u8 {
    let document = || {
        let document = work.document(DocumentFormat::Json);
        document.map_err(|error| error.to_string())
    };
    (client.run)(matches, &document)
}
