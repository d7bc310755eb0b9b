//! The operations of the document as tools.

use reqwest::Method;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Map, Value, json};

use super::schema::{Detail, Outliner, resolve};
use crate::document::operations;

/// Operations that the document describes as reading, although their call has an effect: an ephemeral key deletes saved
/// methods, a check sends credentials to a processor, and a test sends an event to a merchant's address.
const HAVE_EFFECT: [&str; 4] = [
    "connector_accounts_check",
    "connectors_check",
    "ephemeral_keys_create",
    "webhook_endpoints_test",
];
/// The levels of members in a parameter or in the body. `describe_operation` looks deeper.
const LEVELS: usize = 1;

/// The operations that are offered.
#[derive(Default)]
pub(super) struct Offer {
    /// True if operations that change something are offered.
    pub(super) writes: bool,
    /// Only operations with one of these tags; all if the list is empty.
    pub(super) tags: Vec<String>,
    /// True if there is an operator's key.
    pub(super) has_operator: bool,
}

/// The key with which an operation is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    Merchant,
    Operator,
}

/// The place of a parameter in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Path,
    Query,
    Header,
}

#[derive(Debug)]
pub(super) struct Parameter {
    pub(super) name: String,
    pub(super) place: Place,
    pub(super) is_required: bool,
}

/// An operation, and the tool that calls it.
#[derive(Debug)]
pub(super) struct Operation {
    pub(super) tool: Tool,
    pub(super) method: Method,
    pub(super) path: String,
    pub(super) parameters: Vec<Parameter>,
    pub(super) has_body: bool,
    pub(super) requires_body: bool,
    pub(super) key: Key,
}

impl Operation {
    /// Returns the operation in the document from which it was read.
    pub(super) fn reader<'a>(&'a self, document: &'a Value) -> Reader<'a> {
        let method = self.method.as_str().to_ascii_lowercase();
        Reader {
            document,
            path: &self.path,
            found: &document["paths"][self.path.as_str()][method.as_str()],
        }
    }
}

/// Reads the offered operations of the document, in its order.
///
/// # Errors
/// A tag that the document doesn't have, or a document of another kind.
pub(super) fn read_operations(document: &Value, offer: &Offer) -> Result<Vec<Operation>, String> {
    check_tags(document, &offer.tags)?;
    let mut offered = Vec::new();
    for found in operations(document) {
        let reader = Reader {
            document,
            path: found.path,
            found: found.members,
        };
        offered.extend(reader.offered(found.method, offer)?);
    }
    Ok(offered)
}

fn check_tags(document: &Value, wanted: &[String]) -> Result<(), String> {
    let tags = document["tags"].as_array().into_iter().flatten();
    let known: Vec<&str> = tags.filter_map(|tag| tag["name"].as_str()).collect();
    match wanted.iter().find(|tag| !known.contains(&tag.as_str())) {
        Some(tag) => Err(format!("--tags: {tag} is none of {}", known.join(", "))),
        None => Ok(()),
    }
}

/// An operation in the document.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a> {
    pub(super) document: &'a Value,
    path: &'a str,
    found: &'a Value,
}

impl<'a> Reader<'a> {
    /// Returns the operation, if it is offered and takes and answers JSON.
    fn offered(self, method: &str, offer: &Offer) -> Result<Option<Operation>, String> {
        let changes = self.found["x-multirail-mutates"].as_bool().unwrap_or(true)
            || HAVE_EFFECT.contains(&self.text("operationId"));
        let tags = self.found["tags"].as_array().into_iter().flatten();
        let mut tags = tags.filter_map(Value::as_str);
        let is_wanted =
            offer.tags.is_empty() || tags.any(|tag| offer.tags.iter().any(|one| one == tag));
        let key = self.key(offer.has_operator);
        let Some(key) = key.filter(|_| is_wanted && (offer.writes || !changes) && self.is_json())
        else {
            return Ok(None);
        };
        self.read(method, key, changes).map(Some)
    }

