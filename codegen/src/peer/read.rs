//! The used part of a processor's API: components, with the direction in which each goes, and the type of each member.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::Fault;
use crate::document::{items, members, reference, resolve};
use crate::{enums, names};

/// The extension of words: `open` if the text itself is wanted beside its meaning, `by-text` if a request has the word of a
/// given text.
const WORDS: &str = "x-words";
const OPEN: &str = "open";
const BY_TEXT: &str = "by-text";
/// The extension of members of answers that are an id, or this object where the request asks for it.
const EXPANDABLE: &str = "x-expandable";
/// The extension of objects whose members the connector chooses by name.
const BY_NAME: &str = "x-by-name";
/// The extension with the notices: `body` is the schema of all, `word` and `about` point to the event and to its
/// subject in there, and `schemas` lists the events of each subject.
const NOTICES: &str = "x-notices";

/// The directions of a component.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Ways {
    /// In requests.
    pub sent: bool,
    /// In answers and notices.
    pub read: bool,
}

/// The type of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// A text of `least` to `most` characters.
    Text {
        least: u64,
        most: Option<u64>,
    },
    /// A text that doesn't print.
    Secret,
    /// One of the words of an enumeration.
    Words(String),
    /// An object.
    Object(String),
    /// One of several objects.
    OneOf(String),
    /// A whole number, by its type in Rust.
    Whole(&'static str),
    Bool,
    List(Box<Kind>),
    /// An object whose members have any names, and values of one type.
    Map(Box<Kind>),
    /// An object whose members the connector chooses by name. Those of requests are texts.
    ByName,
    /// An object with any members.
    Free,
    /// An id, or an object.
    Expandable,
}

/// A member of an object.
#[derive(Debug)]
pub struct Member<'a> {
    pub wire_name: &'a str,
    pub about: Option<&'a str>,
    pub is_required: bool,
    pub kind: Kind,
}

/// An enumeration.
#[derive(Debug)]
pub struct Words<'a> {
    pub name: String,
    pub about: Option<&'a str>,
    pub words: Vec<&'a str>,
    /// Members are texts, of which the enumeration reads the known ones.
    pub is_open: bool,
    /// A text chooses the word of a request.
    pub is_by_text: bool,
    pub ways: Ways,
}

/// The document.
#[derive(Debug)]
pub struct Peer {
    root: Value,
    ways: BTreeMap<String, Ways>,
}

impl Peer {
    /// Reads a document.
    ///
    /// # Errors
    /// Fails when it has a form that no type can be generated from.
    pub fn read(root: Value) -> Result<Self, Fault> {
        let mut peer = Peer {
            root,
            ways: BTreeMap::new(),
        };
        for (sent, read) in [(true, false), (false, true)] {
            let mut found = BTreeSet::new();
            for root in peer.roots(sent) {
                peer.reach(root, &mut found)?;
            }
            for name in peer.of_notices().filter(|_| read) {
                peer.reach_component(name, &mut found)?;
            }
            for name in found {
                let ways = peer.ways.entry(name).or_default();
                ways.sent |= sent;
                ways.read |= read;
            }
        }
        Ok(peer)
    }

    /// Returns the components in the order of the document, without those that nothing refers to.
    pub fn components(&self) -> impl Iterator<Item = (&str, &Value, Ways)> {
        let all = members(&self.root["components"]["schemas"]);
        all.filter_map(|(name, schema)| Some((name, schema, *self.ways.get(name)?)))
    }

    /// Returns a component.
    pub fn component(&self, name: &str) -> &Value {
        &self.root["components"]["schemas"][name]
    }

    /// Returns every operation with a query: its id, and its parameters there.
    pub fn queries(&self) -> Vec<(&str, Vec<&Value>)> {
        let with_query = self.operations().filter_map(|operation| {
            let parameters = items(&operation["parameters"]);
            let parameters = parameters.map(|one| resolve(&self.root, one));
            let query: Vec<&Value> = parameters.filter(|one| one["in"] == "query").collect();
            let id = operation["operationId"].as_str()?;
            (!query.is_empty()).then_some((id, query))
        });
        with_query.collect()
    }

