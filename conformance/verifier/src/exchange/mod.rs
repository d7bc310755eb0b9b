//! Recorded exchanges, which other documents can be compared with later.
//!
//! If `MULTIRAIL_TEST_EXCHANGES` names a folder, every judged call of an operation is written there, as one JSON
//! object on a line, once for each form. The caller's key or token is reduced to its kind. Bodies and answers are
//! stored whole, with the secrets of the test's server.

mod form;
mod recorder;

use serde_json::{Value, json};

use crate::document::Operation;
use crate::response::Response;

pub use form::hash_form;
pub use recorder::{FOLDER, load, record};

/// Headers that identify the caller; their values are never stored.
const OF_CALLER: [&str; 2] = ["api-key", "authorization"];

/// One request and its answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Exchange {
    /// The operation's id.
    pub operation: String,
    pub method: String,
    /// The path as it was sent, without the query.
    pub path: String,
    pub query: Vec<(String, String)>,
    /// Headers with names in lower case.
    pub headers: Vec<(String, String)>,
    /// The scheme of the caller's key; `None` without a key.
    pub scheme: Option<String>,
    /// The body if it is JSON.
    pub body: Option<Value>,
    /// The body's media type, if there is a body.
    pub media_type: Option<String>,
    pub status: u16,
    pub answer_media_type: String,
    pub answer: Value,
}

impl Exchange {
    /// Returns the code of a refusal.
    pub fn code(&self) -> &str {
        self.answer["code"].as_str().unwrap_or_default()
    }

    /// Returns the message of a refusal.
    pub fn message(&self) -> &str {
        self.answer["message"].as_str().unwrap_or_default()
    }

    fn to_json(&self) -> Value {
        json!({
            "operation": self.operation,
            "method": self.method,
            "path": self.path,
            "query": self.query,
            "headers": self.headers,
            "scheme": self.scheme,
            "body": self.body.as_ref().map(|body| vec![body]),
            "media_type": self.media_type,
            "status": self.status,
            "answer_media_type": self.answer_media_type,
            "answer": self.answer,
        })
    }

    fn from_json(mut value: Value) -> Option<Self> {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let pairs = |value: &Value| -> Option<Vec<(String, String)>> {
            let pairs = value.as_array()?.iter();
            pairs
                .map(|pair| Some((text(&pair[0])?, text(&pair[1])?)))
                .collect()
        };
        Some(Self {
            operation: text(&value["operation"])?,
            method: text(&value["method"])?,
            path: text(&value["path"])?,
            query: pairs(&value["query"])?,
            headers: pairs(&value["headers"])?,
            scheme: text(&value["scheme"]),
            // In a list, so that a body of `null` differs from none.
            body: value["body"].get_mut(0).map(Value::take),
            media_type: text(&value["media_type"]),
            status: u16::try_from(value["status"].as_u64()?).ok()?,
            answer_media_type: text(&value["answer_media_type"])?,
            answer: value["answer"].take(),
        })
    }
}

fn read(operation: &Operation, answer: &Response) -> Exchange {
    let asked = &answer.request;
    let (path, query) = asked.target.split_once('?').unwrap_or((&asked.target, ""));
    let headers = asked.headers.iter();
    let headers = headers.map(|(name, value)| (name.to_ascii_lowercase(), value.clone()));
    let named = |wanted: &str| {
        let mut found = asked.headers.iter();
        found.find(|(name, _)| name.eq_ignore_ascii_case(wanted))
    };
    let body = asked.body.as_deref().map(serde_json::from_slice::<Value>);
    Exchange {
        operation: operation.id.clone(),
        method: asked.method.to_string(),
        path: path.to_owned(),
        query: decode(query),
        scheme: scheme(operation, &asked.headers).map(str::to_owned),
        media_type: asked
            .body
            .as_ref()
            .map(|_| named("content-type").map_or_else(String::new, |(_, value)| value.clone())),
        body: body.and_then(Result::ok),
        headers: headers
            .filter(|(name, _)| !is_of_caller(name) && name != "content-type")
            .collect(),
        status: answer.status,
        answer_media_type: answer.header("content-type").unwrap_or_default().to_owned(),
        answer: answer.body.clone(),
    }
}

