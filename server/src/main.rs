//! The `multirail` program.

use std::process::ExitCode;

/// Half again as fast as the system's for what a request needs: many small pieces, freed on other threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    multirail_server::run()
}
