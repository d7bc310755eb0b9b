//! Parameters of operations.

use serde_json::Value;

use super::change::{Change, Kind};
use super::facts::Facts;
use super::places::{self, escape};

/// One parameter, references resolved.
#[derive(Clone, Debug)]
pub struct Parameter<'d> {
    pub name: &'d str,
    /// `path`, `query` or `header`.
    pub location: &'d str,
    pub is_required: bool,
    /// Pointer of its schema.
    pub root: String,
    pub schema: &'d Value,
}

impl<'d> Parameter<'d> {
    pub fn all(document: &'d Value, path: &str, method: &str, operation: &'d Value) -> Vec<Self> {
        let own = format!("/paths/{}/{method}", escape(path));
        let written = operation["parameters"]
            .as_array()
            .into_iter()
            .flatten()
            .enumerate();
        let read = |(index, written)| {
            let pointer = format!("{own}/parameters/{index}");
            let (pointer, parameter) = places::parameter(document, &pointer, written);
            Self {
                name: parameter["name"].as_str().unwrap_or_default(),
                location: parameter["in"].as_str().unwrap_or_default(),
                is_required: parameter["required"] == true,
                root: format!("{pointer}/schema"),
                schema: &parameter["schema"],
            }
        };
        written.map(read).collect()
    }

    /// Returns the parameter's name in facts.
    pub fn key(&self) -> String {
        key(self.location, self.name)
    }
}

/// Returns a parameter's name in facts.
pub fn key(location: &str, name: &str) -> String {
    match location {
        // Header names are case-insensitive.
        "header" => format!("header {}", name.to_ascii_lowercase()),
        _ => format!("{location} {name}"),
    }
}

/// Adds the mutants of an operation's parameters.
pub fn list(
    document: &Value,
    own: &str,
    operation: &Value,
    add: &mut impl FnMut(Kind, &str, String, Vec<Change>),
) {
    let written: Vec<Value> = operation["parameters"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    for (index, one) in written.iter().enumerate() {
        let place = format!("{own}/parameters/{index}");
        let (_, parameter) = places::parameter(document, &place, one);
        let name = parameter["name"].as_str().unwrap_or_default();
        let mut others = written.clone();
        others.remove(index);
        let change = match others.is_empty() {
            true => Change::take(own, "parameters"),
            false => Change::put(own, "parameters", Value::Array(others)),
        };
        add(
            Kind::Parameter,
            &place,
            format!("{name} is gone"),
            vec![change],
        );
        let mut renamed = parameter.clone();
        renamed["name"] = format!("{name}_renamed").into();
        let change = Change::put(&format!("{own}/parameters"), &index.to_string(), renamed);
        add(
            Kind::Parameter,
            &place,
            format!("{name} has another name"),
            vec![change],
        );
        if parameter["in"] != "path" {
            let is_required = parameter["required"] == true;
            let mut other = parameter.clone();
            other["required"] = (!is_required).into();
            let what = if is_required {
                "may be left out"
            } else {
                "has to be there"
            };
            let change = Change::put(&format!("{own}/parameters"), &index.to_string(), other);
            add(
                Kind::Required,
                &place,
                format!("{name} {what}"),
                vec![change],
            );
        }
    }
}

/// Returns parameters that were used and the document doesn't have, and the other way round.
pub fn complaints(known: &[Parameter<'_>], facts: &Facts) -> Vec<String> {
    let mut told = Vec::new();
    let keys: Vec<String> = known.iter().map(Parameter::key).collect();
    for given in facts.given.difference(&keys.iter().cloned().collect()) {
        told.push(format!("it takes {given}"));
    }
    for (parameter, key) in known.iter().zip(&keys) {
        let (given, left_out) = (facts.given.contains(key), facts.left_out.contains(key));
        if !given {
            told.push(format!("{key} was never given"));
        }
        if parameter.location == "path" {
            continue;
        }
        match parameter.is_required {
            true if left_out => told.push(format!("{key} may be left out")),
            true if !facts.missed.contains(key) => told.push(format!("{key} was never missed")),
            false if !left_out => told.push(format!("{key} was never left out")),
            true | false => {}
        }
    }
    told
}
