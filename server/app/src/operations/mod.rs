//! Questions to processors that payments, refunds and disputes have in common.

pub mod driver;
pub mod error_mappings;
pub mod notices;
pub mod operated;
pub mod operation_sync;
pub mod ports;
pub mod processors;
pub mod questions;
pub mod told;
pub mod unresolved;
pub mod unresolved_operation;
