//! Reads facts about each operation, and each stand-alone schema, from recorded exchanges.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::Hasher;

use jsonschema::Validator;
use serde_json::Value;

use super::facts::Facts;
use super::parameters::{self, Parameter};
use super::places::{answer, escape, operations};
use super::take_apart::{Piece, take_apart};
use multirail_verifier::exchange::{Exchange, hash_form};
use multirail_verifier::schema;

/// Codes of refusals that come before the request is read.
const OF_THE_FRAME: [&str; 13] = [
    "IR_01", "IR_02", "IR_03", "IR_04", "IR_05", "IR_06", "IR_17", "IR_20", "IR_22", "IR_43",
    "IR_44", "MR_03", "HE_00",
];

/// Codes of refusals because a request doesn't have the document's form.
const OF_THE_FORM: [&str; 3] = ["IR_04", "IR_05", "IR_06"];

/// Codes of refusals because of the caller.
const OF_THE_DOOR: [&str; 7] = [
    "IR_01", "IR_02", "IR_03", "IR_17", "IR_22", "MR_03", "HE_00",
];

/// The recorded values of one schema.
#[derive(Clone, Debug, Default)]
pub struct Values {
    /// The server accepted or answered it.
    pub took: Vec<Value>,
    /// The server understood it and refused it for another reason.
    pub read: Vec<Value>,
    /// The server refused it by name, and it alone was wrong.
    pub refused: Vec<Value>,
    known: HashSet<(u8, u64)>,
}

/// All facts.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    pub operations: BTreeMap<String, Facts>,
    /// By the pointer of the schema.
    pub values: HashMap<String, Values>,
    /// Contradictions between an exchange and the document itself.
    pub contradictions: BTreeSet<String>,
    pub exchanges: usize,
}

struct Reader<'d> {
    document: &'d Value,
    /// Path, method and value by id.
    operations: HashMap<&'d str, (&'d str, &'d str, &'d Value)>,
    /// Headers that are a parameter of some operation.
    headers: BTreeSet<String>,
    validators: HashMap<String, Validator>,
    seen: Seen,
}

impl Seen {
    /// Reads exchanges by a document.
    pub fn read(document: &Value, exchanges: &[Exchange]) -> Self {
        let mut reader = Reader {
            document,
            operations: HashMap::new(),
            headers: BTreeSet::new(),
            validators: HashMap::new(),
            seen: Self {
                exchanges: exchanges.len(),
                ..Self::default()
            },
        };
        for (path, method, operation) in operations(document) {
            let id = operation["operationId"].as_str().unwrap_or_default();
            reader.operations.insert(id, (path, method, operation));
            let all = Parameter::all(document, path, method, operation);
            let headers = all.iter().filter(|one| one.location == "header");
            reader.headers.extend(headers.map(Parameter::key));
        }
        exchanges
            .iter()
            .for_each(|exchange| reader.exchange(exchange));
        reader.seen
    }
}

/// The outcome of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Took,
    Read,
    Refused,
    /// The outcome shows nothing about the request's form.
    Else,
}

fn fate(exchange: &Exchange) -> Fate {
    // An unknown profile is refused before anything else is read.
    let mut headers = exchange.headers.iter();
    let is_of_profile = headers.any(|(name, _)| name == "x-profile-id")
        && exchange.message().contains("business profile");
    match exchange.status {
        200 => Fate::Took,
        404 if is_of_profile => Fate::Else,
        400..500 if OF_THE_FORM.contains(&exchange.code()) => Fate::Refused,
        400..500 if !OF_THE_FRAME.contains(&exchange.code()) => Fate::Read,
        _ => Fate::Else,
    }
}

