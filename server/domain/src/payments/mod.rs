//! Payments, refunds, disputes, and the sessions of payers' browsers.

pub mod dispute;
pub mod offer;
pub mod payment;
pub mod refund;
pub mod session;
