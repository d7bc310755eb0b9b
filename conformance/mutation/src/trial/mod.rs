//! The expensive judges, for a few mutants only. One checks whether the workspace still compiles with the code that is
//! generated from a changed document. The other checks whether the verifier, with the changed document as the contract,
//! finds a fault in a running server.
//!
//! They show the abilities of each judge, and test the explanations against a server, whose answers must not refute them.

mod compile;
mod live;
mod table;

pub use compile::Compiler;
pub use live::{KIT, Live};
pub use table::Trials;

use super::change::Mutant;

/// A judge's finding about a changed document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// With the first evidence.
    Noticed(String),
    /// With the reason why nothing shows it.
    Silent(String),
}

/// A mutant that was drawn, and each judge's finding.
#[derive(Clone, Debug)]
pub struct Trial<'m> {
    pub mutant: &'m Mutant,
    /// File and line of its place.
    pub at: (String, usize),
    pub lint: bool,
    /// Whether recorded exchanges, or their coverage, notice it.
    pub exchanges: bool,
    /// Whether the list explains why nothing notices it.
    pub is_explained: bool,
    /// `None` if it wasn't drawn for this judge.
    pub compile: Option<Finding>,
    pub live: Option<Finding>,
}

impl Finding {
    pub fn is_noticed(&self) -> bool {
        match self {
            Self::Noticed(_) => true,
            Self::Silent(_) => false,
        }
    }

    /// Returns the evidence, or the reason why there is none.
    pub fn why(&self) -> &str {
        match self {
            Self::Noticed(why) | Self::Silent(why) => why,
        }
    }
}