    /// Returns the enumerations: components, those of single members, and the events of each subject.
    ///
    /// # Errors
    /// Fails when two words would have the same name in Rust, or when an extension isn't for the direction of its words.
    pub fn enumerations(&self) -> Result<Vec<Words<'_>>, Fault> {
        let mut all = Vec::new();
        for (name, schema, ways) in self.components() {
            if schema["enum"].is_array() {
                all.push(Words::read(names::pascal(name), schema, ways)?);
            }
            for (member, schema) in members(&schema["properties"]) {
                if schema["enum"].is_array() {
                    let name = names::pascal(name) + &names::pascal(member);
                    all.push(Words::read(name, schema, ways)?);
                }
            }
        }
        for (subject, events) in members(&self.root[NOTICES]["schemas"]) {
            all.push(Words {
                name: names::pascal(subject) + "Type",
                about: Some("An event of a notice."),
                words: items(events).filter_map(Value::as_str).collect(),
                is_open: true,
                is_by_text: false,
                ways: Ways {
                    sent: false,
                    read: true,
                },
            });
        }
        for one in &all {
            one.check()?;
        }
        Ok(all)
    }

    /// Returns the members of an object's schema, but those that [`Peer::parts`] have.
    ///
    /// # Errors
    /// Fails when a member has a form that no type can be generated from.
    pub fn members<'a>(&'a self, name: &str, schema: &'a Value) -> Result<Vec<Member<'a>>, Fault> {
        let own = items(&schema["allOf"]).chain([schema]);
        let mut all = Vec::new();
        for part in own {
            for (wire_name, member) in members(&part["properties"]) {
                let is_required = items(&part["required"]).any(|one| one == wire_name);
                all.push(Member {
                    wire_name,
                    about: member["description"].as_str(),
                    is_required: is_required && member["nullable"] != true,
                    kind: self.kind(name, wire_name, member)?,
                });
            }
        }
        Ok(all)
    }

    /// Returns the components whose members an object of `allOf` has, too.
    pub fn parts<'a>(&self, schema: &'a Value) -> Vec<&'a str> {
        items(&schema["allOf"]).filter_map(reference).collect()
    }

    /// Returns the type of a member's value.
    ///
    /// # Errors
    /// Fails when no type can be generated.
    pub fn kind(&self, owner: &str, member: &str, schema: &Value) -> Result<Kind, Fault> {
        let fault = |why: &str| Err(Fault::new(&format!("{owner}.{member}"), why));
        if schema[EXPANDABLE].is_object() {
            return Ok(Kind::Expandable);
        }
        if let Some(name) = reference(schema) {
            let component = self.component(name);
            return if component["enum"].is_array() {
                Ok(words_kind(component, names::pascal(name)))
            } else if component["oneOf"].is_array() {
                Ok(Kind::OneOf(names::pascal(name)))
            } else if is_object(component) {
                Ok(Kind::Object(names::pascal(name)))
            } else {
                self.kind(owner, member, component)
            };
        }
        if schema["enum"].is_array() {
            let name = names::pascal(owner) + &names::pascal(member);
            return Ok(words_kind(schema, name));
        }
        if is_object(schema) || schema["oneOf"].is_array() {
            return fault("an object of its own has no name; make it a component");
        }
        let within = |inner: &Value| self.kind(owner, member, inner);
        match schema["type"].as_str() {
            Some("string") if schema["format"] == "secret" => Ok(Kind::Secret),
            Some("string") => Ok(Kind::Text {
                least: schema["minLength"].as_u64().unwrap_or_default(),
                most: schema["maxLength"].as_u64(),
            }),
            Some("integer") => Ok(Kind::Whole(whole(schema))),
            Some("boolean") => Ok(Kind::Bool),
            Some("array") => Ok(Kind::List(Box::new(within(&schema["items"])?))),
            Some("object") => match &schema["additionalProperties"] {
                value if value.is_object() => Ok(Kind::Map(Box::new(within(value)?))),
                _ if schema[BY_NAME] == true => Ok(Kind::ByName),
                _ => Ok(Kind::Free),
            },
            Some(other) => fault(&format!("no type is generated for {other}")),
            None => fault("it has no type"),
        }
    }

    fn operations(&self) -> impl Iterator<Item = &Value> {
        let paths = members(&self.root["paths"]);
        let all = paths.flat_map(|(_, item)| members(item).map(|(_, operation)| operation));
        all.filter(|operation| operation["operationId"].is_string())
    }

    /// Returns the schemas of requests, or those of answers and notices.
    fn roots(&self, is_sent: bool) -> Vec<&Value> {
        let mut roots = Vec::new();
        for operation in self.operations() {
            if is_sent {
                let body = resolve(&self.root, &operation["requestBody"]);
                for (media_type, content) in members(&body["content"]) {
                    // The client builds bodies of several parts by hand.
                    if media_type != "multipart/form-data" {
                        roots.push(&content["schema"]);
                    }
                }
                let parameters = items(&operation["parameters"]);
                let parameters = parameters.map(|one| resolve(&self.root, one));
                roots.extend(
                    parameters
                        .filter(|one| one["in"] == "query")
                        .map(|one| &one["schema"]),
                );
            } else {
                for (_, answer) in members(&operation["responses"]) {
                    let answer = resolve(&self.root, answer);
                    roots.extend(members(&answer["content"]).map(|(_, one)| &one["schema"]));
                }
            }
        }
        roots
    }

    /// Returns the components of notices: the whole, and its subjects.
    fn of_notices(&self) -> impl Iterator<Item = &str> {
        let notices = &self.root[NOTICES];
        let subjects = members(&notices["schemas"]).map(|(name, _)| name);
        subjects.chain(notices["body"].as_str())
    }

    /// Adds the components that a schema reaches.
    fn reach(&self, schema: &Value, found: &mut BTreeSet<String>) -> Result<(), Fault> {
        if let Some(name) = reference(schema) {
            return self.reach_component(name, found);
        }
        match schema {
            Value::Object(parts) => parts.values().try_for_each(|one| self.reach(one, found)),
            Value::Array(parts) => parts.iter().try_for_each(|one| self.reach(one, found)),
            _ => Ok(()),
        }
    }

    fn reach_component(&self, name: &str, found: &mut BTreeSet<String>) -> Result<(), Fault> {
        let component = self.component(name);
        if component.is_null() {
            return Err(Fault::new(
                "peer.yaml",
                format!("there is no component {name}"),
            ));
        }
        if !found.insert(name.to_owned()) {
            return Ok(());
        }
        self.reach(component, found)
    }
}

