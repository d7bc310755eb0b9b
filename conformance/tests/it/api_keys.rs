//! API keys.

use multirail_conformance::bodies::{APPROVED, order_with, with};
use multirail_conformance::evidence::evidence_of_what_is_set;
use multirail_conformance::{Call, Shop};
use serde_json::{Value, json};

use crate::subscriptions::{call, offers, on, subscribed};

fn on_keys(shop: &Shop, operation: &str) -> Call {
    shop.server
        .operator(operation)
        .at("merchant_id", &shop.merchant_id)
}

async fn issued(shop: &Shop, body: Value) -> Value {
    on_keys(shop, "api_keys_create").json(&body).await.ok()
}

fn key_id(key: &Value) -> &str {
    key["key_id"].as_str().expect("an id")
}

#[tokio::test]
async fn shown_once() {
    let shop = Shop::open().await;
    let key = issued(
        &shop,
        json!({ "name": "front desk", "description": "by the door", "expiration": "never" }),
    )
    .await;
    insta::assert_snapshot!(
        serde_json::to_string_pretty(&evidence_of_what_is_set(&key)).expect("JSON")
    );
    let plain = key["api_key"].as_str().expect("the key");
    shop.call("payments_list").key(plain).await.ok();
    let shown = on_keys(&shop, "api_keys_retrieve")
        .at("key_id", key_id(&key))
        .await
        .ok();
    assert_eq!(shown["prefix"].as_str(), plain.get(..12));
    assert!(!shown.to_string().contains(plain), "{shown}");
    let list = on_keys(&shop, "api_keys_list").await.ok();
    assert!(!list.to_string().contains(plain), "{list}");
    let names: Vec<_> = list
        .as_array()
        .expect("keys")
        .iter()
        .map(|key| &key["name"])
        .collect();
    assert_eq!(names, ["till", "front desk"], "oldest first");
}

#[tokio::test]
async fn a_restricted_key_opens_what_it_was_made_for() {
    let shop = Shop::open().await;
    let payment = shop.creates(order_with(APPROVED)).await.ok();
    let body = |more: Value| with(json!({ "name": "k", "expiration": "never" }), more);
    let plain = |key: &Value| key["api_key"].as_str().expect("the key").to_owned();
    let reader = issued(&shop, body(json!({ "read_only": true }))).await;
    assert_eq!(reader["read_only"], true);
    let key = plain(&reader);
    shop.call("payments_list").key(&key).await.ok();
    shop.call("refunds_list")
        .json(&json!({}))
        .key(&key)
        .await
        .ok();
    let confirm = shop.confirms(&payment, json!({})).key(&key);
    confirm.await.refused(403, "IR_22");
    let made = shop.creates(order_with(APPROVED)).key(&key);
    made.await.refused(403, "IR_22");
    // A check sends credentials to a processor, although it stores nothing.
    let stored = shop.call("connector_accounts_check").key(&key);
    let stored = stored.at("merchant_connector_id", &shop.connector_account_id);
    stored.await.refused(403, "IR_22");
    let unstored = json!({
        "connector_name": "fauxpay",
        "connector_account_details": { "auth_type": "HeaderKey", "api_key": "simulator-key" },
    });
    let unstored = shop.call("connectors_check").json(&unstored).key(&key);
    unstored.await.refused(403, "IR_22");
    // A test event is sent to the endpoint.
    let test = shop.call("webhook_endpoints_test").key(&key);
    let test = test.at("profile_id", &shop.profile_id);
    let test = test.at("webhook_endpoint_id", "whe_unborn");
    test.await.refused(403, "IR_22");

    let groups = json!({ "operation_groups": ["refunds", "disputes"] });
    let clerk = issued(&shop, body(groups)).await;
    assert_eq!(clerk["operation_groups"], json!(["refunds", "disputes"]));
    let key = plain(&clerk);
    let none = json!({ "payment_id": "unborn" });
    shop.call("refunds_create")
        .json(&none)
        .key(&key)
        .await
        .refused(404, "HE_02");
    shop.call("payments_list")
        .key(&key)
        .await
        .refused(403, "IR_22");
    // No update extends the key's permissions.
    let update = on_keys(&shop, "api_keys_update").at("key_id", key_id(&clerk));
    let update = update.json(&json!({ "name": "clerk" })).await.ok();
    assert_eq!(update["operation_groups"], json!(["refunds", "disputes"]));
    let update = on_keys(&shop, "api_keys_update").at("key_id", key_id(&clerk));
    let update = update.json(&json!({ "operation_groups": [] }));
    update.await.refused(400, "IR_06");
    let unknown = body(json!({ "operation_groups": ["all"] }));
    let unknown = on_keys(&shop, "api_keys_create").json(&unknown);
    unknown.await.refused(400, "IR_06");
}

