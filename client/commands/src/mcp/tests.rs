use rmcp::model::JsonObject;
use serde_json::{Value, json};

use super::describe::describe;
use super::operation::{Key, Offer, Operation, read_operations};
use super::server::list;

fn document() -> Value {
    serde_json::from_str(&multirail_api::document_json()).expect("JSON")
}

fn operations(offer: &Offer) -> Vec<Operation> {
    read_operations(&document(), offer).expect("the document is read")
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

/// An ephemeral key deletes saved methods. The others send credentials or an event out of the service.
#[test]
fn issuing_a_key_and_sending_something_out_count_as_changes() {
    let reading = operations(&Offer {
        has_operator: true,
        ..Offer::default()
    });
    let writing = operations(&all());
    for name in [
        "ephemeral_keys_create",
        "connectors_check",
        "connector_accounts_check",
        "webhook_endpoints_test",
    ] {
        assert!(!names(&reading).contains(&name), "{name}");
        let hints = named(&writing, name).tool.annotations.as_ref();
        let is_reading = hints.and_then(|hints| hints.read_only_hint);
        assert_eq!(is_reading, Some(false), "{name}");
    }
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
    let told = read_operations(&document(), &tags(&["Refund"]));
    let told = told.expect_err("refused");
    assert!(told.starts_with("--tags: Refund is none of "), "{told}");
}

/// No reference leads out of a schema, and no word of OpenAPI is left.
#[test]
fn input_schemas_are_whole() {
    for operation in operations(&all()) {
        let input = Value::Object((*operation.tool.input_schema).clone());
        assert_eq!(input["type"], "object");
        check(&input, &operation.tool.name);
    }
}

fn check(value: &Value, name: &str) {
    match value {
        Value::Object(members) => {
            for word in ["$ref", "nullable"] {
                assert!(!members.contains_key(word), "{name}: {value}");
            }
            members.values().for_each(|value| check(value, name));
        }
        Value::Array(items) => items.iter().for_each(|item| check(item, name)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// A model reads the list before each conversation.
#[test]
fn the_list_of_tools_is_short() {
    let size = |offer: &Offer| {
        let listed = list(&operations(offer));
        serde_json::to_string(&listed).expect("JSON").len()
    };
    let reading = size(&Offer::default());
    assert!(reading < 40_000, "{reading} bytes");
    let writing = size(&all());
    assert!(writing < 120_000, "{writing} bytes");
}

fn described(given: Value) -> Result<Value, String> {
    let text = describe(&document(), &operations(&all()), arguments(given))?;
    assert!(text.len() < 40_000, "{} bytes", text.len());
    Ok(serde_json::from_str(&text).expect("JSON"))
}

#[test]
fn every_operation_is_described_in_short() {
    let document = document();
    let operations = operations(&all());
    for name in names(&operations) {
        let given = arguments(json!({ "operation": name }));
        let text = describe(&document, &operations, given).expect("described");
        assert!(text.len() < 40_000, "{name}: {} bytes", text.len());
        let described: Value = serde_json::from_str(&text).expect("JSON");
        check(&described["input"], name);
    }
}

#[test]
fn members_of_members_are_described_on_request() {
    let whole = described(json!({ "operation": "payments_create" })).expect("described");
    assert_eq!(whole["path"], "/payments");
    let body = &whole["input"]["properties"]["body"];
    assert!(body["properties"]["amount"]["description"].is_string());
    assert!(body["properties"]["billing"]["properties"].is_null());
    let member =
        |member: &str| described(json!({ "operation": "payments_create", "member": member }));
    let billing = member("body.billing.address").expect("described");
    let country = &billing["schema"]["properties"]["country"];
    assert!(country["description"].is_string(), "{billing}");
    let told = [
        member("billing").expect_err("refused"),
        member("body.biling").expect_err("refused"),
        described(json!({ "operation": "payments_creat" })).expect_err("refused"),
        described(json!({})).expect_err("refused"),
        described(json!({ "operation": 1 })).expect_err("refused"),
        described(json!({ "operation": "payments_list", "surplus": 1 })).expect_err("refused"),
    ];
    insta::assert_snapshot!(told.join("\n"), @r"
    member: the operation has no billing
    member: the operation has no body.biling
    operation: there is no tool payments_creat
    operation: it is missing
    operation: it has to be a text
    surplus: there is no such argument
    ");
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
