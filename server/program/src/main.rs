//! The `multirail` program: the server with its connectors and its rules of routing, and the commands that are clients.

use std::process::ExitCode;

use multirail_server::{BuiltIn, ClientCommands};

/// Half as fast again as the system's for requests: many small pieces, freed on other threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let built_in = BuiltIn {
        connectors: &multirail_connectors::BuiltIn,
        routing: &multirail_routing::BuiltIn,
    };
    let client = ClientCommands {
        described: multirail_commands::described,
        run: multirail_commands::run,
    };
    multirail_server::run(built_in, client)
}
