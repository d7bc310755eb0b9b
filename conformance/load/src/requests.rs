//! The bytes of every request, made once.

use multirail_peers::TestCard;
use serde_json::{Value, json};

use crate::connection::find;

/// A request of a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    Create,
    CreateConfirmed,
    CreateToAuthorize,
    Confirm,
    Capture,
    Refund,
    Retrieve,
    List,
    Filter,
}

impl Step {
    pub const ALL: [Step; 9] = [
        Step::Create,
        Step::CreateConfirmed,
        Step::CreateToAuthorize,
        Step::Confirm,
        Step::Capture,
        Step::Refund,
        Step::Retrieve,
        Step::List,
        Step::Filter,
    ];

    /// Returns the name shown in the tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Step::Create | Step::CreateToAuthorize => "create",
            Step::CreateConfirmed => "create and confirm",
            Step::Confirm => "confirm",
            Step::Capture => "capture",
            Step::Refund => "refund",
            Step::Retrieve => "retrieve",
            Step::List => "list",
            Step::Filter => "filter",
        }
    }
}

/// A request with a gap for a payment's id.
#[derive(Clone, Debug)]
enum Template {
    /// In its path.
    Path { before: Vec<u8>, after: Vec<u8> },
    /// In its body, whose length depends on the id.
    Body {
        head: Vec<u8>,
        before: Vec<u8>,
        after: Vec<u8>,
    },
}

/// Every request of one merchant to one server.
#[derive(Clone, Debug, Default)]
pub struct Requests {
    templates: Vec<Template>,
}

impl Requests {
    /// Makes the requests for the server at `address` (`host:port`) with a merchant's secret key and this card.
    pub fn new(address: &str, api_key: &str, card: &TestCard) -> Self {
        let template = |step| {
            let (method, before, after, body) = match step {
                Step::Create => ("POST", "/payments", "", Some(order())),
                Step::CreateConfirmed => {
                    let body = with(with(order(), paid_with(card)), json!({ "confirm": true }));
                    ("POST", "/payments", "", Some(body))
                }
                Step::CreateToAuthorize => {
                    let body = with(order(), json!({ "capture_method": "manual" }));
                    ("POST", "/payments", "", Some(body))
                }
                Step::Confirm => ("POST", "/payments/", "/confirm", Some(paid_with(card))),
                Step::Capture => (
                    "POST",
                    "/payments/",
                    "/capture",
                    Some(json!({ "amount_to_capture": 6540 })),
                ),
                Step::Refund => return refund(address, api_key),
                Step::Retrieve => ("GET", "/payments/", "", None),
                Step::List => ("GET", "/payments/list?limit=10&starting_after=", "", None),
                Step::Filter => {
                    let body = json!({ "limit": 10, "status": ["succeeded"], "currency": ["USD"] });
                    ("POST", "/payments/list", "", Some(body))
                }
            };
            Template::Path {
                before: format!("{method} {before}").into(),
                after: rest(after, address, api_key, body),
            }
        };
        Self {
            templates: Step::ALL.into_iter().map(template).collect(),
        }
    }

    /// Writes the request of a step, with this payment's id if it has one, over the contents of `out`.
    pub fn write(&self, step: Step, payment_id: &str, out: &mut Vec<u8>) {
        out.clear();
        let (before, after) = match &self.templates[step as usize] {
            Template::Path { before, after } => (before, after),
            Template::Body {
                head,
                before,
                after,
            } => {
                let length = before.len() + payment_id.len() + after.len();
                out.extend_from_slice(head);
                out.extend_from_slice(format!("content-length: {length}\r\n\r\n").as_bytes());
                (before, after)
            }
        };
        out.extend_from_slice(before);
        out.extend_from_slice(payment_id.as_bytes());
        out.extend_from_slice(after);
    }
}

/// Returns a whole request that is sent once.
pub fn once(method: &str, path: &str, address: &str, key: &str, body: Option<Value>) -> Vec<u8> {
    let mut request = format!("{method} {path}").into_bytes();
    request.extend(rest("", address, key, body));
    request
}

