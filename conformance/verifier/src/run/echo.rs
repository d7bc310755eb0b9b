//! Checks that a member of an answer has the value of the request's member with the same name.

use chrono::DateTime;
use serde_json::Value;

use crate::document::{Operation, body_schema, document, resolved, target};
use crate::masks::{brief, is_secret};

/// Members with a different meaning or value in the answer, by the prefix of operation ids.
const OTHERWISE: &[(&str, &str)] = &[
    // The request says what to remove, the answer whether it existed.
    ("users_reset_sign_in", "two_factor"),
    // The values are masked, and the names are spelled as header names.
    ("business_profiles_", "outgoing_webhook_custom_http_headers"),
];

/// Returns the first member that differs from the request: its value, and its place in the document.
pub(super) fn fault(
    operation: &Operation,
    sent: Option<&Value>,
    answer: &Value,
) -> Option<(String, String)> {
    let schema = answer_schema(operation)?;
    body_schema(operation)?;
    let (at, _) = resolved(&schema);
    let means = |name: &str| {
        let mut all = OTHERWISE.iter();
        !all.any(|(begin, member)| operation.id.starts_with(begin) && *member == name)
    };
    let mut members = sent?.as_object()?.iter().filter(|(name, _)| means(name));
    members.find_map(|(name, value)| member(&at, "", name, value, answer))
}

/// Compares a member if the answer's schema has one of the same name and type.
fn member(
    schema: &str,
    place: &str,
    name: &str,
    sent: &Value,
    answer: &Value,
) -> Option<(String, String)> {
    let (at, says) = resolved(&format!("{schema}/properties/{name}"));
    let place = format!("{place}/{name}");
    let came = &answer[name];
    let is_alike = match sent {
        Value::Null => false,
        Value::Bool(_) => says["type"] == "boolean",
        Value::Number(_) => says["type"] == "integer" || says["type"] == "number",
        Value::String(_) => says["type"] == "string",
        Value::Array(_) => says["type"] == "array",
        Value::Object(_) => says["type"] == "object",
    };
    if !is_alike || says["format"] == "secret" || is_secret(name) {
        return None;
    }
    match sent {
        Value::Object(members) if says["properties"].is_object() && came.is_object() => members
            .iter()
            .find_map(|(name, sent)| member(&at, &place, name, sent, came)),
        Value::Array(items) if !items.iter().all(is_plain) => None,
        _ if sent == came => None,
        Value::String(_) if says["format"] == "date-time" && same_moment(sent, came) => None,
        _ => {
            let what = format!("{place} is {} instead of {}", brief(came), brief(sent));
            Some((what, at))
        }
    }
}

/// Returns whether two texts mean the same time, which has several spellings.
fn same_moment(one: &Value, other: &Value) -> bool {
    let moment = |value: &Value| DateTime::parse_from_rfc3339(value.as_str()?).ok();
    moment(one).is_some() && moment(one) == moment(other)
}

fn is_plain(value: &Value) -> bool {
    !value.is_object() && !value.is_array()
}

/// Returns the pointer to the schema of the successful answer; `None` if it isn't JSON.
fn answer_schema(operation: &Operation) -> Option<String> {
    let written = &operation.text()["responses"]["200"];
    let own = format!("{}/responses/200", operation.pointer());
    let at = target(written).map_or(own, str::to_owned);
    let schema = format!("{at}/content/application~1json/schema");
    document().pointer(&schema)?;
    Some(schema)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::document::operation;

    #[test]
    fn sent_values_must_come_back() {
        let create = operation("payments_create");
        let told = |sent: Value, answer: Value| fault(create, Some(&sent), &answer);
        let sent = json!({
            "amount": 6540, "metadata": { "order": "B-17" }, "confirm": true,
            "billing": { "address": { "city": "Lagos" } },
        });
        let mut answer = sent.clone();
        answer["billing"]["address"]["zip"] = Value::Null;
        answer["billing"]["email"] = Value::Null;
        assert_eq!(told(sent.clone(), answer.clone()), None);
        answer["billing"]["address"]["city"] = json!("Abuja");
        let (what, place) = told(sent.clone(), answer.clone()).expect("a fault");
        assert_eq!(
            what,
            "/billing/address/city is \"Abuja\" instead of \"Lagos\""
        );
        assert!(place.ends_with("/properties/city"), "{place}");
        answer["metadata"] = Value::Null;
        let (what, _) = told(sent, answer).expect("a fault");
        assert_eq!(what, "/metadata is null instead of {\"order\":\"B-17\"}");
    }
}
