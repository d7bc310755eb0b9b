//! Snapshots of the stories: the requests of a connector and the answers of its stand-in, in the connector's own folder.
//! A change of a connector shows there, request by request.

use std::collections::BTreeMap;

use http::HeaderMap;
use multirail_connector_kit::stories::STORIES;
use multirail_peers::{Call, Reply, StandIn};
use serde_json::{Value, json};

use super::stand_in::StandInSubject;
use super::{adyen, checkout, stripe};
use crate::suite::bench::{Bench, agrees};
use crate::suite::subject::Subject;

/// The headers of a request that a connector chooses. The others hold credentials, or belong to the connection.
const SHOWN_HEADERS: [&str; 4] = [
    "idempotency-key",
    "cko-idempotency-key",
    "stripe-version",
    "content-type",
];

/// Members that hold a card's data.
const REDACTED: [&str; 4] = ["cvc", "cvv", "number", "encryptedSecurityCode"];

/// Plays every story that the connector offers. Each has to agree before its exchanges are shown.
async fn stories<S: StandIn>(subject: StandInSubject<S>) -> String {
    let exchanges = subject.exchanges();
    let capabilities = &subject.description().capabilities;
    let bench = Bench::new(Box::new(subject));
    let mut told = BTreeMap::new();
    for story in STORIES
        .iter()
        .filter(|story| (story.is_offered)(capabilities))
    {
        agrees((story.play)(&bench).await);
        let shown = exchanges.take();
        let shown: Vec<Value> = shown
            .iter()
            .map(|(call, reply)| exchange(call, reply))
            .collect();
        told.insert(story.name, shown);
    }
    serde_norway::to_string(&told).expect("YAML")
}

fn exchange(call: &Call, reply: &Reply) -> Value {
    let raw = &call.raw;
    let mut exchange = json!({
        "request": format!("{} {}", raw.method, raw.path),
        "headers": headers(&raw.headers),
        "query": call.query,
        "body": call.body,
        "status": reply.status,
        "answer": reply.body,
    });
    redact(&mut exchange);
    exchange
}

fn headers(all: &HeaderMap) -> BTreeMap<&str, &str> {
    let shown = SHOWN_HEADERS.iter().filter_map(|name| {
        let value = all.get(*name)?;
        Some((*name, value.to_str().expect("a text")))
    });
    shown.collect()
}

fn redact(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|_, member| !member.is_null());
            for (name, member) in members.iter_mut() {
                match member {
                    Value::String(text) if REDACTED.contains(&name.as_str()) => {
                        *text = "[redacted]".to_owned();
                    }
                    _ => redact(member),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(redact),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Compares the stories with the snapshot in the folder of the connector.
macro_rules! shows {
    ($connector:literal, $subject:expr) => {
        let stories = stories($subject.await).await;
        insta::with_settings!({
            snapshot_path => concat!("../../src/", $connector, "/snapshots"),
            prepend_module_to_snapshot => false,
            omit_expression => true,
        }, {
            insta::assert_snapshot!("stories", stories);
        });
    };
}

#[tokio::test]
async fn stories_of_stripe() {
    shows!("stripe", stripe::subject());
}

#[tokio::test]
async fn stories_of_adyen() {
    shows!("adyen", adyen::subject());
}

#[tokio::test]
async fn stories_of_checkout() {
    shows!("checkout", checkout::subject());
}