/// Decodes the names and values of a query.
fn decode(query: &str) -> Vec<(String, String)> {
    let mut url = reqwest::Url::parse("http://localhost/").expect("an address");
    url.set_query(Some(query));
    url.query_pairs().into_owned().collect()
}

fn is_of_caller(header: &str) -> bool {
    OF_CALLER
        .iter()
        .any(|name| header.eq_ignore_ascii_case(name))
}

/// Returns the scheme of a caller's key, judged by its prefix. Header names and scheme names ignore case.
fn scheme(operation: &Operation, headers: &[(String, String)]) -> Option<&'static str> {
    let mut names = headers.iter();
    let (name, value) = names.find(|(name, _)| is_of_caller(name))?;
    let begins = |prefix: &str| value.starts_with(prefix);
    Some(if name.eq_ignore_ascii_case("authorization") {
        let scheme = value.split_once(' ').map(|(scheme, _)| scheme);
        if scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("bearer")) {
            "bearer"
        } else {
            "sdk_authorization"
        }
    } else if begins("pk_") {
        // Both schemes use the same key, but no operation takes both. The secret with it makes the difference.
        let of_subscription = operation.takes("subscription_client");
        if of_subscription {
            "subscription_client"
        } else {
            "publishable_key"
        }
    } else if begins("epk_") {
        "ephemeral_key"
    } else if begins("snd_") || begins("prd_") {
        "api_key"
    } else {
        "admin_api_key"
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::operation;
    use crate::response::Asked;

    #[test]
    fn a_request_is_recorded_decoded_and_without_its_key() {
        let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let answer = Response {
            asked: "refunds_retrieve".to_owned(),
            request: Asked {
                method: reqwest::Method::GET,
                target: "/refunds/ref_1?note=a+b%26c&force_sync=true".to_owned(),
                headers: vec![header("Api-Key", "snd_1"), header("X-Profile-Id", "pro_1")],
                body: None,
            },
            status: 200,
            headers: reqwest::header::HeaderMap::new(),
            body: json!({ "refund_id": "ref_1" }),
            text: String::new(),
            took: std::time::Duration::ZERO,
        };
        let kept = read(operation("refunds_retrieve"), &answer);
        assert_eq!(kept.path, "/refunds/ref_1");
        assert_eq!(
            kept.query,
            [header("note", "a b&c"), header("force_sync", "true")]
        );
        assert_eq!(kept.headers, [header("x-profile-id", "pro_1")]);
        assert_eq!(kept.scheme.as_deref(), Some("api_key"));
        assert_eq!((kept.body, kept.media_type), (None, None));
    }

    #[test]
    fn a_caller_is_recorded_by_the_kind_of_key_and_without_the_key() {
        let schemes = [
            ("api-key", "snd_1", "payments_create", "api_key"),
            ("api-key", "pk_snd_1", "payments_confirm", "publishable_key"),
            (
                "api-key",
                "pk_snd_1",
                "subscription_estimate",
                "subscription_client",
            ),
            ("api-key", "epk_1", "customers_retrieve", "ephemeral_key"),
            (
                "api-key",
                "admin",
                "merchant_accounts_create",
                "admin_api_key",
            ),
            ("authorization", "Bearer x", "users_retrieve", "bearer"),
            ("Authorization", "bearer x", "users_retrieve", "bearer"),
            ("Api-Key", "snd_1", "payments_create", "api_key"),
            (
                "AUTHORIZATION",
                "abc",
                "payments_confirm",
                "sdk_authorization",
            ),
            (
                "authorization",
                "abc",
                "payments_confirm",
                "sdk_authorization",
            ),
        ];
        for (name, value, id, wanted) in schemes {
            let headers = [(name.to_owned(), value.to_owned())];
            assert_eq!(scheme(operation(id), &headers), Some(wanted), "{id}");
        }
        assert_eq!(scheme(operation("health_check"), &[]), None);
    }
}
