//! What becomes of mandates with the method that they charge, and with their customer.

use std::time::{Duration, Instant};

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, with};
use serde_json::{Value, json};

use super::{charged, events, id, made, often, on, once, retrieved, setting_up, status};

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

/// What a mandate's events, and its payment's, say.
async fn told(shop: &Shop, objects: [&str; 2]) -> String {
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
    let before = told(&shop, objects).await;
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
    let limit = Instant::now() + Duration::from_secs(20);
    loop {
        let text = told(&shop, objects).await;
        let telling = ["192.0.2.7", "Okafor", "Browser/1.0"];
        if !telling.iter().any(|telling| text.contains(telling)) {
            break;
        }
        assert!(Instant::now() < limit, "{text}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
