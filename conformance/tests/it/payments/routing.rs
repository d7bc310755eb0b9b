//! The choice of the account that takes a payment.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, order_with, with};
use serde_json::{Value, json};

/// Opens a shop with three processors; `fauxpay` is the oldest.
async fn shop_with_three() -> Shop {
    let shop = Shop::open().await;
    shop.connects("stripe_test", json!({})).await.ok();
    shop.connects("adyen_test", json!({})).await.ok();
    shop
}

async fn goes_to(shop: &Shop, more: Value) -> Value {
    let more = with(json!({ "confirm": true }), more);
    let payment = shop.creates(with(order_with(APPROVED), more)).await.ok();
    assert_eq!(payment["status"], "succeeded");
    payment["connector"].clone()
}

#[tokio::test]
async fn the_oldest_account_by_default() {
    let shop = shop_with_three().await;
    assert_eq!(goes_to(&shop, json!({})).await, "fauxpay");
    shop.reconnects(json!({ "disabled": true })).await.ok();
    assert_eq!(goes_to(&shop, json!({})).await, "stripe_test");
}

#[tokio::test]
async fn straight_through() {
    let shop = shop_with_three().await;
    let single = json!({ "routing": { "type": "single", "data": { "connector": "adyen_test" } } });
    assert_eq!(goes_to(&shop, single).await, "adyen_test");
    let listed = json!({ "connector": ["stripe_test", "fauxpay"] });
    assert_eq!(goes_to(&shop, listed).await, "stripe_test");
    let wishes = json!([{ "connector": "paypal_test" }, { "connector": "adyen_test" }]);
    let priority = json!({ "routing": { "type": "priority", "data": wishes } });
    assert_eq!(
        goes_to(&shop, priority).await,
        "adyen_test",
        "the first that the profile has"
    );
    let all = json!([
        { "connector": { "connector": "stripe_test" }, "split": 100 },
        { "connector": { "connector": "fauxpay" }, "split": 0 },
    ]);
    let split = json!({ "routing": { "type": "volume_split", "data": all } });
    assert_eq!(goes_to(&shop, split).await, "stripe_test");
}

#[tokio::test]
async fn one_of_two_accounts_at_the_same_processor() {
    let shop = Shop::open().await;
    let second = shop
        .connects("fauxpay", json!({ "connector_label": "second" }))
        .await
        .ok();
    let chosen =
        json!({ "connector": "fauxpay", "merchant_connector_id": second["merchant_connector_id"] });
    let body = json!({ "confirm": true, "routing": { "type": "single", "data": chosen } });
    let payment = shop.creates(with(order_with(APPROVED), body)).await.ok();
    assert_eq!(
        payment["merchant_connector_id"],
        second["merchant_connector_id"]
    );
    assert_eq!(payment["connector_label"], "second");
}

#[tokio::test]
async fn wishes_that_cant_be_met() {
    let shop = Shop::open().await;
    let confirm = |more: Value| {
        shop.creates(with(
            order_with(APPROVED),
            with(json!({ "confirm": true }), more),
        ))
    };
    let elsewhere =
        json!({ "routing": { "type": "single", "data": { "connector": "paypal_test" } } });
    confirm(elsewhere).await.refused(400, "IR_39");
    shop.reconnects(json!({ "disabled": true })).await.ok();
    let disabled = json!({ "routing": { "type": "single", "data": {
        "connector": "fauxpay", "merchant_connector_id": shop.connector_account_id,
    } } });
    confirm(disabled).await.refused(400, "HE_03");
    let broken = confirm(json!({ "routing": { "type": "single", "data": [] } })).await;
    assert!(broken.status == 400 || broken.status == 422, "{broken:?}");
    confirm(json!({ "routing": { "type": "by_moonlight", "data": {} } }))
        .await
        .refused(400, "IR_06");
}

#[tokio::test]
async fn accounts_take_only_enabled_methods() {
    let shop = Shop::open().await;
    let enabled = json!({ "payment_methods_enabled": [{
        "payment_method": "card",
        "payment_method_types": ["credit"],
        "minimum_amount": 1000,
        "maximum_amount": 5000,
        "accepted_currencies": { "type": "enable_only", "list": ["USD", "EUR"] },
        "accepted_countries": { "type": "disable_only", "list": ["NG"] },
        "payment_schemes": ["Visa"],
    }] });
    shop.reconnects(enabled).await.ok();
    let tried = |more: Value| {
        let body = with(json!({ "amount": 2000, "confirm": true }), more);
        shop.creates(with(order_with(APPROVED), body))
    };
    assert_eq!(tried(json!({})).await.ok()["status"], "succeeded");
    assert_eq!(
        tried(json!({ "amount": 1000 })).await.ok()["status"],
        "succeeded"
    );
    assert_eq!(
        tried(json!({ "amount": 5000, "currency": "EUR" }))
            .await
            .ok()["status"],
        "succeeded"
    );
    tried(json!({ "amount": 999 })).await.refused(400, "IR_39");
    tried(json!({ "amount": 5001 })).await.refused(400, "IR_39");
    tried(json!({ "currency": "GBP" }))
        .await
        .refused(400, "IR_39");
    tried(json!({ "payment_method_type": "debit" }))
        .await
        .refused(400, "IR_39");
    tried(json!({ "billing": { "address": { "country": "NG" } } }))
        .await
        .refused(400, "IR_39");
    let mastercard =
        json!({ "payment_method_data": { "card": { "card_number": "5555555555554444" } } });
    tried(mastercard).await.refused(400, "IR_39");
    assert_eq!(
        tried(json!({ "billing": { "address": { "country": "GB" } } }))
            .await
            .ok()["status"],
        "succeeded"
    );
}

#[tokio::test]
async fn an_account_can_exclude_charges_without_the_payer() {
    let shop = Shop::open().await;
    let enabled = json!({ "payment_methods_enabled": [
        { "payment_method": "card", "recurring_enabled": false },
    ] });
    shop.reconnects(enabled).await.ok();
    let tried = |usage: &str| {
        let saves = json!({
            "confirm": true, "customer_id": "ada", "setup_future_usage": usage,
            "customer_acceptance": { "acceptance_type": "offline" },
        });
        shop.creates(with(order_with(APPROVED), saves))
    };
    assert_eq!(tried("on_session").await.ok()["status"], "succeeded");
    tried("off_session").await.refused(400, "IR_39");
    let recurs = json!({ "payment_methods_enabled": [
        { "payment_method": "card", "recurring_enabled": true },
    ] });
    shop.connects("pretendpay", recurs).await.ok();
    let paid = tried("off_session").await.ok();
    assert_eq!(paid["connector"], "pretendpay");
    let shown = shop.retrieves(&paid).query("expand_routing", true);
    let shown = shown.await.ok();
    let candidates = &shown["attempts"][0]["routing"]["candidates"];
    assert_eq!(candidates[0]["dropped_because"], "recurring_enabled");
}

#[tokio::test]
async fn a_call_may_bring_its_own_credentials() {
    let shop = Shop::open().await;
    let details = json!({ "merchant_connector_details": {
        "creds_identifier": "one-off",
        "encoded_data": { "connector_account_details": { "auth_type": "HeaderKey", "api_key": "of this call" } },
    } });
    let payment = shop.creates(order_with(APPROVED)).await.ok();
    let paid = shop.confirms(&payment, details).await.ok();
    assert_eq!(paid["status"], "succeeded");
    let text = shop.retrieves(&payment).await.ok().to_string();
    assert!(!text.contains("of this call"), "{text}");
}
