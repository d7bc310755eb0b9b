//! An answer may be sent back as a request. The mask of a stored secret keeps that secret; any other mask is refused.

use multirail_conformance::bodies::{APPROVED, order_with, with};
use multirail_conformance::receiver::Receiver;
use multirail_conformance::{Response, Shop};
use serde_json::{Value, json};

/// Masks of other secrets, from here or elsewhere.
const MASKS: [&str; 5] = [
    "sk********zz",
    "sk****ef",
    "****************",
    "****4242",
    "live****",
];

fn credentials(key: &str) -> Value {
    json!({ "connector_account_details": { "auth_type": "HeaderKey", "api_key": key } })
}

fn headers(headers: Value) -> Value {
    json!({ "outgoing_webhook_custom_http_headers": headers })
}

async fn reads_account(shop: &Shop) -> Value {
    shop.call("connector_accounts_retrieve")
        .at("merchant_connector_id", &shop.connector_account_id)
        .await
        .ok()
}

async fn reads_profile(shop: &Shop) -> Value {
    shop.call("business_profiles_retrieve")
        .at("profile_id", &shop.profile_id)
        .await
        .ok()
}

#[track_caller]
fn is_refused(answer: Response, member: &str) {
    let message = answer.refused(422, "IR_06");
    assert!(message.contains(member), "{member}: {message}");
    assert!(message.contains("mask"), "{message}");
}

#[tokio::test]
async fn credentials_that_were_read_are_written_back() {
    let shop = Shop::open().await;
    for (key, mask) in [
        ("sim_0123456789abcdef", "si********ef"),
        ("short", "********"),
    ] {
        shop.reconnects(credentials(key)).await.ok();
        let read = reads_account(&shop).await;
        assert_eq!(read["connector_account_details"]["api_key"], mask);
        let again = json!({
            "connector_account_details": read["connector_account_details"],
            "metadata": { "key": mask },
        });
        shop.reconnects(again).await.ok();
        let still = reads_account(&shop).await;
        assert_eq!(
            still["connector_account_details"], read["connector_account_details"],
            "the mask of a stored mask would be another"
        );
        assert_eq!(still["metadata"]["key"], mask, "notes are what they are");
    }
    let paid = json!({ "confirm": true });
    let paid = shop.creates(with(order_with(APPROVED), paid)).await.ok();
    assert_eq!(paid["status"], "succeeded");
}

#[tokio::test]
async fn masks_of_other_credentials_are_refused() {
    const MEMBER: &str = "connector_account_details.api_key";
    let shop = Shop::open().await;
    shop.reconnects(credentials("sim_0123456789abcdef"))
        .await
        .ok();
    let before = reads_account(&shop).await;
    for mask in MASKS.into_iter().chain(["********"]) {
        is_refused(shop.reconnects(credentials(mask)).await, MEMBER);
        let label = json!({ "connector_label": "new" });
        let new = shop.connects("stripe_test", with(label, credentials(mask)));
        is_refused(new.await, MEMBER);
    }
    let notices = |secrets: Value| json!({ "connector_webhook_details": secrets });
    for (secrets, member) in [
        (json!({ "merchant_secret": "********" }), "merchant_secret"),
        (
            json!({ "merchant_secret": "one", "additional_secret": "ab********yz" }),
            "additional_secret",
        ),
    ] {
        let member = format!("connector_webhook_details.{member}");
        is_refused(shop.reconnects(notices(secrets)).await, &member);
    }
    assert_eq!(reads_account(&shop).await, before);
    let accounts = shop.call("connector_accounts_list").await.ok();
    assert_eq!(accounts.as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn headers_that_were_read_are_written_back() {
    let shop = Shop::open().await;
    let receiver = Receiver::open().await;
    let details = json!({ "webhook_details": { "webhook_url": receiver.url() } });
    let set = json!({ "Authorization": "Basic dGlsbDpzZXNhbWU=", "x-shop": "books", "x-old": "1" });
    shop.sets_up(with(details, headers(set))).await.ok();
    let read = reads_profile(&shop).await;
    let shown = &read["outgoing_webhook_custom_http_headers"];
    assert_eq!(
        shown,
        &json!({ "authorization": "Ba********U=", "x-shop": "********", "x-old": "********" })
    );
    let again = json!({
        "AUTHORIZATION": shown["authorization"], "x-shop": shown["x-shop"], "x-new": "2",
    });
    shop.sets_up(headers(again)).await.ok();

    let paid = json!({ "confirm": true });
    shop.creates(with(order_with(APPROVED), paid)).await.ok();
    let delivery = receiver.has(1).await.remove(0);
    assert_eq!(delivery.header("authorization"), "Basic dGlsbDpzZXNhbWU=");
    assert_eq!(delivery.header("x-shop"), "books");
    assert_eq!(delivery.header("x-new"), "2");
    let names: Vec<&str> = delivery.headers.iter().map(|(n, _)| n.as_str()).collect();
    assert!(!names.contains(&"x-old"), "{names:?}");
}

#[tokio::test]
async fn masks_of_other_headers_are_refused() {
    const MEMBER: &str = "outgoing_webhook_custom_http_headers.authorization";
    let shop = Shop::open().await;
    shop.sets_up(headers(
        json!({ "authorization": "Basic dGlsbDpzZXNhbWU=" }),
    ))
    .await
    .ok();
    let before = reads_profile(&shop).await;
    for mask in MASKS.into_iter().chain(["********"]) {
        let set = headers(json!({ "authorization": mask }));
        is_refused(shop.sets_up(set.clone()).await, MEMBER);
        let named = json!({ "profile_name": "new" });
        let new = shop
            .call("business_profiles_create")
            .json(&with(named, set));
        is_refused(new.await, MEMBER);
    }
    let moved = headers(json!({ "x-other": "Ba********U=" }));
    is_refused(shop.sets_up(moved).await, "x-other");
    assert_eq!(reads_profile(&shop).await, before);
}

#[tokio::test]
async fn other_secrets_are_no_masks_either() {
    let shop = Shop::open().await;
    let account = |body: Value| {
        shop.operator("merchant_accounts_update")
            .at("account_id", &shop.merchant_id)
            .json(&body)
    };
    for (body, member) in [
        (
            json!({ "webhook_details": { "webhook_password": "********" } }),
            "webhook_details.webhook_password",
        ),
        (
            json!({ "payment_response_hash_key": "kT********wA" }),
            "payment_response_hash_key",
        ),
    ] {
        let before = reads_profile(&shop).await;
        is_refused(shop.sets_up(body.clone()).await, member);
        is_refused(account(body.clone()).await, member);
        assert_eq!(reads_profile(&shop).await, before);
    }
}
