//! The content of a delivery.

use chrono::{DateTime, Utc};
use multirail_types::{Dispute, EventType, Mandate, Payment, Refund, WebhookContentType};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::WebhookError;

/// A verified delivery.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Event {
    /// The merchant account concerned.
    pub merchant_id: String,
    /// The event's id, which is the same in every try of the delivery. Process each id once.
    pub event_id: String,
    /// The type of the event.
    pub event_type: EventType,
    /// The object at the time of the event.
    pub content: Content,
    /// The time of the event.
    pub timestamp: DateTime<Utc>,
}

/// The object of an event.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Content {
    /// `payment_details`
    Payment(Box<Payment>),
    /// `refund_details`
    Refund(Box<Refund>),
    /// `dispute_details`
    Dispute(Box<Dispute>),
    /// `mandate_details`
    Mandate(Box<Mandate>),
    /// An object that this version has no type for.
    Other {
        /// The word for its type.
        kind: WebhookContentType,
        /// The object, unchanged.
        object: Map<String, Value>,
    },
}

/// A delivery, of which the object is still text.
#[derive(Deserialize)]
struct Delivery<'b> {
    merchant_id: String,
    event_id: String,
    event_type: EventType,
    #[serde(borrow)]
    content: Described<'b>,
    timestamp: DateTime<Utc>,
}

#[derive(Deserialize)]
struct Described<'b> {
    #[serde(rename = "type")]
    kind: WebhookContentType,
    #[serde(borrow)]
    object: &'b RawValue,
}

impl Event {
    /// Reads a body without any verification. [`Verifier::verify`](super::Verifier::verify) verifies the sender first.
    ///
    /// # Errors
    /// [`WebhookError::Unreadable`]
    pub fn read(body: &[u8]) -> Result<Self, WebhookError> {
        let wire: Delivery<'_> = serde_json::from_slice(body).map_err(unreadable)?;
        let Described { kind, object } = wire.content;
        let content = match kind {
            WebhookContentType::PaymentDetails => Content::Payment(Box::new(typed(object)?)),
            WebhookContentType::RefundDetails => Content::Refund(Box::new(typed(object)?)),
            WebhookContentType::DisputeDetails => Content::Dispute(Box::new(typed(object)?)),
            WebhookContentType::MandateDetails => Content::Mandate(Box::new(typed(object)?)),
            kind => Content::Other {
                kind,
                object: typed(object)?,
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

/// Reads an object as the client reads answers, so both share the code of the types.
fn typed<T: DeserializeOwned>(object: &RawValue) -> Result<T, WebhookError> {
    serde_json::from_slice(object.get().as_bytes()).map_err(unreadable)
}

fn unreadable(error: serde_json::Error) -> WebhookError {
    WebhookError::Unreadable(multirail_types::unreadable(&error))
}
