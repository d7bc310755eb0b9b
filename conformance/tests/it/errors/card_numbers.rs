//! Card numbers in texts that are stored, shown and forwarded in clear.

use multirail_conformance::bodies::{order, order_with, with};
use multirail_conformance::{Call, Shop};
use serde_json::{Value, json};

const NUMBER: &str = "4111 1111 1111 1111";

async fn refused(call: Call, path: &str) {
    let answer = call.await;
    let message = answer.refused(422, "IR_06");
    assert!(message.contains(path), "{path}: {message}");
    assert!(!message.contains("1111"), "{message}");
}

#[tokio::test]
async fn no_text_of_a_payment_holds_one() {
    let shop = Shop::open().await;
    let texts = [
        (
            "description",
            json!({ "description": format!("for {NUMBER}") }),
        ),
        ("metadata.note", json!({ "metadata": { "note": NUMBER } })),
        (
            "metadata.deep[0].n",
            json!({ "metadata": { "deep": [{ "n": 4111111111111111_u64 }] } }),
        ),
        (
            "merchant_order_reference_id",
            json!({ "merchant_order_reference_id": "4111111111111111" }),
        ),
        (
            "statement_descriptor_name",
            json!({ "statement_descriptor_name": NUMBER }),
        ),
        ("name", json!({ "name": "1234567890123452" })),
        ("phone", json!({ "phone": NUMBER })),
        ("email", json!({ "email": "4111111111111111@example.com" })),
        (
            "billing.address.last_name",
            json!({ "billing": { "address": { "last_name": NUMBER } } }),
        ),
        (
            "shipping.address.line2",
            json!({ "shipping": { "address": { "line2": NUMBER } } }),
        ),
        (
            "shipping.phone.number",
            json!({ "shipping": { "phone": { "number": NUMBER } } }),
        ),
        (
            "order_details[0].product_name",
            json!({ "order_details": [{ "product_name": NUMBER, "quantity": 1, "amount": 6540 }] }),
        ),
        (
            "return_url",
            json!({ "return_url": "https://shop.example/?n=4111111111111111" }),
        ),
    ];
    for (path, more) in &texts {
        refused(shop.creates(with(order(), more.clone())), path).await;
    }
    let mut card = order_with(multirail_conformance::bodies::APPROVED);
    card["payment_method_data"]["card"]["card_holder_name"] = json!(NUMBER);
    refused(
        shop.creates(card),
        "payment_method_data.card.card_holder_name",
    )
    .await;
    assert_eq!(shop.call("payments_list").await.ok()["size"], 0);

    let payment = shop.creates(order()).await.ok();
    for (path, more) in texts {
        refused(shop.updates(&payment, more), path).await;
    }
    let note = json!({ "metadata": { "note": NUMBER } });
    let at = |operation| {
        shop.call(operation)
            .at("payment_id", payment["payment_id"].as_str().expect("an id"))
    };
    refused(at("payments_update_metadata").json(&note), "metadata.note").await;
    refused(
        at("payments_cancel").json(&json!({ "cancellation_reason": NUMBER })),
        "cancellation_reason",
    )
    .await;
    let stored = shop.retrieves(&payment).await.ok();
    for member in ["status", "description", "metadata", "name", "billing"] {
        assert_eq!(stored[member], payment[member], "{member}");
    }
}

#[tokio::test]
async fn other_objects_contain_none_either() {
    let shop = Shop::open().await;
    let cases: Vec<(&str, Value, &str)> = vec![
        ("customers_create", json!({ "name": NUMBER }), "name"),
        (
            "customers_create",
            json!({ "description": NUMBER }),
            "description",
        ),
        (
            "customers_create",
            json!({ "metadata": { NUMBER: "a" } }),
            "metadata",
        ),
        (
            "refunds_create",
            json!({ "payment_id": "pay_1", "reason": NUMBER }),
            "reason",
        ),
        (
            "business_profiles_create",
            json!({ "profile_name": NUMBER }),
            "profile_name",
        ),
    ];
    for (operation, body, path) in cases {
        refused(shop.call(operation).json(&body), path).await;
    }
}

#[tokio::test]
async fn numbers_of_other_things_pass() {
    let shop = Shop::open().await;
    let more = json!({
        "description": "order 1700000000004 of 2026-11-28",
        "merchant_order_reference_id": "5678901234565",
        "phone": "+4915112345678",
        "metadata": { "ean": "9780306406156", "id": 1700000000004_u64, "trace": "pay_4916338506082832" },
    });
    let payment = shop.creates(with(order(), more)).await.ok();
    assert_eq!(payment["merchant_order_reference_id"], "5678901234565");
}