impl Reader<'_> {
    fn exchange(&mut self, exchange: &Exchange) {
        let Some(&(path, method, operation)) = self.operations.get(exchange.operation.as_str())
        else {
            self.seen
                .contradictions
                .insert(format!("{} is no operation", exchange.operation));
            return;
        };
        let own = format!("/paths/{}/{method}", escape(path));
        let fate = fate(exchange);
        self.facts(exchange, path, method, operation, fate);
        let mut pieces = self.given(exchange, path, method, operation);
        if let Some(body) = &exchange.body {
            let media = &operation["requestBody"]["content"]["application/json"];
            let root = format!("{own}/requestBody/content/application~1json/schema");
            if media.is_object() {
                pieces.extend(take_apart(self.document, &root, &media["schema"], body));
            }
        }
        self.file(exchange, pieces, fate);

        let class = class(exchange.status);
        let pointer = format!("{own}/responses/{class}");
        let (pointer, answer) = answer(self.document, &pointer, &operation["responses"][class]);
        let media_type = plain(&exchange.answer_media_type);
        let schema = &answer["content"][&media_type]["schema"];
        if schema.is_object() {
            let root = format!("{pointer}/content/{}/schema", escape(&media_type));
            let pieces = take_apart(self.document, &root, schema, &exchange.answer);
            self.file(exchange, pieces, Fate::Took);
        }
    }

    fn facts(
        &mut self,
        exchange: &Exchange,
        path: &str,
        method: &str,
        operation: &Value,
        fate: Fate,
    ) {
        let all = Parameter::all(self.document, path, method, operation);
        let facts = self
            .seen
            .operations
            .entry(exchange.operation.clone())
            .or_default();
        let class = class(exchange.status);
        facts
            .answers
            .insert((class.to_owned(), plain(&exchange.answer_media_type)));
        if !OF_THE_DOOR.contains(&exchange.code()) && exchange.status < 500 {
            let scheme = exchange.scheme.clone();
            facts.let_in.extend(scheme);
        }
        let mut given: BTreeSet<String> = exchange
            .query
            .iter()
            .map(|(name, _)| parameters::key("query", name))
            .collect();
        let headers = exchange
            .headers
            .iter()
            .map(|(name, _)| parameters::key("header", name));
        given.extend(headers.filter(|key| self.headers.contains(key)));
        let not_given = all
            .iter()
            .filter(|one| one.location != "path" && !given.contains(&one.key()));
        match fate {
            Fate::Took | Fate::Read => {
                // A few are enough to show the path.
                if facts.addresses.len() < 4 {
                    facts
                        .addresses
                        .insert((exchange.method.clone(), exchange.path.clone()));
                }
                match &exchange.media_type {
                    Some(media_type) => {
                        facts.media_types.insert(plain(media_type));
                    }
                    None => facts.took_no_body = true,
                }
                facts.left_out.extend(not_given.map(Parameter::key));
                // An operation ignores a header that it doesn't know, whatever the outcome.
                facts.given.extend(given);
                let of_path = all.iter().filter(|one| one.location == "path");
                facts.given.extend(of_path.map(Parameter::key));
            }
            Fate::Refused if exchange.code() == "IR_04" => {
                let named = not_given.filter(|one| exchange.message().contains(one.name));
                facts.missed.extend(named.map(Parameter::key));
            }
            Fate::Refused | Fate::Else => {}
        }
    }

    /// Returns the pieces of a request's parameters.
    fn given(
        &self,
        exchange: &Exchange,
        path: &str,
        method: &str,
        operation: &Value,
    ) -> Vec<Piece> {
        let mut pieces = Vec::new();
        for parameter in Parameter::all(self.document, path, method, operation) {
            let texts: Vec<&str> = match parameter.location {
                "path" => in_path(path, &exchange.path, parameter.name)
                    .into_iter()
                    .collect(),
                "query" => pairs(&exchange.query, parameter.name),
                _ => pairs(&exchange.headers, &parameter.name.to_ascii_lowercase()),
            };
            for text in texts {
                let value = typed(self.document, parameter.schema, text);
                pieces.extend(take_apart(
                    self.document,
                    &parameter.root,
                    parameter.schema,
                    &value,
                ));
            }
        }
        pieces
    }

    /// Adds the pieces of one request or answer.
    fn file(&mut self, exchange: &Exchange, pieces: Vec<Piece>, fate: Fate) {
        let mut wrong: Vec<(usize, Vec<String>)> = Vec::new();
        for (index, (root, value)) in pieces.iter().enumerate() {
            let document = self.document;
            let validator = self.validators.entry(root.clone()).or_insert_with(|| {
                let schema = document.pointer(root).expect("the schema is there");
                schema::alone(document, schema).unwrap_or_else(|why| panic!("{root}: {why}"))
            });
            if !validator.is_valid(value) {
                let errors = validator.iter_errors(value);
                wrong.push((
                    index,
                    errors
                        .map(|error| format!("{} {error}", error.instance_path()))
                        .collect(),
                ));
            }
        }
        let is_wrong = |index: usize| wrong.iter().any(|(other, _)| *other == index);
        match fate {
            Fate::Took | Fate::Read => {
                let say = |(index, why): &(usize, Vec<String>)| {
                    format!(
                        "{} {} {}: {}",
                        exchange.operation,
                        exchange.status,
                        pieces[*index].0,
                        why.join("; ")
                    )
                };
                if fate == Fate::Took {
                    self.seen.contradictions.extend(wrong.iter().map(say));
                }
                for (_, (root, value)) in pieces
                    .iter()
                    .enumerate()
                    .filter(|(index, _)| !is_wrong(*index))
                {
                    self.seen
                        .values
                        .entry(root.clone())
                        .or_default()
                        .add(fate, value);
                }
            }
            // Only one thing may be wrong, and the refusal has to name it.
            Fate::Refused => {
                if let [(index, why)] = wrong.as_slice()
                    && why.len() == 1
                    && names_it(exchange.message(), &why[0])
                {
                    let (root, value) = &pieces[*index];
                    self.seen
                        .values
                        .entry(root.clone())
                        .or_default()
                        .add(fate, value);
                }
            }
            Fate::Else => {}
        }
    }
}