    fn read(self, method: &str, key: Key, changes: bool) -> Result<Operation, String> {
        let name = self.found["operationId"].as_str();
        let name = name.ok_or_else(|| format!("{}: it has no operationId", self.path))?;
        let input = self.input(Detail::Types)?;
        let hints = ToolAnnotations::new().read_only(!changes);
        let tool = Tool::new(name.to_owned(), self.description(), input).annotate(hints);
        let method = method.to_ascii_uppercase();
        let parameters = self.parameters()?.into_iter();
        Ok(Operation {
            tool,
            method: Method::from_bytes(method.as_bytes()).map_err(|error| error.to_string())?,
            path: self.path.to_owned(),
            parameters: parameters.map(|(parameter, _)| parameter).collect(),
            has_body: self.body_schema()?.is_some(),
            requires_body: self.requires_body()?,
            key,
        })
    }

    /// Chooses the key for the call. Users' tokens and keys of payers' browsers are not used.
    fn key(self, has_operator: bool) -> Option<Key> {
        let takes = |scheme: &str| {
            let schemes = self.found["security"].as_array();
            schemes.is_some_and(|schemes| schemes.iter().any(|one| one.get(scheme).is_some()))
        };
        if takes("api_key") {
            Some(Key::Merchant)
        } else {
            (has_operator && takes("admin_api_key")).then_some(Key::Operator)
        }
    }

    fn is_json(self) -> bool {
        let is_json = |holder: &Value| holder["content"].get("application/json").is_some();
        let body = &self.found["requestBody"];
        let takes = resolve(self.document, body).is_ok_and(|body| body.is_null() || is_json(body));
        takes && is_json(&self.found["responses"]["200"])
    }

    /// Returns the summary and the first sentence of the description.
    fn description(self) -> String {
        let whole = self.text("description").replace('\n', " ");
        let first = whole.split(". ").next().unwrap_or_default();
        let first = first.trim_end_matches('.');
        format!("{}. {first}.", self.text("summary"))
    }

    /// Returns the summary and the description.
    pub(super) fn whole_description(self) -> String {
        format!("{}\n\n{}", self.text("summary"), self.text("description"))
    }

    fn text(self, name: &str) -> &'a str {
        self.found[name].as_str().unwrap_or_default()
    }

    /// Returns the parameters, each with its place in the document.
    fn parameters(self) -> Result<Vec<(Parameter, &'a Value)>, String> {
        let found = self.found["parameters"].as_array().into_iter().flatten();
        let read = found.map(|one| {
            let one = resolve(self.document, one)?;
            let name = one["name"].as_str().unwrap_or_default().to_owned();
            let place = match one["in"].as_str() {
                Some("path") => Place::Path,
                Some("query") => Place::Query,
                Some("header") => Place::Header,
                Some(_) | None => return Err(format!("{}: {name} has no place", self.path)),
            };
            let parameter = Parameter {
                name,
                place,
                is_required: one["required"].as_bool().unwrap_or(false),
            };
            Ok((parameter, one))
        });
        read.collect()
    }

    fn body(self) -> Result<&'a Value, String> {
        resolve(self.document, &self.found["requestBody"])
    }

    /// Returns the schema of the body, if the operation takes one.
    pub(super) fn body_schema(self) -> Result<Option<&'a Value>, String> {
        let content = self.body()?.get("content");
        Ok(content.map(|content| &content["application/json"]["schema"]))
    }

    fn requires_body(self) -> Result<bool, String> {
        Ok(self.body()?["required"].as_bool().unwrap_or(false))
    }

    /// Returns the schema of the tool's arguments: a member for each parameter, and `body`.
    pub(super) fn input(self, detail: Detail) -> Result<JsonObject, String> {
        let outliner = Outliner {
            document: self.document,
            detail,
        };
        let mut properties = Map::new();
        let mut required = Vec::new();
        for (parameter, found) in self.parameters()? {
            let mut schema = outliner.outline(&found["schema"], LEVELS)?;
            if let (Detail::Everything, Some(about)) = (detail, found.get("description")) {
                schema.insert("description".to_owned(), about.clone());
            }
            properties.insert(parameter.name.clone(), Value::Object(schema));
            if parameter.is_required {
                required.push(parameter.name);
            }
        }
        if let Some(body) = self.body_schema()? {
            let body = outliner.outline(body, LEVELS)?;
            properties.insert("body".to_owned(), Value::Object(body));
        }
        if self.requires_body()? {
            required.push("body".to_owned());
        }
        let mut input = Map::new();
        input.insert("type".to_owned(), json!("object"));
        input.insert("properties".to_owned(), Value::Object(properties));
        input.insert("required".to_owned(), json!(required));
        input.insert("additionalProperties".to_owned(), json!(false));
        Ok(input)
    }
}
