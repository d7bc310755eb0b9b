//! Business profiles.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, order, order_with, with};
use multirail_conformance::evidence::evidence_of_what_is_set;
use serde_json::json;

#[tokio::test]
async fn a_bare_profile_has_its_defaults() {
    let shop = Shop::open().await;
    let profile = shop
        .call("business_profiles_retrieve")
        .at("profile_id", &shop.profile_id)
        .await
        .ok();
    insta::assert_snapshot!(
        serde_json::to_string_pretty(&evidence_of_what_is_set(&profile)).expect("JSON")
    );
}

#[tokio::test]
async fn names_are_taken_once() {
    let shop = Shop::open().await;
    let make = |body| shop.call("business_profiles_create").json(&body);
    make(json!({})).await.refused(400, "IR_38");
    let second = make(json!({ "profile_name": "second" })).await.ok();
    make(json!({ "profile_name": "second" }))
        .await
        .refused(400, "IR_38");
    let rename = shop
        .call("business_profiles_update")
        .at("profile_id", second["profile_id"].as_str().expect("an id"))
        .json(&json!({ "profile_name": "default" }));
    rename.await.refused(400, "IR_38");
    let list = shop.call("business_profiles_list").await.ok();
    let names: Vec<_> = list
        .as_array()
        .expect("profiles")
        .iter()
        .map(|p| &p["profile_name"])
        .collect();
    assert_eq!(names, ["default", "second"], "oldest first");
    assert_eq!(
        shop.creates(order()).await.ok()["profile_id"],
        json!(shop.profile_id),
        "the first stays the default"
    );
}

#[tokio::test]
async fn values_out_of_range() {
    let shop = Shop::open().await;
    let cases = [
        (json!({ "session_expiry": 59 }), 422, "IR_06"),
        (json!({ "session_expiry": 7_890_001 }), 422, "IR_06"),
        (json!({ "intent_fulfillment_time": 59 }), 422, "IR_06"),
        (json!({ "intent_fulfillment_time": 1801 }), 422, "IR_06"),
        (json!({ "return_url": "not an address" }), 422, "IR_05"),
        (json!({ "merchant_category_code": "12" }), 422, "IR_05"),
        (json!({ "profile_name": "x".repeat(65) }), 422, "IR_05"),
        (
            json!({ "webhook_details": { "payment_statuses_enabled": ["requires_payment_method"] } }),
            422,
            "IR_06",
        ),
        (
            json!({ "webhook_details": { "payment_statuses_enabled": ["no_such"] } }),
            400,
            "IR_06",
        ),
        (json!({ "is_manual_retry_enabled": "yes" }), 400, "IR_06"),
    ];
    for (body, status, code) in cases {
        let answer = shop.sets_up(body.clone()).await;
        assert!(answer.is_refusal(status, code), "{body}: {answer:?}");
    }
    shop.call("business_profiles_retrieve")
        .at("profile_id", "pro_unborn")
        .await
        .refused(404, "HE_02");
    shop.call("business_profiles_update")
        .at("profile_id", "pro_unborn")
        .await
        .refused(404, "HE_02");
}

#[tokio::test]
async fn each_profile_has_its_own_connectors() {
    let shop = Shop::open().await;
    let second = shop
        .call("business_profiles_create")
        .json(&json!({ "profile_name": "second" }))
        .await
        .ok();
    let there = json!({ "profile_id": second["profile_id"], "confirm": true });
    shop.creates(with(order_with(APPROVED), there.clone()))
        .await
        .refused(400, "IR_39");
    let account = shop
        .connects("stripe_test", json!({ "profile_id": second["profile_id"] }))
        .await
        .ok();
    assert_eq!(account["connector_label"], "stripe_test_second");
    let paid = shop.creates(with(order_with(APPROVED), there)).await.ok();
    assert_eq!(
        (&paid["status"], &paid["connector"]),
        (&json!("succeeded"), &json!("stripe_test"))
    );
}

#[tokio::test]
async fn settings_are_stored() {
    let shop = Shop::open().await;
    let settings = json!({
        "return_url": "https://shop.example/thanks",
        "metadata": { "floor": 2 },
        "session_expiry": 1800,
        "intent_fulfillment_time": 600,
        "collect_shipping_details_from_wallet_connector": true,
        "merchant_business_country": "NG",
        "merchant_category_code": "5942",
        "applepay_verified_domains": ["shop.example"],
        "webhook_details": { "webhook_url": "https://shop.example/hooks", "payment_statuses_enabled": ["succeeded", "failed"] },
        "outgoing_webhook_custom_http_headers": { "x-shop": "books" },
    });
    shop.sets_up(settings.clone()).await.ok();
    let stored = shop
        .call("business_profiles_retrieve")
        .at("profile_id", &shop.profile_id)
        .await
        .ok();
    for name in [
        "return_url",
        "metadata",
        "session_expiry",
        "intent_fulfillment_time",
        "merchant_business_country",
        "merchant_category_code",
        "applepay_verified_domains",
    ] {
        assert_eq!(stored[name], settings[name], "{name}");
    }
    assert_eq!(
        stored["webhook_details"]["webhook_url"],
        "https://shop.example/hooks"
    );
    shop.sets_up(json!({ "session_expiry": 900 })).await.ok();
    let stored = shop
        .call("business_profiles_retrieve")
        .at("profile_id", &shop.profile_id)
        .await
        .ok();
    assert_eq!(
        (&stored["session_expiry"], &stored["metadata"]),
        (&json!(900), &json!({ "floor": 2 }))
    );
}
