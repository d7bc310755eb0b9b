//! The `multirail` program: the server with its connectors and its rules of routing.

use std::process::ExitCode;

use multirail_server::BuiltIn;

/// Half as fast again as the system's for requests: many small pieces, freed on other threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    multirail_server::run(BuiltIn {
        connectors: &multirail_connectors::BuiltIn,
        routing: &multirail_routing::BuiltIn,
    })
}
