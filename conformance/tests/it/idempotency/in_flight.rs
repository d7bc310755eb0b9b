//! Concurrent requests with one key: one is done, and the others get its answer or 409.

use std::time::Duration;

use multirail_client::{is_replayed as is_replayed_to_client, types};
use multirail_conformance::bodies::{APPROVED, order, order_with, with};
use multirail_conformance::shop::id;
use multirail_conformance::{Call, Response, Shop};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::{again, under};
use crate::in_flight::is_authorized;
use crate::payments::authorized;

const CROWD: usize = 20;

/// Sends the call many times at once. All that succeed have the same answer; returns it with their number.
async fn many_at_once(key: &str, call: Call) -> (Value, usize) {
    let mut tasks = JoinSet::new();
    for _ in 0..CROWD {
        let call = under(key, call.clone());
        tasks.spawn(async move { call.await });
    }
    let answers = tasks.join_all().await;
    let (answered, put_off): (Vec<Response>, Vec<Response>) =
        answers.into_iter().partition(|one| one.status == 200);
    for one in put_off {
        one.refused(409, "MR_02");
    }
    let first = answered.first().expect("one is done").clone();
    assert!(
        answered.iter().all(|one| one.body == first.body),
        "{answered:?}"
    );
    again(&first, key, call).await;
    (first.body, answered.len())
}

#[tokio::test(flavor = "multi_thread")]
async fn creates_with_confirm() {
    let shop = Shop::open().await;
    shop.processor()
        .script()
        .set_delay(Duration::from_millis(50));
    let body = with(order_with(APPROVED), json!({ "confirm": true }));
    let (payment, _) = many_at_once("k", shop.creates(body)).await;
    assert_eq!(payment["status"], "succeeded");
    assert_eq!(shop.money().authorized, 6540, "one authorization");
    assert_eq!(
        shop.call("payments_list").await.ok()["size"],
        1,
        "one payment"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn creates_under_an_id_of_the_merchants() {
    let shop = Shop::open().await;
    let body = with(
        order_with(APPROVED),
        json!({ "confirm": true, "payment_id": "order_1" }),
    );
    let (payment, _) = many_at_once("k", shop.creates(body)).await;
    assert_eq!(id(&payment), "order_1");
    assert_eq!(shop.money().authorized, 6540);
}

#[tokio::test(flavor = "multi_thread")]
async fn confirms() {
    let shop = Shop::open().await;
    let payment = shop.creates(order_with(APPROVED)).await.ok();
    many_at_once("k", shop.confirms(&payment, json!({}))).await;
    assert_eq!(shop.money().authorized, 6540);
    assert_eq!(shop.retrieves(&payment).await.ok()["attempt_count"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn partial_captures() {
    let shop = Shop::open().await;
    let payment = authorized(&shop, "manual_multiple").await;
    many_at_once(
        "k",
        shop.captures(&payment, json!({ "amount_to_capture": 1000 })),
    )
    .await;
    assert_eq!(shop.money().captured, 1000, "all twenty are one capture");
}

#[tokio::test(flavor = "multi_thread")]
async fn cancels_and_updates() {
    let shop = Shop::open().await;
    let payment = shop.creates(order()).await.ok();
    many_at_once("k", shop.updates(&payment, json!({ "amount": 5000 }))).await;
    let (gone, _) = many_at_once("k", shop.cancels(&payment, json!({}))).await;
    assert_eq!(
        (&gone["status"], &gone["amount"]),
        (&json!("cancelled"), &json!(5000))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn profiles_and_connector_accounts() {
    let shop = Shop::open().await;
    many_at_once(
        "k",
        shop.call("business_profiles_create")
            .json(&json!({ "profile_name": "second" })),
    )
    .await;
    assert_eq!(
        shop.call("business_profiles_list")
            .await
            .ok()
            .as_array()
            .map(Vec::len),
        Some(2)
    );
    many_at_once(
        "k",
        shop.connects("fauxpay", json!({ "connector_label": "second" })),
    )
    .await;
    assert_eq!(
        shop.call("connector_accounts_list")
            .await
            .ok()
            .as_array()
            .map(Vec::len),
        Some(2)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn while_the_first_is_at_work_a_repeat_is_put_off() {
    let shop = Shop::open().await;
    let payment = shop.creates(order_with(APPROVED)).await.ok();
    shop.processor()
        .script()
        .set_delay(Duration::from_millis(1500));
    let confirm = shop.confirms(&payment, json!({}));
    let first = tokio::spawn(under("k", confirm.clone()).send());
    is_authorized(&shop).await;
    let too_early = under("k", confirm.clone()).await;
    assert_eq!(too_early.header("retry-after"), Some("1"));
    too_early.refused(409, "MR_02");
    let other = with(json!({}), json!({ "description": "another" }));
    under("k", shop.confirms(&payment, other))
        .await
        .refused(422, "MR_01");
    let first = first.await.expect("a task that ends").expect("an answer");
    again(&first, "k", confirm).await;
    assert_eq!(shop.money().authorized, 6540);
}

/// The typed client retries by itself.
#[tokio::test(flavor = "multi_thread")]
async fn the_client_waits_for_the_first() {
    let shop = Shop::open().await;
    shop.processor()
        .script()
        .set_delay(Duration::from_millis(300));
    let connection =
        multirail_client::Connection::new(shop.url()).secret_key(shop.api_key.as_str());
    let client = connection
        .tries(20)
        .base_wait(Duration::from_millis(50))
        .build()
        .expect("a client can be built");
    let body: types::PaymentCreateRequest =
        serde_json::from_value(with(order_with(APPROVED), json!({ "confirm": true })))
            .expect("a body");
    let pay = || {
        client
            .payments_create()
            .idempotency_key("order 7")
            .body(body.clone())
            .send()
    };
    let (one, other) = tokio::join!(pay(), pay());
    let (one, other) = (one.expect("an answer"), other.expect("an answer"));
    assert_eq!(one.payment_id, other.payment_id);
    assert!(
        is_replayed_to_client(&one) != is_replayed_to_client(&other),
        "one was done, one was replayed"
    );
    assert_eq!(shop.money().authorized, 6540);
}
