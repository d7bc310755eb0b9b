//! Operations at processors, shared by payments, refunds and disputes.

pub mod error_mapping;
pub mod operation;
pub mod question;
pub mod received_notice;
