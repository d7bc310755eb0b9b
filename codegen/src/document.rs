//! The document: parsed once, then read by every other module.
//!
//! It is stored as JSON in its own key order. [`Operation`] is the view of one operation that the emitters share; it can be
//! built for every document that passes the [lint](crate::lint).

use openapiv3::OpenAPI;
use serde_json::Value;

use crate::Error;

/// An OpenAPI document in two forms.
#[derive(Debug, Clone)]
pub struct Document {
    /// JSON, with keys in the order of the text.
    pub value: Value,
    /// The document as parsed by `openapiv3`.
    pub openapi: OpenAPI,
}

/// One operation with everything that the emitters need, references resolved.
#[derive(Debug, Clone, PartialEq)]
pub struct Operation {
    /// `operationId`, snake case.
    pub id: String,
    /// The one tag.
    pub tag: String,
    /// Upper case HTTP method.
    pub method: String,
    /// Path template, such as `/payments/{payment_id}`.
    pub path: String,
    /// First line of its documentation.
    pub summary: String,
    /// The rest of its documentation.
    pub description: String,
    /// Alternatives of the `security` list, in its order. Empty: no key is needed.
    pub security: Vec<String>,
    /// `x-multirail-origin`.
    pub origin: String,
    /// `x-multirail-section`, for operations of the specification.
    pub section: Option<String>,
    /// `x-multirail-mutates`.
    pub mutates: bool,
    /// `x-multirail-secret-with-any-key`: a client secret may come with a secret key, too.
    pub secret_with_any_key: bool,
    /// `x-multirail-roles`: roles of users that may call it, where it takes a user's token.
    pub roles: Vec<String>,
    /// True if it lists [`CONNECTED_HEADER`]: a platform may call it for a connected merchant.
    pub for_platforms: bool,
    /// `x-client-members`: body members that a publishable key may send.
    pub client_members: Option<Vec<String>>,
    /// Parameters in the order of the document.
    pub parameters: Vec<Parameter>,
    /// Component name of the request body.
    pub request: Option<String>,
    /// The most bytes of a request body that isn't JSON but bytes.
    pub raw_body_bytes: Option<u64>,
    /// The body of the 200 answer.
    pub success: SuccessBody,
}

/// A path, query or header parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// Name on the wire, such as `created.lt`.
    pub name: String,
    /// `path`, `query` or `header`.
    pub location: String,
    /// True if requests must have the parameter.
    pub required: bool,
    /// Description from the document.
    pub description: String,
    /// Schema, as written in the document.
    pub schema: Value,
}

/// The body of the 200 answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SuccessBody {
    /// One component.
    Component(String),
    /// An array of one component.
    Array(String),
    /// `text/plain`.
    Text,
    /// `text/event-stream`.
    EventStream,
}

/// The header that authentication reads.
pub const PROFILE_HEADER: &str = "X-Profile-Id";

/// The header by which a platform calls for a connected merchant.
pub const CONNECTED_HEADER: &str = "X-Connected-Merchant-Id";

/// Headers that the server itself reads: neither methods nor the client have parameters for them.
pub const ASIDE_HEADERS: [&str; 5] = [
    PROFILE_HEADER,
    CONNECTED_HEADER,
    "X-Client-Source",
    "X-Client-Version",
    "Last-Event-ID",
];

/// The header that the dispatcher reads: the client has a parameter for it, methods have none.
pub const IDEMPOTENCY_HEADER: &str = "Idempotency-Key";

/// Media type of bodies that are bytes.
pub const BYTES: &str = "application/octet-stream";

/// Extension with the most bytes that such a body may have.
pub const BODY_BYTES: &str = "x-multirail-body-bytes";

/// Extension with the roles of users that may call an operation.
pub const ROLES: &str = "x-multirail-roles";

/// Every role of users, those with more permissions first.
pub const ALL_ROLES: [&str; 5] = [
    "org_admin",
    "merchant_admin",
    "merchant_developer",
    "merchant_operator",
    "merchant_view_only",
];

/// Returns whether an operation's request body is bytes.
pub fn takes_bytes(operation: &Value) -> bool {
    operation["requestBody"]["content"].get(BYTES).is_some()
}

/// Returns whether the operation's body of bytes authenticates its caller. The client has no method for it: processors call
/// it.
pub fn is_for_processors(operation: &Value) -> bool {
    takes_bytes(operation) && items(&operation["security"]).next().is_none()
}

/// Media type of an answer that goes on: one event after another.
pub const EVENT_STREAM: &str = "text/event-stream";

/// Returns whether an operation's answer is a stream of events. The client has no method for it: it reads whole answers.
pub fn is_streamed(operation: &Value) -> bool {
    operation["responses"]["200"]["content"]
        .get(EVENT_STREAM)
        .is_some()
}

