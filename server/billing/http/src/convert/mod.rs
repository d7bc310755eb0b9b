//! Converts billing's objects between wire and domain.

pub mod catalogue;
pub mod subscription;
mod words;
