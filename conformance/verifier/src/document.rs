//! The document that everything is compared with: the published one, unless the process is given another.

use std::borrow::Cow;
use std::sync::OnceLock;

use multirail_codegen::sources::escape;
use reqwest::Method;
use serde_json::Value;

/// The text of the published document.
pub const YAML: &str = include_str!("../../../openapi/openapi.yaml");

/// The parameter of operations that take an idempotency key.
const IDEMPOTENCY_KEY: &str = "#/components/parameters/IdempotencyKeyHeader";

/// The parameter of operations that a platform may call for others.
const CONNECTED_MERCHANT: &str = "#/components/parameters/ConnectedMerchantIdHeader";

/// A document, and its most used parts.
#[derive(Debug)]
struct Read {
    /// The name in references to places.
    name: String,
    text: Cow<'static, str>,
    value: Value,
    operations: Vec<Operation>,
}

/// The document of this process, fixed at its first use.
static READ: OnceLock<Read> = OnceLock::new();

fn read() -> &'static Read {
    READ.get_or_init(published)
}

fn published() -> Read {
    Read::parse("openapi.yaml", Cow::Borrowed(YAML)).expect("the published document can be read")
}

impl Read {
    fn parse(name: &str, text: Cow<'static, str>) -> Result<Self, String> {
        // JSON is also YAML, but parses much faster as JSON.
        let value: Value = match text.trim_start().starts_with('{') {
            true => serde_json::from_str(&text).map_err(|error| error.to_string())?,
            false => serde_norway::from_str(&text).map_err(|error| error.to_string())?,
        };
        Ok(Self {
            name: name.to_owned(),
            operations: operations_of(&value)?,
            value,
            text,
        })
    }
}

/// Compares with another document in this process, in YAML or JSON. Its name appears in references to places. Must
/// come before the first use of a document.
///
/// # Errors
/// Fails when the operations don't follow the dialect, when an operation of the published document is missing, or
/// when it comes too late.
pub fn compare_with(name: &str, text: String) -> Result<(), String> {
    let given = Read::parse(name, Cow::Owned(text))?;
    let has = |id: &str| given.operations.iter().any(|one| one.id == id);
    let called = published().operations;
    let lacking: Vec<String> = called
        .into_iter()
        .map(|one| one.id)
        .filter(|id| !has(id))
        .collect();
    if !lacking.is_empty() {
        let lacking = lacking.join(", ");
        return Err(format!("it has no operation {lacking}, which is called"));
    }
    READ.set(given)
        .map_err(|_| "another document was looked at before".to_owned())
}

/// Returns the document, parsed once.
pub fn document() -> &'static Value {
    &read().value
}

/// Returns the document's text.
pub fn text() -> &'static str {
    &read().text
}

/// Returns the document's name in references to places.
pub fn name() -> &'static str {
    &read().name
}

/// An operation of the document.
#[derive(Clone, Debug)]
pub struct Operation {
    /// The `operationId`, such as `payments_confirm`.
    pub id: String,
    pub method: Method,
    /// The path template, such as `/payments/{payment_id}/confirm`.
    pub path: String,
    /// The key schemes that open it, in the document's order.
    pub security: Vec<String>,
    /// The members that a payer's client may send; `None` if a client can't call it or sends no body.
    pub client_members: Option<Vec<String>>,
    /// Whether a repeat with the same `Idempotency-Key` gets the first request's answer.
    pub takes_idempotency_key: bool,
    /// Whether a platform may call it for a connected merchant.
    pub for_platforms: bool,
    /// The component of its body, such as `PaymentConfirmRequest`.
    pub request: Option<String>,
    /// The media type of its answer.
    pub media_type: String,
    /// The schema of its answer, in the document's form.
    pub answer: Value,
}

impl Operation {
    /// Returns the names in braces.
    pub fn path_parameters(&self) -> Vec<&str> {
        self.path
            .split('/')
            .filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
            .collect()
    }

    /// Returns the operation's JSON pointer in the document.
    pub fn pointer(&self) -> String {
        let method = self.method.as_str().to_ascii_lowercase();
        format!("/paths/{}/{method}", escape(&self.path))
    }

