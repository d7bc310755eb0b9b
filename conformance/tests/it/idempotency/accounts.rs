//! Idempotency of accounts, keys and other objects around payments.

use multirail_conformance::Shop;
use serde_json::{Value, json};

use super::{again, twice, under};

fn count(list: &Value) -> usize {
    list.as_array().map_or(0, Vec::len)
}

#[tokio::test]
async fn connector_accounts() {
    let shop = Shop::open().await;
    let create = shop.connects("fauxpay", json!({ "connector_label": "second" }));
    let made = twice("k", create.clone()).await;
    assert_eq!(count(&shop.call("connector_accounts_list").await.ok()), 2);
    assert!(
        !made.body.to_string().contains("simulator-key"),
        "no answer shows credentials, a stored one neither"
    );
    let update = |label: &str| {
        shop.call("connector_accounts_update")
            .at(
                "merchant_connector_id",
                made.body["merchant_connector_id"].as_str().expect("an id"),
            )
            .json(&json!({ "connector_type": "payment_processor", "connector_label": label }))
    };
    let renamed = twice("k", update("third")).await;
    update("fourth").await.ok();
    again(&renamed, "k", update("third")).await;
    let message = under("k", update("fifth")).await.refused(422, "MR_01");
    assert!(message.contains("connector_label"), "{message}");
    again(&made, "k", create).await;
}

/// Credentials are compared, but never shown.
#[tokio::test]
async fn other_credentials_are_another_request() {
    let shop = Shop::open().await;
    let label = json!({ "connector_label": "second" });
    under("k", shop.connects("fauxpay", label.clone()))
        .await
        .ok();
    let other = json!({ "connector_label": "second", "connector_account_details": { "api_key": "another-key" } });
    let message = under("k", shop.connects("fauxpay", other))
        .await
        .refused(422, "MR_01");
    assert!(
        message.contains("connector_account_details.api_key"),
        "{message}"
    );
    assert!(
        !message.contains("another-key") && !message.contains("simulator-key"),
        "{message}"
    );
}

#[tokio::test]
async fn business_profiles() {
    let shop = Shop::open().await;
    let create = shop
        .call("business_profiles_create")
        .json(&json!({ "profile_name": "second" }));
    let made = twice("k", create.clone()).await;
    assert_eq!(count(&shop.call("business_profiles_list").await.ok()), 2);
    let update = shop.sets_up(json!({ "session_expiry": 3600 }));
    let first = twice("k", update.clone()).await;
    shop.sets_up(json!({ "session_expiry": 600 })).await.ok();
    again(&first, "k", update).await;
    let now = shop
        .call("business_profiles_retrieve")
        .at("profile_id", &shop.profile_id)
        .await
        .ok();
    assert_eq!(now["session_expiry"], 600, "the repeat changed nothing");
    again(&made, "k", create).await;
}

/// The operator acts for the merchant in the path, so both share idempotency keys.
#[tokio::test]
async fn the_operator_and_the_merchant_share_their_keys() {
    let shop = Shop::open().await;
    let body = json!({ "profile_name": "second" });
    let by_operator = shop
        .operator("business_profiles_create")
        .at("account_id", &shop.merchant_id)
        .json(&body);
    let made = twice("k", by_operator).await;
    again(
        &made,
        "k",
        shop.call("business_profiles_create").json(&body),
    )
    .await;
    let florist = shop.server.shop("florist").await;
    let by_operator = shop
        .operator("business_profiles_create")
        .at("account_id", &florist.merchant_id)
        .json(&body);
    assert_eq!(
        twice("k", by_operator).await.body["merchant_id"],
        "florist",
        "another merchant's key is another"
    );
}

/// The secret of a request whose answer was lost is the one that signs.
#[tokio::test]
async fn webhook_secrets() {
    let shop = Shop::open().await;
    let on_profile = |operation| {
        let call = shop.call(operation);
        call.at("profile_id", &shop.profile_id)
    };
    let rotate = |seconds: i64| {
        let body = json!({ "previous_valid_for_seconds": seconds });
        on_profile("business_profiles_rotate_webhook_secret").json(&body)
    };
    let rotated = twice("k", rotate(3600)).await;
    let stored = on_profile("business_profiles_retrieve").await.ok();
    assert_eq!(stored["webhook_secrets"], rotated.body["webhook_secrets"]);
    assert_eq!(count(&stored["webhook_secrets"]), 2, "rotated once");
    let message = under("k", rotate(3601)).await.refused(422, "MR_01");
    assert!(message.contains("previous_valid_for_seconds"), "{message}");
    twice("k", on_profile("business_profiles_resume_webhook_delivery")).await;
}
