//! The arguments of the command line.

use std::path::PathBuf;

use clap::Parser;

/// Prints the mutation score of the contract and every change that nothing noticed.
#[derive(Parser)]
#[command(name = "mutate-contract", version)]
pub struct Arguments {
    /// Folder of the recorded exchanges.
    #[arg(long, default_value = "target/exchanges")]
    pub exchanges: PathBuf,
    /// Judges so many mutants, drawn by the seed, instead of all.
    #[arg(long)]
    pub sample: Option<usize>,
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Judges only what may not survive: operations, parameters, requiredness and words of the specification's operations.
    #[arg(long)]
    pub strict: bool,
    /// Generates from so many of the judged mutants, in turn of each kind, and looks whether the workspace still compiles. The first
    /// time it compiles a copy of the workspace, below the target folder; then it takes seconds for each.
    #[arg(long, default_value_t = 0)]
    pub compile: usize,
    /// Hands so many of the judged mutants to the kit, in turn of each kind, and looks whether it finds a server of ours at fault. Half
    /// of them are those that the list explains, as long as there are any: none of these may be noticed.
    #[arg(long, default_value_t = 0)]
    pub live: usize,
    /// Draws for both only of what the others let through.
    #[arg(long)]
    pub survivors: bool,
    /// The least score, in percent; below it the exit code is 1.
    #[arg(long, default_value_t = 0.0)]
    pub least: f64,
    /// So many survivors are let through where the specification allows none.
    #[arg(long, default_value_t = 0)]
    pub still: usize,
    /// Also prints the survivors that are explained, what the document permits and nobody has seen, and what showed compiler and kit
    /// that something is different.
    #[arg(long)]
    pub all: bool,
    /// Threads; all processors when absent.
    #[arg(long)]
    pub threads: Option<usize>,
}
