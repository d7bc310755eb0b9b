//! `cargo codegen`: writes the published document and the generated Rust; `cargo codegen --check` compares them.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use multirail_codegen::{Error, output};

/// Joins the OpenAPI document from its files and generates wire types, API traits and client from it.
#[derive(Parser)]
#[command(name = "cargo codegen", version)]
struct Arguments {
    /// Write nothing; list the files that are stale and exit with 1 if there are any.
    #[arg(long)]
    check: bool,
    /// Main file of the document, instead of openapi/source/main.yaml. The other YAML files of its folder belong to it.
    #[arg(long, value_name = "FILE")]
    document: Option<PathBuf>,
    /// Folder to write below, instead of the workspace.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    let workspace = output::workspace();
    let document = arguments
        .document
        .clone()
        .unwrap_or_else(|| workspace.join(output::MAIN));
    let root = arguments.out.clone().unwrap_or(workspace);
    let files = output::generate(&document, &root)?;
    if !arguments.check {
        let written = output::write(&root, &files)?;
        println!("{} files, {} changed", files.len(), written.len());
        return Ok(ExitCode::SUCCESS);
    }
    let stale = output::stale(&root, &files);
    if stale.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    eprintln!("stale, run `cargo codegen`:");
    for path in stale {
        eprintln!("  {}", path.display());
    }
    Ok(ExitCode::FAILURE)
}
