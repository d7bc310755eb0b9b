//! What SQLite keeps its payments on: full, limited, gone, taken by somebody else, or no longer to be trusted. Each story
//! has a server process of its own, as what goes wrong here used to end the process.

mod fate;
mod full;
mod gone;
pub mod process;
