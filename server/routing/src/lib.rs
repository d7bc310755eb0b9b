//! The rules of routing: which accounts can take a payment, and in which order they are tried.
//!
//! They decide by what `multirail_domain::routing` stores: configurations, counts and the facts of a payment. The program hands
//! [`BuiltIn`] to the server, which names no rule. A changed rule therefore compiles this crate and links the program.

mod built_in;
mod chance;
mod choose;
mod could;
mod dynamic;
mod eligible;
mod elimination;
mod evaluate;
mod learned;
mod order;
mod query;
mod reasons;
mod refusal;
mod split;
mod success_based;

pub use built_in::BuiltIn;
pub use choose::{choose, consider};
pub use eligible::lacks;
pub use evaluate::{decide, holds};
pub use learned::learned;
pub use order::{Arranged, arrange};
