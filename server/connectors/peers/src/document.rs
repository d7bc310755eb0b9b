//! A processor's OpenAPI 3.0 document (`peer.yaml`). It validates requests, answers and notices:
//! the document must describe all three.

mod notices;

use std::collections::BTreeMap;

use jsonschema::{ValidationError, Validator};
use serde_json::{Map, Value, json};

use super::form::{parse, parts, typed};
use super::references::resolved;
use super::{Call, Notice, Raw, Reply};
use notices::Notices;

/// Headers that documents don't describe.
const COMMON: &[&str] = &[
    "accept",
    "content-length",
    "content-type",
    "host",
    "user-agent",
];
const METHODS: &[&str] = &["get", "post", "put", "patch", "delete"];
const FORM: &str = "application/x-www-form-urlencoded";
const JSON: &str = "application/json";
const MULTIPART: &str = "multipart/form-data";

pub struct Document {
    base_path: String,
    operations: Vec<Operation>,
    /// The document in JSON Schema's form of `nullable`. Objects in requests allow no unknown
    /// members.
    sent: Value,
    /// The headers with credentials, in lower case.
    credentials: Vec<String>,
    notices: Option<Notices>,
}

struct Operation {
    /// `POST /v1/charges/{charge}/capture`
    name: String,
    method: String,
    segments: Vec<String>,
    parameters: Vec<Parameter>,
    body: Option<RequestBody>,
    /// Validators by status, `4XX` or `default`.
    answers: BTreeMap<String, Validator>,
}

/// The place of an operation.
struct Place<'a> {
    /// The path of its server.
    base: &'a str,
    path: &'a str,
    method: &'a str,
}

struct Parameter {
    name: String,
    place: String,
    is_required: bool,
    schema: Value,
    validator: Validator,
}

struct RequestBody {
    media_type: String,
    is_required: bool,
    schema: Value,
    validator: Validator,
}

/// A request that the document doesn't describe.
pub struct Unknown {
    /// True if the path is unknown.
    pub is_path: bool,
    pub message: String,
}

impl Document {
    /// Reads a document.
    ///
    /// # Panics
    /// If the text is no such document.
    pub fn read(text: &str) -> Self {
        let document: Value = serde_norway::from_str(text).expect("a document in YAML");
        let sent = plain_schemas(document.clone(), true);
        let answered = plain_schemas(document, false);
        let base = base_path_of(&sent).expect("a server");
        let schemes = sent["components"]["securitySchemes"].as_object();
        let credentials = schemes.into_iter().flatten().map(|(_, scheme)| {
            let name = scheme["name"].as_str().unwrap_or("authorization");
            name.to_ascii_lowercase()
        });
        let credentials = credentials.collect();
        let mut operations = Vec::new();
        for (path, item) in sent["paths"].as_object().expect("paths") {
            // Paths with their own servers are on another host.
            let base = base_path_of(item).unwrap_or_else(|| base.clone());
            for method in METHODS {
                if let Some(operation) = item.get(*method) {
                    let answers = &answered["paths"][path][*method]["responses"];
                    let place = Place {
                        base: &base,
                        path,
                        method,
                    };
                    operations.push(Operation::read(place, item, operation, &sent));
                    let last = operations.last_mut().expect("one was pushed");
                    last.read_answers(answers, &answered);
                }
            }
        }
        Document {
            base_path: base,
            operations,
            notices: Notices::read(&answered),
            sent,
            credentials,
        }
    }

    /// Returns the path of the document's server, with which every request begins.
    pub fn base_path(&self) -> &str {
        &self.base_path
    }

    /// Checks a request and splits it into its parts.
    pub fn check(&self, raw: Raw) -> Result<Call, Unknown> {
        let unknown = |message: String| Unknown {
            is_path: false,
            message: format!("{} {}: {message}", raw.method, raw.path),
        };
        let no_path = || Unknown {
            is_path: true,
            message: format!("{} {}", raw.method, raw.path),
        };
        let found = self.find(raw.method.as_str(), &raw.path);
        let (operation, path) = found.ok_or_else(no_path)?;
        let query = self.query(operation, raw.query.as_deref().unwrap_or_default());
        let query = query.map_err(unknown)?;
        let in_path = operation.parameters_in("path").into_iter();
        for parameter in in_path {
            let value = path.get(&parameter.name).cloned().unwrap_or_default();
            parameter.check(&value.into()).map_err(unknown)?;
        }
        self.check_headers(operation, &raw).map_err(unknown)?;
        let body = self.body(operation, &raw).map_err(unknown)?;
        Ok(Call {
            operation: operation.name.clone(),
            path,
            query,
            headers: raw.headers.clone(),
            body,
            raw,
        })
    }

