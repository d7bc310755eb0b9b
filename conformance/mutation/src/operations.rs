//! Small changes of an operation, and the comparison of recorded facts with a document's operation.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::change::{Change, Kind, Mutant};
use super::facts::Facts;
use super::parameters::{self, Parameter};
use super::places::{escape, operations};
use super::seen::Seen;

/// Every kind of caller.
const SCHEMES: [&str; 7] = [
    "api_key",
    "admin_api_key",
    "publishable_key",
    "sdk_authorization",
    "subscription_client",
    "ephemeral_key",
    "bearer",
];

/// Adds the mutants of an operation.
pub fn list(document: &Value, path: &str, method: &str, operation: &Value, all: &mut Vec<Mutant>) {
    let item = format!("/paths/{}", escape(path));
    let own = format!("{item}/{method}");
    let mut add = |kind: Kind, place: &str, what: String, changes: Vec<Change>| {
        all.push(Mutant {
            kind,
            place: place.to_owned(),
            what,
            root: None,
            is_judged_by_rules: false,
            changes,
        });
    };
    let gone = Change::take(&item, method);
    add(
        Kind::Operation,
        &own,
        "it is gone".to_owned(),
        vec![gone.clone()],
    );
    let other = ["get", "post", "put", "delete"].into_iter();
    let mut other = other.filter(|other| document["paths"][path].get(*other).is_none());
    let other = other.next().unwrap_or("patch");
    let moved = vec![gone.clone(), Change::put(&item, other, operation.clone())];
    add(
        Kind::Operation,
        &own,
        format!("its method is {other}"),
        moved,
    );
    let elsewhere = format!("{path}/elsewhere");
    let mut one = Map::new();
    one.insert(method.to_owned(), operation.clone());
    let moved = vec![gone, Change::put("/paths", &elsewhere, Value::Object(one))];
    add(
        Kind::Operation,
        &own,
        format!("its path is {elsewhere}"),
        moved,
    );
    let renamed = format!(
        "{}_renamed",
        operation["operationId"].as_str().unwrap_or_default()
    );
    add(
        Kind::Operation,
        &own,
        format!("its id is {renamed}"),
        vec![Change::put(&own, "operationId", renamed.into())],
    );

    let place = format!("{own}/security");
    let security: Vec<Value> = operation["security"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    for (index, entry) in security.iter().enumerate() {
        let mut others = security.clone();
        others.remove(index);
        let change = Change::put(&own, "security", Value::Array(others));
        add(
            Kind::Caller,
            &place,
            format!("{} is gone", names(entry).join(" and ")),
            vec![change],
        );
    }
    for scheme in SCHEMES {
        if !security.iter().any(|entry| entry.get(scheme).is_some()) {
            let mut more = security.clone();
            more.push(json!({ scheme: [] }));
            let change = Change::put(&own, "security", Value::Array(more));
            add(
                Kind::Caller,
                &place,
                format!("{scheme} is let in"),
                vec![change],
            );
        }
    }
    parameters::list(document, &own, operation, &mut add);
    if let Some(body) = operation.get("requestBody") {
        let place = format!("{own}/requestBody");
        add(
            Kind::Body,
            &place,
            "it is gone".to_owned(),
            vec![Change::take(&own, "requestBody")],
        );
        let (what, is) = match body["required"] == true {
            true => ("it may be left out", false),
            false => ("it has to be there", true),
        };
        add(
            Kind::Required,
            &place,
            what.to_owned(),
            vec![Change::put(&place, "required", is.into())],
        );
        media_type(&place, body, Kind::Body, &mut add);
    }
    let place = format!("{own}/responses");
    for (status, answer) in operation["responses"].as_object().into_iter().flatten() {
        let one = format!("{place}/{status}");
        add(
            Kind::Status,
            &one,
            "it is gone".to_owned(),
            vec![Change::take(&place, status)],
        );
        media_type(&one, answer, Kind::Status, &mut add);
    }
    let one_more = Change::put(&place, "202", operation["responses"]["200"].clone());
    add(
        Kind::Status,
        &place,
        "there is 202, too".to_owned(),
        vec![one_more],
    );
}

fn media_type(
    place: &str,
    holder: &Value,
    kind: Kind,
    add: &mut impl FnMut(Kind, &str, String, Vec<Change>),
) {
    for (media_type, media) in holder["content"].as_object().into_iter().flatten() {
        let other = if media_type == "application/json" {
            "text/plain"
        } else {
            "application/json"
        };
        let change = Change::put(place, "content", json!({ other: media }));
        add(kind, place, format!("it is {other}"), vec![change]);
    }
}

fn names(entry: &Value) -> Vec<&str> {
    entry
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, _)| name.as_str())
        .collect()
}

