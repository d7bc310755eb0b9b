//! Adyen's standard webhooks. The signature of an item covers eight members, and outcomes are made
//! from these only. Reasons and dates are unsigned text.

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::WebhookSecrets;
use multirail_sdk::connector::{
    About, Approval, Decline, News, Notice, NoticePart, OperationKind, Outcome, RawNotice,
};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use zeroize::Zeroizing;

use super::generated::wire::{
    DisputeItemType, Notification, NotificationRequestItem, NotificationRequestItemSuccess,
    NotificationRequestItemType,
};
use super::map::{of_amount, remarks};
use super::{disputes, errors};
use crate::notices::{Expected, secrets};

/// The answer without which Adyen sends a notice again.
pub const ACCEPTED: &str = "[accepted]";

/// Checks whether every item of a request is signed with a secret of the account. Unreadable items
/// count as signed, because Adyen sends nothing further until it is acknowledged.
pub fn verify(raw: &RawNotice, own: Option<&WebhookSecrets>) -> bool {
    let Some(items) = items(raw) else {
        return false;
    };
    !items.is_empty() && items.iter().all(|item| is_signed(item, own))
}

/// Reads a verified request. Items of other merchant accounts are ignored: a company's endpoint
/// receives them too. Returns `None` if the body is no list of items.
pub fn read(raw: &RawNotice, merchant_account: &str) -> Option<Vec<Notice>> {
    let items = items(raw)?;
    let items = items.iter();
    let notices = items.map(|item| notice(item, merchant_account));
    Some(notices.flat_map(with_beginning).collect())
}

/// Returns the notice, after the beginning of a dispute whose end it tells alone.
fn with_beginning(notice: Notice) -> impl Iterator<Item = Notice> {
    let beginning = match &notice.news {
        News::Dispute(news) => disputes::beginning(news),
        News::Outcome { .. } | News::Hint { .. } | News::Nothing | News::Unreadable => None,
    };
    let beginning = beginning.map(|news| Notice {
        id: format!("{}:opened", notice.id),
        news: News::Dispute(Box::new(news)),
        ..notice.clone()
    });
    beginning.into_iter().chain([notice])
}

/// Returns each item as a notice of its own. The signed text identifies an item, whatever surrounds
/// it.
pub fn parts(raw: &RawNotice) -> Vec<NoticePart> {
    let items = items(raw).unwrap_or_default().into_iter();
    let parts = items.map(|item| {
        let is_clear = readable(&item).is_some();
        let body = json!({ "notificationItems": [{ "NotificationRequestItem": item }] });
        NoticePart {
            // A signed text has only one clear reading.
            identity: format!("{is_clear}:{}", signed_text(&item)),
            content: RawNotice {
                headers: Vec::new(),
                body: body.to_string().into_bytes(),
            },
        }
    });
    parts.collect()
}

/// An item, unparsed.
type Item = Map<String, Value>;

fn items(raw: &RawNotice) -> Option<Vec<Item>> {
    let notification: Notification = serde_json::from_slice(&raw.body).ok()?;
    let items = notification.notification_items.into_iter();
    Some(items.map(|one| one.notification_request_item).collect())
}

fn notice(item: &Item, merchant_account: &str) -> Notice {
    let told = readable(item).and_then(|own| clear(item, own, merchant_account));
    told.unwrap_or_else(|| {
        let (event, psp) = (member(item, "eventCode"), member(item, "pspReference"));
        unreadable(&event, &psp)
    })
}

fn unreadable(event_code: &str, psp_reference: &str) -> Notice {
    Notice {
        id: format!("{event_code}:{psp_reference}:unreadable"),
        kind: event_code.to_owned(),
        happened_at: None,
        news: News::Unreadable,
    }
}

/// Returns the item if its signed members can be told apart. The signed text doesn't mark where a
/// member ends. Only our reference may contain a colon, since others may choose references too;
/// then exactly one item has this text.
fn readable(item: &Item) -> Option<NotificationRequestItem> {
    let mut others = SIGNED.iter().filter(|name| **name != "merchantReference");
    if others.any(|name| member(item, name).contains(':')) {
        return None;
    }
    NotificationRequestItem::deserialize(item).ok()
}

/// Reads a clear item. Returns `None` if a member has an unknown word.
fn clear(item: &Item, own: NotificationRequestItem, merchant_account: &str) -> Option<Notice> {
    let succeeded = match own.success {
        NotificationRequestItemSuccess::True => true,
        NotificationRequestItemSuccess::False => false,
        NotificationRequestItemSuccess::Unknown => return None,
    };
    let news = if own.merchant_account_code == merchant_account {
        news(item, &own, succeeded)?
    } else {
        News::Nothing
    };
    let date = own.event_date.as_deref();
    Some(Notice {
        // Adyen has no id for a notice, and may report a later success under the same reference.
        id: format!("{}:{}:{succeeded}", own.event_code, own.psp_reference),
        happened_at: date.and_then(|date| Timestamp::parse_rfc3339(date).ok()),
        kind: own.event_code,
        news,
    })
}

