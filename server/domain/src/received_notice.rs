//! Notices of processors in the inbox: how far each has come, and when it is looked at again. What a notice says is
//! [`connector::notice`](crate::connector::notice)'s.

use serde_json::{Map, Value};

use crate::question::pause_after;
use crate::timestamp::Timestamp;
use crate::words::words;

/// How long a notice that matches nothing is tried again, in seconds: a day. It can be here before our own commit of the
/// operation that it is about.
const TRIED_FOR: i64 = 86_400;

words! {
    /// How far a notice has come.
    pub enum NoticeStatus {
        /// It is to be worked on.
        Waiting = "waiting",
        /// What it says was recorded, or was known already.
        Applied = "applied",
        /// It says nothing about what we have asked for.
        Ignored = "ignored",
        /// For a day nothing was found that it is about.
        Unmatched = "unmatched",
        /// It comes from the processor, and this version can't read it, or could not work on it for a day.
        Unreadable = "unreadable",
    }
}

/// When a notice that matched nothing so far is tried again, if it is.
pub fn next_try(received_at: Timestamp, now: Timestamp) -> Option<Timestamp> {
    let age = now.seconds_since(received_at).max(0);
    if age >= TRIED_FOR {
        return None;
    }
    now.plus_seconds(pause_after(age))
}

/// Members whose texts name things and say how they stand, and never who pays or with what.
const SHOWN: [&str; 21] = [
    "id",
    "object",
    "type",
    "status",
    "currency",
    "created",
    "eventCode",
    "eventDate",
    "success",
    "pspReference",
    "originalReference",
    "merchantReference",
    "merchantAccountCode",
    "payment_intent",
    "charge",
    "refund",
    "api_version",
    "decline_code",
    "code",
    "failure_code",
    "multirail_key",
];

/// Members whose numbers are amounts and times.
const COUNTED: [&str; 8] = [
    "amount",
    "amount_capturable",
    "amount_captured",
    "amount_received",
    "amount_refunded",
    "approved_amount",
    "created",
    "value",
];

/// A notice's body without texts that may be somebody's name, address or card, as JSON; `None` where it isn't JSON.
pub fn masked(body: &[u8]) -> Option<String> {
    let body: Value = serde_json::from_slice(body).ok()?;
    Some(without_names(body).to_string())
}

fn without_names(value: Value) -> Value {
    match value {
        Value::Object(members) => members
            .into_iter()
            .map(|(name, value)| {
                let shown = match value {
                    Value::String(text) if SHOWN.contains(&name.as_str()) => Value::String(text),
                    Value::Number(number) if COUNTED.contains(&name.as_str()) => {
                        Value::Number(number)
                    }
                    other => without_names(other),
                };
                (name, shown)
            })
            .collect::<Map<_, _>>()
            .into(),
        Value::Array(items) => items.into_iter().map(without_names).collect(),
        Value::String(_) | Value::Number(_) => Value::String("***".to_owned()),
        plain @ (Value::Null | Value::Bool(_)) => plain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_matches_nothing_is_tried_for_a_day() {
        let received = Timestamp::from_micros(1_767_225_600_000_000);
        let (mut now, mut pauses) = (received, Vec::new());
        while let Some(next) = next_try(received, now) {
            pauses.push(next.seconds_since(now));
            now = next;
        }
        assert_eq!(pauses[..5], [2, 5, 15, 60, 82]);
        assert!(now.seconds_since(received) >= TRIED_FOR);
        assert_eq!(pauses.len(), 15, "{pauses:?}");
    }

    #[test]
    fn a_shown_notice_names_nobody() {
        let body = json!({
            "id": "evt_1",
            "type": "charge.succeeded",
            "data": {"object": {"id": "ch_1", "amount": 6540, "billing_details": {"name": "Ada", "email": "a@b.c"},
                "payment_method_details": {"card": {"last4": "4242", "exp_year": 2030}}}},
            "items": ["secret"],
        });
        insta::assert_snapshot!(masked(body.to_string().as_bytes()).expect("JSON"), @r#"{"id":"evt_1","type":"charge.succeeded","data":{"object":{"id":"ch_1","amount":6540,"billing_details":{"name":"***","email":"***"},"payment_method_details":{"card":{"last4":"***","exp_year":"***"}}}},"items":["***"]}"#);
    }
}