impl<'a> Words<'a> {
    /// Reads the words of an enumeration's schema.
    fn read(name: String, schema: &'a Value, ways: Ways) -> Result<Self, Fault> {
        let is_open = schema[WORDS] == OPEN;
        let is_by_text = schema[WORDS] == BY_TEXT;
        let why = if is_open && !ways.read {
            "`x-words: open` is for words of answers and notices; remove it"
        } else if is_by_text && !ways.sent {
            "`x-words: by-text` is for words of requests; remove it"
        } else if !is_open && !is_by_text && !schema[WORDS].is_null() {
            "`x-words` can only be `open` or `by-text`"
        } else {
            return Ok(Words {
                name,
                about: schema["description"].as_str(),
                words: enums::words(schema),
                is_open,
                is_by_text,
                ways,
            });
        };
        Err(Fault::new(&name, why))
    }

    fn check(&self) -> Result<(), Fault> {
        let mut seen = BTreeSet::from([enums::UNKNOWN.to_owned()]);
        for word in &self.words {
            if !seen.insert(names::pascal(word)) {
                let why = format!("another word than `{word}` has the same name in Rust");
                return Err(Fault::new(&self.name, why));
            }
        }
        if self.ways.sent && self.ways.read {
            let why =
                "it is sent and read; only words of answers may be of a later version, so name two";
            return Err(Fault::new(&self.name, why));
        }
        Ok(())
    }
}

/// Returns whether a schema becomes a structure.
pub fn is_object(schema: &Value) -> bool {
    let has_members = schema["properties"].is_object() || schema["allOf"].is_array();
    has_members && schema[BY_NAME] != true
}

fn words_kind(schema: &Value, name: String) -> Kind {
    if schema[WORDS] == OPEN {
        Kind::Text {
            least: 0,
            most: None,
        }
    } else {
        Kind::Words(name)
    }
}

/// Returns the smallest type that holds an integer within its limits.
fn whole(schema: &Value) -> &'static str {
    let is_positive = schema["minimum"].as_i64().is_some_and(|least| least >= 0);
    match schema["maximum"].as_i64() {
        Some(most) if is_positive && most <= u8::MAX.into() => "u8",
        Some(most) if is_positive && most <= u16::MAX.into() => "u16",
        _ if schema["format"] == "int32" => "i32",
        _ => "i64",
    }
}
