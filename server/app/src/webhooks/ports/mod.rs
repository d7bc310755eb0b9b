//! Ports of webhooks, as traits.

pub mod events;
pub mod webhook_sender;

pub use events::{EventChange, EventSequence, EventStore};
pub use webhook_sender::{WebhookRequest, WebhookSender};
