//! The `multirail` program.

use std::process::ExitCode;

use multirail_server::cli;
use multirail_server::startup::Program;

/// Half as fast again as the system's for requests: many small pieces, freed on other threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    cli::run(&Program)
}
