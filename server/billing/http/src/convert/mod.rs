//! Converts billing's objects between wire and domain.

pub mod catalogue;
pub mod subscription;
pub mod user_subscription;
mod words;
