//! `GET /payments/{payment_id}`.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, PENDING, order, order_with, with};
use multirail_conformance::evidence::evidence_of_what_is_set;
use multirail_simulator::scripted::{Call, Fault};
use serde_json::json;

use super::{authorized, standing};

#[tokio::test]
async fn as_it_stands() {
    let shop = Shop::open().await;
    let payment = shop.creates(order_with(APPROVED)).await.ok();
    assert_eq!(
        shop.retrieves(&payment).await.ok(),
        payment,
        "what is stored is what was answered"
    );
    let paid = shop.confirms(&payment, json!({})).await.ok();
    assert_eq!(shop.retrieves(&payment).await.ok(), paid);
    shop.retrieves(&json!({ "payment_id": "pay_unborn" }))
        .await
        .refused(404, "HE_02");
}

#[tokio::test]
async fn attempts_are_shown_on_request() {
    let shop = Shop::open().await;
    let payment = shop
        .creates(with(order_with(APPROVED), json!({ "confirm": true })))
        .await
        .ok();
    assert_eq!(shop.retrieves(&payment).await.ok()["attempts"], json!(null));
    let shown = shop
        .retrieves(&payment)
        .query("expand_attempts", true)
        .await
        .ok();
    insta::assert_snapshot!(
        serde_json::to_string_pretty(&evidence_of_what_is_set(&shown["attempts"])).expect("JSON")
    );
}

#[tokio::test]
async fn captures_are_shown_on_request() {
    let shop = Shop::open().await;
    let payment = authorized(&shop, "manual_multiple").await;
    shop.captures(&payment, json!({ "amount_to_capture": 4000 }))
        .await
        .ok();
    let shown = shop
        .retrieves(&payment)
        .query("expand_captures", true)
        .await
        .ok();
    assert_eq!(shown["captures"][0]["amount"], 4000);
    assert_eq!(shown["captures"][0]["status"], "charged");
}

#[tokio::test]
async fn a_pending_payment_is_asked_about_on_request() {
    let shop = Shop::open().await;
    let payment = shop
        .creates(with(order_with(PENDING), json!({ "confirm": true })))
        .await
        .ok();
    assert_eq!(standing(&payment), ("processing", 0, 0));
    assert_eq!(payment["manual_retry_allowed"], json!(null));
    assert_eq!(
        shop.retrieves(&payment).await.ok()["status"],
        "processing",
        "nobody asked"
    );
    let settled = shop.asks_about(&payment).await.ok();
    assert_eq!(standing(&settled), ("succeeded", 0, 6540));
    assert_eq!(
        shop.asks_about(&payment).await.ok(),
        settled,
        "asking again changes nothing"
    );
}

#[tokio::test]
async fn a_processor_that_cant_be_reached_leaves_it_as_it_is() {
    let shop = Shop::open().await;
    let payment = shop
        .creates(with(order_with(PENDING), json!({ "confirm": true })))
        .await
        .ok();
    shop.next_call_meets(Call::LookUp, Fault::LosesRequest);
    assert_eq!(shop.asks_about(&payment).await.ok()["status"], "processing");
    assert_eq!(shop.asks_about(&payment).await.ok()["status"], "succeeded");
}

#[tokio::test]
async fn payments_that_wait_for_the_merchant_are_not_synced() {
    let shop = Shop::open().await;
    let payment = authorized(&shop, "manual").await;
    shop.next_call_meets(Call::LookUp, Fault::LosesRequest);
    assert_eq!(
        shop.asks_about(&payment).await.ok()["status"],
        "requires_capture"
    );
    assert_eq!(
        shop.processor().script().waiting(),
        1,
        "the processor heard nothing"
    );
}

#[tokio::test]
async fn queries_that_make_no_sense() {
    let shop = Shop::open().await;
    let payment = shop.creates(order()).await.ok();
    for parameter in ["force_sync", "expand_attempts", "expand_captures"] {
        let message = shop
            .retrieves(&payment)
            .query(parameter, "maybe")
            .await
            .refused(400, "IR_06");
        assert!(message.contains(parameter), "{message}");
    }
    let twice = shop
        .retrieves(&payment)
        .query("force_sync", true)
        .query("force_sync", true);
    twice.await.refused(400, "IR_06");
}

#[tokio::test]
async fn head_answers_without_a_body() {
    let shop = Shop::open().await;
    let payment = shop.creates(order()).await.ok();
    let path = format!("/payments/{}", multirail_conformance::shop::id(&payment));
    let head = shop
        .wire
        .request(reqwest::Method::HEAD, &path)
        .key(&shop.api_key)
        .await;
    assert_eq!((head.status, head.body), (200, json!("")));
}