    /// Checks that the document describes this answer.
    pub fn check_answer(&self, operation: &str, reply: &Reply) -> Result<(), String> {
        let named = |own: &&Operation| own.name == operation;
        let answers = &self
            .operations
            .iter()
            .find(named)
            .expect("a call's own")
            .answers;
        let status = reply.status.to_string();
        let range = format!("{}XX", &status[..1]);
        let keys = [status.as_str(), range.as_str(), "default"];
        let answer = keys.into_iter().find_map(|key| answers.get(key));
        let answer = answer.ok_or_else(|| format!("{operation} never answers {status}"))?;
        answer
            .validate(&reply.body)
            .map_err(|error| format!("{operation} {status}: {}", place(&error)))
    }

    /// Returns a notice with this body.
    ///
    /// # Panics
    /// If the document doesn't describe it.
    pub fn notice(&self, headers: Vec<(&'static str, String)>, body: Vec<u8>) -> Notice {
        let read = serde_json::from_slice(&body).expect("notices are JSON");
        let notices = self.notices.as_ref().expect("the document has x-notices");
        if let Err(message) = notices.check(&read) {
            panic!("a notice of its own: {message}");
        }
        Notice { headers, body }
    }

    fn find(&self, method: &str, path: &str) -> Option<(&Operation, BTreeMap<String, String>)> {
        let given: Vec<&str> = path.split('/').skip(1).collect();
        let fitting =
            self.operations.iter().filter(|own| {
                own.method.eq_ignore_ascii_case(method)
                    && own.segments.len() == given.len()
                    && own.segments.iter().zip(&given).all(|(own, given)| {
                        !given.is_empty() && (own.starts_with('{') || own == given)
                    })
            });
        // A literal segment takes precedence over a parameter.
        let parameters = |own: &&Operation| {
            let segments = own.segments.iter();
            segments.filter(|own| own.starts_with('{')).count()
        };
        let operation = fitting.min_by_key(parameters)?;
        let named = operation.segments.iter().zip(given);
        let values = named.filter_map(|(own, given)| {
            let name = own.strip_prefix('{')?.strip_suffix('}')?;
            let value = percent_decoded(given)?;
            Some((name.to_owned(), value))
        });
        Some((operation, values.collect()))
    }

    fn query(&self, operation: &Operation, text: &str) -> Result<Value, String> {
        let given = parse(text)?;
        let mut given = given.as_object().expect("an object").clone();
        let mut query = Map::new();
        for parameter in operation.parameters_in("query") {
            if let Some(value) = given.remove(&parameter.name) {
                let value = typed(value, &parameter.schema, &self.sent);
                parameter.check(&value)?;
                query.insert(parameter.name.clone(), value);
            } else if parameter.is_required {
                return Err(format!("the query has no {}", parameter.name));
            }
        }
        match given.keys().next() {
            Some(unknown) => Err(format!("the query has {unknown}")),
            None => Ok(query.into()),
        }
    }

    fn check_headers(&self, operation: &Operation, raw: &Raw) -> Result<(), String> {
        let parameters = operation.parameters_in("header");
        for parameter in &parameters {
            match raw.headers.get(&parameter.name) {
                Some(value) => {
                    let value = value.to_str().map_err(|error| error.to_string())?;
                    let value = Value::String(value.to_owned());
                    let value = typed(value, &parameter.schema, &self.sent);
                    parameter.check(&value)?;
                }
                None if parameter.is_required => {
                    return Err(format!("the header {} is missing", parameter.name));
                }
                None => {}
            }
        }
        for name in raw.headers.keys() {
            let name = name.as_str();
            let is_known = COMMON.contains(&name)
                || self.credentials.iter().any(|own| own == name)
                || parameters
                    .iter()
                    .any(|own| own.name.eq_ignore_ascii_case(name));
            if !is_known {
                return Err(format!("the header {name}"));
            }
            if raw.headers.get_all(name).iter().count() > 1 {
                return Err(format!("the header {name} twice"));
            }
        }
        match self
            .credentials
            .iter()
            .find(|own| !raw.headers.contains_key(own.as_str()))
        {
            Some(missing) => Err(format!("the header {missing} is missing")),
            None => Ok(()),
        }
    }

    fn body(&self, operation: &Operation, raw: &Raw) -> Result<Value, String> {
        let media_type = raw.headers.get("content-type");
        let media_type = media_type.and_then(|value| value.to_str().ok());
        let Some(body) = &operation.body else {
            return if raw.body.is_empty() {
                Ok(Value::Null)
            } else {
                Err("there is a body".to_owned())
            };
        };
        if raw.body.is_empty() && !body.is_required {
            return Ok(Value::Null);
        }
        let essence = media_type.and_then(|text| text.split(';').next());
        if essence != Some(body.media_type.as_str()) {
            return Err(format!(
                "a body of {media_type:?} and not of {}",
                body.media_type
            ));
        }
        let text = || std::str::from_utf8(&raw.body).map_err(|error| error.to_string());
        let value = match body.media_type.as_str() {
            MULTIPART => parts(media_type.unwrap_or_default(), &raw.body)?,
            FORM => {
                let value = parse(text()?)?;
                typed(value, &body.schema, &self.sent)
            }
            JSON => serde_json::from_str(text()?).map_err(|error| error.to_string())?,
            other => panic!("the suite knows no bodies of {other}"),
        };
        match body.validator.validate(&value) {
            Ok(()) => Ok(value),
            Err(error) => Err(place(&error)),
        }
    }
}

impl Operation {
    fn read(place: Place<'_>, item: &Value, operation: &Value, root: &Value) -> Self {
        let Place { base, path, method } = place;
        let lists = [&item["parameters"], &operation["parameters"]];
        let parameters = lists.into_iter().filter_map(Value::as_array).flatten();
        let body = resolved(&operation["requestBody"], root);
        let content = body["content"].as_object();
        let body =
            content
                .and_then(|content| content.iter().next())
                .map(|(media_type, content)| RequestBody {
                    media_type: media_type.clone(),
                    is_required: body["required"] == true,
                    schema: content["schema"].clone(),
                    validator: validator(&content["schema"], root),
                });
        Operation {
            name: format!("{} {path}", method.to_ascii_uppercase()),
            method: method.to_owned(),
            segments: (base.split('/').skip(1))
                .chain(path.split('/').skip(1))
                .map(str::to_owned)
                .collect(),
            parameters: parameters.map(|one| Parameter::read(one, root)).collect(),
            body,
            answers: BTreeMap::new(),
        }
    }