/// Members of a path item that are operations.
pub const METHODS: [&str; 8] = [
    "get", "put", "post", "delete", "options", "head", "patch", "trace",
];

impl Document {
    /// Parses YAML text.
    ///
    /// # Errors
    /// The text isn't YAML, repeats a key, or isn't an OpenAPI document.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let value = parse_yaml(text).map_err(Error::Document)?;
        let openapi = serde_json::from_value(value.clone())
            .map_err(|error| Error::Document(error.to_string()))?;
        Ok(Self { value, openapi })
    }

    /// Returns the component schemas in the order of the document.
    pub fn schemas(&self) -> impl Iterator<Item = (&str, &Value)> {
        members(&self.value["components"]["schemas"])
    }

    /// Returns one component schema.
    pub fn schema(&self, name: &str) -> Option<&Value> {
        self.value["components"]["schemas"].get(name)
    }

    /// Returns the operations in the order of the document.
    ///
    /// # Errors
    /// Fails when an operation doesn't have the form that the lint requires.
    pub fn operations(&self) -> Result<Vec<Operation>, Error> {
        let mut operations = Vec::new();
        for (path, item) in members(&self.value["paths"]) {
            for (method, operation) in members(item) {
                if METHODS.contains(&method) {
                    operations.push(self.operation(path, method, item, operation)?);
                }
            }
        }
        Ok(operations)
    }

    fn operation(
        &self,
        path: &str,
        method: &str,
        item: &Value,
        operation: &Value,
    ) -> Result<Operation, Error> {
        let place = format!("{} {path}", method.to_uppercase());
        let text = |member: &str| {
            operation[member]
                .as_str()
                .map(str::to_owned)
                .ok_or_else(|| {
                    Error::Document(format!("{place}: `{member}` is missing or isn't text"))
                })
        };
        let parameters = [item, operation]
            .into_iter()
            .flat_map(|owner| items(&owner["parameters"]))
            .map(|parameter| self.parameter(&place, parameter))
            .collect::<Result<Vec<_>, _>>()?;
        let raw_body_bytes = if takes_bytes(operation) {
            let bytes = operation[BODY_BYTES]
                .as_u64()
                .ok_or_else(|| Error::Document(format!("{place}: `{BODY_BYTES}` is missing")))?;
            Some(bytes)
        } else {
            None
        };
        let request = match operation.get("requestBody") {
            None => None,
            Some(_) if raw_body_bytes.is_some() => None,
            Some(body) => Some(
                reference(&self.resolve(body)["content"]["application/json"]["schema"])
                    .ok_or_else(|| {
                        Error::Document(format!(
                            "{place}: the request body isn't one referenced schema"
                        ))
                    })?
                    .to_owned(),
            ),
        };
        let security = operation
            .get("security")
            .or_else(|| self.value.get("security"));
        Ok(Operation {
            id: text("operationId")?,
            tag: operation["tags"][0]
                .as_str()
                .ok_or_else(|| Error::Document(format!("{place}: the tag is missing")))?
                .to_owned(),
            method: method.to_uppercase(),
            path: path.to_owned(),
            summary: text("summary")?,
            description: text("description")?,
            security: security
                .into_iter()
                .flat_map(items)
                .filter_map(|entry| Some(members(entry).next()?.0.to_owned()))
                .collect(),
            origin: text("x-multirail-origin")?,
            section: operation["x-multirail-section"].as_str().map(str::to_owned),
            mutates: operation["x-multirail-mutates"].as_bool().ok_or_else(|| {
                Error::Document(format!("{place}: `x-multirail-mutates` is missing"))
            })?,
            secret_with_any_key: operation["x-multirail-secret-with-any-key"] == true,
            roles: items(&operation[ROLES])
                .filter_map(Value::as_str)
                .map(str::to_owned)
                .collect(),
            for_platforms: parameters
                .iter()
                .any(|parameter| parameter.name == CONNECTED_HEADER),
            client_members: operation["x-client-members"].as_array().map(|members| {
                members
                    .iter()
                    .filter_map(Value::as_str)
                    .map(str::to_owned)
                    .collect()
            }),
            parameters,
            request,
            raw_body_bytes,
            success: self.success(&place, operation)?,
        })
    }

    fn success(&self, place: &str, operation: &Value) -> Result<SuccessBody, Error> {
        let content = &self.resolve(&operation["responses"]["200"])["content"];
        if content.get("text/plain").is_some() {
            return Ok(SuccessBody::Text);
        }
        if content.get(EVENT_STREAM).is_some() {
            return Ok(SuccessBody::EventStream);
        }
        let schema = &content["application/json"]["schema"];
        if let Some(name) = reference(schema) {
            Ok(SuccessBody::Component(name.to_owned()))
        } else if let Some(name) = reference(&schema["items"]) {
            Ok(SuccessBody::Array(name.to_owned()))
        } else {
            Err(Error::Document(format!(
                "{place}: the 200 answer is neither a referenced schema nor an array of one"
            )))
        }
    }

    fn parameter(&self, place: &str, parameter: &Value) -> Result<Parameter, Error> {
        let parameter = self.resolve(parameter);
        let text = |member: &str| {
            parameter[member]
                .as_str()
                .map(str::to_owned)
                .ok_or_else(|| Error::Document(format!("{place}: a parameter has no `{member}`")))
        };
        Ok(Parameter {
            name: text("name")?,
            location: text("in")?,
            required: parameter["required"].as_bool().unwrap_or(false),
            description: parameter["description"]
                .as_str()
                .unwrap_or_default()
                .to_owned(),
            schema: parameter["schema"].clone(),
        })
    }

    /// Follows a `$ref` inside the document; everything else is returned as it is.
    pub fn resolve<'a>(&'a self, value: &'a Value) -> &'a Value {
        resolve(&self.value, value)
    }
}

