//! The published document.

use std::sync::OnceLock;

use multirail_codegen::sources::escape;
use reqwest::Method;
use serde_json::Value;

/// The text of the document.
pub const YAML: &str = include_str!("../../openapi/openapi.yaml");

/// The parameter of operations that take an idempotency key.
const IDEMPOTENCY_KEY: &str = "#/components/parameters/IdempotencyKeyHeader";

/// The parameter of operations that a platform may call for others.
const CONNECTED_MERCHANT: &str = "#/components/parameters/ConnectedMerchantIdHeader";

/// The document, parsed once.
pub fn document() -> &'static Value {
    static DOCUMENT: OnceLock<Value> = OnceLock::new();
    DOCUMENT.get_or_init(|| serde_norway::from_str(YAML).expect("the document is YAML"))
}

/// An operation of the document.
#[derive(Clone, Debug)]
pub struct Operation {
    /// `payments_confirm`.
    pub id: String,
    pub method: Method,
    /// `/payments/{payment_id}/confirm`.
    pub path: String,
    /// The names of the keys that it takes, in the order of the document.
    pub security: Vec<String>,
    /// The members that a payer's client may send; `None` where a client can't call it or sends no body.
    pub client_members: Option<Vec<String>>,
    /// Whether a repeat under the same `Idempotency-Key` gets the answer of the first request.
    pub takes_idempotency_key: bool,
    /// Whether a platform may call it for a merchant that is connected to it.
    pub for_platforms: bool,
    /// The component that its body is, such as `PaymentConfirmRequest`.
    pub request: Option<String>,
    /// The media type of its answer.
    pub media_type: String,
    /// The schema of its answer, in the document's own form.
    pub answer: Value,
}

impl Operation {
    /// The names in braces.
    pub fn path_parameters(&self) -> Vec<&str> {
        self.path
            .split('/')
            .filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
            .collect()
    }

    /// Where it stands in the document, as a JSON pointer.
    pub fn pointer(&self) -> String {
        let method = self.method.as_str().to_ascii_lowercase();
        format!("/paths/{}/{method}", escape(&self.path))
    }

    /// What the document says of it.
    pub fn text(&self) -> &'static Value {
        document()
            .pointer(&self.pointer())
            .expect("an operation stands in the document")
    }

    /// Whether it changes anything.
    pub fn mutates(&self) -> bool {
        self.text()["x-multirail-mutates"] == true
    }

    /// Its parameters beside those in the path, with the pointer to each.
    pub fn parameters(&self) -> Vec<(String, &'static Value)> {
        let own = self.text()["parameters"].as_array();
        let all = own.into_iter().flatten().enumerate();
        all.map(|(index, one)| {
            let written = format!("{}/parameters/{index}", self.pointer());
            let pointer = target(one).map_or(written, str::to_owned);
            let parameter = document().pointer(&pointer).unwrap_or(one);
            (pointer, parameter)
        })
        .filter(|(_, parameter)| parameter["in"] != "path")
        .collect()
    }

    /// Whether a key of this kind opens it.
    pub fn takes(&self, scheme: &str) -> bool {
        self.security.iter().any(|named| named == scheme)
    }
}

/// Every operation, in the order of the document.
pub fn operations() -> &'static [Operation] {
    static OPERATIONS: OnceLock<Vec<Operation>> = OnceLock::new();
    OPERATIONS.get_or_init(|| {
        let paths = document()["paths"]
            .as_object()
            .expect("the document has paths");
        let items = paths.iter().flat_map(|(path, item)| {
            let methods = item.as_object().expect("a path item is an object");
            methods
                .iter()
                .map(move |(method, operation)| (path, method, operation))
        });
        items
            .map(|(path, method, operation)| read(path, method, operation))
            .collect()
    })
}

/// The operation of this id.
///
/// # Panics
/// If the document has none.
pub fn operation(id: &str) -> &'static Operation {
    let found = operations().iter().find(|operation| operation.id == id);
    found.unwrap_or_else(|| panic!("the document has no operation {id}"))
}

/// Where a reference leads, as a JSON pointer; `None` where it is none.
pub fn target(value: &Value) -> Option<&str> {
    value["$ref"].as_str()?.strip_prefix('#')
}

fn read(path: &str, method: &str, operation: &Value) -> Operation {
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let words = |value: &Value| {
        value
            .as_array()
            .map(|words| words.iter().map(text).collect())
    };
    let security = operation["security"]
        .as_array()
        .expect("every operation names its keys");
    let content = operation["responses"]["200"]["content"]
        .as_object()
        .expect("an answer has content");
    let (media_type, media) = content.iter().next().expect("an answer has one media type");
    let parameters = operation["parameters"].as_array();
    let lists = |header: &str| {
        let mut all = parameters.into_iter().flatten();
        all.any(|one| one["$ref"] == header)
    };
    let request = &operation["requestBody"]["content"]["application/json"]["schema"]["$ref"];
    Operation {
        id: text(&operation["operationId"]),
        method: method.to_uppercase().parse().expect("an HTTP method"),
        path: path.to_owned(),
        security: security
            .iter()
            .flat_map(|entry| {
                entry
                    .as_object()
                    .expect("a security entry is an object")
                    .keys()
                    .cloned()
            })
            .collect(),
        client_members: words(&operation["x-client-members"]),
        takes_idempotency_key: lists(IDEMPOTENCY_KEY),
        for_platforms: lists(CONNECTED_MERCHANT),
        request: request
            .as_str()
            .and_then(|target| target.rsplit('/').next())
            .map(str::to_owned),
        media_type: media_type.clone(),
        answer: media["schema"].clone(),
    }
}
