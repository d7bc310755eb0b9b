//! Small documents: each adds a tag, paths and schemas to the same base.

use multirail_codegen::document::{Document, parse_yaml};
use multirail_codegen::finding::Finding;
use multirail_codegen::lint::lint;
use multirail_codegen::sources::Sources;
use serde_json::Value;

/// All fixtures by name.
pub const ALL: [(&str, &str); 5] = [
    ("objects", include_str!("fixtures/objects.yaml")),
    ("enumerations", include_str!("fixtures/enumerations.yaml")),
    ("siblings", include_str!("fixtures/siblings.yaml")),
    ("principals", include_str!("fixtures/principals.yaml")),
    ("variants", include_str!("fixtures/variants.yaml")),
];

/// Returns one fixture as a whole document.
pub fn one(name: &str) -> Value {
    compose(
        ALL.iter()
            .filter(|(known, _)| *known == name)
            .map(|(_, text)| *text),
    )
}

/// Returns all fixtures in one document.
pub fn all() -> Value {
    compose(ALL.iter().map(|(_, text)| *text))
}

/// Returns a document that passes the lint.
pub fn checked(value: &Value) -> Document {
    let findings = findings(value);
    assert!(findings.is_empty(), "{findings:#?}");
    Document::parse(&value.to_string()).unwrap()
}

/// Returns the lint's findings for a document of one file, written as JSON with a line for each member.
pub fn findings(document: &Value) -> Vec<Finding> {
    let text = serde_json::to_string_pretty(document).unwrap();
    let file = ("openapi.yaml".to_owned(), "openapi.yaml".to_owned(), text);
    lint(document, &Sources::parse(vec![file]).unwrap())
}

fn compose<'t>(texts: impl Iterator<Item = &'t str>) -> Value {
    let mut document = parse_yaml(include_str!("fixtures/base.yaml")).unwrap();
    for text in texts {
        // Fixtures share lines by merge keys, which the real document doesn't use.
        let mut fixture: serde_norway::Value = serde_norway::from_str(text).unwrap();
        fixture.apply_merge().unwrap();
        let fixture = serde_json::to_value(fixture).unwrap();
        document["tags"]
            .as_array_mut()
            .unwrap()
            .extend(fixture["tags"].as_array().unwrap().iter().cloned());
        add(&mut document["paths"], &fixture["paths"]);
        add(&mut document["components"]["schemas"], &fixture["schemas"]);
    }
    document
}

fn add(target: &mut Value, more: &Value) {
    for (name, value) in more.as_object().unwrap() {
        let before = target
            .as_object_mut()
            .unwrap()
            .insert(name.clone(), value.clone());
        assert!(before.is_none(), "two fixtures have {name}");
    }
}
