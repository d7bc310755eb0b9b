//! Cuts the used members out of a processor's published description: their types, limits, words, and which are required.
//!
//! The connector's own document names the members; of the published one nothing else is taken, and none of its sentences.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::document::{METHODS, items, members, reference, resolve};
use crate::sources::escape;

/// The keywords of a schema that are taken, beside members, words and required members.
const LIMITS: [&str; 10] = [
    "type",
    "format",
    "nullable",
    "minLength",
    "maxLength",
    "pattern",
    "minimum",
    "maximum",
    "maxItems",
    "maxProperties",
];

/// The reason why something isn't published. It stays as it is.
const UNPUBLISHED: &str = "x-unpublished";

/// The result.
#[derive(Debug)]
pub struct Cut {
    /// The connector's document, with what is published.
    pub document: Value,
    /// The places that no published document has.
    pub missing: Vec<String>,
}

/// The direction of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Sent,
    Read,
}

/// A schema of a published document, with that document.
#[derive(Debug, Clone, Copy)]
struct Theirs<'a> {
    root: &'a Value,
    schema: &'a Value,
}

/// Fills `own` with what the published documents say of its members.
pub fn cut(own: &Value, published: &[Value]) -> Cut {
    let mut cutter = Cutter {
        document: own.clone(),
        done: BTreeSet::new(),
        missing: Vec::new(),
    };
    for (path, item) in members(&own["paths"]) {
        for (method, operation) in members(item) {
            let is_operation = METHODS.contains(&method);
            let explained = [item, operation].iter().any(|one| is_explained(one));
            if is_operation && !explained {
                cutter.operation(path, method, published);
            }
        }
    }
    Cut {
        document: cutter.document,
        missing: cutter.missing,
    }
}

struct Cutter {
    document: Value,
    /// Components that are filled.
    done: BTreeSet<String>,
    missing: Vec<String>,
}

impl Cutter {
    fn operation(&mut self, path: &str, method: &str, published: &[Value]) {
        let place = format!("{} {path}", method.to_uppercase());
        let theirs = published.iter().find_map(|root| {
            let mut paths = members(&root["paths"]);
            let (_, item) = paths.find(|(their, _)| nameless(their) == nameless(path))?;
            Some((root, item, item.get(method)?))
        });
        let Some((root, item, theirs)) = theirs else {
            self.missing.push(place);
            return;
        };
        let at = format!("/paths/{}/{method}", escape(path));
        let listed = [item, theirs]
            .into_iter()
            .flat_map(|one| items(&one["parameters"]));
        let listed: Vec<&Value> = listed.map(|one| resolve(root, one)).collect();
        let count = items(self.at(&format!("{at}/parameters"))).count();
        for index in 0..count {
            self.parameter(&place, &format!("{at}/parameters/{index}"), root, &listed);
        }
        let body = &resolve(root, &theirs["requestBody"])["content"];
        self.content(
            &format!("{place} body"),
            &format!("{at}/requestBody"),
            root,
            body,
            Way::Sent,
        );
        let statuses: Vec<String> = members(self.at(&format!("{at}/responses")))
            .map(|(status, _)| status.to_owned())
            .collect();
        for status in statuses {
            let answers = &theirs["responses"];
            let answer = answers.get(&status).or_else(|| answers.get("default"));
            let place = format!("{place} {status}");
            match answer {
                Some(answer) => {
                    let content = &resolve(root, answer)["content"];
                    let at = format!("{at}/responses/{status}");
                    self.content(&place, &at, root, content, Way::Read);
                }
                None => {
                    let at = self.followed(&format!("{at}/responses/{status}"));
                    if !is_explained(self.at(&at)) {
                        self.missing.push(place);
                    }
                }
            }
        }
    }

