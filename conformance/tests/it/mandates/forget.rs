//! Mandates after the deletion of their method or customer.

use multirail_conformance::bodies::{APPROVED, HELD, THREE_DS, with};
use multirail_conformance::patience::until;
use multirail_conformance::{Browser, Shop};
use serde_json::{Value, json};

use super::super::payment_methods::saves;
use super::{asked, charged, events, id, made, often, on, once, retrieved, setting_up, status};

#[tokio::test]
async fn the_deletion_of_a_method_revokes_what_charges_it() {
    let shop = Shop::open().await;
    let [one, other] = [made(&shop, once()).await, made(&shop, often()).await];
    let used = made(&shop, once()).await;
    shop.creates(charged(&used, 1)).await.ok();
    let method = one["payment_method_id"].as_str().expect("an id");
    shop.call("payment_methods_delete")
        .at("payment_method_id", method)
        .await
        .ok();
    for mandate in [&one, &other] {
        let revoked = retrieved(&shop, mandate).await;
        assert_eq!(revoked["status"], "revoked");
        assert_eq!(revoked["card"], Value::Null);
        let told = events(&shop, id(mandate)).await;
        assert_eq!(told, ["mandate_active", "mandate_revoked"]);
        let message = shop
            .creates(charged(mandate, 1))
            .await
            .refused(400, "HE_03");
        assert!(message.contains("revoked"), "{message}");
    }
    assert_eq!(status(&shop, &used).await, "revoked");
    assert_eq!(
        events(&shop, id(&used)).await,
        ["mandate_active"],
        "nothing could be charged under it anyway"
    );
}

/// Returns the events of a mandate and its payment as text.
async fn events_text(shop: &Shop, objects: [&str; 2]) -> String {
    let mut all = String::new();
    for object in objects {
        let events = shop
            .operator("events_list")
            .at("merchant_id", &shop.merchant_id);
        let events = events.json(&json!({ "object_id": object })).await.ok();
        for event in events["events"].as_array().expect("events") {
            let attempts = shop
                .operator("events_attempts")
                .at("merchant_id", &shop.merchant_id)
                .at("event_id", event["event_id"].as_str().expect("an id"));
            all += &attempts.await.ok().to_string();
        }
    }
    all
}

#[tokio::test]
async fn a_customer_is_forgotten_once_nothing_is_permitted_any_more() {
    let shop = Shop::open().await;
    let named = json!({ "payment_method_data": { "card": { "card_holder_name": "Ada Okafor" } } });
    let paid = shop
        .creates(with(setting_up(APPROVED, often()), named))
        .await
        .ok();
    let mandate = retrieved(&shop, &paid).await;
    let of_ada = |operation: &str| shop.call(operation).at("customer_id", "ada");
    let message = of_ada("customers_delete").await.refused(400, "IR_10");
    assert!(message.contains("active mandates"), "{message}");
    let objects = [id(&mandate), paid["payment_id"].as_str().expect("an id")];
    let before = events_text(&shop, objects).await;
    for telling in ["192.0.2.7", "Okafor", "Browser/1.0"] {
        assert!(before.contains(telling), "{telling}");
    }
    on(&shop, "mandates_revoke", &mandate).await.ok();
    let used = made(&shop, once()).await;
    shop.creates(charged(&used, 1)).await.ok();
    of_ada("customers_delete").await.ok();
    let left = retrieved(&shop, &mandate).await;
    assert_eq!(left["customer_acceptance"], Value::Null);
    assert_eq!(left["card"], Value::Null);
    assert_eq!(status(&shop, &used).await, "revoked");
    of_ada("customer_mandates_list").await.refused(400, "IR_11");
    let telling = ["192.0.2.7", "Okafor", "Browser/1.0"];
    until(
        "no event reveals the customer",
        async || events_text(&shop, objects).await,
        |text| !telling.iter().any(|telling| text.contains(telling)),
    )
    .await;
}

/// Creates a payment that asks for a mandate, with the token of a card that Ada saves first.
async fn set_up_by_token(shop: &Shop, number: &str, more: Value) -> Value {
    let ada = json!({ "customer_id": "ada" });
    shop.call("customers_create").json(&ada).await;
    let saved = saves(shop, "ada", number).await.ok();
    let listed = shop.call("customer_payment_methods_list");
    let listed = listed.at("customer_id", "ada").await.ok();
    let listed = listed["customer_payment_methods"].as_array();
    let mut listed = listed.expect("methods").iter();
    let method = listed.find(|method| method["payment_method_id"] == saved["payment_method_id"]);
    let by_token = json!({
        "amount": 6540, "currency": "USD", "customer_id": "ada", "confirm": true, "payment_method": "card",
        "payment_token": method.expect("the method")["payment_token"], "card_cvc": "123",
    });
    let body = with(with(by_token, asked(often())), more);
    shop.creates(body).await.ok()
}

