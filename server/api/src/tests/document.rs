//! The document against the frame: every schema compiles, every example is what its schema says.

use serde_json::{Value, json};

use crate::schema::{document, resolve};
use crate::validate::Checker;
use crate::violation::Location;
use crate::{OPERATIONS, answer_schema, input};

#[test]
fn every_input_schema_compiles() {
    for info in OPERATIONS {
        input::path(info);
        input::query(info);
        input::body(info);
    }
}

/// The frame judges by method, marks and keys; what callers see is the header in the document.
#[test]
fn idempotency_keys_are_taken_where_the_document_says_so() {
    let mut takers = 0;
    for info in OPERATIONS {
        let operation = &document()["paths"][info.path][info.method.as_str().to_lowercase()];
        let mut parameters = operation["parameters"].as_array().into_iter().flatten();
        let named = parameters.any(|one| resolve(one)["name"] == "Idempotency-Key");
        assert_eq!(named, info.takes_idempotency_key(), "{}", info.id);
        takers += usize::from(named);
    }
    assert!(takers > 5);
}

#[test]
fn request_examples_pass_the_validation() {
    let mut count = 0;
    for info in OPERATIONS {
        let operation = &document()["paths"][info.path][info.method.as_str().to_lowercase()];
        for (name, example) in examples(&operation["requestBody"]["content"]["application/json"]) {
            let mut value = example.clone();
            if let Err(error) = input::body(info).check(&mut value) {
                panic!("{} {name}: {error}", info.id);
            }
            count += 1;
        }
        assert!(
            info.request_schema.is_none() || count > 0,
            "{} has no request example",
            info.id
        );
    }
    assert!(count > 10);
}

#[test]
fn answer_examples_are_what_their_schemas_say() {
    for info in OPERATIONS {
        let operation = &document()["paths"][info.path][info.method.as_str().to_lowercase()];
        for (media, content) in resolve(&operation["responses"]["200"])["content"]
            .as_object()
            .unwrap()
        {
            let examples = examples(content);
            assert!(!examples.is_empty(), "{} has no answer example", info.id);
            let schema = answer_schema(info.op).unwrap_or_else(|| json!({ "type": "string" }));
            let validator = jsonschema::validator_for(&schema).unwrap();
            for (name, example) in examples {
                let problems: Vec<String> = validator
                    .iter_errors(example)
                    .map(|error| format!("{}: {error}", error.instance_path()))
                    .collect();
                assert!(
                    problems.is_empty(),
                    "{} {media} {name}: {problems:#?}",
                    info.id
                );
            }
        }
    }
}

#[test]
fn the_first_violation_in_the_order_of_the_document_is_told() {
    let checker = Checker::new(
        crate::validate::component("PaymentCreateRequest"),
        Location::Body,
    );
    let mut value = serde_json::json!({ "description": 1, "currency": 1 });
    assert_eq!(
        checker.check(&mut value).unwrap_err().message,
        "Missing required parameter: amount"
    );
    let mut value = serde_json::json!({ "description": 1, "currency": 1, "amount": 1 });
    assert_eq!(
        checker.check(&mut value).unwrap_err().message,
        "`currency` must be text."
    );
}

fn examples(media: &Value) -> Vec<(String, &Value)> {
    match media.get("examples") {
        Some(all) => all
            .as_object()
            .unwrap()
            .iter()
            .map(|(name, one)| (name.clone(), &resolve(one)["value"]))
            .collect(),
        None => media
            .get("example")
            .map(|one| ("example".to_owned(), one))
            .into_iter()
            .collect(),
    }
}
