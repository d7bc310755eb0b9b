//! Calls to addresses that are no processor's: webhooks of merchants, Apple's validation of merchants, the operator's mail server.
//!
//! Each fills in a port of the use cases. Webhooks and Apple go by the guarded client of `outbound`.

pub mod apple_pay;
pub mod mail;
pub mod webhooks;
