//! Questions to processors that payments, refunds and disputes have in common.

pub mod convert;
pub(crate) mod error_mappings;
pub(crate) mod notices;
pub(crate) mod unresolved_operations;
