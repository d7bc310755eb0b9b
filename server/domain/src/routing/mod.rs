//! Choosing the connector account that a payment goes to.

pub mod choose;
pub mod straight_through;

pub use choose::{Candidate, choose, eligible, in_order};
pub use straight_through::{Choice, Share, StraightThrough};