    fn read_answers(&mut self, answers: &Value, root: &Value) {
        for (status, answer) in answers.as_object().expect("responses") {
            let answer = resolved(answer, root);
            let schema = &answer["content"][JSON]["schema"];
            // An answer without content has an empty body, which is null here.
            let schema = if schema.is_null() {
                &json!({"type": "null"})
            } else {
                schema
            };
            self.answers.insert(status.clone(), validator(schema, root));
        }
    }

    fn parameters_in(&self, place: &str) -> Vec<&Parameter> {
        let parameters = self.parameters.iter();
        parameters.filter(|own| own.place == place).collect()
    }
}

impl Parameter {
    fn read(parameter: &Value, root: &Value) -> Self {
        let parameter = resolved(parameter, root);
        let text = |name: &str| parameter[name].as_str().expect("a text").to_owned();
        Parameter {
            name: text("name"),
            place: text("in"),
            is_required: parameter["required"] == true,
            schema: parameter["schema"].clone(),
            validator: validator(&parameter["schema"], root),
        }
    }

    fn check(&self, value: &Value) -> Result<(), String> {
        let checked = self.validator.validate(value);
        checked.map_err(|error| format!("{} in {}: {error}", self.name, self.place))
    }
}

/// Returns the path of the first server listed at this place.
fn base_path_of(place: &Value) -> Option<String> {
    let server = place.pointer("/servers/0/url")?.as_str()?;
    let server = url::Url::parse(server).expect("the server's address");
    Some(server.path().trim_end_matches('/').to_owned())
}

fn place(error: &ValidationError<'_>) -> String {
    match error.instance_path().to_string() {
        place if place.is_empty() => error.to_string(),
        place => format!("{error} at {place}"),
    }
}

fn validator(schema: &Value, root: &Value) -> Validator {
    let mut whole = json!({"allOf": [schema], "components": root["components"]});
    whole["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
    jsonschema::validator_for(&whole).unwrap_or_else(|error| panic!("{error}: {schema}"))
}

/// Converts OpenAPI 3.0 schemas to JSON Schema. `is_strict` forbids unknown members.
fn plain_schemas(value: Value, is_strict: bool) -> Value {
    match value {
        Value::Array(items) => {
            let items = items.into_iter();
            items.map(|item| plain_schemas(item, is_strict)).collect()
        }
        Value::Object(members) => {
            let mut plain: Map<String, Value> = members
                .into_iter()
                .map(|(name, value)| (name, plain_schemas(value, is_strict)))
                .collect();
            if plain.remove("nullable") == Some(true.into()) {
                if let Some(kind) = plain.remove("type") {
                    plain.insert("type".to_owned(), json!([kind, "null"]));
                }
                if let Some(words) = plain.get_mut("enum").and_then(Value::as_array_mut) {
                    words.push(Value::Null);
                }
            }
            let is_object = plain.get("properties").is_some_and(Value::is_object)
                && plain.get("type").is_some_and(is_object_type);
            if is_strict && is_object {
                let rest = plain.entry("additionalProperties");
                rest.or_insert(false.into());
            }
            plain.into()
        }
        plain => plain,
    }
}

fn is_object_type(kind: &Value) -> bool {
    kind == "object"
        || kind
            .as_array()
            .is_some_and(|kinds| kinds.contains(&"object".into()))
}

fn percent_decoded(segment: &str) -> Option<String> {
    // A form decoder reads `+` as a blank, which is wrong in a path.
    let text = format!("a={}", segment.replace('+', "%2B"));
    let mut pairs = url::form_urlencoded::parse(text.as_bytes());
    pairs.next().map(|(_, value)| value.into_owned())
}
