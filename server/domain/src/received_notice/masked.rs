//! A notice as operators see it: without whoever pays, and with what.

use serde_json::{Map, Value};

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