/// Approves as the payer; returns the payment afterwards.
async fn approved_by_payer(shop: &Shop, payment: &Value) -> Value {
    let address = payment["next_action"]["redirect_to_url"].as_str();
    let browser = Browser::new(&shop.wire);
    let page = browser.opens(address.expect("an address")).await;
    let page = page.expect("the processor's page");
    let back = browser.presses(&page, "Approve").await;
    back.expect("the way back");
    shop.asks_about(payment).await.ok();
    shop.retrieves(payment).await.ok()
}

async fn deletes(shop: &Shop, payment: &Value) {
    let method = payment["payment_method_id"].as_str().expect("an id");
    let delete = shop.call("payment_methods_delete");
    delete.at("payment_method_id", method).await.ok();
}

async fn mandate_event_count(shop: &Shop) -> usize {
    let events = shop
        .operator("events_list")
        .at("merchant_id", &shop.merchant_id);
    let events = events.json(&json!({ "event_classes": ["mandates"] })).await;
    events.ok()["events"].as_array().expect("events").len()
}

#[tokio::test]
async fn a_method_deleted_before_the_approval_gets_no_mandate() {
    // The payer approves after the method was deleted.
    let shop = Shop::open().await;
    let asked = set_up_by_token(&shop, THREE_DS, json!({})).await;
    assert_eq!(asked["status"], "requires_customer_action");
    deletes(&shop, &asked).await;
    let paid = approved_by_payer(&shop, &asked).await;
    assert_eq!(paid["status"], "succeeded");
    assert_eq!(paid["mandate_id"], Value::Null);
    assert_eq!(mandate_event_count(&shop).await, 0);
    // The merchant approves after the method was deleted.
    let manual = json!({ "capture_method": "manual" });
    let held = set_up_by_token(&shop, HELD, manual).await;
    assert_eq!(held["status"], "requires_merchant_action");
    deletes(&shop, &held).await;
    let paid = shop.approves(&held).await.ok();
    assert_eq!(paid["status"], "requires_capture");
    assert_eq!(paid["mandate_id"], Value::Null);
    assert_eq!(mandate_event_count(&shop).await, 0);
    // The customer was deleted, with the saved method or the one to be saved.
    for by_token in [true, false] {
        let shop = Shop::open().await;
        let asked = if by_token {
            set_up_by_token(&shop, THREE_DS, json!({})).await
        } else {
            shop.creates(setting_up(THREE_DS, often())).await.ok()
        };
        let delete = shop.call("customers_delete").at("customer_id", "ada");
        delete.await.ok();
        let paid = approved_by_payer(&shop, &asked).await;
        assert_eq!(paid["status"], "succeeded");
        assert_eq!(paid["mandate_id"], Value::Null);
        assert_eq!(mandate_event_count(&shop).await, 0);
    }
}

#[tokio::test]
async fn a_mandate_that_is_revoked_before_the_approval_is_not_changed() {
    let shop = Shop::open().await;
    let mandate = made(&shop, often()).await;
    let change = json!({ "mandate_data": { "update_mandate_id": mandate["mandate_id"] } });
    let asked = set_up_by_token(&shop, THREE_DS, change).await;
    on(&shop, "mandates_revoke", &mandate).await.ok();
    let before = retrieved(&shop, &mandate).await;
    let paid = approved_by_payer(&shop, &asked).await;
    assert_eq!(paid["status"], "succeeded");
    assert_eq!(paid["mandate_id"], Value::Null);
    assert_eq!(retrieved(&shop, &mandate).await, before);
    // If a mandate's new method is deleted, the mandate still charges the former one.
    let mandate = made(&shop, often()).await;
    let change = json!({ "mandate_data": { "update_mandate_id": mandate["mandate_id"] } });
    let asked = set_up_by_token(&shop, THREE_DS, change).await;
    deletes(&shop, &asked).await;
    let paid = approved_by_payer(&shop, &asked).await;
    assert_eq!(paid["mandate_id"], Value::Null);
    assert_eq!(retrieved(&shop, &mandate).await, mandate);
    shop.creates(charged(&mandate, 100)).await.ok();
}

#[tokio::test]
async fn an_expired_mandate_does_not_prevent_redaction() {
    let shop = Shop::open().await;
    let end = chrono::Utc::now() + chrono::Duration::hours(1);
    let limited = json!({ "multi_use": { "end_date": end } });
    let mandate = made(&shop, limited).await;
    let forget = || shop.call("customers_delete").at("customer_id", "ada");
    forget().await.refused(400, "IR_10");
    shop.time_passes(3_700).await;
    let message = shop.creates(charged(&mandate, 1)).await;
    let message = message.refused(400, "HE_03");
    assert!(message.contains("end_date"), "{message}");
    forget().await.ok();
    assert_eq!(status(&shop, &mandate).await, "revoked");
}