/// Returns a whole request with one more header.
pub fn once_with(
    (name, value): (&str, &str),
    method: &str,
    path: &str,
    address: &str,
    key: &str,
    body: Option<Value>,
) -> Vec<u8> {
    let mut request = format!("{method} {path} HTTP/1.1\r\n{name}: {value}\r\n").into_bytes();
    let plain = once(method, path, address, key, body);
    let first_line = find(&plain, b"\r\n").map_or(0, |end| end + 2);
    request.extend_from_slice(&plain[first_line..]);
    request
}

/// Returns a refund of half of a payment.
fn refund(address: &str, key: &str) -> Template {
    let head = head("/refunds", address, key);
    Template::Body {
        head: format!("POST {head}content-type: application/json\r\n").into(),
        before: br#"{"amount":3270,"reason":"One ticket came back","payment_id":""#.to_vec(),
        after: br#""}"#.to_vec(),
    }
}

fn head(path: &str, address: &str, key: &str) -> String {
    format!("{path} HTTP/1.1\r\nhost: {address}\r\napi-key: {key}\r\n")
}

fn rest(path: &str, address: &str, key: &str, body: Option<Value>) -> Vec<u8> {
    let head = head(path, address, key);
    match body {
        None => format!("{head}\r\n").into(),
        Some(body) => {
            let body = body.to_string();
            let length = body.len();
            format!(
                "{head}content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
            )
            .into()
        }
    }
}

fn order() -> Value {
    json!({
        "amount": 6540,
        "currency": "USD",
        "description": "Two tickets for the evening",
        "email": "ada@example.com",
        "metadata": { "order_id": "A-2041", "channel": "web" },
    })
}

fn paid_with(card: &TestCard) -> Value {
    json!({
        "payment_method": "card",
        "payment_method_type": "credit",
        "payment_method_data": { "card": {
            "card_number": card.number,
            "card_exp_month": "10",
            "card_exp_year": "2035",
            "card_holder_name": card.holder,
            "card_cvc": card.code,
        } },
    })
}

fn with(mut base: Value, more: Value) -> Value {
    if let (Value::Object(base), Value::Object(more)) = (&mut base, more) {
        base.extend(more);
    }
    base
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::party::SIMULATED_CARD;

    #[test]
    fn an_id_stands_in_a_path_or_in_a_body_of_the_right_length() {
        let requests = Requests::new("127.0.0.1:8080", "key", &SIMULATED_CARD);
        let mut out = Vec::new();
        let mut written = |step| {
            requests.write(step, "pay_1", &mut out);
            String::from_utf8_lossy(&out).into_owned()
        };
        let path = written(Step::Retrieve);
        assert!(
            path.starts_with("GET /payments/pay_1 HTTP/1.1\r\n"),
            "{path}"
        );
        let refund = written(Step::Refund);
        let (head, body) = refund.split_once("\r\n\r\n").expect("a head and a body");
        assert!(head.starts_with("POST /refunds HTTP/1.1\r\n"), "{head}");
        let length = crate::connection::content_length(head.as_bytes());
        assert_eq!(length, Some(body.len()));
        let body: Value = serde_json::from_str(body).expect("JSON");
        assert_eq!(body["payment_id"], "pay_1");
    }

    #[test]
    fn a_header_more_leaves_the_rest_as_it_is() {
        let plain = once("GET", "/disputes/list", "127.0.0.1:8080", "key", None);
        let more = once_with(
            ("x-profile-id", "pro_1"),
            "GET",
            "/disputes/list",
            "127.0.0.1:8080",
            "key",
            None,
        );
        let more = String::from_utf8(more).expect("text");
        assert!(
            more.starts_with("GET /disputes/list HTTP/1.1\r\n"),
            "{more}"
        );
        let line = "x-profile-id: pro_1\r\n";
        assert_eq!(more.replacen(line, "", 1).into_bytes(), plain);
    }
}
