//! The contract mutation score: the share of the document whose changes the suite would notice.
//!
//! [`mutants`] lists the small changes: each operation, caller, parameter, member, word, requirement and limit, one at a
//! time. `seen` reads facts from recorded exchanges, taken apart by the schemas of the document. `verdict` checks whether a
//! changed document still agrees with them:
//!
//! - Everything that the server accepted or answered has to be valid by the document; everything that it refused as badly
//!   formed has to be invalid.
//! - Every permission of the document has to have been used at least once: each word, each optional member present and
//!   absent, each kind of caller. An unused permission is untested.
//! - The generator's lint has no findings.
//!
//! A schema is judged [alone](multirail_verifier::schema::alone), by its recorded values, and its references are taken as
//! valid: a change in one place needs no other place to be judged again.
//!
//! That is cheap, so every mutant is judged in this way. `trial` has two more judges, which take seconds for each and judge
//! a few: the compiler, and the verifier with a running server.

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
