//! Billing, wire to domain and back.

pub mod catalogue;
pub mod subscription;
mod words;
