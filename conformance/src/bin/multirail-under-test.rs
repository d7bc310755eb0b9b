//! `multirail` itself, built beside the tests that start and kill it as a process: they always run the version that they
//! test.

use std::process::ExitCode;

use multirail_connectors::BuiltIn;

fn main() -> ExitCode {
    multirail_server::run(&BuiltIn)
}
