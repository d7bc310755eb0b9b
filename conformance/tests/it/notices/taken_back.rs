//! A processor reverses a finished operation: sums follow, merchants are told, and the operation can be repeated.

use multirail_conformance::bodies::{APPROVED, REFUNDS_PEND, order_with, with};
use multirail_conformance::notice::{done, failed_after_all};
use multirail_conformance::{Receiver, Shop};
use multirail_simulator::scripted::{Call, Fault};
use serde_json::{Value, json};

use super::{last_notice, open_key, shop_with_notice_secret, tells};

async fn has_webhooks(shop: &Shop) -> Receiver {
    let receiver = Receiver::open().await;
    shop.sets_up(json!({ "webhook_details": { "webhook_url": receiver.url() } }))
        .await
        .ok();
    receiver
}

async fn pays(shop: &Shop, card: &str, more: Value) -> Value {
    let body = with(order_with(card), json!({ "confirm": true }));
    shop.creates(with(body, more)).await.ok()
}

/// Returns the key of the only authorization.
fn only_key(shop: &Shop) -> String {
    let all = shop.processor().ledger().authorizations().expect("a list");
    let [one] = all.as_slice() else {
        panic!("{} authorizations", all.len());
    };
    one.key.to_string()
}

/// Returns the types of the first events that arrive.
async fn announced_types(receiver: &Receiver, count: usize) -> Vec<String> {
    let all = receiver.has(count).await;
    let types = all.iter().map(|one| one.json()["event_type"].clone());
    types
        .map(|one| one.as_str().expect("a type").to_owned())
        .collect()
}

#[tokio::test]
async fn a_refund_that_the_bank_sends_back_has_failed() {
    let shop = shop_with_notice_secret().await;
    let receiver = has_webhooks(&shop).await;
    let payment = pays(&shop, REFUNDS_PEND, json!({})).await;
    let refund = shop.refunds(&payment, json!({ "amount": 4000 })).await.ok();
    let key = open_key(&shop).await;
    tells(&shop, &done(&key, "refund", 4000)).await.ok();
    last_notice(&shop, "applied").await;
    tells(&shop, &failed_after_all(&key, "refund", 4000))
        .await
        .ok();
    let filed = last_notice(&shop, "applied").await;
    assert_eq!(filed["objects"], json!([refund["refund_id"]]));

    let failed = shop.retrieves_refund(&refund).await.ok();
    assert_eq!(
        (&failed["status"], &failed["error_code"]),
        (&json!("failed"), &json!("DC_15"))
    );
    assert_eq!(
        announced_types(&receiver, 3).await,
        ["payment_succeeded", "refund_succeeded", "refund_failed"]
    );
    let refunded = shop.retrieves(&payment).await.ok();
    let refunded = &refunded["state_metadata"]["total_refunded_amount"];
    assert_eq!(refunded.as_i64().unwrap_or_default(), 0);
}

#[tokio::test]
async fn a_capture_that_fails_after_all_is_made_again() {
    let shop = shop_with_notice_secret().await;
    let receiver = has_webhooks(&shop).await;
    let held = pays(&shop, APPROVED, json!({ "capture_method": "manual" })).await;
    shop.next_call_meets(Call::Capture, Fault::LosesAnswer);
    shop.captures(&held, json!({})).await.ok();
    let key = open_key(&shop).await;
    tells(&shop, &done(&key, "capture", 6540)).await.ok();
    last_notice(&shop, "applied").await;
    assert_eq!(shop.retrieves(&held).await.ok()["status"], "succeeded");

    tells(&shop, &failed_after_all(&key, "capture", 6540))
        .await
        .ok();
    last_notice(&shop, "applied").await;
    let open = shop.retrieves(&held).await.ok();
    assert_eq!(
        [
            &open["status"],
            &open["error_code"],
            &open["amount_received"],
            &open["amount_capturable"]
        ],
        [
            &json!("requires_capture"),
            &json!("DC_15"),
            &json!(0),
            &json!(6540)
        ]
    );
    // A repeated notice of the success changes nothing.
    let mut late = done(&key, "capture", 6540);
    late["id"] = json!("late");
    tells(&shop, &late).await.ok();
    last_notice(&shop, "applied").await;
    assert_eq!(
        shop.retrieves(&held).await.ok()["status"],
        "requires_capture"
    );
    assert_eq!(announced_types(&receiver, 1).await, ["payment_succeeded"]);
}

#[tokio::test]
async fn a_reversed_sale_has_failed() {
    let shop = shop_with_notice_secret().await;
    let receiver = has_webhooks(&shop).await;
    let payment = pays(&shop, APPROVED, json!({})).await;
    let key = only_key(&shop);
    tells(&shop, &failed_after_all(&key, "capture", 6540))
        .await
        .ok();
    last_notice(&shop, "applied").await;
    let failed = shop.retrieves(&payment).await.ok();
    assert_eq!(
        [
            &failed["status"],
            &failed["error_code"],
            &failed["amount_received"]
        ],
        [&json!("failed"), &json!("DC_15"), &json!(0)]
    );
    assert_eq!(
        announced_types(&receiver, 2).await,
        ["payment_succeeded", "payment_failed"]
    );
}

#[tokio::test]
async fn a_capture_reversed_after_its_refund_needs_a_person() {
    let shop = shop_with_notice_secret().await;
    let payment = pays(&shop, REFUNDS_PEND, json!({})).await;
    let refund = shop.refunds(&payment, json!({ "amount": 4000 })).await.ok();
    assert_eq!(refund["status"], "pending");
    let of_refund = open_key(&shop).await;
    let key = only_key(&shop);
    tells(&shop, &failed_after_all(&key, "capture", 6540))
        .await
        .ok();
    last_notice(&shop, "applied").await;
    let conflicted = shop.retrieves(&payment).await.ok();
    assert_eq!(
        [&conflicted["status"], &conflicted["amount_received"]],
        [&json!("conflicted"), &json!(0)]
    );
    // The outcome of the refund is recorded nevertheless.
    tells(&shop, &done(&of_refund, "refund", 4000)).await.ok();
    last_notice(&shop, "applied").await;
    let refund = shop.retrieves_refund(&refund).await.ok();
    assert_eq!(refund["status"], "succeeded");
}
