//! The effect of notices on payments and refunds.

use multirail_conformance::bodies::{
    APPROVED, PENDING, REFUNDS_PEND, THREE_DS, UNKNOWN, order_with, with,
};
use multirail_conformance::notice::{
    SECRET, approved, captured_elsewhere, declined, done, signed, webhook_details,
};
use multirail_conformance::{Receiver, Shop};
use multirail_simulator::scripted::{Call, Fault};
use serde_json::{Value, json};

use super::{door_of, last_notice, open_key, shop_with_notice_secret, tells};

async fn pays(shop: &Shop, card: &str) -> Value {
    let body = with(order_with(card), json!({ "confirm": true }));
    shop.creates(body).await.ok()
}

#[tokio::test]
async fn a_pending_payment_ends_without_being_asked_about() {
    let shop = shop_with_notice_secret().await;
    let receiver = Receiver::open().await;
    shop.sets_up(json!({ "webhook_details": { "webhook_url": receiver.url() } }))
        .await
        .ok();
    let payment = pays(&shop, PENDING).await;
    assert_eq!(payment["status"], "processing");
    let notice = approved(&open_key(&shop).await, 6540);

    assert_eq!(tells(&shop, &notice).await.ok(), json!(""));
    let filed = last_notice(&shop, "applied").await;
    assert_eq!(
        (&filed["kinds"], &filed["objects"], &filed["next_try_at"]),
        (
            &json!(["authorize.approved"]),
            &json!([payment["payment_id"]]),
            &json!(null)
        )
    );
    let paid = shop.retrieves(&payment).await.ok();
    assert_eq!(
        (&paid["status"], &paid["amount_received"]),
        (&json!("succeeded"), &json!(6540))
    );
    assert_eq!(
        shop.server
            .operator("unresolved_operations_list")
            .await
            .ok(),
        json!([])
    );

    // The processor repeats the notice, and nothing happens a second time.
    tells(&shop, &notice).await.ok();
    let all = shop.server.operator("notices_list").await.ok();
    assert_eq!(
        (all.as_array().map(Vec::len), &all[0]["receipts"]),
        (Some(1), &json!(2))
    );
    let told: Vec<Value> = receiver.has(1).await.iter().map(|one| one.json()).collect();
    let types: Vec<&Value> = told.iter().map(|one| &one["event_type"]).collect();
    assert_eq!(types, ["payment_succeeded"]);
}

#[tokio::test]
async fn a_notice_tells_an_unknown_outcome() {
    let shop = shop_with_notice_secret().await;
    let payment = pays(&shop, UNKNOWN).await;
    assert_eq!(payment["status"], "processing");
    tells(&shop, &declined(&open_key(&shop).await, 6540))
        .await
        .ok();
    last_notice(&shop, "applied").await;
    let failed = shop.retrieves(&payment).await.ok();
    assert_eq!(
        (&failed["status"], &failed["error_code"]),
        (&json!("failed"), &json!("DC_02"))
    );
}

#[tokio::test]
async fn notices_about_captures_and_refunds_count_too() {
    let shop = shop_with_notice_secret().await;
    let payment = pays(&shop, REFUNDS_PEND).await;
    let refund = shop.refunds(&payment, json!({ "amount": 40 })).await.ok();
    assert_eq!(refund["status"], "pending");
    let key = open_key(&shop).await;
    tells(&shop, &done(&key, "refund", 40)).await.ok();
    let filed = last_notice(&shop, "applied").await;
    assert_eq!(filed["objects"], json!([refund["refund_id"]]));
    let given_back = shop.retrieves_refund(&refund).await.ok();
    assert_eq!(given_back["status"], "succeeded");
}

#[tokio::test]
async fn an_approval_that_comes_after_the_cancel_brings_nothing_back() {
    let shop = shop_with_notice_secret().await;
    let body = json!({ "confirm": true, "capture_method": "manual" });
    let payment = shop.creates(with(order_with(THREE_DS), body)).await.ok();
    let key = open_key(&shop).await;
    let cancelled = shop.cancels(&payment, json!({})).await.ok();
    assert_eq!(cancelled["status"], "cancelled");
    tells(&shop, &approved(&key, 6540)).await.ok();
    last_notice(&shop, "applied").await;
    assert_eq!(shop.retrieves(&payment).await.ok()["status"], "cancelled");
}

#[tokio::test]
async fn another_account_has_no_say() {
    let shop = shop_with_notice_secret().await;
    let payment = pays(&shop, PENDING).await;
    let key = open_key(&shop).await;
    let other = with(webhook_details(), json!({ "connector_label": "other" }));
    let other = shop.connects("pretendpay", other).await.ok();
    let id = other["merchant_connector_id"].as_str().expect("an id");
    let call = door_of(&shop, &shop.merchant_id, id);
    signed(call, SECRET, &approved(&key, 6540)).await.ok();
    let filed = last_notice(&shop, "waiting").await;
    assert_eq!(filed["objects"], json!([]));
    assert_eq!(shop.retrieves(&payment).await.ok()["status"], "processing");
}

#[tokio::test]
async fn final_outcomes_stay() {
    let shop = shop_with_notice_secret().await;
    let pending = pays(&shop, PENDING).await;
    let key = open_key(&shop).await;
    tells(&shop, &approved(&key, 6540)).await.ok();
    last_notice(&shop, "applied").await;
    // A late notice about a payment that has ended.
    tells(&shop, &declined(&key, 6540)).await.ok();
    last_notice(&shop, "contradicted").await;
    assert_eq!(shop.retrieves(&pending).await.ok()["status"], "succeeded");
    assert_eq!(pays(&shop, APPROVED).await["status"], "succeeded");
}

#[tokio::test]
async fn captures_made_elsewhere_are_not_taken_for_ours() {
    let shop = shop_with_notice_secret().await;
    let body = json!({ "confirm": true, "capture_method": "manual" });
    let held = shop.creates(with(order_with(APPROVED), body)).await.ok();
    shop.next_call_meets(Call::Capture, Fault::LosesAnswer);
    // Meanwhile no sync learns the outcome.
    let script = shop.processor().script();
    script.next_times(1_000, Call::LookUp, &Fault::FailsBefore(503));
    let captured = shop.captures(&held, json!({ "amount_to_capture": 4000 }));
    let captured = captured.await.ok();
    let reference = held["connector_transaction_id"].as_str().expect("a text");
    tells(&shop, &captured_elsewhere(reference, 2540))
        .await
        .ok();
    let filed = last_notice(&shop, "waiting").await;
    assert_eq!(filed["objects"], json!([]));
    let after = shop.retrieves(&held).await.ok();
    assert_eq!(
        (&after["status"], &after["amount_received"]),
        (&captured["status"], &captured["amount_received"])
    );
}
