//! `cargo codegen`: writes the published document and the generated Rust; `cargo codegen --check` compares them, and
//! `cargo codegen --breaking` compares the published document with the one of the last release.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use multirail_codegen::sources::Sources;
use multirail_codegen::{Error, breaking, output, peer, release};

/// Joins the OpenAPI document from its files and generates wire types, API traits and client from it, and the wire types of
/// connectors from their `peer.yaml` and `means.yaml`.
#[derive(Parser)]
#[command(
    name = "cargo codegen",
    version,
    args_conflicts_with_subcommands = true
)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// Write nothing; list the files that are stale and exit with 1 if there are any.
    #[arg(long)]
    check: bool,
    /// Write nothing; list the changes since a release, by the rules of oasdiff, and exit with 1 if no new line of
    /// openapi/CHANGELOG.md names a change. The release is a folder with both files, or anything that git knows, such as a
    /// tag; when absent, the commit that openapi/released.yaml names.
    #[arg(long, value_name = "RELEASE", num_args = 0..=1, default_missing_value = "", conflicts_with_all = ["check", "out"])]
    breaking: Option<String>,
    /// Main file of the document, instead of openapi/source/main.yaml. The other YAML files of its folder belong to it. With
    /// --breaking it is joined and compared instead of the published document.
    #[arg(long, value_name = "FILE")]
    document: Option<PathBuf>,
    /// Folder to write below, instead of the workspace.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

#[derive(Subcommand)]
enum Command {
    /// Work on a connector's peer.yaml.
    #[command(subcommand)]
    Peer(PeerCommand),
}

#[derive(Subcommand)]
enum PeerCommand {
    /// Print the peer.yaml of a connector with the types, limits and words of a processor's published description, and list
    /// the members that it doesn't have. Comments are lost.
    Cut {
        /// Name of the connector's folder.
        name: String,
        /// Published description; may be repeated.
        #[arg(long, value_name = "FILE", required = true)]
        from: Vec<PathBuf>,
    },
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
    if let Some(Command::Peer(PeerCommand::Cut { name, from })) = &arguments.command {
        let (document, missing) = peer::cut_from(&workspace, name, from)?;
        print!("{document}");
        for place in missing {
            eprintln!("not published: {place}");
        }
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(release) = &arguments.breaking {
        return compare(&workspace, release, arguments.document.as_deref());
    }
    let document = arguments
        .document
        .clone()
        .unwrap_or_else(|| workspace.join(output::MAIN));
    let root = arguments.out.clone().unwrap_or(workspace);
    let files = output::generate(&document)?;
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

fn compare(workspace: &Path, release: &str, document: Option<&Path>) -> Result<ExitCode, Error> {
    let old = match release {
        "" => release::last(workspace)?,
        named => release::read(workspace, named)?,
    };
    let mut new = release::current(workspace)?;
    if let Some(main) = document {
        new.document = output::joined(&Sources::read(main, workspace)?)?;
    }
    let changes = breaking::changes(&old.document, &new.document)?;
    let unnamed = breaking::unnamed(&changes, &old.changelog, &new.changelog);
    for change in &changes {
        println!("{change}");
        if unnamed.contains(&change) {
            println!(
                "  no new line of openapi/CHANGELOG.md has {}",
                change.names.join(" or ")
            );
        }
    }
    let broken = changes.iter().filter(|one| one.rule.level.is_breaking());
    println!(
        "{} changes since {}, {} of them breaking, {} that the change log doesn't name",
        changes.len(),
        old.name,
        broken.count(),
        unnamed.len()
    );
    Ok(match unnamed.is_empty() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}
