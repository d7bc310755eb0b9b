//! Calls to addresses other than processors': webhooks of merchants, Apple's merchant validation, the operator's mail
//! server.
//!
//! Each call implements a port of the use cases. Webhooks and Apple use the guarded client of `outbound`.

pub mod apple_pay;
pub mod mail;
pub mod webhooks;
