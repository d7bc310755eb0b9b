//! Answers as evidence: members that differ from run to run are checked for their form and then hidden.

use serde_json::{Map, Value};

/// Returns the value with each random member replaced by a word that describes it.
///
/// # Panics
/// If a value doesn't have the form of its member.
pub fn evidence(value: &Value) -> Value {
    hide("", value)
}

/// Returns the evidence without members that are null.
///
/// # Panics
/// As [`evidence`].
pub fn evidence_of_what_is_set(value: &Value) -> Value {
    drop_nulls(&evidence(value))
}

fn drop_nulls(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let set = members.iter().filter(|(_, value)| !value.is_null());
            Value::Object(
                set.map(|(name, value)| (name.clone(), drop_nulls(value)))
                    .collect(),
            )
        }
        Value::Array(items) => items.iter().map(drop_nulls).collect(),
        other => other.clone(),
    }
}

fn hide(name: &str, value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let hidden: Map<String, Value> = members
                .iter()
                .map(|(name, value)| (name.clone(), hide(name, value)))
                .collect();
            Value::Object(hidden)
        }
        Value::Array(items) => items.iter().map(|item| hide(name, item)).collect(),
        Value::String(text) => Value::String(hidden_text(name, text)),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

/// `(member, form)`: in a form `#` stands for a letter or digit, `9` for a digit, `*` for any number of digits.
const FORMS: &[(&str, &str)] = &[
    ("payment_id", "pay_####################"),
    ("refund_id", "ref_####################"),
    ("dispute_id", "dp_####################"),
    (
        "client_secret",
        "pay_####################_secret_####################",
    ),
    ("attempt_id", "pay_####################_*"),
    ("event_id", "evt_################################"),
    ("initial_attempt_id", "evt_################################"),
    ("authorized_attempt_id", "pay_####################_*"),
    ("capture_id", "pay_####################_*_*"),
    ("profile_id", "pro_####################"),
    ("default_profile", "pro_####################"),
    ("organization_id", "org_####################"),
    ("merchant_connector_id", "mca_####################"),
    ("key_id", "snd_####################"),
    ("publishable_key", "pk_snd_################################"),
    (
        "payment_response_hash_key",
        "################################################################",
    ),
    ("prefix", "snd_########"),
    ("connector_transaction_id", "sim_########################"),
    ("connector_capture_id", "sim_########################"),
    ("connector_refund_id", "sim_########################"),
    (
        "connector_dispute_id",
        "sim_########################_dispute",
    ),
    ("reference_id", "sim_########################"),
    (
        "redirect_to_url",
        "http://127.0.0.1:*/payments/redirect/pay_####################/bookshop/pay_####################_*/visit_################################",
    ),
];

const MOMENTS: &[&str] = &[
    "created",
    "created_at",
    "modified_at",
    "updated",
    "updated_at",
    "expires_on",
    "capture_before",
    "capture_on",
    "now",
];

fn hidden_text(name: &str, text: &str) -> String {
    if MOMENTS.contains(&name) {
        assert!(
            fits(text, "9999-99-99T99:99:99.999Z"),
            "{name} is no moment: {text}"
        );
        return "[moment]".to_owned();
    }
    if name == "api_key" {
        return hidden_key(text);
    }
    if name == "secret" {
        return hidden_webhook_secret(text);
    }
    if name == "sdk_authorization" {
        return hidden_authorization(text);
    }
    let Some((_, form)) = FORMS.iter().find(|(known, _)| *known == name) else {
        return text.to_owned();
    };
    assert!(fits(text, form), "{name} has not the form {form}: {text}");
    shown(text, form)
}

/// Hides a key of ours, shown once, or a processor's, shown masked.
fn hidden_key(text: &str) -> String {
    let form = format!("snd_{}", "#".repeat(64));
    if text.contains('*') {
        return text.to_owned();
    }
    assert!(
        fits(text, &form),
        "api_key is neither masked nor of the form {form}"
    );
    shown(text, &form)
}

/// Hides a list in base64, which begins with the profile.
fn hidden_authorization(text: &str) -> String {
    const BEGINNING: &str = "cHJvZmlsZV9pZD1wcm9f";
    assert!(
        text.starts_with(BEGINNING) && text.len().is_multiple_of(4),
        "sdk_authorization is no list in base64"
    );
    format!("{BEGINNING}[...]")
}

/// Hides 32 bytes in base64.
fn hidden_webhook_secret(text: &str) -> String {
    let key = text.strip_prefix("whsec_").filter(|key| key.len() == 44);
    assert!(key.is_some(), "secret is no secret of webhooks");
    "whsec_[44]".to_owned()
}

fn fits(text: &str, form: &str) -> bool {
    let (mut text, mut form) = (text.chars().peekable(), form.chars());
    loop {
        let fits = match form.next() {
            None => return text.next().is_none(),
            Some('*') => {
                let mut count = 0;
                while text.next_if(char::is_ascii_digit).is_some() {
                    count += 1;
                }
                count > 0
            }
            Some('#') => text.next().is_some_and(|c| c.is_ascii_alphanumeric()),
            Some('9') => text.next().is_some_and(|c| c.is_ascii_digit()),
            Some(other) => text.next() == Some(other),
        };
        if !fits {
            return false;
        }
    }
}

/// Returns the form with runs of `#` counted. Numbers at the end stay: they count attempts and captures.
fn shown(text: &str, form: &str) -> String {
    let mut shown = String::new();
    let mut run = 0;
    for character in form.chars().chain(['\0']) {
        if character == '#' {
            run += 1;
            continue;
        }
        if run > 0 {
            shown.push_str(&format!("[{run}]"));
            run = 0;
        }
        if character != '\0' {
            shown.push(character);
        }
    }
    let numbers = form
        .chars()
        .rev()
        .filter(|c| matches!(c, '*' | '_'))
        .collect::<String>();
    let kept = match numbers.as_str() {
        tail if tail.starts_with("*_*_") => 2,
        tail if tail.starts_with("*_") && !form.contains("://") => 1,
        _ => 0,
    };
    if kept > 0 {
        let ends: Vec<&str> = text.rsplitn(kept + 1, '_').take(kept).collect();
        for end in ends.into_iter().rev() {
            shown = shown.replacen('*', end, 1);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn random_parts_are_hidden_and_numbers_stay() {
        let id = "pay_abcdefghijABCDEFGHIJ";
        let shown = evidence(&json!({
            "payment_id": id,
            "attempt_id": format!("{id}_2"),
            "capture_id": format!("{id}_1_3"),
            "created": "2026-01-05T10:11:12.345Z",
            "status": "succeeded",
        }));
        let wanted = json!({
            "payment_id": "pay_[20]",
            "attempt_id": "pay_[20]_2",
            "capture_id": "pay_[20]_1_3",
            "created": "[moment]",
            "status": "succeeded",
        });
        assert_eq!(shown, wanted);
    }

    #[test]
    #[should_panic(expected = "payment_id has not the form")]
    fn a_wrong_form_is_not_hidden() {
        evidence(&json!({ "payment_id": "pay_short" }));
    }
}
