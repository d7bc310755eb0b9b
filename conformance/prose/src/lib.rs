//! Counts sentences of this repository that a reader has to read twice.
//!
//! The rules for words stand in `.github/CONTRIBUTING.md`. This crate finds the common ways to break them: a sentence
//! without a subject, a fragment, a sentence of more than 30 words, a name that only this project understands. The test
//! `level` holds the share of each.

mod faults;
mod limits;
mod markdown;
mod rust;
mod sentences;
mod tree;
mod yaml;

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

pub use faults::Fault;
pub use limits::{Excess, check};

/// A kind of text. Each has its own limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Documents for people.
    Markdown,
    /// Comments and docstrings of Rust.
    Comments,
    /// Descriptions and summaries of the contract.
    Contract,
    /// Texts of errors and log lines.
    Messages,
    /// Names of functions, types and modules.
    Names,
}

impl Kind {
    /// Every kind, in the order in which a report lists them.
    pub const ALL: [Kind; 5] = [
        Kind::Markdown,
        Kind::Comments,
        Kind::Contract,
        Kind::Messages,
        Kind::Names,
    ];

    /// Returns the word for a report.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Markdown => "markdown",
            Kind::Comments => "comments",
            Kind::Contract => "contract",
            Kind::Messages => "messages",
            Kind::Names => "names",
        }
    }
}

/// A sentence or a name, with the place where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    pub kind: Kind,
    /// A path relative to the root, with a line where the kind of file has one.
    pub place: String,
    pub text: String,
    /// Whether the text documents a member, a variant or a constant. Such a text may be a phrase.
    pub on_member: bool,
}

/// All sentences and names of a checkout.
#[derive(Debug, Default)]
pub struct Report {
    pub pieces: Vec<Piece>,
    /// Words of each Markdown file.
    pub words: BTreeMap<String, usize>,
    /// Lines of each Markdown file.
    pub lines: BTreeMap<String, usize>,
}

impl Report {
    /// Reads a checkout.
    ///
    /// # Errors
    /// A folder or file that can't be read.
    pub fn of_checkout(root: &Path) -> io::Result<Report> {
        let mut report = Report::default();
        for file in tree::texts(root)? {
            match file.language {
                tree::Language::Rust => rust::read(&file, &mut report),
                tree::Language::Markdown => markdown::read(&file, &mut report),
                tree::Language::Contract => yaml::read(&file, &mut report)?,
            }
        }
        Ok(report)
    }

    /// Returns the pieces of a kind.
    pub fn of_kind(&self, kind: Kind) -> impl Iterator<Item = &Piece> {
        self.pieces.iter().filter(move |piece| piece.kind == kind)
    }

    /// Returns the pieces of a kind that have a fault.
    pub fn faulty(&self, kind: Kind, fault: Fault) -> Vec<&Piece> {
        self.of_kind(kind)
            .filter(|piece| fault.is_in(piece))
            .collect()
    }

    /// Returns how many of a hundred pieces of a kind have a fault.
    pub fn share(&self, kind: Kind, fault: Fault) -> f64 {
        let all = self.of_kind(kind).count().max(1);
        100.0 * self.faulty(kind, fault).len() as f64 / all as f64
    }

    /// Draws pieces of a kind at random. The same seed draws the same pieces.
    pub fn draw(&self, kind: Kind, count: usize, seed: u64) -> Vec<&Piece> {
        let mut all: Vec<&Piece> = self.of_kind(kind).collect();
        fastrand::Rng::with_seed(seed).shuffle(&mut all);
        all.truncate(count);
        all
    }
}