/// The meaning of an event for its operation.
#[derive(Clone, Copy)]
pub enum Says {
    /// Success or failure, by `success`.
    Either,
    /// Success or failure, by `success`. The event's amount isn't the operation's.
    EitherWhole,
    /// A later failure.
    Failed,
    /// The uncaptured authorization has expired.
    Expired,
    /// A later failure, even after a reported success.
    TakenBack,
}

/// Returns the news of an item, or `None` if it can't be read.
fn news(whole: &Item, item: &NotificationRequestItem, succeeded: bool) -> Option<News> {
    let Some((kind, says)) = NotificationRequestItemType::read(&item.event_code).means() else {
        let event = DisputeItemType::read(&item.event_code);
        let Some(stands) = event.means().filter(|_| succeeded) else {
            return Some(News::Nothing);
        };
        let news = disputes::news(whole, event, stands)?;
        return Some(News::Dispute(Box::new(news)));
    };
    let reference = Some(item.psp_reference.clone());
    let outcome = match says {
        Says::Either if succeeded => Outcome::Done(of_amount(
            Approval {
                reference,
                remarks: (item.additional_data.as_ref())
                    .filter(|_| kind == OperationKind::Authorize)
                    .and_then(remarks),
                ..Approval::default()
            },
            &item.amount,
        )?),
        Says::EitherWhole if succeeded => Outcome::Done(Approval {
            reference,
            ..Approval::default()
        }),
        // The failure event itself failed, so nothing has changed.
        Says::Failed | Says::Expired | Says::TakenBack if !succeeded => {
            return Some(News::Nothing);
        }
        Says::Either | Says::EitherWhole | Says::Failed | Says::Expired | Says::TakenBack => {
            let refusal = errors::notice_refusal(&item.event_code, item.reason.as_deref());
            Outcome::Declined(Decline {
                takes_back: matches!(says, Says::TakenBack),
                authorization_gone: matches!(says, Says::Expired),
                ..refusal
            })
        }
    };
    Some(News::Outcome {
        about: about(item, kind),
        outcome,
    })
}

fn about(item: &NotificationRequestItem, kind: OperationKind) -> About {
    // A technical cancel returns the payment's reference; every other event returns the request's.
    let is_requests = item.event_code != "TECHNICAL_CANCEL";
    let key = is_requests.then(|| ProcessorKey::parse(&item.merchant_reference).ok());
    // Offers that close and authorizations that expire have references of their own.
    let is_of_request = !matches!(item.event_code.as_str(), "OFFER_CLOSED" | "EXPIRE");
    let original = item.original_reference.clone();
    About {
        kind,
        key: key.flatten(),
        authorization_key: (!is_requests)
            .then(|| ProcessorKey::parse(&item.merchant_reference).ok())
            .flatten(),
        reference: is_of_request.then(|| item.psp_reference.clone()),
        authorization_reference: original.filter(|reference| !reference.is_empty()),
    }
}

/// The signed members, in their order.
const SIGNED: [&str; 8] = [
    "pspReference",
    "originalReference",
    "merchantAccountCode",
    "merchantReference",
    "amount.value",
    "amount.currency",
    "eventCode",
    "success",
];

/// Returns a member's text in the signature; a missing member is empty.
fn member<'a>(item: &'a Item, name: &str) -> Cow<'a, str> {
    let found = match name.split_once('.') {
        Some((outer, inner)) => item.get(outer).and_then(|outer| outer.get(inner)),
        None => item.get(name),
    };
    match found {
        None | Some(Value::Null) => Cow::Borrowed(""),
        Some(Value::String(text)) => Cow::Borrowed(text),
        Some(other) => Cow::Owned(other.to_string()),
    }
}

fn signed_text(item: &Item) -> String {
    SIGNED.map(|name| member(item, name)).join(":")
}

/// Checks whether one of the secrets signed the item.
fn is_signed(item: &Item, own: Option<&WebhookSecrets>) -> bool {
    let signature = item
        .get("additionalData")
        .and_then(|data| data.get("hmacSignature"));
    let signature = signature.and_then(Value::as_str);
    let Some(signature) = signature.and_then(|text| STANDARD.decode(text).ok()) else {
        return false;
    };
    let signed = signed_text(item);
    secrets(own).any(|secret| {
        key(secret).is_some_and(|key| Expected::new(&key, &[signed.as_bytes()]).is(&signature))
    })
}

/// Decodes a secret, which Adyen shows in hexadecimal digits. Short secrets are rejected, because
/// they can be guessed.
fn key(secret: &SecretText) -> Option<Zeroizing<Vec<u8>>> {
    const SHORTEST: usize = 16;
    let key = Zeroizing::new(hex::decode(secret.expose().trim()).ok()?);
    Some(key).filter(|key| key.len() >= SHORTEST)
}
