//! The contract mutation score: how much of the document the suite would notice if it said something else.
//!
//! [`mutants`] lists the small changes: each operation, caller, parameter, member, word, requirement and limit, one at a
//! time. `seen` is what recorded exchanges show, taken apart by the schemas of the document. `verdict` looks whether
//! a changed document still agrees with it:
//!
//! - What the server took or answered has to be right by the document, what it refused as badly formed has to be wrong.
//! - Whatever the document permits has to have been seen at least once: each word, each optional member there and
//!   absent, each kind of caller let in. A permission that nobody has seen used is no promise that anybody tested.
//! - The generator's lint has no findings.
//!
//! A schema is judged [alone](multirail_verifier::schema::alone), by the values that stood in its place, with what it refers to taken
//! as right: a change in one place needs no other place to be judged again.
//!
//! That is cheap, so that it is done with every mutant. `trial` has two judges more, who take seconds for each and are asked about
//! a few: the compiler, and the kit at a running server.

mod change;
mod cover;
mod draw;
mod explained;
mod facts;
mod mutants;
mod operations;
mod parameters;
mod places;
mod report;
mod schemas;
mod seen;
mod take_apart;
mod trial;
mod verdict;

pub use change::{Change, Kind, Mutant};
pub use draw::{sample, spread};
pub use explained::Explained;
pub use mutants::mutants;
pub use places::Places;
pub use report::Score;
pub use seen::Seen;
pub use trial::{Compiler, Finding, KIT, Live, Trial, Trials};
pub use verdict::{Judge, Verdict};
