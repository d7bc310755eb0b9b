//! Questions to processors that payments, refunds and disputes have in common.

pub mod error_mapping;
pub mod operation;
pub mod question;
pub mod received_notice;
