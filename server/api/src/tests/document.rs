//! The document against the frame: every schema compiles, and every example fits its schema.

use serde_json::{Value, json};

use crate::tests::whole::{document, resolve};
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

/// Rows of idempotency keys, and the seal places of their answers, contain these words. With a changed word a repeat
/// finds no key, and is carried out again.
#[test]
fn keyed_operations_keep_the_words_that_are_stored() {
    let keyed = OPERATIONS.iter().filter(|info| info.keyed.is_some());
    let words: Vec<_> = keyed.map(|info| info.id).collect();
    insta::assert_snapshot!(words.join("\n"), @r"
    payments_create
    payments_update
    payments_confirm
    payments_complete_authorize
    payments_capture
    payments_incremental_authorization
    payments_cancel
    payments_cancel_post_capture
    payments_approve
    payments_reject
    payments_update_metadata
    refunds_create
    refunds_update
    subscriptions_create_and_confirm
    subscriptions_create
    subscriptions_confirm
    subscriptions_update
    subscriptions_pause
    subscriptions_resume
    subscriptions_cancel
    subscriptions_refund_credit
    subscriptions_void_invoice
    subscriptions_collect_invoice
    customers_create
    customers_update
    payment_methods_set_default
    payment_methods_create
    payment_methods_update
    mandates_revoke
    disputes_challenge
    disputes_accept
    routing_create
    routing_deactivate
    routing_default_update
    routing_default_update_of_profile
    routing_activate
    subscription_products_create
    subscription_products_archive
    subscription_items_create
    subscription_items_archive
    subscription_item_prices_create
    subscription_item_prices_archive
    subscription_coupons_create
    subscription_coupons_archive
    connector_accounts_create
    connector_accounts_update
    business_profiles_create
    business_profiles_update
    business_profiles_rotate_webhook_secret
    business_profiles_resume_webhook_delivery
    webhook_endpoints_create
    webhook_endpoints_update
    webhook_endpoints_replay
    dynamic_routing_elimination_create
    dynamic_routing_elimination_toggle
    dynamic_routing_success_based_create
    dynamic_routing_success_based_toggle
    dynamic_routing_set_volume_split
    user_payments_create
    user_payments_capture
    user_payments_cancel
    user_payments_incremental_authorization
    user_payments_approve
    user_payments_reject
    user_subscriptions_update
    user_subscriptions_pause
    user_subscriptions_resume
    user_subscriptions_cancel
    user_subscriptions_refund_credit
    user_subscriptions_void_invoice
    user_subscriptions_collect_invoice
    ");
}

/// Callers see the header in the document; the frame reads the table of operations.
#[test]
fn idempotency_keys_are_taken_where_the_document_says_so() {
    let mut takers = 0;
    for info in OPERATIONS {
        let operation = &document()["paths"][info.path][info.method.as_str().to_lowercase()];
        let mut parameters = operation["parameters"].as_array().into_iter().flatten();
        let named = parameters.any(|one| resolve(one)["name"] == "Idempotency-Key");
        assert_eq!(named, info.keyed.is_some(), "{}", info.id);
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
fn the_first_violation_in_the_order_of_the_document_is_reported() {
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
