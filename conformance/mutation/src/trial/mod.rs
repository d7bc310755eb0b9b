//! The dear judges, which look at a few mutants only: whether the workspace still compiles with what is generated from a changed
//! document, and whether the kit, told that the changed document is the contract, finds a running server at fault.
//!
//! They are there to learn what each judge sees, and to hold explanations against a server: what it answers must not refute
//! them.

mod compile;
mod live;
mod table;

pub use compile::Compiler;
pub use live::{KIT, Live};
pub use table::Trials;

use super::change::Mutant;

/// What a judge made of a changed document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// With the first thing that shows it.
    Noticed(String),
    /// With why nothing shows it.
    Silent(String),
}

/// A mutant that was drawn, and what each judge made of it.
#[derive(Clone, Debug)]
pub struct Trial<'m> {
    pub mutant: &'m Mutant,
    /// File and line of its place.
    pub at: (String, usize),
    pub lint: bool,
    /// Recorded exchanges, and what they cover.
    pub exchanges: bool,
    /// The list says why nothing notices it.
    pub is_explained: bool,
    /// `None` where it wasn't drawn for this judge.
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

    /// What shows it, or why nothing does.
    pub fn why(&self) -> &str {
        match self {
            Self::Noticed(why) | Self::Silent(why) => why,
        }
    }
}
