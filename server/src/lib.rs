//! multirail: one API in front of many payment processors. See ARCHITECTURE.md for the map.

mod built_in;
pub mod cli;
pub mod config;
pub mod sandbox_keys;
pub mod startup;
pub mod telemetry;
pub mod workers;

use std::process::ExitCode;

pub use built_in::BuiltIn;
pub use cli::ClientCommands;

/// Runs the program with these parts and the process's arguments, environment and terminal.
///
/// The function has no type parameter. Its code is compiled with this crate, so a program that calls it is quickly linked.
pub fn run(built_in: BuiltIn, client: ClientCommands) -> ExitCode {
    cli::run(&startup::Program { built_in }, &client)
}
