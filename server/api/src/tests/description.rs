//! The generated traits describe the same interface as the document.
//!
//! dropshot makes a description of each trait; together they must agree with the document. Both sides leave out the
//! parts that dropshot can't describe:
//!
//! - keys, servers, examples, marks (`x-…`) and discriminators;
//! - headers that authentication and the frame read by themselves;
//! - whether a body may be absent;
//! - texts of answers, and the media type of plain text.

use std::collections::BTreeMap;

use dropshot::{ApiDescription, StubContext, semver::Version};
use serde_json::{Map, Value, json};

use crate::OPERATIONS;
use crate::tests::whole::document;

/// Headers that no method takes.
const HEADERS: [&str; 6] = [
    "X-Profile-Id",
    "X-Connected-Merchant-Id",
    "X-Client-Source",
    "X-Client-Version",
    "Last-Event-ID",
    "Idempotency-Key",
];

/// Components of messages that the server sends (`x-webhooks`): no trait has them.
const SENT: [&str; 3] = ["#WebhookDelivery", "#WebhookContent", "#WebhookContentType"];

/// A part of the interface, by its place.
type Facts = BTreeMap<String, Value>;

fn described() -> Vec<Value> {
    let describe = |stub: ApiDescription<StubContext>| {
        stub.openapi("multirail", Version::new(0, 1, 0))
            .json()
            .expect("dropshot describes the trait")
    };
    [
        crate::payments::payments_api_mod::stub_api_description(),
        crate::payments::payments_api_literals_mod::stub_api_description(),
        crate::subscriptions::subscriptions_api_mod::stub_api_description(),
        crate::subscriptions::subscriptions_api_literals_mod::stub_api_description(),
        crate::refunds::refunds_api_mod::stub_api_description(),
        crate::refunds::refunds_api_literals_mod::stub_api_description(),
        crate::customers::customers_api_mod::stub_api_description(),
        crate::customers::customers_api_literals_mod::stub_api_description(),
        crate::mandates::mandates_api_mod::stub_api_description(),
        crate::mandates::mandates_api_literals_mod::stub_api_description(),
        crate::routing::routing_api_mod::stub_api_description(),
        crate::routing::routing_api_literals_mod::stub_api_description(),
        crate::disputes::disputes_api_mod::stub_api_description(),
        crate::disputes::disputes_api_literals_mod::stub_api_description(),
        crate::saved_methods::saved_methods_api_mod::stub_api_description(),
        crate::saved_methods::saved_methods_api_literals_mod::stub_api_description(),
        crate::billing::billing_api_mod::stub_api_description(),
        crate::connector_accounts::connector_accounts_api_mod::stub_api_description(),
        crate::organizations::organizations_api_mod::stub_api_description(),
        crate::merchant_accounts::merchant_accounts_api_mod::stub_api_description(),
        crate::business_profiles::business_profiles_api_mod::stub_api_description(),
        crate::events::events_api_mod::stub_api_description(),
        crate::webhook_endpoints::webhook_endpoints_api_mod::stub_api_description(),
        crate::events::events_api_literals_mod::stub_api_description(),
        crate::events::events_api_literals2_mod::stub_api_description(),
        crate::api_keys::api_keys_api_mod::stub_api_description(),
        crate::api_keys::api_keys_api_literals_mod::stub_api_description(),
        crate::request_log::request_log_api_mod::stub_api_description(),
        crate::dynamic_routing::dynamic_routing_api_mod::stub_api_description(),
        crate::error_mappings::error_mappings_api_mod::stub_api_description(),
        crate::notices::notices_api_mod::stub_api_description(),
        crate::unresolved_operations::unresolved_operations_api_mod::stub_api_description(),
        crate::users::users_api_mod::stub_api_description(),
        crate::user_sessions::user_sessions_api_mod::stub_api_description(),
        crate::user_payments::user_payments_api_mod::stub_api_description(),
        crate::user_subscriptions::user_subscriptions_api_mod::stub_api_description(),
        crate::two_factor::two_factor_api_mod::stub_api_description(),
        crate::oidc::oidc_api_mod::stub_api_description(),
        crate::audit::audit_api_mod::stub_api_description(),
        crate::service_keys::service_keys_api_mod::stub_api_description(),
        crate::sandbox::sandbox_api_mod::stub_api_description(),
        crate::health::health_api_mod::stub_api_description(),
    ]
    .into_iter()
    .map(|stub| describe(stub.expect("the trait has a description")))
    .collect()
}

#[test]
fn generated_traits_describe_the_same_interface_as_the_document() {
    let mut actual = Facts::new();
    for description in described() {
        collect(&description, &mut actual);
    }
    let mut wanted = Facts::new();
    collect(document(), &mut wanted);
    let operations = wanted
        .keys()
        .filter(|place| !place.starts_with('#'))
        .count();
    assert_eq!(operations, OPERATIONS.len());

    // Components that no operation reaches can't be described.
    wanted.retain(|place, _| !SENT.contains(&place.as_str()));
    let differences: Vec<String> = wanted
        .keys()
        .chain(actual.keys().filter(|place| !wanted.contains_key(*place)))
        .filter(|place| wanted.get(*place) != actual.get(*place))
        .map(|place| {
            let text = |facts: &Facts| {
                facts
                    .get(place)
                    .map_or_else(|| "nothing".to_owned(), |fact| format!("{fact:#}"))
            };
            format!(
                "{place}\n--- document: {}\n--- traits: {}",
                text(&wanted),
                text(&actual)
            )
        })
        .collect();
    assert!(
        differences.is_empty(),
        "{} differences:\n{}",
        differences.len(),
        differences.join("\n\n")
    );
}

