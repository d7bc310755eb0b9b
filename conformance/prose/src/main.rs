//! Prints how many sentences and names have each fault, and draws some to read aloud.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use multirail_prose::{Fault, Kind, Report, check};

/// Counts sentences that a reader has to read twice.
#[derive(Parser)]
struct Options {
    /// The checkout to read.
    #[arg(default_value = ".")]
    root: PathBuf,
    /// Lists every faulty place whose path begins with this text.
    #[arg(long)]
    below: Option<String>,
    /// Draws this many sentences of each kind to read aloud.
    #[arg(long, default_value_t = 0)]
    draw: usize,
    /// Draws others with another seed.
    #[arg(long, default_value_t = 7)]
    seed: u64,
}

fn main() -> io::Result<ExitCode> {
    let options = Options::parse();
    let report = Report::of_checkout(&options.root)?;
    for kind in Kind::ALL {
        print!("{:9}{:7}", kind.name(), report.of_kind(kind).count());
        for fault in Fault::ALL {
            print!("  {} {:.2} %", fault.name(), report.share(kind, fault));
        }
        println!();
        for piece in report.draw(kind, options.draw, options.seed) {
            println!("  {}: {}", piece.place, piece.text);
        }
        if let Some(below) = &options.below {
            list(&report, kind, below);
        }
    }
    println!("markdown {} words", report.words.values().sum::<usize>());
    let exceeded = check(&report);
    for excess in &exceeded {
        println!("{}", excess.0);
    }
    Ok(ExitCode::from(u8::from(!exceeded.is_empty())))
}

fn list(report: &Report, kind: Kind, below: &str) {
    for fault in Fault::ALL {
        let faulty = report.faulty(kind, fault).into_iter();
        for piece in faulty.filter(|piece| piece.place.starts_with(below)) {
            println!("  {}: {}: {}", fault.name(), piece.place, piece.text);
        }
    }
}