    fn parameter(&mut self, place: &str, at: &str, root: &Value, listed: &[&Value]) {
        let at = self.followed(at);
        let own = self.at(&at).clone();
        // Names of path parameters may differ.
        if own["in"] == "path" || is_explained(&own) {
            return;
        }
        let name = own["name"].as_str().unwrap_or_default();
        let place = format!("{place} {name}");
        let is_same = |their: &&&Value| {
            let their_name = their["name"].as_str().unwrap_or_default();
            their["in"] == own["in"] && their_name.eq_ignore_ascii_case(name)
        };
        match listed.iter().find(is_same) {
            Some(their) => {
                let schema = &their["schema"];
                self.schema(
                    &place,
                    &format!("{at}/schema"),
                    Theirs { root, schema },
                    Way::Sent,
                );
            }
            None => self.missing.push(place),
        }
    }

    fn content(&mut self, place: &str, at: &str, root: &Value, theirs: &Value, way: Way) {
        let at = self.followed(at);
        if is_explained(self.at(&at)) {
            return;
        }
        let own = members(&self.at(&at)["content"]).map(|(media_type, _)| media_type.to_owned());
        for media_type in own.collect::<Vec<_>>() {
            let at = format!("{at}/content/{}/schema", escape(&media_type));
            match theirs.get(&media_type) {
                Some(content) => {
                    let schema = &content["schema"];
                    self.schema(place, &at, Theirs { root, schema }, way);
                }
                None => self.missing.push(format!("{place} as {media_type}")),
            }
        }
    }

    /// Fills the schema at this pointer.
    fn schema(&mut self, place: &str, at: &str, theirs: Theirs<'_>, way: Way) {
        let own = self.at(at).clone();
        if let Some(name) = reference(&own) {
            if self.done.insert(name.to_owned()) {
                let at = format!("/components/schemas/{name}");
                self.schema(place, &at, theirs, way);
            }
            return;
        }
        if is_explained(&own) {
            return;
        }
        let mut variants = theirs.variants();
        // A member of several alternatives is that of the one that is most like ours.
        variants.sort_by_key(|their| Reverse(their.likeness(&own)));
        for index in 0..items(&own["allOf"]).count() {
            self.schema(place, &format!("{at}/allOf/{index}"), theirs, way);
        }
        for (index, one) in items(&own["oneOf"]).enumerate() {
            let one = resolve(&self.document, one).clone();
            let fitting = variants.iter().max_by_key(|their| their.likeness(&one));
            let fitting = *fitting.unwrap_or(&theirs);
            self.schema(place, &format!("{at}/oneOf/{index}"), fitting, way);
        }
        let inner = items_of(&variants);
        if let Some(inner) = inner.filter(|_| own["items"].is_object()) {
            self.schema(place, &format!("{at}/items"), inner, way);
        }
        for (name, _) in members(&own["properties"]) {
            let place = format!("{place}.{name}");
            let at = format!("{at}/properties/{}", escape(name));
            let found = variants.iter().find_map(|one| one.member(name));
            match found {
                Some(their) => self.schema(&place, &at, their, way),
                None if is_explained(&own["properties"][name]) => {}
                None => self.missing.push(place),
            }
        }
        if let ([their], Way::Sent, true) = (&*variants, way, own["properties"].is_object()) {
            for name in items(&their.schema["required"]).filter_map(Value::as_str) {
                if own["properties"].get(name).is_none() {
                    self.missing
                        .push(format!("{place} lacks {name}, which is required"));
                }
            }
        }
        let filled = filled(own, &variants, way);
        if let Some(own) = self.document.pointer_mut(at) {
            // The members were filled in place.
            let properties = own.get("properties").cloned();
            let (inner, all_of) = (own.get("items").cloned(), own.get("allOf").cloned());
            *own = filled;
            let parts = [
                ("properties", properties),
                ("items", inner),
                ("allOf", all_of),
            ];
            for (name, part) in parts {
                if let Some(part) = part {
                    own[name] = part;
                }
            }
        }
    }

    fn at(&self, pointer: &str) -> &Value {
        self.document.pointer(pointer).unwrap_or(&Value::Null)
    }

    /// Follows the reference at a pointer.
    fn followed(&self, pointer: &str) -> String {
        match self.at(pointer)["$ref"].as_str() {
            Some(target) => target.trim_start_matches('#').to_owned(),
            None => pointer.to_owned(),
        }
    }
}

