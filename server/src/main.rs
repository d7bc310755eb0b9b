//! The `multirail` program.

use std::process::ExitCode;

use multirail_server::cli;
use multirail_server::startup::Program;

fn main() -> ExitCode {
    cli::run(&Program)
}