/// Returns whether a refusal names the validator's complaint: the last name of its place, or one that it quotes.
fn names_it(message: &str, why: &str) -> bool {
    let (place, rest) = why.split_once(' ').unwrap_or((why, ""));
    let is_about_a_name = rest.contains("required property") || rest.contains("unexpected");
    let mut quoted = rest.split(['"', '\'']).skip(1).step_by(2);
    let named = place
        .rsplit('/')
        .find(|part| part.parse::<usize>().is_err() && !part.is_empty());
    match (is_about_a_name, named) {
        (true, _) => quoted.any(|name| message.contains(name)),
        (false, Some(name)) => message.contains(name),
        // A stand-alone schema, such as an id, has its name elsewhere.
        (false, None) => true,
    }
}

impl Values {
    /// Returns all valid values.
    pub fn right(&self) -> Vec<&Value> {
        self.took.iter().chain(&self.read).collect()
    }

    fn add(&mut self, fate: Fate, value: &Value) {
        let mut hasher = DefaultHasher::new();
        hash_form(value, true, &mut hasher);
        let (list, number) = match fate {
            Fate::Took => (&mut self.took, 0),
            Fate::Read => (&mut self.read, 1),
            Fate::Refused => (&mut self.refused, 2),
            Fate::Else => return,
        };
        if self.known.insert((number, hasher.finish())) {
            list.push(value.clone());
        }
    }
}

fn class(status: u16) -> &'static str {
    match status {
        200 => "200",
        500.. => "5XX",
        400.. => "4XX",
        _ => "another",
    }
}

/// Returns a media type without its parameters.
fn plain(media_type: &str) -> String {
    media_type
        .split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase()
}

fn pairs<'a>(pairs: &'a [(String, String)], wanted: &str) -> Vec<&'a str> {
    let of_it = pairs.iter().filter(|(name, _)| name == wanted);
    of_it.map(|(_, value)| value.as_str()).collect()
}

fn in_path<'a>(template: &str, path: &'a str, name: &str) -> Option<&'a str> {
    let place = template.split('/').position(|part| {
        part.strip_prefix('{')
            .and_then(|part| part.strip_suffix('}'))
            == Some(name)
    })?;
    path.split('/').nth(place)
}

/// Returns the value that a parameter's text stands for.
fn typed(document: &Value, schema: &Value, text: &str) -> Value {
    let schema = match schema::referred(schema) {
        Some(name) => &document["components"]["schemas"][name],
        None => schema,
    };
    match schema["type"].as_str() {
        Some("integer" | "number") => serde_json::from_str(text).unwrap_or_else(|_| text.into()),
        Some("boolean") => text
            .parse::<bool>()
            .map_or_else(|_| text.into(), Value::Bool),
        _ => text.into(),
    }
}
