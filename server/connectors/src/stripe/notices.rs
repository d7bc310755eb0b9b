//! Reads Stripe's events, which are signed with their sending time.
//!
//! An event shows its object at the time of the event. Final states are used as answers. Everything
//! else leads to a look-up, because events arrive late and in any order.

use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::WebhookSecrets;
use multirail_sdk::connector::{
    About, Decline, DisputeNews, DisputeStatus, News, Notice, OperationKind, Outcome, RawNotice,
    Unreadable,
};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::generated::wire::{
    ChargeEvent, ChargeEventType, DisputeType, Event, PaymentIntent, PaymentIntentType, Refund,
    RefundType, SetupIntent, SetupIntentType,
};
use super::map::State;
use super::notes::{Metadata, Note, OUR_KEY, OUR_VOID_KEY, notes};
use super::{disputes, map, refunds};
use crate::notices::is_signed_with_time;

const SIGNATURE: &str = "stripe-signature";
/// The event of a new dispute.
const BEGINNING: &str = "charge.dispute.created";

/// Reads an event and returns one notice for each operation in it. `account` is the connected
/// account for which we act.
pub fn read(raw: &RawNotice, account: Option<&str>) -> Result<Vec<Notice>, Unreadable> {
    let event: Event = serde_json::from_slice(&raw.body).map_err(|_| Unreadable)?;
    let others = matches!((account, &event.account), (Some(ours), Some(told)) if ours != told);
    let all = if others {
        Vec::new()
    } else {
        let told_at = Timestamp::EPOCH.plus_seconds(event.created);
        news(&event.kind, event.data.object, told_at).ok_or(Unreadable)?
    };
    let happened_at = Timestamp::EPOCH.plus_seconds(event.created);
    let notice = |(suffix, news): (String, News)| Notice {
        id: format!("{}{suffix}", event.id),
        kind: event.kind.clone(),
        happened_at,
        news,
    };
    if all.is_empty() {
        return Ok(vec![notice((String::new(), News::Nothing))]);
    }
    Ok(all.into_iter().map(notice).collect())
}

/// Checks whether one of the secrets signed the body and its sending time.
pub fn verify(raw: &RawNotice, own: Option<&WebhookSecrets>, now: Timestamp) -> bool {
    is_signed_with_time(raw, SIGNATURE, own, now)
}

/// The object of an event.
#[derive(Clone, Copy)]
pub enum Subject {
    Payment,
    Check,
    Refund,
    Dispute,
    Charge,
}

impl Subject {
    /// Returns the object of this kind of event. Other events say nothing that isn't known.
    fn of_event(kind: &str) -> Option<Self> {
        let subjects = [
            PaymentIntentType::read(kind).means(),
            SetupIntentType::read(kind).means(),
            RefundType::read(kind).means(),
            DisputeType::read(kind).means(),
            ChargeEventType::read(kind).means(),
        ];
        subjects.into_iter().flatten().next()
    }
}

/// Returns the news of an event, each with a suffix that makes its id unique. Returns `None` if the
/// event can't be read.
fn news(
    kind: &str,
    object: Map<String, Value>,
    told_at: Option<Timestamp>,
) -> Option<Vec<(String, News)>> {
    match Subject::of_event(kind) {
        Some(Subject::Payment) => read_as(object).map(payment),
        Some(Subject::Check) => read_as(object).map(check),
        Some(Subject::Refund) => read_as(object).map(refund),
        Some(Subject::Charge) => read_as(object).map(charge),
        Some(Subject::Dispute) => {
            disputes::news(read_as(object)?, told_at).map(|news| dispute(kind, news))
        }
        None => Some(Vec::new()),
    }
}

fn read_as<T: DeserializeOwned>(object: Map<String, Value>) -> Option<T> {
    serde_json::from_value(Value::Object(object)).ok()
}

