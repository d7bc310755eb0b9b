//! Reads Checkout.com's events, whose bodies are signed.
//!
//! An event names the payment and the action, each with the metadata of its request. Events about
//! our operations bring their outcomes; every other event leads to a look-up.

use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::{
    About, Approval, Decline, News, Notice, OperationKind, Outcome, RawNotice, Unreadable,
};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::generated::wire::{DisputeEventType, Event, PaymentEvent, PaymentEventType};
use super::keys::{key_member, reference_of};
use super::map::{approved, of_amount};
use super::{disputes, errors};

/// The header with the signature: the HMAC of the body.
pub const SIGNATURE: &str = "cko-signature";

/// Reads an event.
pub fn read(raw: &RawNotice) -> Result<Vec<Notice>, Unreadable> {
    let event: Event = serde_json::from_slice(&raw.body).map_err(|_| Unreadable)?;
    let happened_at = event.created_on.or(event.timestamp);
    let happened_at = happened_at.and_then(|date| Timestamp::parse_rfc3339(&date).ok());
    let of_payment = PaymentEventType::read(&event.kind).means();
    let of_dispute = DisputeEventType::read(&event.kind).means();
    let news = match (of_payment, of_dispute) {
        (Some((kind, what)), _) => news(kind, what, read_as(&event.data)?).ok_or(Unreadable)?,
        (None, Some(status)) => {
            let told = disputes::from_event(read_as(&event.data)?, status, happened_at);
            News::Dispute(Box::new(told.ok_or(Unreadable)?))
        }
        // A pending operation, or an event about something else.
        (None, None) => News::Nothing,
    };
    Ok(vec![Notice {
        id: event.id,
        kind: event.kind,
        happened_at,
        news,
    }])
}

fn read_as<T: DeserializeOwned>(data: &Map<String, Value>) -> Result<T, Unreadable> {
    T::deserialize(data).map_err(|_| Unreadable)
}

/// The meaning of an event for an operation.
#[derive(Clone, Copy)]
pub enum What {
    Done,
    Declined,
    /// The payment or authorization has expired.
    Expired,
    /// Something changed that has to be looked up.
    Changed,
}

/// Returns the news of an event, or `None` if it can't be read.
fn news(kind: OperationKind, what: What, data: PaymentEvent) -> Option<News> {
    let payment = named(&data, OperationKind::Authorize);
    if kind == OperationKind::Authorize {
        // A payment without our key was made by another user of the account.
        let Some(key) = payment else {
            return Some(News::Nothing);
        };
        let about = About::authorization(key, &data.id);
        let outcome = match what {
            What::Done => Outcome::Done(approved(data.id, &data.report)?),
            What::Declined => Outcome::Declined(errors::event_decline(&data.report)),
            What::Expired => errors::ended(errors::EXPIRED),
            What::Changed => return Some(News::Hint { about }),
        };
        return Some(News::Outcome { about, outcome });
    }
    // The refund of a reversal is our void.
    let void = || Some((OperationKind::Void, named(&data, OperationKind::Void)?));
    let own = named(&data, kind).map(|key| (kind, key)).or_else(void);
    let (kind, key) = own.map_or((kind, None), |(kind, key)| (kind, Some(key)));
    let is_ours = key.is_some();
    // The capture that a payment includes counts as done with it. A failed capture may be that one
    // or one by another user. It becomes an outcome without an operation, which operators see.
    let is_of_our_payment = kind == OperationKind::Capture && payment.is_some();
    let about = About {
        key,
        reference: data.action_id.clone(),
        ..About::change(kind, &data.id)
    };
    let outcome = match what {
        // Changes by others are as reliable as our own.
        What::Done => Outcome::Done(done(kind, &data)?),
        What::Declined if is_ours || is_of_our_payment => Outcome::Declined(Decline {
            takes_back: is_ours && kind == OperationKind::Capture,
            ..errors::event_decline(&data.report)
        }),
        What::Declined | What::Expired | What::Changed => {
            return Some(News::Hint { about });
        }
    };
    Some(News::Outcome { about, outcome })
}

/// Returns the approval of a completed operation. Our voids have no amount.
fn done(kind: OperationKind, data: &PaymentEvent) -> Option<Approval> {
    let reference = data.action_id.clone();
    match kind {
        OperationKind::Void => Some(Approval {
            reference,
            ..Approval::default()
        }),
        OperationKind::Authorize
        | OperationKind::Increment
        | OperationKind::Capture
        | OperationKind::Refund => of_amount(reference, &data.report),
    }
}

/// Returns our key of the operation, if the event's reference matches it.
fn named(data: &PaymentEvent, kind: OperationKind) -> Option<ProcessorKey> {
    let key = data.metadata.as_ref()?.get(key_member(kind))?.as_str()?;
    let key = ProcessorKey::parse(key).ok()?;
    (data.report.reference.as_deref() == Some(reference_of(&key))).then_some(key)
}
