//! Wire to domain and back, for webhooks.

pub mod event;
pub(crate) mod words;
