//! What a delivery says.

use chrono::{DateTime, Utc};
use multirail_types::{
    Dispute, EventType, Mandate, Payment, Refund, WebhookContent, WebhookContentType,
    WebhookDelivery,
};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::WebhookError;

/// A delivery that was verified.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Event {
    /// The merchant account that it happened to.
    pub merchant_id: String,
    /// The same in every try to deliver it. Do the work of an id once.
    pub event_id: String,
    /// What happened.
    pub event_type: EventType,
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
    /// `refund_details`
    Refund(Box<Refund>),
    /// `dispute_details`
    Dispute(Box<Dispute>),
    /// `mandate_details`
    Mandate(Box<Mandate>),
    /// A kind that this version has no type for.
    Other {
        /// The word for it.
        kind: WebhookContentType,
        /// The object as it came.
        object: Map<String, Value>,
    },
}

impl Event {
    /// Reads a body, whoever sent it: use [`Verifier::verify`](super::Verifier::verify), which asks that first.
    ///
    /// # Errors
    /// [`WebhookError::Unreadable`]
    pub fn read(body: &[u8]) -> Result<Self, WebhookError> {
        let wire: WebhookDelivery = serde_json::from_slice(body).map_err(unreadable)?;
        let WebhookContent { type_, object } = wire.content;
        let content = match type_ {
            WebhookContentType::PaymentDetails => Content::Payment(Box::new(typed(object)?)),
            WebhookContentType::RefundDetails => Content::Refund(Box::new(typed(object)?)),
            WebhookContentType::DisputeDetails => Content::Dispute(Box::new(typed(object)?)),
            WebhookContentType::MandateDetails => Content::Mandate(Box::new(typed(object)?)),
            kind => Content::Other { kind, object },
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

fn typed<T: DeserializeOwned>(object: Map<String, Value>) -> Result<T, WebhookError> {
    serde_json::from_value(Value::Object(object)).map_err(unreadable)
}

fn unreadable(error: serde_json::Error) -> WebhookError {
    WebhookError::Unreadable(multirail_types::unreadable(&error))
}
