//! `multirail` itself, built beside the tests that start and kill it as a process: what they run is never older than
//! what they test.

use std::process::ExitCode;

fn main() -> ExitCode {
    multirail_server::run()
}
