use rmcp::model::JsonObject;
use serde_json::{Value, json};

use super::operation::{Key, Offer, Operation, read_operations};
use super::server::page;

fn operations(offer: &Offer) -> Vec<Operation> {
    read_operations(&multirail_api::document_json(), offer).expect("the document is read")
}

fn all() -> Offer {
    Offer {
        writes: true,
        has_operator: true,
        tags: Vec::new(),
    }
}

fn names(operations: &[Operation]) -> Vec<&str> {
    operations.iter().map(|one| &*one.tool.name).collect()
}

fn named<'a>(operations: &'a [Operation], name: &str) -> &'a Operation {
    let found = operations.iter().find(|one| one.tool.name == name);
    found.expect("the operation is offered")
}

#[test]
fn only_reading_operations_are_offered_unless_told() {
    let reading = operations(&Offer::default());
    assert!(names(&reading).contains(&"payments_retrieve"));
    assert!(!names(&reading).contains(&"payments_create"));
    let is_reading = |one: &Operation| {
        one.tool
            .annotations
            .as_ref()
            .and_then(|hints| hints.read_only_hint)
            == Some(true)
    };
    assert!(reading.iter().all(is_reading));
    let writing = operations(&Offer {
        writes: true,
        ..Offer::default()
    });
    assert!(names(&writing).contains(&"payments_create"));
    assert!(!is_reading(named(&writing, "payments_create")));
}

/// The key deletes saved methods.
#[test]
fn issuing_a_key_counts_as_a_change() {
    let issues = "ephemeral_keys_create";
    assert!(!names(&operations(&Offer::default())).contains(&issues));
    let writing = operations(&all());
    let hints = named(&writing, issues).tool.annotations.as_ref();
    assert_eq!(hints.and_then(|hints| hints.read_only_hint), Some(false));
}

#[test]
fn operations_are_offered_with_a_key_that_there_is() {
    let merchant = operations(&Offer {
        writes: true,
        ..Offer::default()
    });
    assert!(merchant.iter().all(|one| one.key == Key::Merchant));
    assert!(!names(&merchant).contains(&"sandbox_clock_advance"));
    let both = operations(&all());
    assert_eq!(named(&both, "sandbox_clock_advance").key, Key::Operator);
    assert!(!names(&both).contains(&"users_sign_in"), "no token is used");
}

#[test]
fn tags_choose_operations() {
    let tags = |tags: &[&str]| Offer {
        tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
        ..all()
    };
    let refunds = operations(&tags(&["Refunds"]));
    assert!(names(&refunds).contains(&"refunds_create"));
    assert!(
        names(&refunds)
            .iter()
            .all(|name| name.starts_with("refunds_")),
        "{refunds:?}"
    );
    let told = read_operations(&multirail_api::document_json(), &tags(&["Refund"]));
    let told = told.expect_err("refused");
    assert!(told.starts_with("--tags: Refund is none of "), "{told}");
}

/// Every reference leads to a definition, and no word of OpenAPI is left.
#[test]
fn input_schemas_are_whole() {
    for operation in operations(&all()) {
        let input = Value::Object((*operation.tool.input_schema).clone());
        assert_eq!(input["type"], "object");
        check(&input, &input, &operation.tool.name);
    }
}

fn check(value: &Value, whole: &Value, name: &str) {
    match value {
        Value::Object(members) => {
            if let Some(reference) = members.get("$ref").and_then(Value::as_str) {
                let place = reference.strip_prefix('#').expect("a reference");
                assert!(whole.pointer(place).is_some(), "{name}: {reference}");
            }
            assert!(!members.contains_key("nullable"), "{name}: {value}");
            members.values().for_each(|value| check(value, whole, name));
        }
        Value::Array(items) => items.iter().for_each(|item| check(item, whole, name)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn tools_are_listed_in_pages_of_bounded_size() {
    let operations = operations(&all());
    let mut cursor: Option<String> = None;
    let mut listed = Vec::new();
    loop {
        let page = page(&operations, cursor.as_deref()).expect("a page");
        let size = serde_json::to_string(&page).expect("JSON").len();
        assert!(size < 1024 * 1024, "{size} bytes after {cursor:?}");
        listed.extend(page.tools.into_iter().map(|tool| tool.name.into_owned()));
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(listed, names(&operations));
    for wrong in ["-1", "a", "100000"] {
        assert!(page(&operations, Some(wrong)).is_err(), "{wrong}");
    }
}

fn arguments(value: Value) -> JsonObject {
    value.as_object().expect("an object").clone()
}

#[test]
fn arguments_become_a_request() {
    let operations = operations(&all());
    let capture = named(&operations, "payments_capture");
    let given = json!({
        "payment_id": "pay/1", "Idempotency-Key": "once", "body": { "amount_to_capture": 1 },
    });
    let call = capture.fill(arguments(given)).expect("filled");
    assert_eq!(call.path, "/payments/pay%2F1/capture");
    assert_eq!(
        call.headers,
        [("Idempotency-Key".to_owned(), "once".to_owned())]
    );
    assert_eq!(call.body, Some(json!({ "amount_to_capture": 1 })));
    let list = named(&operations, "payments_list");
    let call = list.fill(arguments(json!({ "limit": 3 }))).expect("filled");
    assert_eq!(call.query, [("limit".to_owned(), "3".to_owned())]);
}

#[test]
fn a_wrong_argument_is_named() {
    let operations = operations(&all());
    let told = |name: &str, given: Value| {
        named(&operations, name)
            .fill(arguments(given))
            .map(drop)
            .expect_err("refused")
    };
    let told = [
        told("payments_retrieve", json!({})),
        told("payments_retrieve", json!({ "payment_id": ".." })),
        told("payments_retrieve", json!({ "payment_id": {} })),
        told(
            "payments_retrieve",
            json!({ "payment_id": "p", "surplus": 1 }),
        ),
        told(
            "payments_retrieve",
            json!({ "payment_id": "p", "body": {} }),
        ),
        told("payments_create", json!({})),
    ];
    insta::assert_snapshot!(told.join("\n"), @r"
    payment_id: it is missing
    payment_id: it can't be part of a path
    payment_id: it has to be a text, a number, true or false
    surplus: there is no such argument
    body: there is no such argument
    body: it is missing
    ");
}
