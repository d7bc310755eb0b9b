//! Ports of webhooks, as traits.

pub mod events;
pub mod webhook_sender;

pub use events::{EventChange, EventStore};
pub use webhook_sender::{WebhookRequest, WebhookSender};
