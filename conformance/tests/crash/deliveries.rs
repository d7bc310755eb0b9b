//! Checks that every event arrived, signed, and in order for its payment or refund.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::{Duration, Instant};

use multirail_conformance::receiver::Delivery;
use serde_json::{Value, json};

use crate::announced::TOLD;
use crate::client::Client;
use crate::ledger::{awaits_payer, text};
use crate::seen::Seen;
use crate::{dispute_books, refund_books};

/// Longest wait for the last deliveries after the load has ended.
const LIMIT: Duration = Duration::from_secs(90);
const PAGE: usize = 100;

/// Returns every event, the oldest first, once all are delivered or time is up.
pub async fn events(client: &Client) -> Vec<Value> {
    let limit = Instant::now() + LIMIT;
    loop {
        let events = all(client).await;
        let undelivered = |event: &&Value| event["is_delivery_successful"] != true;
        if events.iter().find(undelivered).is_none() || Instant::now() > limit {
            return events;
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

async fn all(client: &Client) -> Vec<Value> {
    let mut events = Vec::new();
    loop {
        let body = json!({ "limit": PAGE, "offset": events.len() });
        let page = client.operator("/events/crash", &body).await;
        let found = page["events"].as_array().expect("events").clone();
        let is_last = found.len() < PAGE;
        events.extend(found);
        if is_last {
            assert_eq!(page["total_count"], events.len(), "every event is counted");
            events.reverse();
            return events;
        }
    }
}

/// Returns one line for each thing that is wrong.
pub fn differences(
    events: &[Value],
    arrived: &[Delivery],
    seen: &[Seen],
    payments: &BTreeMap<String, Value>,
) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut first = HashMap::new();
    for (place, delivery) in arrived.iter().enumerate() {
        let id = text(&delivery.json(), "event_id").to_owned();
        first.entry(id).or_insert(place);
    }
    let known: HashSet<&str> = events.iter().map(|event| text(event, "event_id")).collect();
    for id in first.keys() {
        if !known.contains(id.as_str()) {
            wrong.push(format!("{id} arrived, and no such event is listed"));
        }
    }
    let mut latest: HashMap<&str, (&str, usize)> = HashMap::new();
    for event in events {
        let (id, object) = (text(event, "event_id"), text(event, "object_id"));
        if event["is_delivery_successful"] != true {
            wrong.push(format!("it is not delivered: {event}"));
        }
        let Some(&place) = first.get(id) else {
            wrong.push(format!("it never arrived: {event}"));
            continue;
        };
        if let Some((earlier, before)) = latest.insert(object, (id, place))
            && before > place
        {
            wrong.push(format!("{object}: {id} arrived before {earlier}"));
        }
    }
    let mut said: HashMap<&str, HashSet<&str>> = HashMap::new();
    for event in events {
        let types = said.entry(text(event, "object_id")).or_default();
        types.insert(text(event, "event_type"));
    }
    let ends = payments.iter().map(|(id, end)| (id.as_str(), end));
    let answers = seen
        .iter()
        .filter(|seen| seen.status == 200 && seen.is_of_payment())
        .map(|seen| (seen.payment_id.as_str(), &seen.body));
    for (id, payment) in ends.chain(answers) {
        let Some(wanted) = announced(payment) else {
            continue;
        };
        if !said.get(id).is_some_and(|types| types.contains(wanted)) {
            wrong.push(format!(
                "{id} was {}, and no {wanted} says so",
                payment["status"]
            ));
        }
    }
    let bodies: Vec<Value> = arrived.iter().map(Delivery::json).collect();
    wrong.extend(refund_books::untold(events, &bodies, payments));
    wrong.extend(dispute_books::untold(events, payments));
    wrong
}

/// Returns the event type that a payment with this status must have caused. The status processing during a call
/// causes no event.
fn announced(payment: &Value) -> Option<&'static str> {
    let status = text(payment, "status");
    let (_, event_type) = TOLD.iter().find(|(known, _)| *known == status)?;
    (status != "processing" || awaits_payer(payment)).then_some(*event_type)
}