pub(super) fn payment(intent: PaymentIntent) -> Vec<(String, News)> {
    // A payment without our key was made by another user of the account.
    let Some(key) = key_of(&intent.metadata, OUR_KEY) else {
        return Vec::new();
    };
    let id = intent.id.clone();
    let mut all: Vec<(String, News)> = notes(&intent.metadata)
        .filter_map(|(name, note)| {
            let key = ProcessorKey::parse(name).ok()?;
            let (kind, outcome) = match note {
                Note::Captured(_) => (OperationKind::Capture, map::capture(&key, &intent)?),
                Note::RaisedTo(_) => (OperationKind::Increment, map::raise(&key, &intent)?),
            };
            let about = About {
                key: Some(key),
                ..About::change(kind, &id)
            };
            Some((format!("/{name}"), final_or_hint(about, outcome)))
        })
        .collect();
    let about = About::authorization(key.clone(), &id);
    if let Some(captured) = map::captured_by_others(&intent) {
        let about = About {
            reference: Some(id.clone()),
            ..About::change(OperationKind::Capture, &id)
        };
        all.push(("/capture".to_owned(), final_or_hint(about, captured)));
    }
    match intent.status.means() {
        // The canceled payment may have been authorized or not, which its stored state shows. Only
        // if Stripe itself canceled it, the event is enough.
        Some(State::Ended) => {
            let void = About::change(OperationKind::Void, &id);
            let news = match map::payment(&key, intent) {
                Some(
                    outcome @ Outcome::Declined(Decline {
                        authorization_gone: true,
                        ..
                    }),
                ) => News::Outcome { about, outcome },
                Some(_) | None => News::Hint { about },
            };
            let is_over = matches!(news, News::Outcome { .. });
            all.insert(0, (String::new(), news));
            // Any cancellation releases the authorization. A payment that was never approved has
            // none.
            let news = if is_over {
                News::Hint { about: void }
            } else {
                let outcome = map::void_done(Some(id));
                News::Outcome {
                    about: void,
                    outcome,
                }
            };
            all.push(("/void".to_owned(), news));
        }
        Some(
            State::Refused | State::PayerActs | State::Pending | State::Reserved | State::Succeeded,
        )
        | None => {
            let news = news_of(about, map::payment(&key, intent));
            all.insert(0, (String::new(), news));
        }
    }
    all
}

fn check(intent: SetupIntent) -> Vec<(String, News)> {
    let Some(key) = key_of(&intent.metadata, OUR_KEY) else {
        return Vec::new();
    };
    let about = About::authorization(key.clone(), &intent.id);
    let news = match intent.status.means() {
        Some(State::Ended) => News::Hint { about },
        Some(
            State::Refused | State::PayerActs | State::Pending | State::Reserved | State::Succeeded,
        )
        | None => news_of(about, map::check(&key, intent)),
    };
    vec![(String::new(), news)]
}

pub(super) fn refund(refund: Refund) -> Vec<(String, News)> {
    let metadata = refund.metadata.clone().unwrap_or_default();
    let void = || Some((OperationKind::Void, key_of(&metadata, OUR_VOID_KEY)?));
    let own = key_of(&metadata, OUR_KEY).map(|key| (OperationKind::Refund, key));
    // A refund without our key was made by another user of the account.
    let (kind, key) = own.or_else(void).unzip();
    let about = About {
        kind: kind.unwrap_or(OperationKind::Refund),
        key,
        reference: Some(refund.id.clone()),
        authorization_reference: refund.payment_intent.clone(),
        authorization_key: None,
    };
    vec![(String::new(), news_of(about, refunds::outcome(refund)))]
}

/// Returns the news of a dispute. That of a returned debit is lost when it begins.
fn dispute(kind: &str, news: DisputeNews) -> Vec<(String, News)> {
    let is_lost_at_once = kind == BEGINNING && news.status == DisputeStatus::Lost;
    let beginning = is_lost_at_once.then(|| DisputeNews {
        status: DisputeStatus::Opened,
        ..news.clone()
    });
    let beginning = beginning.map(|news| ("/opened".to_owned(), news));
    let all = beginning.into_iter().chain([(String::new(), news)]);
    all.map(|(suffix, news)| (suffix, News::Dispute(Box::new(news))))
        .collect()
}

/// Returns the news of a charge, which says less than its payment.
fn charge(charge: ChargeEvent) -> Vec<(String, News)> {
    let key = key_of(&charge.metadata, OUR_KEY);
    let Some((key, id)) = key.zip(charge.payment_intent) else {
        return Vec::new();
    };
    let about = About::authorization(key.clone(), &id);
    vec![(String::new(), News::Hint { about })]
}

fn news_of(about: About, outcome: Option<Outcome>) -> News {
    match outcome {
        Some(outcome) => final_or_hint(about, outcome),
        None => News::Hint { about },
    }
}

fn final_or_hint(about: About, outcome: Outcome) -> News {
    match outcome {
        Outcome::Done(_) | Outcome::Declined(_) => News::Outcome { about, outcome },
        Outcome::CustomerMustAct { .. }
        | Outcome::DeviceDataNeeded { .. }
        | Outcome::Pending { .. }
        | Outcome::NeverHappened { .. }
        | Outcome::Unknown(_) => News::Hint { about },
    }
}

fn key_of(metadata: &Metadata, name: &str) -> Option<ProcessorKey> {
    ProcessorKey::parse(metadata.get(name)?).ok()
}
