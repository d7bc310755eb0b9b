//! Webhook settings: what can be set, and refusals that name the wrong member.

use multirail_conformance::Shop;
use multirail_conformance::bodies::with;
use serde_json::{Value, json};

use super::profile;

fn details(more: Value) -> Value {
    json!({ "webhook_details": with(json!({ "webhook_url": "https://shop.example/hooks" }), more) })
}

fn headers(headers: Value) -> Value {
    json!({ "outgoing_webhook_custom_http_headers": headers })
}

fn bad_values() -> Vec<(Value, u16, &'static str, &'static str)> {
    const URL: &str = "webhook_details.webhook_url";
    const CUSTOM: &str = "outgoing_webhook_custom_http_headers";
    let url = |text: &str| details(json!({ "webhook_url": text }));
    let statuses = |list: &str, word: &str| details(json!({ list: [word] }));
    let long = "x".repeat(256);
    vec![
        (url("shop.example/hooks"), 422, "IR_05", URL),
        (url("ftp://shop.example/hooks"), 422, "IR_05", URL),
        (url("https://till:sesame@shop.example/"), 422, "IR_05", URL),
        (url("https://"), 422, "IR_05", URL),
        (url(""), 422, "IR_05", URL),
        (
            url(&format!("https://shop.example/{}", "x".repeat(2048))),
            422,
            "IR_05",
            URL,
        ),
        (
            statuses("payment_statuses_enabled", "requires_payment_method"),
            422,
            "IR_06",
            "webhook_details.payment_statuses_enabled",
        ),
        (
            statuses("payment_statuses_enabled", "requires_confirmation"),
            422,
            "IR_06",
            "webhook_details.payment_statuses_enabled",
        ),
        (
            statuses("payment_statuses_enabled", "no_such"),
            400,
            "IR_06",
            "webhook_details.payment_statuses_enabled",
        ),
        (
            statuses("refund_statuses_enabled", "pending"),
            422,
            "IR_06",
            "webhook_details.refund_statuses_enabled",
        ),
        (
            statuses("payout_statuses_enabled", "success"),
            400,
            "IR_20",
            "webhook_details.payout_statuses_enabled",
        ),
        (
            statuses("payout_statuses_enabled", "ineligible"),
            422,
            "IR_06",
            "webhook_details.payout_statuses_enabled",
        ),
        (
            details(json!({ "webhook_version": long })),
            422,
            "IR_05",
            "webhook_details.webhook_version",
        ),
        (
            details(json!({ "webhook_username": long })),
            422,
            "IR_05",
            "webhook_details.webhook_username",
        ),
        (
            details(json!({ "webhook_password": long })),
            422,
            "IR_05",
            "webhook_details.webhook_password",
        ),
        (
            headers(json!({ "a": "1", "b": "2", "c": "3", "d": "4", "e": "5" })),
            422,
            "IR_06",
            CUSTOM,
        ),
        (
            headers(json!({ "webhook-id": "forged" })),
            422,
            "IR_06",
            CUSTOM,
        ),
        (
            headers(json!({ "X-Webhook-Signature-512": "forged" })),
            422,
            "IR_06",
            CUSTOM,
        ),
        (
            headers(json!({ "Content-Type": "text/plain" })),
            422,
            "IR_06",
            CUSTOM,
        ),
        (headers(json!({ "x shop": "1" })), 422, "IR_05", CUSTOM),
        (
            headers(json!({ "x-shop": "a\r\nb: c" })),
            422,
            "IR_05",
            CUSTOM,
        ),
        (
            headers(json!({ "x-shop": "x".repeat(1025) })),
            422,
            "IR_05",
            CUSTOM,
        ),
        (headers(json!({ "x-shop": 1 })), 400, "IR_06", CUSTOM),
    ]
}

#[tokio::test]
async fn bad_settings_of_a_profile_are_refused_by_their_name() {
    let shop = Shop::open().await;
    let before = profile(&shop).await;
    for (body, status, code, named) in bad_values() {
        let create = shop.call("business_profiles_create");
        let create = create.json(&with(body.clone(), json!({ "profile_name": "second" })));
        for call in [shop.sets_up(body.clone()), create] {
            let answer = call.await;
            assert!(answer.is_refusal(status, code), "{body}: {answer:?}");
            assert!(answer.message().contains(named), "{body}: {answer:?}");
        }
    }
    assert_eq!(profile(&shop).await, before);
}

#[tokio::test]
async fn bad_settings_of_a_merchant_account_too() {
    let shop = Shop::open().await;
    let of_accounts = bad_values().into_iter();
    let of_accounts = of_accounts.filter(|(body, ..)| body["webhook_details"].is_object());
    for (body, status, code, named) in of_accounts {
        let update = shop.operator("merchant_accounts_update");
        let update = update.at("account_id", "bookshop").json(&body);
        let create = shop.operator("merchant_accounts_create");
        let create = create.json(&with(body.clone(), json!({ "merchant_id": "second" })));
        for call in [update, create] {
            let answer = call.await;
            assert!(answer.is_refusal(status, code), "{body}: {answer:?}");
            assert!(answer.message().contains(named), "{body}: {answer:?}");
        }
    }
    let call = shop.operator("merchant_accounts_retrieve");
    call.at("account_id", "second").await.refused(404, "HE_02");
}

#[tokio::test]
async fn good_settings_are_stored() {
    let shop = Shop::open().await;
    let all = json!({
        "webhook_version": "1.0.2",
        "webhook_username": "till",
        "webhook_password": "sesame",
        "webhook_url": "https://shop.example/hooks?from=multirail",
        "payment_created_enabled": true,
        "payment_succeeded_enabled": false,
        "payment_failed_enabled": true,
        "payment_statuses_enabled": [
            "succeeded", "failed", "processing", "cancelled", "cancelled_post_capture", "requires_capture",
            "partially_authorized_and_requires_capture", "partially_captured",
            "partially_captured_and_capturable", "partially_captured_and_processing", "expired",
            "requires_customer_action", "requires_merchant_action", "conflicted",
        ],
        "refund_statuses_enabled": ["success", "failure", "succeeded", "failed"],
    });
    let four =
        json!({ "x-a": "1", "x-b": "2", "x-c": "3", "Authorization": "Bearer 0123456789abcdef" });
    let body = with(json!({ "webhook_details": all }), headers(four));
    let answer = shop.sets_up(body).await.ok();
    assert_eq!(answer, profile(&shop).await);
    for (member, value) in all.as_object().expect("members") {
        let kept = &answer["webhook_details"][member];
        if member == "webhook_password" {
            assert!(kept.is_null(), "never answered");
        } else {
            assert_eq!(kept, value, "{member}");
        }
    }
    assert_eq!(
        answer["outgoing_webhook_custom_http_headers"],
        json!({ "x-a": "********", "x-b": "********", "x-c": "********", "authorization": "Be********ef" })
    );
    let without = shop.sets_up(headers(json!({}))).await.ok();
    assert!(without["outgoing_webhook_custom_http_headers"].is_null());
    let fewer = shop.sets_up(details(json!({}))).await.ok();
    assert_eq!(
        fewer["webhook_details"],
        json!({ "webhook_url": "https://shop.example/hooks" }),
        "what is given replaces all of it"
    );
}
