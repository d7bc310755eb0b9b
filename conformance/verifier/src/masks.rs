//! A request and its answer as text for people, without secrets.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::OnceLock;

use serde_json::Value;

use crate::document::document;
use crate::response::{Asked, Response};

/// The replacement for a secret.
const MASK: &str = "***";

/// The most characters of an answer that are shown.
const LONGEST: usize = 6_000;

/// The most characters of a value that are shown in a line.
const LINE: usize = 200;

/// Secret headers, and secret members that answers contain on purpose. The document marks the secrets of requests.
const NAMES: &[&str] = &[
    "api-key",
    "api_key",
    "authorization",
    "client_secret",
    "password_token",
    "publishable_key",
    "recovery_codes",
    "sdk_authorization",
    "secret",
    "token",
    "webhook_secrets",
];

/// An exchange as text for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    pub request: String,
    pub answer: String,
}

impl Exchange {
    /// Formats a request and its answer, if there is one.
    pub fn new(asked: &Asked, answer: Option<&Response>) -> Self {
        let mut request = format!("{} {}\n", asked.method, masked_target(&asked.target));
        for (name, value) in &asked.headers {
            let value = if is_secret(name) { MASK } else { value };
            let _ = writeln!(request, "{name}: {value}");
        }
        if let Some(body) = &asked.body {
            let _ = write!(request, "\n{}", body_text(&String::from_utf8_lossy(body)));
        }
        let answer = match answer {
            None => "no answer".to_owned(),
            Some(answer) => {
                let mut text = format!("{}\n", answer.status);
                for (name, value) in &answer.headers {
                    let value = String::from_utf8_lossy(value.as_bytes());
                    let _ = writeln!(text, "{name}: {value}");
                }
                let _ = write!(text, "\n{}", body_text(&answer.text));
                text
            }
        };
        Self { request, answer }
    }
}

/// Returns the names of members, headers and parameters whose values reports must hide.
fn names() -> &'static BTreeSet<String> {
    static FOUND: OnceLock<BTreeSet<String>> = OnceLock::new();
    FOUND.get_or_init(|| {
        let mut found = NAMES.iter().map(|name| (*name).to_owned()).collect();
        collect(document(), &mut found);
        found
    })
}

fn collect(node: &Value, found: &mut BTreeSet<String>) {
    for (name, member) in node["properties"].as_object().into_iter().flatten() {
        let refers = ["/$ref", "/allOf/0/$ref", "/anyOf/0/$ref"];
        let mut targets = refers.iter().filter_map(|at| member.pointer(at)?.as_str());
        let referred = targets.find_map(|target| document().pointer(target.strip_prefix('#')?));
        if member["format"] == "secret"
            || referred.is_some_and(|schema| schema["format"] == "secret")
        {
            found.insert(name.clone());
        }
    }
    match node {
        Value::Object(members) => members.values().for_each(|one| collect(one, found)),
        Value::Array(items) => items.iter().for_each(|one| collect(one, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

pub(crate) fn is_secret(name: &str) -> bool {
    names().contains(&name.to_ascii_lowercase())
}

/// Returns whether a member `code` is a refusal's code, and not a second factor's.
fn is_error_code(value: &Value) -> bool {
    let bytes = value.as_str().unwrap_or_default().as_bytes();
    matches!(bytes, [a, b, b'_', c, d]
        if a.is_ascii_uppercase() && b.is_ascii_uppercase() && c.is_ascii_digit() && d.is_ascii_digit())
}

/// Returns a value without its secrets.
pub fn masked(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let masked = |(name, member): (&String, &Value)| {
                let hides = is_secret(name) && !member.is_null() && !is_error_code(member);
                let member = if hides { MASK.into() } else { masked(member) };
                (name.clone(), member)
            };
            Value::Object(members.iter().map(masked).collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(masked).collect()),
        other => other.clone(),
    }
}

/// Returns a value on one line, shortened and without its secrets.
pub(crate) fn brief(value: &Value) -> String {
    let text = masked(value).to_string();
    if text.chars().count() <= LINE {
        return text;
    }
    text.chars().take(LINE).chain("...".chars()).collect()
}

/// Hides client secrets in the query, and the tokens at the end of page addresses.
fn masked_target(target: &str) -> String {
    let Some((path, query)) = target.split_once('?') else {
        return target.to_owned();
    };
    let pairs = query.split('&').map(|pair| match pair.split_once('=') {
        Some((name, _)) if is_secret(name) => format!("{name}={MASK}"),
        _ => pair.to_owned(),
    });
    format!("{path}?{}", pairs.collect::<Vec<_>>().join("&"))
}

fn body_text(text: &str) -> String {
    let text = match serde_json::from_str::<Value>(text) {
        Ok(value) => serde_json::to_string_pretty(&masked(&value)).unwrap_or_default(),
        Err(_) => text.to_owned(),
    };
    let length = text.chars().count();
    if length <= LONGEST {
        return text;
    }
    let kept: String = text.chars().take(LONGEST).collect();
    format!("{kept}\n... {length} characters in all")
}

#[cfg(test)]
mod tests {
    use reqwest::Method;
    use reqwest::header::HeaderMap;
    use serde_json::json;
    use std::time::Duration;

    use super::*;
    use crate::bodies::{APPROVED, order_with};

    #[test]
    fn no_secret_is_shown() {
        let asked = Asked {
            method: Method::POST,
            target: "/payments/list?client_secret=pay_1_secret_2&limit=2".to_owned(),
            headers: vec![("api-key".to_owned(), "snd_hush".to_owned())],
            body: Some(order_with(APPROVED).to_string().into_bytes()),
        };
        let body = json!({
            "client_secret": "pay_1_secret_2", "amount": 6540, "token": null, "code": "123456",
            "error": { "code": "IR_16" },
        });
        let answer = Response {
            asked: "payments_create".to_owned(),
            request: asked.clone(),
            status: 200,
            headers: HeaderMap::new(),
            text: body.to_string(),
            body,
            took: Duration::ZERO,
        };
        let shown = Exchange::new(&asked, Some(&answer));
        let text = format!("{}{}", shown.request, shown.answer);
        for secret in ["hush", "_secret_", APPROVED, "\"123\"", "123456"] {
            assert!(!text.contains(secret), "{text}");
        }
        assert!(text.contains("6540") && text.contains("limit=2"), "{text}");
        assert!(text.contains("\"token\": null"), "{text}");
        assert!(text.contains("\"code\": \"IR_16\""), "{text}");
    }
}