impl Operation {
    /// Returns whether the operation takes an idempotency key.
    pub fn takes_idempotency_key(&self) -> bool {
        self.parameters
            .iter()
            .any(|one| one.location == "header" && one.name == IDEMPOTENCY_HEADER)
    }

    /// Returns the path parameters, in the order of the path template.
    pub fn path_parameters(&self) -> Vec<&Parameter> {
        variables(&self.path)
            .into_iter()
            .filter_map(|name| {
                self.parameters
                    .iter()
                    .find(|one| one.location == "path" && one.name == name)
            })
            .collect()
    }

    /// Returns the query parameters, in the order of the document.
    pub fn query_parameters(&self) -> Vec<&Parameter> {
        self.parameters
            .iter()
            .filter(|one| one.location == "query")
            .collect()
    }
}

/// Parses text to JSON. Refuses repeated keys, which JSON would silently merge.
///
/// # Errors
/// Fails when the text isn't YAML or repeats a key.
pub fn parse_yaml(text: &str) -> Result<Value, String> {
    let yaml: serde_norway::Value =
        serde_norway::from_str(text).map_err(|error| error.to_string())?;
    serde_json::to_value(yaml).map_err(|error| error.to_string())
}

/// Returns the members of an object; none if the value isn't one.
pub fn members(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    value
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, member)| (name.as_str(), member))
}

/// Returns the items of a list; none if the value isn't one.
pub fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// Follows a `$ref` inside `root`; everything else is returned as it is.
pub fn resolve<'a>(root: &'a Value, value: &'a Value) -> &'a Value {
    match value["$ref"]
        .as_str()
        .and_then(|target| root.pointer(target.strip_prefix('#')?))
    {
        Some(target) => target,
        None => value,
    }
}

/// Returns the component that a schema is a bare reference to.
pub fn reference(schema: &Value) -> Option<&str> {
    schema["$ref"]
        .as_str()?
        .strip_prefix("#/components/schemas/")
}

/// Returns the component that a schema refers to: by a bare reference, by `allOf: [$ref]`, or by one that [may be
/// null](or_no_value).
pub fn referred(schema: &Value) -> Option<&str> {
    reference(schema)
        .or_else(|| match schema["allOf"].as_array().map(Vec::as_slice) {
            Some([only]) => reference(only),
            _ => None,
        })
        .or_else(|| or_no_value(schema).and_then(reference))
}

/// The component that allows null and nothing else.
pub const NO_VALUE: &str = "NoValue";

/// Returns the reference in a schema of the form `anyOf: [$ref, NoValue]`. All readers of OpenAPI 3.0 agree that such a
/// reference may be null; `nullable` counts only beside a `type`.
pub fn or_no_value(schema: &Value) -> Option<&Value> {
    match schema["anyOf"].as_array().map(Vec::as_slice) {
        Some([one, nothing]) if reference(nothing) == Some(NO_VALUE) => {
            reference(one).is_some().then_some(one)
        }
        _ => None,
    }
}

/// Returns whether null is a value of the schema.
pub fn is_nullable(schema: &Value) -> bool {
    schema["nullable"] == true || or_no_value(schema).is_some()
}

/// Returns whether a component is an enumeration that becomes an open enum.
pub fn is_enumeration(schema: &Value) -> bool {
    schema["type"] == "string" && schema["enum"].is_array() && !is_nullable(schema)
}

/// Returns whether a component is text, a number or a boolean with rules, or [`NO_VALUE`], but not an enumeration.
pub fn is_scalar(schema: &Value) -> bool {
    matches!(
        schema["type"].as_str(),
        Some("string" | "integer" | "number" | "boolean")
    ) && (!schema["enum"].is_array() || is_nullable(schema))
}

/// Returns the names of a path template's variables.
pub fn variables(path: &str) -> Vec<&str> {
    path.split('/')
        .filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}'))
        .collect()
}