/// Returns facts that the document doesn't permit, and permissions that were never used.
pub fn complaints(document: &Value, seen: &Seen) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut known = BTreeSet::new();
    for (path, method, operation) in operations(document) {
        let id = operation["operationId"].as_str().unwrap_or_default();
        known.insert(id);
        match seen.operations.get(id) {
            None => {
                found.insert(format!("{id} was never called"));
            }
            Some(facts) => {
                let told = complaints_of(document, path, method, operation, facts);
                found.extend(told.into_iter().map(|told| format!("{id}: {told}")));
            }
        }
    }
    let unknown = seen
        .operations
        .keys()
        .filter(|id| !known.contains(id.as_str()));
    found.extend(unknown.map(|id| format!("{id} answers, and is not in the document")));
    found
}

fn complaints_of(
    document: &Value,
    path: &str,
    method: &str,
    operation: &Value,
    facts: &Facts,
) -> Vec<String> {
    let mut told = Vec::new();
    let mut complain = |holds: bool, what: String| {
        if !holds {
            told.push(what);
        }
    };
    for (used, at) in &facts.addresses {
        let fits = used.eq_ignore_ascii_case(method) && is_at(path, at);
        complain(fits, format!("it answers {used} {at}"));
    }
    let security: Vec<&str> = operation["security"]
        .as_array()
        .into_iter()
        .flatten()
        .flat_map(names)
        .collect();
    // If an operation needs no caller, it doesn't matter who called.
    if !security.is_empty() {
        for scheme in &facts.let_in {
            complain(
                security.contains(&scheme.as_str()),
                format!("it lets in {scheme}"),
            );
        }
    }
    for scheme in &security {
        complain(
            facts.let_in.contains(*scheme),
            format!("{scheme} was never let in"),
        );
    }
    let body = &operation["requestBody"];
    for media_type in &facts.media_types {
        let is_known = body["content"].get(media_type).is_some();
        complain(is_known, format!("it takes a body of {media_type}"));
    }
    if let Some(contents) = body["content"].as_object() {
        for media_type in contents.keys() {
            let was_sent = facts.media_types.contains(media_type);
            complain(was_sent, format!("it never took a body of {media_type}"));
        }
        let is_required = body["required"] == true;
        complain(
            !(is_required && facts.took_no_body),
            "it takes no body".to_owned(),
        );
        let was_left_out = facts.took_no_body || is_required;
        complain(was_left_out, "it never went without its body".to_owned());
    }
    let responses = &operation["responses"];
    for (class, media_type) in &facts.answers {
        let (_, answer) = super::places::answer(document, "", &responses[class.as_str()]);
        let is_known = answer["content"].get(media_type).is_some();
        complain(is_known, format!("it answers {class} with {media_type}"));
    }
    for status in responses
        .as_object()
        .into_iter()
        .flatten()
        .map(|(status, _)| status)
    {
        let was_seen = facts.answers.iter().any(|(class, _)| class == status);
        complain(was_seen, format!("it never answered {status}"));
    }
    let known: Vec<Parameter> = Parameter::all(document, path, method, operation);
    told.extend(parameters::complaints(&known, facts));
    told
}

/// Returns whether a path with its parameters filled has this form.
fn is_at(template: &str, path: &str) -> bool {
    let (mut wanted, mut is) = (template.split('/'), path.split('/'));
    loop {
        match (wanted.next(), is.next()) {
            (None, None) => return true,
            (Some(wanted), Some(is)) if wanted == is || wanted.starts_with('{') => {}
            _ => return false,
        }
    }
}
