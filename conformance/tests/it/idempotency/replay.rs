//! A repeat gets the answer of the first request and does nothing.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, DECLINED, THREE_DS, card, order, order_with, with};
use multirail_conformance::shop::id;
use multirail_simulator::scripted::{Call, Fault};
use serde_json::json;

use super::{again, twice, under};
use crate::payments::authorized;

#[tokio::test]
async fn a_create() {
    let shop = Shop::open().await;
    let payment = twice("k", shop.creates(order())).await.ok();
    assert_eq!(payment["status"], "requires_payment_method");
    let other = under("k2", shop.creates(order())).await.ok();
    assert_ne!(id(&payment), id(&other), "another key is another request");
    assert_eq!(shop.call("payments_list").await.ok()["size"], 2);
}

#[tokio::test]
async fn a_create_with_confirm() {
    let shop = Shop::open().await;
    let body = with(order_with(APPROVED), json!({ "confirm": true }));
    let payment = twice("k", shop.creates(body)).await.ok();
    assert_eq!(payment["status"], "succeeded");
    assert_eq!(shop.money().authorized, 6540);
}

#[tokio::test]
async fn a_confirm_and_an_update() {
    let shop = Shop::open().await;
    let payment = shop.creates(order()).await.ok();
    let updated = twice(
        "k",
        shop.updates(&payment, with(card(APPROVED), json!({ "amount": 7000 }))),
    )
    .await
    .ok();
    assert_eq!(updated["amount"], 7000);
    let paid = twice("k", shop.confirms(&payment, json!({}))).await.ok();
    assert_eq!(
        paid["status"], "succeeded",
        "a key is good for one operation"
    );
    assert_eq!(shop.money().authorized, 7000);
    assert_eq!(shop.retrieves(&payment).await.ok()["attempt_count"], 1);
}

#[tokio::test]
async fn several_captures() {
    let shop = Shop::open().await;
    let payment = authorized(&shop, "manual_multiple").await;
    let part = json!({ "amount_to_capture": 1000 });
    let first = twice("part 1", shop.captures(&payment, part.clone())).await;
    assert_eq!(shop.money().captured, 1000, "the repeat captured nothing");
    twice("part 2", shop.captures(&payment, part.clone())).await;
    assert_eq!(
        shop.money().captured,
        2000,
        "the same part under another key is another part"
    );
    again(&first, "part 1", shop.captures(&payment, part)).await;
    assert_eq!(shop.retrieves(&payment).await.ok()["amount_received"], 2000);
}

#[tokio::test]
async fn a_cancel() {
    let shop = Shop::open().await;
    let payment = authorized(&shop, "manual").await;
    let gone = twice(
        "k",
        shop.cancels(&payment, json!({ "cancellation_reason": "duplicate" })),
    )
    .await
    .ok();
    assert_eq!(gone["status"], "cancelled");
    assert_eq!(shop.money().released, 6540);
}

#[tokio::test]
async fn a_decline() {
    let shop = Shop::open().await;
    shop.sets_up(json!({ "is_manual_retry_enabled": true }))
        .await
        .ok();
    let body = with(order_with(DECLINED), json!({ "confirm": true }));
    let failed = twice("k", shop.creates(body)).await.ok();
    assert_eq!(
        (&failed["status"], &failed["attempt_count"]),
        (&json!("failed"), &json!(1))
    );
    let tried = twice("k", shop.confirms(&failed, card(DECLINED)))
        .await
        .ok();
    assert_eq!(
        tried["attempt_count"], 2,
        "a retry is another attempt, its repeat is none"
    );
}

#[tokio::test]
async fn a_payer_who_has_to_act() {
    let shop = Shop::open().await;
    let body = with(
        order_with(THREE_DS),
        json!({ "confirm": true, "authentication_type": "three_ds", "return_url": "https://shop.example/back" }),
    );
    let payment = twice("k", shop.creates(body)).await.ok();
    assert_eq!(payment["status"], "requires_customer_action");
}

/// The replayed answer is that of the first request, whatever happened to the payment since.
#[tokio::test]
async fn is_the_answer_of_then() {
    let shop = Shop::open().await;
    let create = shop.creates(order_with(APPROVED));
    let first = under("k", create.clone()).await;
    let payment = first.clone().ok();
    shop.confirms(&payment, json!({})).await.ok();
    again(&first, "k", create).await;
    assert_eq!(first.body["status"], "requires_confirmation");
    assert_eq!(shop.retrieves(&payment).await.ok()["status"], "succeeded");
}

/// A timeout of the processor leaves an answer that can be replayed.
#[tokio::test]
async fn an_unknown_outcome() {
    let shop = Shop::open().await;
    let payment = shop.creates(order_with(APPROVED)).await.ok();
    shop.next_call_meets(Call::Authorize, Fault::AnswersLate);
    let confirm = shop.confirms(&payment, json!({}));
    let first = twice("k", confirm.clone()).await;
    assert_eq!(first.body["status"], "processing");
    assert_eq!(shop.asks_about(&payment).await.ok()["status"], "succeeded");
    again(&first, "k", confirm).await;
    assert_eq!(shop.money().authorized, 6540);
}

/// A repeat by a payer's client shows only members that a client may see.
#[tokio::test]
async fn by_a_client_is_the_clients_view() {
    let shop = Shop::open().await;
    let order = with(order(), json!({ "metadata": { "margin": "12%" } }));
    let payment = shop.creates(order).await.ok();
    let paid = twice("k", shop.payer_of(&payment).confirms(card(APPROVED)))
        .await
        .ok();
    assert_eq!(
        (&paid["status"], &paid["metadata"]),
        (&json!("succeeded"), &json!(null))
    );
    assert_eq!(
        shop.retrieves(&payment).await.ok()["metadata"]["margin"],
        "12%"
    );
    assert_eq!(shop.money().authorized, 6540);
}