    /// Returns the operation's part of the document.
    pub fn text(&self) -> &'static Value {
        document()
            .pointer(&self.pointer())
            .expect("an operation stands in the document")
    }

    /// Returns whether the operation changes anything.
    pub fn mutates(&self) -> bool {
        self.text()["x-multirail-mutates"] == true
    }

    /// Returns the parameters outside the path, each with its pointer.
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

    /// Returns the pointer to the parameter of this name; `None` if there is none.
    pub fn place_of(&self, parameter: &str) -> Option<String> {
        let mut all = self.parameters().into_iter();
        let (pointer, _) = all.find(|(_, one)| one["name"] == parameter)?;
        Some(pointer)
    }

    /// Returns the examples of its body in this media type, by name.
    pub fn examples(&self, media_type: &str) -> Vec<(&'static str, &'static Value)> {
        let all = self.text()["requestBody"]["content"][media_type]["examples"].as_object();
        let values = all.into_iter().flatten().map(|(name, one)| {
            let one = target(one).map_or(Some(one), |at| document().pointer(at))?;
            Some((name.as_str(), one.get("value")?))
        });
        values.flatten().collect()
    }

    /// Returns the first example.
    pub fn example(&self, media_type: &str) -> Option<&'static Value> {
        let (_, first) = *self.examples(media_type).first()?;
        Some(first)
    }

    /// Returns whether a key of this scheme opens it.
    pub fn takes(&self, scheme: &str) -> bool {
        self.security.iter().any(|named| named == scheme)
    }
}

/// Returns every operation, in the document's order.
pub fn operations() -> &'static [Operation] {
    &read().operations
}

/// Returns the operation with this id.
///
/// # Panics
/// Panics when the document has none.
pub fn operation(id: &str) -> &'static Operation {
    let found = operations().iter().find(|operation| operation.id == id);
    found.unwrap_or_else(|| panic!("the document has no operation {id}"))
}

/// Returns the target of a reference as a JSON pointer; `None` if it isn't a reference.
pub fn target(value: &Value) -> Option<&str> {
    value["$ref"].as_str()?.strip_prefix('#')
}

/// Follows references to the schema; returns its pointer and the schema.
pub fn resolved(pointer: &str) -> (String, &'static Value) {
    let schema = document().pointer(pointer).unwrap_or(&Value::Null);
    if let Some(target) = target(schema) {
        return resolved(target);
    }
    // A description next to a reference, or a reference that may be null.
    let words = ["allOf", "anyOf"];
    match words.iter().find(|word| schema[**word].is_array()) {
        Some(word) => resolved(&format!("{pointer}/{word}/0")),
        None => (pointer.to_owned(), schema),
    }
}

/// Returns the pointer to the schema of the body; `None` if the operation takes no JSON.
pub fn body_schema(operation: &Operation) -> Option<String> {
    let name = operation.request.as_ref()?;
    Some(format!("/components/schemas/{name}"))
}

fn operations_of(document: &Value) -> Result<Vec<Operation>, String> {
    let paths = document["paths"].as_object().ok_or("it has no paths")?;
    let items = paths.iter().flat_map(|(path, item)| {
        let methods = item.as_object().into_iter().flatten();
        methods.map(move |(method, operation)| (path, method, operation))
    });
    let one = |(path, method, operation): (&String, &String, &Value)| {
        one_of(path, method, operation)
            .map_err(|what| format!("{} {path}: {what}", method.to_uppercase()))
    };
    items.map(one).collect()
}

fn one_of(path: &str, method: &str, operation: &Value) -> Result<Operation, &'static str> {
    let id = operation["operationId"].as_str().ok_or("it has no id")?;
    let words = |value: &Value| -> Option<Vec<String>> {
        let words = value.as_array()?.iter();
        let texts = words.filter_map(|word| Some(word.as_str()?.to_owned()));
        Some(texts.collect())
    };
    let security = operation["security"].as_array();
    let security = security.ok_or("it doesn't say whose keys open it")?.iter();
    let content = operation["responses"]["200"]["content"].as_object();
    let media = content.and_then(|content| content.iter().next());
    let (media_type, media) = media.ok_or("it answers nothing with 200")?;
    let parameters = operation["parameters"].as_array();
    let lists = |header: &str| {
        let mut all = parameters.into_iter().flatten();
        all.any(|one| one["$ref"] == header)
    };
    let request = &operation["requestBody"]["content"]["application/json"]["schema"]["$ref"];
    Ok(Operation {
        id: id.to_owned(),
        method: method
            .to_uppercase()
            .parse()
            .map_err(|_| "it has no method")?,
        path: path.to_owned(),
        security: security
            .filter_map(Value::as_object)
            .flat_map(|entry| entry.keys().cloned())
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
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_document_must_have_the_operations_of_the_stories() {
        let refused = |text: &str| compare_with("other.yaml", text.to_owned()).unwrap_err();
        assert_eq!(refused("openapi: 3.0.3"), "it has no paths");
        assert_eq!(
            refused("paths: { /orders: { get: { operationId: orders_list, security: [] } } }"),
            "GET /orders: it answers nothing with 200"
        );
        let mut other: Value = serde_norway::from_str(YAML).expect("YAML");
        let health = &mut other["paths"]["/health"]["get"];
        health["operationId"] = "health_look".into();
        assert_eq!(
            refused(&other.to_string()),
            "it has no operation health_check, which is called"
        );
        // Other tests in this process need the published document.
        assert_eq!(text(), YAML);
        assert_eq!(refused(YAML), "another document was looked at before");
        assert_eq!(name(), "openapi.yaml");
    }
}
