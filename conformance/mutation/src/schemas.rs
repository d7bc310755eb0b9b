//! Small changes of a schema.

use serde_json::{Value, json};

use super::change::{Change, Kind, Mutant};
use super::places::escape;
use multirail_verifier::schema::LONG_LIST;

/// A member that no document has.
pub const STRANGER: &str = "stranger";

const MARK: &str = "x-multirail-judged-by-rules";

const NO_VALUE: &str = "#/components/schemas/NoValue";

/// Adds the mutants of a stand-alone schema.
pub fn list(root: &str, schema: &Value, all: &mut Vec<Mutant>) {
    // It stands for null where references may be null; another meaning is no small change.
    if root != "/components/schemas/NoValue" {
        Lister { root, all }.schema(root, schema);
    }
}

struct Lister<'a> {
    root: &'a str,
    all: &'a mut Vec<Mutant>,
}

impl Lister<'_> {
    fn add(&mut self, kind: Kind, place: &str, what: impl Into<String>, changes: Vec<Change>) {
        self.all.push(Mutant {
            kind,
            place: place.to_owned(),
            what: what.into(),
            root: Some(self.root.to_owned()),
            is_judged_by_rules: false,
            changes,
        });
    }

    fn schema(&mut self, at: &str, schema: &Value) {
        if schema.get("$ref").is_some() {
            return;
        }
        self.null(at, schema);
        self.kind(at, schema);
        self.words(at, schema);
        self.limits(at, schema);
        self.members(at, schema);
        for word in ["items", "additionalProperties"] {
            if schema[word].is_object() {
                self.schema(&format!("{at}/{word}"), &schema[word]);
            }
        }
        for (index, variant) in schema["oneOf"].as_array().into_iter().flatten().enumerate() {
            let mut others = schema["oneOf"].as_array().cloned().unwrap_or_default();
            others.remove(index);
            let place = format!("{at}/oneOf/{index}");
            let change = Change::put(at, "oneOf", Value::Array(others));
            self.add(Kind::Variant, &place, "it is gone", vec![change]);
            self.schema(&place, variant);
        }
    }

    /// Allows null where it wasn't, and forbids it where it was.
    fn null(&mut self, at: &str, schema: &Value) {
        let changes = if schema["nullable"] == true {
            Some(("it can't be null", Change::take(at, "nullable")))
        } else if schema.get("type").is_some() && at != self.root {
            Some(("it can be null", Change::put(at, "nullable", true.into())))
        } else if let Some(target) = schema["anyOf"][0].get("$ref") {
            let (inside, key) = split(at);
            Some((
                "it can't be null",
                Change::put(inside, &key, json!({ "$ref": target })),
            ))
        } else {
            None
        };
        if let Some((what, change)) = changes {
            self.add(Kind::Null, at, what, vec![change]);
        }
    }

    fn kind(&mut self, at: &str, schema: &Value) {
        if schema.get("enum").is_some() {
            return;
        }
        let other = match schema["type"].as_str() {
            Some("string") => "integer",
            Some("integer" | "number" | "boolean") => "string",
            _ => return,
        };
        self.add(
            Kind::Type,
            at,
            format!("it is of type {other}"),
            vec![Change::put(at, "type", other.into())],
        );
    }

    fn words(&mut self, at: &str, schema: &Value) {
        let Some(words) = schema["enum"].as_array() else {
            return;
        };
        let without = |index: usize| {
            let mut others = words.clone();
            others.remove(index);
            vec![Change::put(at, "enum", Value::Array(others))]
        };
        if words.len() > LONG_LIST {
            self.add(
                Kind::Word,
                at,
                format!("its first word {} is gone", words[0]),
                without(0),
            );
            return;
        }
        // Without its last word an enumeration would be none.
        for (index, word) in words.iter().enumerate().filter(|_| words.len() > 1) {
            self.add(Kind::Word, at, taken_away(word), without(index));
        }
        let mut more = words.clone();
        more.push(STRANGER.into());
        let change = Change::put(at, "enum", Value::Array(more));
        self.add(Kind::Word, at, "it has a word more", vec![change]);
    }

    fn limits(&mut self, at: &str, schema: &Value) {
        // Refused with any value.
        if schema.get("x-multirail-not-built").is_some() {
            return;
        }
        let judged = |word: &str| {
            let mut marked = schema[MARK].as_array().into_iter().flatten();
            marked.any(|one| one == word)
        };
        for word in [
            "minimum",
            "maximum",
            "minLength",
            "maxLength",
            "minItems",
            "maxItems",
            "minProperties",
            "maxProperties",
        ] {
            let Some(limit) = schema[word].as_i64() else {
                continue;
            };
            for other in [limit - 1, limit + 1] {
                if other < 0 && word != "minimum" && word != "maximum" {
                    continue;
                }
                let change = Change::put(at, word, other.into());
                self.add(
                    Kind::Limit,
                    at,
                    format!("{word} is {other} instead of {limit}"),
                    vec![change],
                );
                let last = self.all.last_mut().expect("it was added");
                last.is_judged_by_rules = judged(word);
            }
        }
        if schema.get("pattern").is_some() {
            self.add(
                Kind::Limit,
                at,
                "it has no pattern",
                vec![Change::take(at, "pattern")],
            );
            let last = self.all.last_mut().expect("it was added");
            last.is_judged_by_rules = judged("pattern");
        }
    }

    fn members(&mut self, at: &str, schema: &Value) {
        let Some(members) = schema["properties"].as_object() else {
            return;
        };
        let inside = format!("{at}/properties");
        let required: Vec<&Value> = schema["required"]
            .as_array()
            .into_iter()
            .flatten()
            .collect();
        let require = |names: Vec<Value>| match names.is_empty() {
            true => Change::take(at, "required"),
            false => Change::put(at, "required", Value::Array(names)),
        };
        let list =
            |names: &[&Value]| -> Vec<Value> { names.iter().map(|name| (*name).clone()).collect() };
        for (name, member) in members {
            let place = format!("{inside}/{}", escape(name));
            let others: Vec<&Value> = required
                .iter()
                .copied()
                .filter(|other| *other != name)
                .collect();
            let is_required = others.len() < required.len();
            let mut gone = vec![Change::take(&inside, name)];
            if is_required {
                gone.push(require(list(&others)));
            }
            self.add(Kind::Member, &place, "it is gone", gone);
            if is_required {
                self.add(
                    Kind::Required,
                    &place,
                    "it may be left out",
                    vec![require(list(&others))],
                );
            } else {
                let mut more = list(&required);
                more.push(name.as_str().into());
                self.add(
                    Kind::Required,
                    &place,
                    "it has to be there",
                    vec![require(more)],
                );
            }
            let target = member.get("$ref").or(member["allOf"][0].get("$ref"));
            if let Some(target) = target {
                let either = json!({ "anyOf": [{ "$ref": target }, { "$ref": NO_VALUE }] });
                self.add(
                    Kind::Null,
                    &place,
                    "it can be null",
                    vec![Change::put(&inside, name, either)],
                );
            }
            self.schema(&place, member);
        }
        let stranger = json!({ "type": "string", "description": "A stranger." });
        self.add(
            Kind::Member,
            at,
            "it has a member more",
            vec![Change::put(&inside, STRANGER, stranger)],
        );
    }
}