/// With these secrets, its holder could finish payments and sign webhooks and return links.
#[tokio::test]
async fn a_key_that_only_reads_is_shown_no_secrets() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let order = json!({ "amount": 100, "currency": "EUR" });
    let payment = shop.creates(order).await.ok();
    let subscription = subscribed(&shop, "reader_monthly").await;
    let body = json!({ "name": "k", "expiration": "never", "read_only": true });
    let reader = issued(&shop, body).await;
    let key = reader["api_key"].as_str().expect("the key");
    let of_account = |operation: &str| {
        let call = shop.call(operation).at("account_id", "bookshop");
        call.at("profile_id", &shop.profile_id)
    };
    let whole = of_account("business_profiles_retrieve").await.ok();
    let secret = whole["webhook_secrets"][0].to_string();
    let hash_key = whole["payment_response_hash_key"].to_string();
    let payment_secret = payment["client_secret"].to_string();
    for call in [
        of_account("business_profiles_retrieve"),
        of_account("business_profiles_list"),
        of_account("merchant_accounts_retrieve"),
        shop.retrieves(&payment),
        shop.call("payments_list"),
        call(&shop, "subscriptions_list"),
        on(&shop, "subscriptions_retrieve", &subscription),
    ] {
        let shown = call.key(key).await.ok().to_string();
        assert!(!shown.contains("_secret_"), "{shown}");
        for hidden in [&secret, &hash_key, &payment_secret] {
            assert!(!shown.contains(hidden.as_str()), "{shown}");
        }
    }
    let shown = of_account("business_profiles_retrieve").key(key).await.ok();
    assert_eq!(shown["webhook_secrets"], json!([]));
    assert_eq!(shown["payment_response_hash_key"], "");
    let shown = shop.retrieves(&payment).key(key).await.ok();
    assert_eq!(shown["client_secret"], "");
    assert_eq!(shown["sdk_authorization"], Value::Null);
    assert_eq!(shown["amount"], 100);
}

#[tokio::test]
async fn a_key_ends_by_time() {
    let shop = Shop::open().await;
    let now = shop.time_passes(0).await;
    let now = chrono::DateTime::parse_from_rfc3339(now["now"].as_str().expect("a text"))
        .expect("a moment");
    let end = (now + chrono::Duration::hours(1)).to_rfc3339();
    let key = issued(&shop, json!({ "name": "hour", "expiration": end })).await;
    let plain = key["api_key"].as_str().expect("the key").to_owned();
    shop.call("payments_list").key(&plain).await.ok();
    shop.time_passes(3700).await;
    shop.call("payments_list")
        .key(&plain)
        .await
        .refused(401, "IR_01");
    let update = on_keys(&shop, "api_keys_update").at("key_id", key_id(&key));
    let update = update.json(&json!({ "expiration": "never", "name": "for ever" }));
    assert_eq!(update.await.ok()["expiration"], "never");
    shop.call("payments_list").key(&plain).await.ok();
}

#[tokio::test]
async fn a_key_ends_by_word() {
    let shop = Shop::open().await;
    let key = issued(&shop, json!({ "name": "short", "expiration": "never" })).await;
    let plain = key["api_key"].as_str().expect("the key").to_owned();
    let revoke = || on_keys(&shop, "api_keys_revoke").at("key_id", key_id(&key));
    assert_eq!(
        revoke().await.ok(),
        json!({ "merchant_id": "bookshop", "key_id": key_id(&key), "revoked": true })
    );
    shop.call("payments_list")
        .key(&plain)
        .await
        .refused(401, "IR_01");
    revoke().await.refused(404, "HE_02");
    on_keys(&shop, "api_keys_retrieve")
        .at("key_id", key_id(&key))
        .await
        .refused(404, "HE_02");
    shop.call("payments_list").await.ok();
}

#[tokio::test]
async fn bodies_and_pages_that_make_no_sense() {
    let shop = Shop::open().await;
    let issue = |body: Value| on_keys(&shop, "api_keys_create").json(&body);
    issue(json!({ "name": "a", "expiration": "some day" }))
        .await
        .refused(422, "IR_05");
    issue(json!({ "name": "x".repeat(65), "expiration": "never" }))
        .await
        .refused(422, "IR_05");
    issue(json!({ "name": "a", "expiration": "never", "description": "x".repeat(257) }))
        .await
        .refused(422, "IR_05");
    issue(json!({ "expiration": "never" }))
        .await
        .refused(400, "IR_04");
    on_keys(&shop, "api_keys_list")
        .query("limit", 101)
        .await
        .refused(422, "IR_06");
    on_keys(&shop, "api_keys_list")
        .query("skip", -1)
        .await
        .refused(400, "IR_06");
    issued(&shop, json!({ "name": "second", "expiration": "never" })).await;
    let page = on_keys(&shop, "api_keys_list")
        .query("limit", 1)
        .query("skip", 1)
        .await
        .ok();
    assert_eq!(
        (page.as_array().map(Vec::len), &page[0]["name"]),
        (Some(1), &json!("second"))
    );
    shop.server
        .operator("api_keys_list")
        .at("merchant_id", "unborn")
        .await
        .refused(404, "HE_02");
}
