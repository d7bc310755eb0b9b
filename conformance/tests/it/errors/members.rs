//! Missing or wrong members: the message names each by its full path.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{order, with, without};
use serde_json::json;

#[tokio::test]
async fn missing_members_are_named_by_their_full_path() {
    let shop = Shop::open().await;
    for member in ["amount", "currency"] {
        let message = shop
            .creates(without(order(), member))
            .await
            .refused(400, "IR_04");
        assert!(message.contains(member), "{message}");
    }
    assert!(
        shop.creates(json!({}))
            .await
            .refused(400, "IR_04")
            .contains("amount"),
        "the first in the document"
    );
    assert!(
        shop.call("payments_create")
            .await
            .refused(400, "IR_04")
            .contains("amount"),
        "no body is an empty one"
    );
    let nested = [
        (
            json!({ "order_details": [{ "quantity": 1, "amount": 1 }] }),
            "order_details[0].product_name",
        ),
        (
            json!({ "customer_acceptance": {} }),
            "customer_acceptance.acceptance_type",
        ),
        (json!({ "customer": { "name": "Ada" } }), "customer.id"),
        (json!({ "routing": { "type": "single" } }), "routing.data"),
        (
            json!({ "merchant_connector_details": {} }),
            "merchant_connector_details.creds_identifier",
        ),
    ];
    for (more, path) in nested {
        let message = shop
            .creates(with(order(), more))
            .await
            .refused(400, "IR_04");
        assert!(message.contains(path), "{path}: {message}");
    }
    let message = shop
        .server
        .operator("api_keys_create")
        .at("merchant_id", "bookshop")
        .json(&json!({ "name": "till" }));
    assert!(message.await.refused(400, "IR_04").contains("expiration"));
    let message = shop
        .server
        .operator("merchant_accounts_create")
        .json(&json!({}))
        .await;
    assert!(message.refused(400, "IR_04").contains("merchant_id"));
    let message = shop
        .call("connector_accounts_create")
        .json(&json!({ "connector_type": "payment_processor" }))
        .await;
    assert!(message.refused(400, "IR_04").contains("connector_name"));
}

#[tokio::test]
async fn null_is_absent() {
    let shop = Shop::open().await;
    for member in ["amount", "currency"] {
        let message = shop
            .creates(with(order(), json!({ member: null })))
            .await
            .refused(400, "IR_04");
        assert!(message.contains(member), "{message}");
    }
    let payment = shop
        .creates(with(
            order(),
            json!({ "description": null, "capture_method": null }),
        ))
        .await
        .ok();
    assert_eq!(payment["capture_method"], "automatic");
}

#[tokio::test]
async fn wrong_types_and_words_are_named() {
    let shop = Shop::open().await;
    let wrong = [
        (json!({ "amount": "6540" }), "amount"),
        (json!({ "amount": 65.4 }), "amount"),
        (json!({ "amount": true }), "amount"),
        (json!({ "amount": 9_223_372_036_854_775_808_u64 }), "amount"),
        (json!({ "discount_amount": i64::MAX }), "discount_amount"),
        (
            json!({ "duty_amount": 1_000_000_000_000_i64 }),
            "duty_amount",
        ),
        (
            json!({ "shipping_amount_tax": 1_000_000_000_000_i64 }),
            "shipping_amount_tax",
        ),
        (
            json!({ "order_details": [{ "product_name": "A paperback", "quantity": 1, "amount": -5 }] }),
            "order_details[0].amount",
        ),
        (json!({ "currency": 840 }), "currency"),
        (json!({ "currency": "EURO" }), "currency"),
        (json!({ "capture_method": "sometimes" }), "capture_method"),
        (json!({ "confirm": "true" }), "confirm"),
        (json!({ "metadata": [] }), "metadata"),
        (
            json!({ "billing": { "address": { "city": 1 } } }),
            "billing.address.city",
        ),
        (
            json!({ "billing": { "address": { "country": "XX" } } }),
            "billing.address.country",
        ),
        (json!({ "order_details": [{}, 1] }), "order_details"),
        (
            json!({ "allowed_payment_method_types": ["credit", "no_such"] }),
            "allowed_payment_method_types[1]",
        ),
        (json!({ "capture_on": "tomorrow" }), "capture_on"),
        (
            json!({ "session_expiry": 99_999_999_999_i64 }),
            "session_expiry",
        ),
        (
            json!({ "payment_method_data": { "card": "4" } }),
            "payment_method_data.card",
        ),
    ];
    for (more, path) in wrong {
        let answer = shop.creates(with(order(), more.clone())).await;
        let code = answer.body["code"].as_str().unwrap_or_default().to_owned();
        assert!(
            answer.status == 400 && (code == "IR_06" || more["order_details"].is_array()),
            "{more}: {answer:?}"
        );
        assert!(
            answer.message().contains(path),
            "{path}: {}",
            answer.message()
        );
    }
}

#[tokio::test]
async fn texts_that_are_too_long() {
    let shop = Shop::open().await;
    let long = |length: usize| "x".repeat(length);
    let limits = [
        ("payment_id", 64),
        ("customer_id", 64),
        ("profile_id", 64),
        ("merchant_order_reference_id", 255),
        ("statement_descriptor_name", 255),
        ("return_url", 2048),
    ];
    for (member, limit) in limits {
        let message = shop
            .creates(with(order(), json!({ member: long(limit + 1) })))
            .await
            .refused(422, "IR_05");
        assert!(message.contains(member), "{message}");
    }
    assert_eq!(
        shop.creates(with(order(), json!({ "payment_id": long(64) })))
            .await
            .ok()["payment_id"],
        long(64)
    );
    shop.creates(with(order(), json!({ "payment_id": "" })))
        .await
        .refused(422, "IR_05");
}
