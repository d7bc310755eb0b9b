//! The document's text about a member.

use std::collections::BTreeSet;

use multirail_conformance::document::{document, operation};
use serde_json::{Map, Value};

use super::fate::{Case, Fate};

/// Checks that every member of the operation's body has a case, and every case a member.
#[track_caller]
pub fn each_is_decided(of: &str, cases: &[&Case]) {
    let decided: BTreeSet<&str> = cases.iter().map(|case| case.member).collect();
    let schema = schema(of);
    let named: BTreeSet<&str> = schema.keys().map(String::as_str).collect();
    assert_eq!(
        named, decided,
        "the members of {of}, and those that are decided"
    );
}

/// Checks that the document names members without an effect, and that samples for the processor are complete.
#[track_caller]
pub fn judge_text(of: &str, case: &Case) {
    let member = &schema(of)[case.member];
    let text = member["description"].as_str().unwrap_or_default();
    let text = text.to_lowercase();
    match &case.fate {
        Fate::NoEffect => {
            assert!(
                text.contains("no effect"),
                "{} in {of}: {text}",
                case.member
            );
        }
        Fate::Refused { code: "IR_20", .. } => {
            assert!(text.contains("`ir_20`"), "{} in {of}: {text}", case.member);
        }
        Fate::Sent(..) => is_complete(member, &case.given, case.member),
        Fate::Refused { .. }
        | Fate::Judged(..)
        | Fate::Changes(..)
        | Fate::Confirms
        | Fate::Links(_)
        | Fate::Lasts(_)
        | Fate::CapturesLater(_)
        | Fate::Note => {}
    }
}

/// Checks that the sample has every member of the schema, so that none gets lost unnoticed.
#[track_caller]
fn is_complete(schema: &Value, sample: &Value, place: &str) {
    // The first of two is a reference that may be null.
    let references = [
        &schema["$ref"],
        &schema["allOf"][0]["$ref"],
        &schema["anyOf"][0]["$ref"],
    ];
    let target = references.into_iter().find_map(Value::as_str);
    let schema = match target.and_then(|target| target.rsplit('/').next()) {
        Some(name) => &document()["components"]["schemas"][name],
        None => schema,
    };
    if let Some(members) = schema["properties"].as_object() {
        for (name, schema) in members {
            let place = format!("{place}.{name}");
            let value = sample.get(name);
            is_complete(
                schema,
                value.unwrap_or_else(|| panic!("{place} is not tried")),
                &place,
            );
        }
    }
    if schema["items"].is_object() {
        is_complete(&schema["items"], &sample[0], &format!("{place}[0]"));
    }
}

fn schema(of: &str) -> &'static Map<String, Value> {
    let component = operation(of).request.as_deref().expect("it has a body");
    document()["components"]["schemas"][component]["properties"]
        .as_object()
        .expect("it has members")
}
