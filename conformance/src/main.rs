//! Tells a merchant's life to any running sandbox and says whether it answers as the document promises.

use std::process::ExitCode;

use clap::Parser;
use multirail_conformance::{Wire, lifecycle};

/// Checks a running multirail sandbox against the document: opens a merchant account, pays in every way, closes it.
#[derive(Parser)]
#[command(name = "multirail-conformance", version)]
struct Arguments {
    /// Where the server is, such as http://127.0.0.1:8080.
    #[arg(long)]
    base_url: String,
    /// The operator's key; the sandbox prints it when it starts.
    #[arg(long, env = "MULTIRAIL_ADMIN_API_KEY", hide_env_values = true)]
    admin_key: String,
    /// Prints JSON instead of a table.
    #[arg(long)]
    json: bool,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let wire = Wire::new(&arguments.base_url);
    let report = lifecycle::run(&wire, &arguments.admin_key).await;
    if arguments.json {
        println!("{}", report.json());
    } else {
        print!("{}", report.table());
    }
    if report.passed() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
