//! Compares operations: paths, keys, parameters, bodies, answers, and webhooks.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::schemas::{self, Context};
use super::{Compared, Found, Side, promises};
use crate::document::{METHODS, members};
use crate::sources::escape;

/// An operation of one of the documents.
pub(super) struct Operation {
    pub(super) label: String,
    pub(super) id: String,
    pub(super) pointer: String,
}

impl Operation {
    fn names(&self) -> Vec<String> {
        let path = self.label.split(' ').nth(1).unwrap_or_default();
        vec![self.id.clone(), path.to_owned()]
    }
}

/// Returns operations by method and path; the names of path parameters make no difference.
fn operations(side: &Side, section: &str) -> BTreeMap<String, Operation> {
    let mut all = BTreeMap::new();
    for (path, item) in members(side.at(&format!("/{section}"))) {
        for (method, operation) in members(item).filter(|(method, _)| METHODS.contains(method)) {
            let nameless = path.split('/').map(|part| match part.starts_with('{') {
                true => "{}",
                false => part,
            });
            let key = format!("{method} {}", nameless.collect::<Vec<_>>().join("/"));
            let one = Operation {
                label: format!("{} {path}", method.to_uppercase()),
                id: text(&operation["operationId"]),
                pointer: format!("/{section}/{}/{method}", escape(path)),
            };
            all.insert(key, one);
        }
    }
    all
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Compares all operations and all webhooks.
pub(super) fn compare(compared: &mut Compared) {
    for section in ["paths", "x-webhooks"] {
        let is_sent = section == "x-webhooks";
        let (old, new) = (
            operations(&compared.old, section),
            operations(&compared.new, section),
        );
        for (key, one) in &old {
            match new.get(key) {
                Some(other) if is_sent => sent(compared, one, other),
                Some(other) => operation(compared, one, other),
                None => gone(compared, one, is_sent),
            }
        }
        for (_, one) in new.iter().filter(|(key, _)| !old.contains_key(*key)) {
            let id = if is_sent {
                "webhook-added"
            } else {
                "endpoint-added"
            };
            found(compared, id, one, one, "is new", false);
        }
    }
}

fn gone(compared: &mut Compared, one: &Operation, is_sent: bool) {
    let was_deprecated = compared.old.at(&one.pointer)["deprecated"] == true;
    let id = match (is_sent, was_deprecated) {
        (true, _) => "webhook-removed",
        (false, true) => "api-removed-with-deprecation",
        (false, false) => "api-removed-without-deprecation",
    };
    found(compared, id, one, one, "is gone", true);
}

pub(super) fn found(
    compared: &mut Compared,
    id: &str,
    one: &Operation,
    at: &Operation,
    what: &str,
    is_gone: bool,
) {
    let found = Found {
        subject: one.label.clone(),
        what: what.to_owned(),
        pointer: &at.pointer,
        is_gone,
        names: one.names(),
    };
    compared.find(id, found);
}

fn operation(compared: &mut Compared, old: &Operation, new: &Operation) {
    if old.id != new.id {
        let what = format!("was called {}", old.id);
        found(compared, "api-operation-id-removed", new, new, &what, false);
    }
    let is_deprecated = |side: &Side, one: &Operation| side.at(&one.pointer)["deprecated"] == true;
    match (
        is_deprecated(&compared.old, old),
        is_deprecated(&compared.new, new),
    ) {
        (false, true) => found(
            compared,
            "endpoint-deprecated",
            new,
            new,
            "is deprecated",
            false,
        ),
        (true, false) => found(
            compared,
            "endpoint-reactivated",
            new,
            new,
            "is not deprecated any more",
            false,
        ),
        (true, true) | (false, false) => {}
    }
    security(compared, old, new);
    parameters(compared, old, new);
    body(compared, old, new);
    answers(compared, old, new);
    promises::compare(compared, old, new);
}

fn security(compared: &mut Compared, old: &Operation, new: &Operation) {
    let schemes = |side: &Side, one: &Operation| -> BTreeSet<String> {
        let entries = side.at(&one.pointer)["security"].as_array();
        let entries = entries.into_iter().flatten();
        entries
            .flat_map(|entry| members(entry).map(|(name, _)| name.to_owned()))
            .collect()
    };
    let (before, after) = (schemes(&compared.old, old), schemes(&compared.new, new));
    for scheme in before.difference(&after) {
        let what = format!("takes {scheme} no more");
        found(compared, "api-security-removed", new, new, &what, false);
    }
    for scheme in after.difference(&before) {
        let what = format!("takes {scheme}");
        found(compared, "api-security-added", new, new, &what, false);
    }
}

/// Returns parameters by place and name, with the pointer to each.
fn listed(side: &Side, one: &Operation) -> BTreeMap<(String, String), String> {
    let own = format!("{}/parameters", one.pointer);
    let all = side.at(&own).as_array().into_iter().flatten().enumerate();
    all.map(|(index, parameter)| {
        let pointer = match parameter["$ref"]
            .as_str()
            .and_then(|target| target.strip_prefix('#'))
        {
            Some(target) => target.to_owned(),
            None => format!("{own}/{index}"),
        };
        let parameter = side.at(&pointer);
        let place = text(&parameter["in"]);
        let name = text(&parameter["name"]);
        // A path parameter's name is no part of the contract, only its position.
        let name = match place.as_str() {
            "path" => one
                .label
                .find(&format!("{{{name}}}"))
                .map_or(name, |at| one.label[..at].matches('{').count().to_string()),
            _ => name,
        };
        ((place, name), pointer)
    })
    .collect()
}

fn parameters(compared: &mut Compared, old: &Operation, new: &Operation) {
    let (before, after) = (listed(&compared.old, old), listed(&compared.new, new));
    for (key, pointer) in &before {
        let name = &key.1;
        match after.get(key) {
            Some(now) => parameter(compared, new, (pointer, now)),
            None => {
                let was_deprecated = compared.old.at(pointer)["deprecated"] == true;
                let id = match was_deprecated {
                    true => "request-parameter-removed-with-deprecation",
                    false => "request-parameter-removed",
                };
                about(compared, id, new, name, "is gone", (pointer, true));
            }
        }
    }
    for (key, pointer) in after.iter().filter(|(key, _)| !before.contains_key(*key)) {
        let is_required = compared.new.at(pointer)["required"] == true;
        let id = match is_required {
            true => "new-required-request-parameter",
            false => "new-optional-request-parameter",
        };
        about(compared, id, new, &key.1, "is new", (pointer, false));
    }
}

pub(super) fn about(
    compared: &mut Compared,
    id: &str,
    one: &Operation,
    name: &str,
    what: &str,
    (pointer, is_gone): (&str, bool),
) {
    let found = Found {
        subject: format!("{} {name}", one.label),
        what: what.to_owned(),
        pointer,
        is_gone,
        names: vec![name.to_owned()],
    };
    compared.find(id, found);
}

fn parameter(compared: &mut Compared, one: &Operation, (old, new): (&str, &str)) {
    let name = text(&compared.new.at(new)["name"]);
    let flag = |side: &Side, pointer: &str, word: &str| side.at(pointer)[word] == true;
    for (word, set, unset) in [
        (
            "required",
            "request-parameter-became-required",
            "request-parameter-became-optional",
        ),
        (
            "deprecated",
            "request-parameter-deprecated",
            "request-parameter-reactivated",
        ),
    ] {
        match (
            flag(&compared.old, old, word),
            flag(&compared.new, new, word),
        ) {
            (false, true) => about(
                compared,
                set,
                one,
                &name,
                &format!("is {word}"),
                (new, false),
            ),
            (true, false) => about(
                compared,
                unset,
                one,
                &name,
                &format!("is not {word} any more"),
                (new, false),
            ),
            (true, true) | (false, false) => {}
        }
    }
    let context = Context::Parameter {
        label: one.label.clone(),
        name,
    };
    let (old, new) = (format!("{old}/schema"), format!("{new}/schema"));
    schemas::compare(compared, &context, &old, &new);
}

fn body(compared: &mut Compared, old: &Operation, new: &Operation) {
    let pointers = [old, new].map(|one| format!("{}/requestBody", one.pointer));
    let (before, after) = (
        compared.old.at(&pointers[0]).clone(),
        compared.new.at(&pointers[1]).clone(),
    );
    let is_required = |body: &Value| body["required"] == true;
    let id = match (before.is_null(), after.is_null()) {
        (true, true) => return,
        (false, true) => {
            return found(
                compared,
                "request-body-removed",
                new,
                new,
                "takes no body any more",
                false,
            );
        }
        (true, false) if is_required(&after) => "request-body-added-required",
        (true, false) => "request-body-added-optional",
        (false, false) => match (is_required(&before), is_required(&after)) {
            (false, true) => "request-body-became-required",
            (true, false) => "request-body-became-optional",
            (true, true) | (false, false) => "",
        },
    };
    found(compared, id, new, new, "the body of its request", false);
    let ids = [
        "request-body-media-type-removed",
        "request-body-media-type-added",
    ];
    media(compared, new, &pointers, ids, &|one| Context::Request {
        label: one.label.clone(),
    });
}

/// Returns the media types of a body or of an answer, and the schema of each that both have.
fn media(
    compared: &mut Compared,
    one: &Operation,
    pointers: &[String; 2],
    [removed, added]: [&str; 2],
    context: &dyn Fn(&Operation) -> Context,
) {
    let types = |side: &Side, pointer: &str| -> BTreeSet<String> {
        let content = &side.at(pointer)["content"];
        members(content).map(|(name, _)| name.to_owned()).collect()
    };
    let (before, after) = (
        types(&compared.old, &pointers[0]),
        types(&compared.new, &pointers[1]),
    );
    for gone in before.difference(&after) {
        found(
            compared,
            removed,
            one,
            one,
            &format!("{gone} is gone"),
            false,
        );
    }
    for new in after.difference(&before) {
        found(compared, added, one, one, &format!("{new} is new"), false);
    }
    for both in before.intersection(&after) {
        let [old, new] =
            [0, 1].map(|side: usize| format!("{}/content/{}/schema", pointers[side], escape(both)));
        schemas::compare(compared, &context(one), &old, &new);
    }
}

fn answers(compared: &mut Compared, old: &Operation, new: &Operation) {
    let statuses = |side: &Side, one: &Operation| -> BTreeSet<String> {
        let answers = &side.at(&one.pointer)["responses"];
        members(answers)
            .map(|(status, _)| status.to_owned())
            .collect()
    };
    let (before, after) = (statuses(&compared.old, old), statuses(&compared.new, new));
    for gone in before
        .difference(&after)
        .filter(|status| status.starts_with('2'))
    {
        found(
            compared,
            "response-success-status-removed",
            new,
            new,
            &format!("answers {gone} no more"),
            false,
        );
    }
    for added in after
        .difference(&before)
        .filter(|status| status.starts_with('2'))
    {
        found(
            compared,
            "response-success-status-added",
            new,
            new,
            &format!("answers {added}"),
            false,
        );
    }
    for status in before.intersection(&after) {
        let pointers = [(&compared.old, old), (&compared.new, new)].map(|(side, one)| {
            let own = format!("{}/responses/{status}", one.pointer);
            let target = side.at(&own)["$ref"].as_str();
            target
                .and_then(|target| target.strip_prefix('#'))
                .map_or(own, str::to_owned)
        });
        headers(compared, new, &pointers);
        let ids = ["response-media-type-removed", "response-media-type-added"];
        media(compared, new, &pointers, ids, &|one| Context::Answer {
            label: one.label.clone(),
        });
    }
}

fn headers(compared: &mut Compared, one: &Operation, pointers: &[String; 2]) {
    let listed = |side: &Side, pointer: &str| -> BTreeMap<String, bool> {
        let headers = &side.at(pointer)["headers"];
        let all = members(headers).map(|(name, header)| {
            let target = header["$ref"]
                .as_str()
                .and_then(|target| target.strip_prefix('#'));
            let header = target.map_or(header, |target| side.at(target));
            (name.to_owned(), header["required"] == true)
        });
        all.collect()
    };
    let (before, after) = (
        listed(&compared.old, &pointers[0]),
        listed(&compared.new, &pointers[1]),
    );
    for (name, was_required) in &before {
        let (id, what) = match (was_required, after.get(name)) {
            (true, None) => ("required-response-header-removed", "is gone"),
            (false, None) => ("optional-response-header-removed", "is gone"),
            (true, Some(false)) => ("response-header-became-optional", "may be missing"),
            (true | false, Some(_)) => continue,
        };
        about(compared, id, one, name, what, (&pointers[1], false));
    }
    for name in after.keys().filter(|name| !before.contains_key(*name)) {
        about(
            compared,
            "response-header-added",
            one,
            name,
            "is new",
            (&pointers[1], false),
        );
    }
}

/// Compares webhooks, whose bodies are read like answers.
fn sent(compared: &mut Compared, old: &Operation, new: &Operation) {
    let pointers = [old, new].map(|one| format!("{}/requestBody", one.pointer));
    let ids = ["response-media-type-removed", "response-media-type-added"];
    media(compared, new, &pointers, ids, &|one| Context::Answer {
        label: one.label.clone(),
    });
}
