//! The routing of payments while a configuration is active. (Facts 10.1, 10.2)

use serde_json::json;

use super::{algorithm, compares, goes_to, routes_by, rules, shop_with_three, single};

#[tokio::test]
async fn by_rules() {
    let shop = shop_with_three().await;
    let condition = json!([
        compares("currency", "equal", "enum_variant", json!("EUR")),
        compares("amount", "greater_than", "number", json!(10_000)),
    ]);
    routes_by(&shop, rules(condition, "adyen_test", "stripe_test")).await;
    assert_eq!(
        goes_to(&shop, json!({ "currency": "EUR", "amount": 10_001 })).await,
        "adyen_test"
    );
    assert_eq!(
        goes_to(&shop, json!({ "currency": "EUR", "amount": 10_000 })).await,
        "stripe_test"
    );
    assert_eq!(
        goes_to(&shop, json!({ "currency": "USD", "amount": 10_001 })).await,
        "stripe_test"
    );
}

#[tokio::test]
async fn by_what_the_merchant_notes() {
    let shop = shop_with_three().await;
    let condition = json!([compares(
        "metadata",
        "equal",
        "metadata_variant",
        json!({ "key": "shelf", "value": "7" })
    )]);
    routes_by(&shop, rules(condition, "adyen_test", "stripe_test")).await;
    assert_eq!(
        goes_to(&shop, json!({ "metadata": { "shelf": 7 } })).await,
        "adyen_test"
    );
    assert_eq!(
        goes_to(&shop, json!({ "metadata": { "shelf": "8" } })).await,
        "stripe_test"
    );
    assert_eq!(goes_to(&shop, json!({})).await, "stripe_test");
}

#[tokio::test]
async fn the_payments_own_routing_wins() {
    let shop = shop_with_three().await;
    routes_by(&shop, single("adyen_test")).await;
    let own = json!({ "routing": single("stripe_test") });
    assert_eq!(goes_to(&shop, own).await, "stripe_test");
    assert_eq!(goes_to(&shop, json!({})).await, "adyen_test");
}

#[tokio::test]
async fn ineligible_accounts_are_passed_over() {
    let shop = shop_with_three().await;
    shop.reconnects(json!({ "disabled": true })).await.ok();
    let data = json!([{ "connector": "fauxpay" }, { "connector": "adyen_test" }]);
    routes_by(&shop, algorithm("priority", data)).await;
    assert_eq!(goes_to(&shop, json!({})).await, "adyen_test");
}

#[tokio::test]
async fn an_account_that_is_gone_is_passed_over() {
    let shop = shop_with_three().await;
    routes_by(&shop, single("fauxpay")).await;
    assert_eq!(goes_to(&shop, json!({})).await, "fauxpay");
    let account = shop
        .operator("connector_accounts_delete")
        .at("account_id", &shop.merchant_id);
    account
        .at("merchant_connector_id", &shop.connector_account_id)
        .await
        .ok();
    assert_eq!(goes_to(&shop, json!({})).await, "stripe_test");
}
