//! The `multirail` program: the server with its connectors.

use std::process::ExitCode;

use multirail_connectors::BuiltIn;

/// Half as fast again as the system's for requests: many small pieces, freed on other threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    multirail_server::run(&BuiltIn)
}
