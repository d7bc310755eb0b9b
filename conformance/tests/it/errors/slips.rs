//! A misspelled member is named in the refusal, and the request changes nothing.

use multirail_conformance::bodies::{APPROVED, order, order_with, with};
use multirail_conformance::document::{document, operations};
use multirail_conformance::{Shop, shop};
use serde_json::{Value, json};

use crate::users::Person;

#[tokio::test]
async fn a_slip_never_moves_money() {
    let shop = Shop::open().await;
    let slip = json!({ "payment_id": "slipped", "confirm": true, "capture_metod": "manual" });
    let message = shop.creates(with(order_with(APPROVED), slip)).await;
    let message = message.refused(400, "IR_06");
    assert!(message.contains("`capture_metod`"), "{message}");
    assert!(message.contains("`capture_method`"), "{message}");
    let unmade = json!({ "payment_id": "slipped" });
    shop.retrieves(&unmade).await.refused(404, "HE_02");
    assert_eq!(shop.server.money().authorized, 0);

    let held = json!({ "confirm": true, "capture_method": "manual" });
    let held = shop.creates(with(order_with(APPROVED), held)).await.ok();
    let slip = json!({ "amount_to_captur": 100 });
    let message = shop.captures(&held, slip).await.refused(400, "IR_06");
    assert!(message.contains("`amount_to_capture`"), "{message}");
    let slip = json!({ "cancelation_reason": "none" });
    let message = shop.cancels(&held, slip).await.refused(400, "IR_06");
    assert!(message.contains("`cancellation_reason`"), "{message}");
    assert_eq!(shop.retrieves(&held).await.ok(), held);
    let money = shop.server.money();
    assert_eq!((money.captured, money.released), (0, 0));
}

/// Covers every body of the document, at the top and in every nested object.
#[tokio::test]
async fn no_body_takes_a_member_of_another_name() {
    let shop = Shop::open().await;
    let payment = shop.creates(order()).await.ok();
    let ada = Person::new(&shop.server, "ada").await;
    let mut refused = 0;
    for operation in operations() {
        let Some(component) = operation.request.as_deref() else {
            continue;
        };
        for (place, body) in strangers(component) {
            let call = if operation.takes("api_key") {
                shop.call(&operation.id)
            } else if operation.takes("publishable_key") {
                shop.call(&operation.id).key(&shop.publishable_key)
            } else if operation.security == ["bearer"] {
                ada.call(&operation.id)
            } else {
                shop.operator(&operation.id)
            };
            let call = call
                .at("account_id", &shop.merchant_id)
                .at("merchant_id", &shop.merchant_id)
                .at("organization_id", "organization_of_nobody")
                .at("payment_id", shop::id(&payment))
                .at("refund_id", "refund_of_nobody")
                .at("customer_id", "customer_of_nobody")
                .at("profile_id", &shop.profile_id)
                .at("merchant_connector_id", &shop.connector_account_id)
                .at("key_id", "key_of_nobody")
                .at("user_id", "user_of_nobody")
                .at("payment_method_id", "method_of_nobody")
                .at("routing_id", "routing_of_nobody")
                .at("webhook_endpoint_id", "endpoint_of_nobody")
                .at("product_id", "product_of_nobody")
                .at("subscription_id", "subscription_of_nobody");
            let message = call.json(&body).await.refused(400, "IR_06");
            let said = format!("`{place}` is not a known member");
            assert!(message.starts_with(&said), "{}: {message}", operation.id);
            refused += 1;
        }
    }
    assert!(refused > 60, "{refused}");
    assert_eq!(shop.retrieves(&payment).await.ok(), payment);
}

/// Returns bodies with one unknown member each, and the member's path.
fn strangers(component: &str) -> Vec<(String, Value)> {
    let mut found = vec![("stranger".to_owned(), json!({ "stranger": 1 }))];
    let members = document()["components"]["schemas"][component]["properties"].as_object();
    for (name, member) in members.into_iter().flatten() {
        let (item, list) = match member["type"] == "array" {
            true => (&member["items"], true),
            false => (member, false),
        };
        let Some(target) = referred(item) else {
            continue;
        };
        let object = &document()["components"]["schemas"][target];
        if object.get("properties").is_none() {
            continue;
        }
        let inner = json!({ "stranger": 1 });
        found.push(match list {
            true => (format!("{name}[0].stranger"), json!({ name: [inner] })),
            false => (format!("{name}.stranger"), json!({ name: inner })),
        });
    }
    found
}

/// Returns the component that a schema refers to.
fn referred(schema: &Value) -> Option<&str> {
    let target = schema["$ref"]
        .as_str()
        .or(schema["allOf"][0]["$ref"].as_str())
        .or(schema["anyOf"][0]["$ref"].as_str());
    target?.strip_prefix("#/components/schemas/")
}

#[tokio::test]
async fn a_slip_where_the_document_leaves_the_form_open() {
    let shop = Shop::open().await;
    let routing = json!({ "routing": { "type": "single", "data": { "conector": "fauxpay" } } });
    let message = shop
        .creates(with(order(), routing))
        .await
        .refused(400, "IR_06");
    assert!(message.contains("routing.data.conector"), "{message}");
    let methods = json!({ "payment_methods_enabled": [{
        "payment_method": "card",
        "payment_method_types": [{ "payment_method_type": "credit", "maximum_amont": 100 }],
    }] });
    let message = shop.reconnects(methods).await.refused(400, "IR_06");
    let place = "payment_methods_enabled[0].payment_method_types[0].maximum_amont";
    assert!(message.contains(place), "{message}");
}

#[tokio::test]
async fn members_of_other_systems_clients_are_named() {
    let shop = Shop::open().await;
    let before = shop
        .call("business_profiles_retrieve")
        .at("profile_id", &shop.profile_id);
    let before = before.await.ok();
    let harmless = json!({
        "payout_link_config": {},
        "is_network_tokenization_enabled": false,
    });
    assert_eq!(shop.sets_up(harmless).await.ok(), before);
    for asked in [
        json!({ "payout_link_config": { "theme": "#FFFFFF" } }),
        json!({ "dispute_polling_interval": 3 }),
        json!({ "is_network_tokenization_enabled": true }),
        json!({ "routing_algorithm": { "type": "single", "data": "stripe" } }),
        json!({ "card_testing_guard_config": { "card_ip_blocking_status": "enabled" } }),
    ] {
        shop.sets_up(asked).await.refused(400, "IR_20");
    }
    let foreign = json!({ "partner_merchant_identifier_details": { "partner_details": { "name": "a shop system" } } });
    shop.creates(with(order(), foreign))
        .await
        .refused(400, "IR_20");
    let elsewhere = json!({ "three_ds_data": { "authentication_cryptogram": {} } });
    shop.creates(with(order(), elsewhere))
        .await
        .refused(400, "IR_20");
}

#[tokio::test]
async fn a_list_knows_the_names_of_its_query() {
    let shop = Shop::open().await;
    let slip = shop
        .call("payments_list")
        .query("custmer_id", "cus_1")
        .unjudged();
    let message = slip.await.refused(400, "IR_06");
    assert!(message.contains("`customer_id`"), "{message}");
    let slip = shop
        .operator("unresolved_operations_list")
        .query("limits", 1)
        .unjudged();
    let message = slip.await.refused(400, "IR_06");
    assert!(message.contains("`limit`"), "{message}");
}