#[test]
fn the_comparison_notices_what_matters() {
    let mut changed = document().clone();
    changed["components"]["schemas"]["PaymentCaptureRequest"]["properties"]["extra"] =
        json!({ "type": "string" });
    let parameters = changed["paths"]["/payments/{payment_id}"]["get"]["parameters"]
        .as_array_mut()
        .unwrap();
    parameters
        .iter_mut()
        .find(|parameter| parameter["name"] == "force_sync")
        .unwrap()["required"] = json!(true);
    let (mut before, mut after) = (Facts::new(), Facts::new());
    collect(document(), &mut before);
    collect(&changed, &mut after);
    let noticed: Vec<_> = before
        .keys()
        .filter(|place| before.get(*place) != after.get(*place))
        .collect();
    assert_eq!(
        noticed,
        ["#PaymentCaptureRequest", "GET /payments/{payment_id}"]
    );
}

fn collect(root: &Value, facts: &mut Facts) {
    for (path, item) in root["paths"].as_object().into_iter().flatten() {
        for (method, operation) in item.as_object().into_iter().flatten() {
            facts.insert(
                format!("{} {path}", method.to_uppercase()),
                an_operation(root, operation),
            );
        }
    }
    for (name, schema) in root["components"]["schemas"]
        .as_object()
        .into_iter()
        .flatten()
    {
        facts.insert(format!("#{name}"), normal(schema));
    }
}

fn an_operation(root: &Value, operation: &Value) -> Value {
    let mut parameters: Vec<Value> = operation["parameters"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|parameter| follow(root, parameter))
        .filter(|parameter| !HEADERS.iter().any(|header| parameter["name"] == *header))
        .map(|parameter| {
            json!({
                "name": parameter["name"],
                "in": parameter["in"],
                "required": parameter["required"] == true,
                "description": words(&parameter["description"]),
                "schema": normal(&parameter["schema"]),
            })
        })
        .collect();
    parameters.sort_by_key(|parameter| parameter["name"].to_string());
    let answers: Map<String, Value> = operation["responses"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(status, answer)| (status.clone(), content(follow(root, answer))))
        .collect();
    json!({
        "operationId": operation["operationId"],
        "tags": operation["tags"],
        "summary": words(&operation["summary"]),
        "description": words(&operation["description"]),
        "parameters": parameters,
        "body": operation.get("requestBody").map(content),
        "answers": answers,
    })
}

/// Returns the schema of JSON content; any other content counts as text.
fn content(owner: &Value) -> Value {
    match owner["content"].get("application/json") {
        Some(media) => normal(&media["schema"]),
        None => json!("text"),
    }
}

fn follow<'a>(root: &'a Value, value: &'a Value) -> &'a Value {
    value["$ref"]
        .as_str()
        .and_then(|target| root.pointer(&target[1..]))
        .unwrap_or(value)
}

/// Returns a schema without the parts that dropshot can't describe, and with sorted lists where order has no meaning.
fn normal(schema: &Value) -> Value {
    match schema {
        Value::Object(members) => {
            let mut output = Map::new();
            for (word, value) in members {
                match word.as_str() {
                    "example" | "discriminator" => continue,
                    // schemars names lists after their items.
                    "title" if members["type"] == "array" => continue,
                    // The format of a schema without a type.
                    "format" if value.is_string() && !members.contains_key("type") => continue,
                    word if word.starts_with("x-") => continue,
                    // schemars describes an object without members so.
                    "properties" if value.as_object().is_some_and(Map::is_empty) => continue,
                    "description" => output.insert(word.clone(), words(value)),
                    "required" if value.is_array() => {
                        let mut names: Vec<_> =
                            value.as_array().into_iter().flatten().cloned().collect();
                        names.sort_by_key(Value::to_string);
                        output.insert(word.clone(), Value::Array(names))
                    }
                    _ => output.insert(word.clone(), normal(value)),
                };
            }
            // A lone `allOf: [$ref]` is equivalent to the bare reference.
            if let (1, Some([only])) = (
                output.len(),
                output
                    .get("allOf")
                    .and_then(Value::as_array)
                    .map(Vec::as_slice),
            ) {
                return only.clone();
            }
            Value::Object(output)
        }
        Value::Array(items) => items.iter().map(normal).collect(),
        Value::Number(number) => number.as_f64().map_or_else(|| schema.clone(), Value::from),
        Value::Null | Value::Bool(_) | Value::String(_) => schema.clone(),
    }
}

/// Returns the words of a text, wherever its lines end.
fn words(text: &Value) -> Value {
    Value::from(
        text.as_str()
            .unwrap_or_default()
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" "),
    )
}
