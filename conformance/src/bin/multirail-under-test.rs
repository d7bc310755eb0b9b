//! `multirail` itself, built beside the tests that start and kill it as a process: they always run the version that they
//! test.

use std::process::ExitCode;

use multirail_conformance::BUILT_IN;
use multirail_server::ClientCommands;

fn main() -> ExitCode {
    let client = ClientCommands {
        described: multirail_commands::described,
        run: multirail_commands::run,
    };
    multirail_server::run(BUILT_IN, client)
}
