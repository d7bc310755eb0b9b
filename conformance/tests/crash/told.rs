//! What the merchant was told: every event arrived, in the order of its payment, and signed.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::{Duration, Instant};

use multirail_conformance::receiver::Delivery;
use serde_json::{Value, json};

use crate::client::Client;
use crate::compare::text;

/// Statuses that the merchant asked to be told of: all that have an event.
pub const STATUSES: &[&str] = &[
    "succeeded",
    "failed",
    "processing",
    "cancelled",
    "requires_capture",
    "partially_captured",
    "partially_captured_and_capturable",
    "requires_customer_action",
];

/// How long the last deliveries may take once nothing new happens.
const LIMIT: Duration = Duration::from_secs(90);
const PAGE: usize = 100;

/// Every event, the oldest first, once all are delivered or time is up.
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

/// Everything that is not as it should be, a line each.
pub fn differences(
    events: &[Value],
    arrived: &[Delivery],
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
        let (id, payment) = (text(event, "event_id"), text(event, "object_id"));
        if event["is_delivery_successful"] != true {
            wrong.push(format!("it is not delivered: {event}"));
        }
        let Some(&place) = first.get(id) else {
            wrong.push(format!("it never arrived: {event}"));
            continue;
        };
        if let Some((earlier, before)) = latest.insert(payment, (id, place))
            && before > place
        {
            wrong.push(format!("{payment}: {id} arrived before {earlier}"));
        }
    }
    for (id, payment) in payments {
        let status = text(payment, "status");
        let has_event = |event: &Value| text(event, "object_id") == id;
        if STATUSES.contains(&status) && !events.iter().any(has_event) {
            wrong.push(format!("{id} is {status}, and nothing says so"));
        }
    }
    wrong
}
