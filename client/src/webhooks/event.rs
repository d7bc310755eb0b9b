//! What a delivery says.

use chrono::{DateTime, Utc};
use multirail_types::Payment;
use serde::Deserialize;
use serde_json::Value;

use super::WebhookError;

/// A delivery that was verified.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Event {
    /// The merchant account that it happened to.
    pub merchant_id: String,
    /// The same in every try to deliver it. Do the work of an id once.
    pub event_id: String,
    /// What happened, such as `payment_succeeded`. Words may be added.
    pub event_type: String,
    /// What it happened to, as it was then.
    pub content: Content,
    /// When it happened.
    pub timestamp: DateTime<Utc>,
}

/// The object that an event is about.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Content {
    /// `payment_details`
    Payment(Box<Payment>),
    /// A kind that this version doesn't know.
    Unknown {
        /// The word for it.
        kind: String,
        /// The object as it came.
        object: Value,
    },
}

#[derive(Deserialize)]
struct Wire {
    merchant_id: String,
    event_id: String,
    event_type: String,
    content: WireContent,
    timestamp: DateTime<Utc>,
}

#[derive(Deserialize)]
struct WireContent {
    r#type: String,
    object: Value,
}

impl Event {
    /// Reads a body, whoever sent it: use [`Verifier::verify`](super::Verifier::verify), which asks that first.
    ///
    /// # Errors
    /// [`WebhookError::Unreadable`]
    pub fn read(body: &[u8]) -> Result<Self, WebhookError> {
        let wire: Wire = serde_json::from_slice(body).map_err(unreadable)?;
        let content = match wire.content.r#type.as_str() {
            "payment_details" => {
                let payment = Payment::deserialize(wire.content.object).map_err(unreadable)?;
                Content::Payment(Box::new(payment))
            }
            _ => Content::Unknown {
                kind: wire.content.r#type,
                object: wire.content.object,
            },
        };
        Ok(Event {
            merchant_id: wire.merchant_id,
            event_id: wire.event_id,
            event_type: wire.event_type,
            content,
            timestamp: wire.timestamp,
        })
    }
}

fn unreadable(error: serde_json::Error) -> WebhookError {
    WebhookError::Unreadable(crate::error::complaint(&error))
}
