//! `multirail` itself, built beside the tests that start and kill it as a process: they always run the version that they
//! test.

use std::process::ExitCode;

use multirail_server::cli;
use multirail_server::startup::Program;

fn main() -> ExitCode {
    cli::run(&Program)
}
