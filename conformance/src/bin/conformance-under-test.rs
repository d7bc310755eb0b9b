//! The verifier's command, built beside the tests that start it as a process: they always run the version that they test.

use std::process::ExitCode;

use clap::Parser;
use multirail_verifier::command::{self, Arguments};

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    command::run(&Arguments::parse()).await
}
