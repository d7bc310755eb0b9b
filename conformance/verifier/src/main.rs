//! Checks any running server against the document and writes a report.

use std::process::ExitCode;

use clap::Parser;
use multirail_verifier::command::{self, Arguments};

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    command::run(&Arguments::parse()).await
}