/// Splits a pointer into that of the parent and the name in it.
fn split(pointer: &str) -> (&str, String) {
    let (inside, key) = pointer.rsplit_once('/').expect("a pointer below the top");
    (inside, key.replace("~1", "/").replace("~0", "~"))
}

/// Returns the description of an enumeration that loses this word.
pub fn taken_away(word: &Value) -> String {
    format!("its word {word} is gone")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_small_change_for_everything_that_a_schema_says() {
        let schema = json!({
            "type": "object",
            "required": ["id"],
            "properties": {
                "id": { "type": "string", "minLength": 1, "maxLength": 64 },
                "status": { "type": "string", "enum": ["open", "closed"] },
                "owner": { "$ref": "#/components/schemas/Owner" },
            },
        });
        let mut all = Vec::new();
        list("/components/schemas/Thing", &schema, &mut all);
        let told: Vec<String> = all
            .iter()
            .map(|mutant| {
                let place = mutant.place.trim_start_matches("/components/schemas/");
                format!("{} {place}: {}", mutant.kind.name(), mutant.what)
            })
            .collect();
        assert_eq!(
            told,
            [
                "member Thing/properties/id: it is gone",
                "requiredness Thing/properties/id: it may be left out",
                "null Thing/properties/id: it can be null",
                "type Thing/properties/id: it is of type integer",
                "limit Thing/properties/id: minLength is 0 instead of 1",
                "limit Thing/properties/id: minLength is 2 instead of 1",
                "limit Thing/properties/id: maxLength is 63 instead of 64",
                "limit Thing/properties/id: maxLength is 65 instead of 64",
                "member Thing/properties/status: it is gone",
                "requiredness Thing/properties/status: it has to be there",
                "null Thing/properties/status: it can be null",
                "word Thing/properties/status: its word \"open\" is gone",
                "word Thing/properties/status: its word \"closed\" is gone",
                "word Thing/properties/status: it has a word more",
                "member Thing/properties/owner: it is gone",
                "requiredness Thing/properties/owner: it has to be there",
                "null Thing/properties/owner: it can be null",
                "member Thing: it has a member more",
            ]
        );
    }
}
