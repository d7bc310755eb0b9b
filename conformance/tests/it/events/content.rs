//! The content of an event equals the answer to the request that changed the payment. (Specification 6)

use multirail_conformance::bodies::{APPROVED, DECLINED, card, order_with, with};
use multirail_conformance::{Receiver, Shop};
use serde_json::{Value, json};

use super::subscribed_shop;

/// Waits for this many deliveries and returns the content of the last one.
async fn delivered_content(receiver: &Receiver, count: usize) -> Value {
    let delivery = receiver.has(count).await.remove(count - 1);
    delivery.json()["content"]["object"].clone()
}

async fn held(shop: &Shop, number: &str, more: Value) -> Value {
    shop.creates(with(order_with(number), more)).await.ok()
}

#[tokio::test]
async fn a_merchant_is_answered_what_the_event_says_and_what_is_retrieved() {
    let receiver = Receiver::open().await;
    let shop = subscribed_shop(&receiver).await;
    let manual = json!({ "capture_method": "manual", "metadata": { "order_id": "A-2041" } });

    let payment = held(&shop, APPROVED, manual.clone()).await;
    let authorized = shop.confirms(&payment, json!({})).await.ok();
    assert_eq!(authorized["status"], "requires_capture");
    assert_eq!(delivered_content(&receiver, 1).await, authorized);
    assert_eq!(shop.retrieves(&payment).await.ok(), authorized);

    let captured = shop.captures(&payment, json!({})).await.ok();
    assert_eq!(captured["status"], "succeeded");
    assert_eq!(delivered_content(&receiver, 2).await, captured);
    assert_eq!(shop.retrieves(&payment).await.ok(), captured);

    let payment = held(&shop, APPROVED, manual).await;
    shop.confirms(&payment, json!({})).await.ok();
    delivered_content(&receiver, 3).await;
    let reason = json!({ "cancellation_reason": "out of stock" });
    let cancelled = shop.cancels(&payment, reason).await.ok();
    assert_eq!(cancelled["status"], "cancelled");
    assert_eq!(
        delivered_content(&receiver, 4).await["payment_id"],
        cancelled["payment_id"]
    );
    assert_eq!(shop.retrieves(&payment).await.ok(), cancelled);

    let payment = held(&shop, DECLINED, json!({})).await;
    let declined = shop.confirms(&payment, json!({})).await.ok();
    assert_eq!(declined["status"], "failed");
    assert_eq!(delivered_content(&receiver, 5).await, declined);
    assert_eq!(shop.retrieves(&payment).await.ok(), declined);
}

#[tokio::test]
async fn a_payer_is_answered_less_than_the_event_says() {
    let receiver = Receiver::open().await;
    let shop = subscribed_shop(&receiver).await;
    let body = json!({ "amount": 6540, "currency": "USD", "metadata": { "order_id": "A-2041" } });
    let payment = shop.creates(body).await.ok();
    let payer = shop.payer_of(&payment);
    let answered = payer.confirms(card(APPROVED)).await.ok();
    let said = delivered_content(&receiver, 1).await;
    assert_eq!(said, shop.retrieves(&payment).await.ok());
    assert_eq!(answered, payer.retrieves().await.ok());
    let differing: Vec<&str> = said
        .as_object()
        .expect("a payment")
        .iter()
        .filter(|(name, value)| answered[name.as_str()] != **value)
        .map(|(name, _)| name.as_str())
        .collect();
    insta::assert_json_snapshot!(differing, @r#"
    [
      "merchant_connector_id",
      "connector_label",
      "metadata",
      "payment_method_data"
    ]
    "#);
}
