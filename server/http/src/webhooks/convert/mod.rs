//! Wire to domain and back, for webhooks.

pub(crate) mod endpoint;
pub mod event;
pub(crate) mod words;
