//! What Adyen tells unasked: standard webhooks. The signature of an item covers eight of its members, which are those that
//! outcomes are made of; reasons and dates are words beside it.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use multirail_domain::connector::{
    About, Approval, Decline, News, Notice, OperationKind, Outcome, RawNotice,
};
use multirail_domain::connector_account::WebhookSecrets;
use multirail_domain::ids::ProcessorKey;
use multirail_domain::secret::SecretText;
use multirail_domain::timestamp::Timestamp;
use zeroize::Zeroizing;

use super::map::{of_amount, remarks};
use super::wire::{Notification, NotificationRequestItem};
use super::{disputes, errors};
use crate::notices::{Expected, secrets};

/// Adyen sends a notice again until it is answered so.
pub const ACCEPTED: &str = "[accepted]";

/// Whether every item of a request is signed with a secret of the account.
pub fn verify(raw: &RawNotice, own: Option<&WebhookSecrets>) -> bool {
    let Some(items) = items(raw) else {
        return false;
    };
    !items.is_empty() && items.iter().all(|item| is_signed(item, own))
}

/// What a request says that was verified. Items of other merchant accounts, which an endpoint of the company gets too, tell
/// nothing. `None` where one of them can't be read.
pub fn read(raw: &RawNotice, merchant_account: &str) -> Option<Vec<Notice>> {
    let items = items(raw)?.into_iter();
    items.map(|item| notice(item, merchant_account)).collect()
}

fn items(raw: &RawNotice) -> Option<Vec<NotificationRequestItem>> {
    let notification: Notification = serde_json::from_slice(&raw.body).ok()?;
    let items = notification.notification_items.into_iter();
    Some(items.map(|wrapped| wrapped.item).collect())
}

fn notice(item: NotificationRequestItem, merchant_account: &str) -> Option<Notice> {
    let succeeded = match item.success.as_str() {
        "true" => true,
        "false" => false,
        _ => return None,
    };
    let news = if item.merchant_account_code == merchant_account {
        news(&item, succeeded)?
    } else {
        News::Nothing
    };
    let date = item.event_date.as_deref();
    Some(Notice {
        // Adyen has no id for it, and tells a second time, under the same reference, of what went well after all.
        id: format!("{}:{}:{succeeded}", item.event_code, item.psp_reference),
        kind: item.event_code,
        happened_at: date.and_then(|date| Timestamp::parse_rfc3339(date).ok()),
        news,
    })
}

/// What an event says of an operation.
enum Says {
    /// It was done, or it failed, as `success` tells.
    Either,
    /// It was done, in an amount that isn't what the event has.
    EitherWhole,
    /// It failed after all.
    Failed,
    /// What it reserved and nobody captured is free.
    Expired,
    /// It failed after all, also where Adyen has told that it was done.
    TakenBack,
}

/// `None` where it can't be read.
fn news(item: &NotificationRequestItem, succeeded: bool) -> Option<News> {
    let (kind, says) = match item.event_code.as_str() {
        "AUTHORISATION" => (OperationKind::Authorize, Says::Either),
        // The payer never came to an end.
        "OFFER_CLOSED" => (OperationKind::Authorize, Says::Failed),
        "EXPIRE" => (OperationKind::Authorize, Says::Expired),
        "AUTHORISATION_ADJUSTMENT" => (OperationKind::Increment, Says::Either),
        "CAPTURE" => (OperationKind::Capture, Says::Either),
        "CAPTURE_FAILED" => (OperationKind::Capture, Says::TakenBack),
        "CANCELLATION" | "CANCEL_OR_REFUND" | "TECHNICAL_CANCEL" => {
            (OperationKind::Void, Says::EitherWhole)
        }
        "REFUND" => (OperationKind::Refund, Says::Either),
        "REFUND_FAILED" | "REFUNDED_REVERSED" => (OperationKind::Refund, Says::TakenBack),
        other => {
            let Some(stands) = disputes::stands(other).filter(|_| succeeded) else {
                return Some(News::Nothing);
            };
            let news = disputes::news(item, stands)?;
            return Some(News::Dispute(Box::new(news)));
        }
    };
    let reference = Some(item.psp_reference.clone());
    let outcome = match says {
        Says::Either if succeeded => Outcome::Done(of_amount(
            Approval {
                reference,
                remarks: remarks(&item.additional_data)
                    .filter(|_| kind == OperationKind::Authorize),
                ..Approval::default()
            },
            &item.amount,
        )?),
        Says::EitherWhole if succeeded => Outcome::Done(Approval {
            reference,
            ..Approval::default()
        }),
        // What failed to fail is as it was.
        Says::Failed | Says::Expired | Says::TakenBack if !succeeded => {
            return Some(News::Nothing);
        }
        Says::Either | Says::EitherWhole | Says::Failed | Says::Expired | Says::TakenBack => {
            let refusal = errors::told_refusal(&item.event_code, item.reason.as_deref());
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
    // A technical cancel hands back the reference of the payment, everything else that of the request.
    let is_requests = item.event_code != "TECHNICAL_CANCEL";
    let key = is_requests.then(|| ProcessorKey::parse(&item.merchant_reference).ok());
    // What ends by itself has a reference of its own.
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

/// Whether one of the secrets signed the item.
fn is_signed(item: &NotificationRequestItem, own: Option<&WebhookSecrets>) -> bool {
    let signature = item.additional_data.get("hmacSignature");
    let signature = signature.and_then(|signature| signature.as_str());
    let Some(signature) = signature.and_then(|text| STANDARD.decode(text).ok()) else {
        return false;
    };
    let Some(signed) = signed(item) else {
        return false;
    };
    secrets(own).any(|secret| {
        key(secret).is_some_and(|key| Expected::of(&key, &[signed.as_bytes()]).is(&signature))
    })
}

/// The signed text. Nothing in it tells where one member ends, so that only our reference, which others choose too, may have
/// a colon in it: then there is but one item that has this text.
fn signed(item: &NotificationRequestItem) -> Option<String> {
    let value = item.amount.value.to_string();
    let members = [
        item.psp_reference.as_str(),
        item.original_reference.as_deref().unwrap_or_default(),
        &item.merchant_account_code,
        &item.merchant_reference,
        &value,
        &item.amount.currency,
        &item.event_code,
        &item.success,
    ];
    let mut others = members.iter().enumerate().filter(|(index, _)| *index != 3);
    let is_plain = others.all(|(_, member)| !member.contains(':'));
    is_plain.then(|| members.join(":"))
}

/// Secrets are shown, and so given, in hexadecimal digits. A short one is none: anybody could sign with it.
fn key(secret: &SecretText) -> Option<Zeroizing<Vec<u8>>> {
    const SHORTEST: usize = 16;
    let key = Zeroizing::new(hex::decode(secret.expose().trim()).ok()?);
    Some(key).filter(|key| key.len() >= SHORTEST)
}
