//! Checks the idempotency keys of every operation that documents them. An operation's calls use one key until one
//! works, because refused calls must not use it up. The successful call is then repeated, first unchanged and then
//! with a change.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::Run;
use crate::document::{Operation, body_schema, resolved};
use crate::place::Reason;
use crate::report::{Kind, Outcome};
use crate::response::Response;
use crate::wire::{Call, Wrong};

const KEY: &str = "Idempotency-Key";
const REPLAYED: &str = "idempotent-replayed";

/// A changed member for the second repeat, if the operation takes it.
const ANOTHER: [(&str, &str); 3] = [
    ("metadata", r#"{ "conformance": "another" }"#),
    ("description", r#""Something else""#),
    ("reason", r#""Something else""#),
];

impl Run {
    /// Adds the operation's key to the call; `None` if it takes no key or the key is used up.
    pub(super) fn under_key(&self, call: &Call) -> Option<Call> {
        let operation = call.operation()?;
        let is_free = !self.repeated.contains(operation.id.as_str());
        let has_none = call.sends(KEY).is_none();
        (is_free && has_none && operation.place_of(KEY).is_some()).then(|| {
            let key = format!("{}_{}", operation.id, self.name);
            call.clone().header(KEY, &key)
        })
    }

    /// Records that a key is used up: by any answer but a refusal, and by a lost one.
    pub(super) fn note_key(&mut self, call: &Call, sent: &Result<Response, Wrong>) {
        let status = match sent {
            Ok(answer) => Some(answer.status),
            Err(wrong) => wrong.answer.as_ref().map(|answer| answer.status),
        };
        let is_refused = status.is_some_and(|status| (400..500).contains(&status));
        if let Some(operation) = call.operation().filter(|_| !is_refused) {
            self.repeated.insert(&operation.id);
        }
    }

    /// Returns whether the key was already used up, although it was sent only in refused calls.
    pub(super) fn is_spent(&mut self, operation: &'static Operation, answer: &Response) -> bool {
        let what = if answer.is_refusal(422, "MR_01") {
            "the Idempotency-Key of a request that was refused is kept: another request is refused under it"
        } else if answer.header(REPLAYED).is_some() {
            "the first request under an Idempotency-Key that isn't refused is answered as a repeat"
        } else {
            return false;
        };
        self.repeated.insert(&operation.id);
        let outcome = failed(operation, answer, what.to_owned());
        let scenario = "what was refused keeps no idempotency key";
        self.tell(operation, scenario, outcome, answer.took);
        true
    }

    /// Repeats a successful call with its key, unchanged and then with a change.
    pub(super) async fn repeat(&mut self, call: Call, first: &Response) {
        let Some(operation) = call.operation() else {
            return;
        };
        self.repeated.insert(&operation.id);
        let started = Instant::now();
        let outcome = match self.send(call.clone()).await {
            Err(wrong) => Outcome::wrong(&wrong),
            Ok(again) => match fault_of_repeat(first, &again) {
                Some(what) => failed(operation, &again, what),
                None => Outcome::Passed,
            },
        };
        let is_kept = outcome == Outcome::Passed;
        let scenario = "once more under its idempotency key";
        self.tell(operation, scenario, outcome, started.elapsed());
        let Some((name, other)) = another(operation, &call).filter(|_| is_kept) else {
            return;
        };
        let started = Instant::now();
        let outcome = match self.send(call.json(&other)).await {
            Err(wrong) => Outcome::wrong(&wrong),
            Ok(answer) if !answer.is_refusal(422, "MR_01") => {
                let is = answer.instead_of(422, "MR_01");
                let what = format!("another {name} under the same Idempotency-Key is {is}");
                failed(operation, &answer, what)
            }
            Ok(answer) if !answer.message().contains(name) => {
                let what = format!("the message doesn't name {name}, which differs");
                failed(operation, &answer, what)
            }
            Ok(_) => Outcome::Passed,
        };
        let scenario = "something else under the same idempotency key";
        self.tell(operation, scenario, outcome, started.elapsed());
    }

    fn tell(&mut self, operation: &Operation, scenario: &str, outcome: Outcome, took: Duration) {
        self.row(operation.id.clone(), Kind::Story, scenario, outcome, took);
    }
}

fn failed(operation: &Operation, answer: &Response, what: String) -> Outcome {
    let at = operation
        .place_of(KEY)
        .unwrap_or_else(|| operation.pointer());
    Outcome::failed(answer, Reason::at(&at, what))
}

/// Describes how the answer to a repeat differs from the first one.
fn fault_of_repeat(first: &Response, again: &Response) -> Option<String> {
    let repeated = "repeated under the same Idempotency-Key, it";
    if again.status != first.status {
        let is = again.instead_of(first.status, "");
        return Some(format!("{repeated} {is}"));
    }
    if let Some(place) = first_difference(&first.body, &again.body) {
        return Some(format!(
            "{repeated} is done anew: {place} is another than in the first answer"
        ));
    }
    (again.header(REPLAYED) != Some("true"))
        .then(|| format!("{repeated} is answered without the header Idempotent-Replayed: true"))
}

/// Returns the first place at which two values differ.
fn first_difference(one: &Value, other: &Value) -> Option<String> {
    let below = |name: &str, one: &Value, other: &Value| {
        first_difference(one, other).map(|place| match place.as_str() {
            "the body" => format!("/{name}"),
            _ => format!("/{name}{place}"),
        })
    };
    match (one, other) {
        (Value::Object(one), Value::Object(other)) if one.len() == other.len() => {
            let mut members = one.iter();
            members.find_map(|(name, value)| match other.get(name) {
                Some(other) => below(name, value, other),
                None => Some(format!("/{name}")),
            })
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            let mut items = one.iter().zip(other).enumerate();
            items.find_map(|(index, (one, other))| below(&index.to_string(), one, other))
        }
        _ => (one != other).then(|| "the body".to_owned()),
    }
}

/// Returns a changed body and the changed member; `None` if nothing can be changed.
fn another(operation: &Operation, call: &Call) -> Option<(&'static str, Value)> {
    let body = call.body().unwrap_or_else(|| json!({}));
    let schema = body_schema(operation)?;
    let (_, schema) = resolved(&schema);
    let mut members = ANOTHER.iter();
    let (name, text) = members.find(|(name, _)| schema["properties"].get(*name).is_some())?;
    let value: Value = serde_json::from_str(text).unwrap_or_default();
    let mut other = body;
    other.as_object_mut()?.insert((*name).to_owned(), value);
    Some((name, other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference_is_named_by_its_place() {
        let one = json!({ "a": 1, "b": [{ "c": "x" }, 2] });
        assert_eq!(first_difference(&one, &one), None);
        for (other, place) in [
            (json!({ "a": 1, "b": [{ "c": "y" }, 2] }), "/b/0/c"),
            (json!({ "a": 1, "d": [] }), "/b"),
            (json!({ "a": 1, "b": [] }), "/b"),
            (json!([]), "the body"),
        ] {
            assert_eq!(first_difference(&one, &other).as_deref(), Some(place));
        }
    }
}
