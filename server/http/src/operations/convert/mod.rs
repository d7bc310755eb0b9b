//! Wire to domain and back, for operations.

pub mod error_mapping;
pub(crate) mod words;
