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
    /// Judges only mutants that may not survive: operations, parameters, requiredness and words of the specification's
    /// operations.
    #[arg(long)]
    pub strict: bool,
    /// Generates code from so many of the judged mutants, of each kind in turn, and checks whether the workspace still
    /// compiles. The first time it compiles a copy of the workspace, below the target folder; then it takes seconds for
    /// each.
    #[arg(long, default_value_t = 0)]
    pub compile: usize,
    /// Gives so many of the judged mutants to the verifier, of each kind in turn, and checks whether it finds a fault in
    /// our server. Half of them are explained mutants, as long as there are any: none of these may be noticed.
    #[arg(long, default_value_t = 0)]
    pub live: usize,
    /// Draws for both only from the survivors of the other judges.
    #[arg(long)]
    pub survivors: bool,
    /// The lowest allowed score, in percent; below it the exit code is 1.
    #[arg(long, default_value_t = 0.0)]
    pub least: f64,
    /// The number of survivors to tolerate where the specification allows none.
    #[arg(long, default_value_t = 0)]
    pub still: usize,
    /// Also prints the explained survivors, permissions of the document that were never used, and the differences that
    /// compiler and verifier found.
    #[arg(long)]
    pub all: bool,
    /// Threads; all processors when absent.
    #[arg(long)]
    pub threads: Option<usize>,
}
