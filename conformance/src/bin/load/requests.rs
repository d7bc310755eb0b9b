//! The bytes of every request, made once.

use serde_json::{Value, json};

/// What is asked of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    Create,
    CreateConfirmed,
    CreateToAuthorize,
    Confirm,
    Capture,
    Retrieve,
    List,
    Filter,
}

impl Step {
    pub const ALL: [Step; 8] = [
        Step::Create,
        Step::CreateConfirmed,
        Step::CreateToAuthorize,
        Step::Confirm,
        Step::Capture,
        Step::Retrieve,
        Step::List,
        Step::Filter,
    ];

    /// Its name in the tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Step::Create | Step::CreateToAuthorize => "create",
            Step::CreateConfirmed => "create and confirm",
            Step::Confirm => "confirm",
            Step::Capture => "capture",
            Step::Retrieve => "retrieve",
            Step::List => "list",
            Step::Filter => "filter",
        }
    }
}

/// A request with a gap for a payment's id.
#[derive(Clone, Debug)]
struct Template {
    before: Vec<u8>,
    after: Vec<u8>,
}

/// Every request of one merchant to one server.
#[derive(Clone, Debug)]
pub struct Requests {
    templates: Vec<Template>,
}

impl Requests {
    /// For the server at `address` (`host:port`) with a merchant's secret key.
    pub fn new(address: &str, api_key: &str) -> Self {
        let template = |step| {
            let (method, before, after, body) = match step {
                Step::Create => ("POST", "/payments", "", Some(order())),
                Step::CreateConfirmed => {
                    let body = with(with(order(), card()), json!({ "confirm": true }));
                    ("POST", "/payments", "", Some(body))
                }
                Step::CreateToAuthorize => {
                    let body = with(order(), json!({ "capture_method": "manual" }));
                    ("POST", "/payments", "", Some(body))
                }
                Step::Confirm => ("POST", "/payments/", "/confirm", Some(card())),
                Step::Capture => (
                    "POST",
                    "/payments/",
                    "/capture",
                    Some(json!({ "amount_to_capture": 6540 })),
                ),
                Step::Retrieve => ("GET", "/payments/", "", None),
                Step::List => ("GET", "/payments/list?limit=10&starting_after=", "", None),
                Step::Filter => {
                    let body = json!({ "limit": 10, "status": ["succeeded"], "currency": ["USD"] });
                    ("POST", "/payments/list", "", Some(body))
                }
            };
            Template {
                before: format!("{method} {before}").into(),
                after: rest(after, address, api_key, body),
            }
        };
        Self {
            templates: Step::ALL.into_iter().map(template).collect(),
        }
    }

    /// Writes the request of a step, about this payment where it is about one, over what `out` held.
    pub fn write(&self, step: Step, payment_id: &str, out: &mut Vec<u8>) {
        let template = &self.templates[step as usize];
        out.clear();
        out.extend_from_slice(&template.before);
        out.extend_from_slice(payment_id.as_bytes());
        out.extend_from_slice(&template.after);
    }
}

/// A whole request that is sent once.
pub fn once(method: &str, path: &str, address: &str, key: &str, body: Option<Value>) -> Vec<u8> {
    let mut request = format!("{method} {path}").into_bytes();
    request.extend(rest("", address, key, body));
    request
}

fn rest(path: &str, address: &str, key: &str, body: Option<Value>) -> Vec<u8> {
    let head = format!("{path} HTTP/1.1\r\nhost: {address}\r\napi-key: {key}\r\n");
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

fn card() -> Value {
    json!({
        "payment_method": "card",
        "payment_method_type": "credit",
        "payment_method_data": { "card": {
            "card_number": "4111111111111111",
            "card_exp_month": "10",
            "card_exp_year": "2035",
            "card_holder_name": "Ada Okafor",
            "card_cvc": "123",
        } },
    })
}

fn with(mut base: Value, more: Value) -> Value {
    if let (Value::Object(base), Value::Object(more)) = (&mut base, more) {
        base.extend(more);
    }
    base
}
