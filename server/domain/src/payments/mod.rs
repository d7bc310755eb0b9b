//! Payments, refunds, disputes, and the pages of payers.

pub mod dispute;
pub mod offer;
pub mod payment;
pub mod refund;
pub mod session;
