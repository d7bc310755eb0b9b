//! The `multirail` program.

use std::process::ExitCode;

use multirail_server::cli;
use multirail_server::startup::Program;

/// Half again as fast as the system's for what a request needs: many small pieces, freed on other threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    cli::run(&Program)
}