impl<'a> Theirs<'a> {
    /// Returns the alternatives of a value, and the parts of `allOf`.
    fn variants(self) -> Vec<Theirs<'a>> {
        let schema = resolve(self.root, self.schema);
        let this = Theirs { schema, ..self };
        let parts = ["oneOf", "anyOf", "allOf"].into_iter();
        let parts = parts.flat_map(|word| items(&schema[word]));
        let mut all: Vec<Theirs<'a>> = parts
            .flat_map(|schema| Theirs { schema, ..self }.variants())
            .collect();
        if all.is_empty() || schema.get("properties").is_some() {
            all.push(this);
        }
        all
    }

    fn member(self, name: &str) -> Option<Theirs<'a>> {
        let named = self.schema["properties"].get(name);
        // An object with members of any name has this one, too.
        let any = self.schema.get("additionalProperties");
        let schema = named.or(any.filter(|any| any.is_object()))?;
        Some(Theirs { schema, ..self })
    }

    /// Returns how many members and words of an object this one has, too.
    fn likeness(self, own: &Value) -> usize {
        let shared = members(&own["properties"]).filter_map(|(name, own)| {
            let their = resolve(self.root, self.schema["properties"].get(name)?);
            let words = items(&own["enum"]);
            let shared = words.filter(|word| items(&their["enum"]).any(|one| one == *word));
            Some(1 + shared.count())
        });
        shared.sum()
    }
}

fn items_of<'a>(variants: &[Theirs<'a>]) -> Option<Theirs<'a>> {
    variants.iter().find_map(|one| {
        let schema = one.schema.get("items")?;
        Some(Theirs { schema, ..*one })
    })
}

/// Returns the schema with the limits, words and required members of the published one.
fn filled(own: Value, variants: &[Theirs<'_>], way: Way) -> Value {
    let Value::Object(mut own) = own else {
        return own;
    };
    // Limits of one alternative aren't those of the others.
    if let [their] = variants {
        for name in LIMITS {
            let is_secret = name == "format" && own.get(name).is_some_and(|own| own == "secret");
            match their.schema.get(name) {
                Some(limit) if !is_secret => {
                    own.insert(name.to_owned(), limit.clone());
                }
                Some(_) | None => {}
            }
        }
        let words = their.schema.get("enum");
        // Requests have the words that the connector uses, answers all.
        if let Some(words) = words.filter(|_| way == Way::Read || !own.contains_key("enum")) {
            own.insert("enum".to_owned(), words.clone());
        }
    }
    required(&mut own, variants, way);
    own.into()
}

fn required(own: &mut Map<String, Value>, variants: &[Theirs<'_>], way: Way) {
    let has = |name: &Value| {
        let name = name.as_str().unwrap_or_default();
        own.get("properties")
            .is_some_and(|all| all.get(name).is_some())
    };
    let promised = |name: &Value| {
        let mut all = variants
            .iter()
            .flat_map(|one| items(&one.schema["required"]));
        all.any(|one| one == name)
    };
    let names: Vec<Value> = match way {
        // A required member that the connector doesn't name is missing in its requests.
        Way::Sent if own.contains_key("properties") => {
            let all = variants
                .iter()
                .flat_map(|one| items(&one.schema["required"]));
            all.filter(|name| has(name)).cloned().collect()
        }
        Way::Sent => return,
        Way::Read => {
            let relied = own.get("required").into_iter().flat_map(items);
            relied.filter(|name| promised(name)).cloned().collect()
        }
    };
    match names.is_empty() {
        true => own.remove("required"),
        false => own.insert("required".to_owned(), names.into()),
    };
}

fn is_explained(schema: &Value) -> bool {
    schema.get(UNPUBLISHED).is_some()
}

/// Returns the path without the names of its parameters.
fn nameless(path: &str) -> Vec<&str> {
    let segments = path.split('/');
    segments
        .map(|one| if one.starts_with('{') { "{}" } else { one })
        .collect()
}
