//! `multirail` itself, built beside the tests that start and kill it as a process: they always run the version that they
//! test.

use std::process::ExitCode;

use multirail_conformance::BUILT_IN;

fn main() -> ExitCode {
    multirail_server::run(BUILT_IN)
}
