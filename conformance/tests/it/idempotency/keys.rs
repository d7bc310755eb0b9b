//! Valid keys, their owners, and operations that ignore them.

use multirail_conformance::bodies::{APPROVED, card, order, order_with, with};
use multirail_conformance::shop::id;
use multirail_conformance::{Shop, TestServer};
use serde_json::json;

use super::{is_replayed, twice, under};

#[tokio::test]
async fn a_key_belongs_to_one_merchant() {
    let server = TestServer::start().await;
    let (one, other) = (server.shop("bookshop").await, server.shop("florist").await);
    let first = twice("k", one.creates(order())).await.ok();
    let second = twice("k", other.creates(order())).await.ok();
    assert_eq!(
        (&first["merchant_id"], &second["merchant_id"]),
        (&json!("bookshop"), &json!("florist"))
    );
    assert_ne!(id(&first), id(&second));
    // Not even the difference between two requests is revealed across merchants.
    other.retrieves(&first).await.refused(404, "HE_02");
    twice("k2", other.creates(with(order(), json!({ "amount": 1 })))).await;
    twice("k2", one.creates(order())).await;
}

#[tokio::test]
async fn a_key_belongs_to_one_operation() {
    let shop = Shop::open().await;
    let payment = twice(
        "k",
        shop.creates(with(order(), json!({ "capture_method": "manual" }))),
    )
    .await
    .ok();
    twice("k", shop.updates(&payment, json!({ "amount": 5000 }))).await;
    twice("k", shop.confirms(&payment, card(APPROVED))).await;
    twice("k", shop.captures(&payment, json!({}))).await;
    assert_eq!(shop.money().captured, 5000);
}

#[tokio::test]
async fn refusals_are_not_remembered() {
    let shop = Shop::open().await;
    // The first refusal comes from the schema, the second from a look-up, the later ones from the payment's state.
    under("k", shop.creates(json!({ "amount": 6540 })))
        .await
        .refused(400, "IR_04");
    under(
        "k",
        shop.creates(with(order(), json!({ "profile_id": "pro_none" }))),
    )
    .await
    .refused(404, "HE_02");
    let held = with(order(), json!({ "capture_method": "manual" }));
    let payment = twice("k", shop.creates(held)).await.ok();
    let (confirm, capture) = (
        shop.confirms(&payment, json!({})),
        shop.captures(&payment, json!({})),
    );
    under("k", confirm.clone()).await.refused(422, "IR_06");
    under("k", capture.clone()).await.refused(400, "IR_14");
    shop.updates(&payment, card(APPROVED)).await.ok();
    twice("k", confirm).await;
    twice("k", capture).await;
    assert_eq!(shop.money().captured, 6540);
}

#[tokio::test]
async fn invalid_keys_are_refused() {
    let shop = Shop::open().await;
    let long = "k".repeat(256);
    for wrong in ["", &long, "a\tb"] {
        let message = under(wrong, shop.creates(order()))
            .await
            .refused(422, "IR_05");
        assert!(message.contains("Idempotency-Key"), "{message}");
    }
    let message = under("a", under("b", shop.creates(order())))
        .await
        .refused(400, "IR_06");
    assert!(message.contains("`idempotency-key`"), "{message}");
    assert_eq!(shop.call("payments_list").await.ok()["size"], 0);
    twice(&long[1..], shop.creates(order())).await;
    twice("with spaces, \"quotes\" and ~", shop.creates(order())).await;
}

#[tokio::test]
async fn questions_take_no_notice() {
    let shop = Shop::open().await;
    let payment = shop.creates(order()).await.ok();
    let long = "k".repeat(300);
    for key in ["k", "", &long] {
        let before = under(key, shop.call("payments_filter").json(&json!({}))).await;
        let count = before.clone().ok()["total_count"]
            .as_i64()
            .expect("a count");
        shop.creates(order()).await.ok();
        let after = under(key, shop.call("payments_filter").json(&json!({}))).await;
        assert_eq!(after.body["total_count"], count + 1);
        let read = under(key, shop.retrieves(&payment)).await;
        let listed = under(key, shop.call("payments_list")).await;
        assert!(
            [before, after, read, listed]
                .iter()
                .all(|answer| answer.status == 200 && !is_replayed(answer))
        );
    }
}

/// A secret that is shown only once isn't stored for repeats.
#[tokio::test]
async fn operations_of_the_operator_take_no_notice() {
    let shop = Shop::open().await;
    let create = shop
        .operator("api_keys_create")
        .at("merchant_id", &shop.merchant_id)
        .json(&json!({ "name": "second till", "expiration": "never" }));
    let one = under("k", create.clone()).await;
    let other = under("k", create).await;
    assert!(!is_replayed(&other));
    assert_ne!(
        one.ok()["api_key"],
        other.ok()["api_key"],
        "each call makes a key"
    );
    let account = shop
        .operator("merchant_accounts_create")
        .json(&json!({ "merchant_id": "florist" }));
    under("k", account.clone()).await.ok();
    under("k", account).await.refused(400, "HE_01");
}

/// Two requests without a key are two requests.
#[tokio::test]
async fn without_a_key_two_requests_are_two() {
    let shop = Shop::open().await;
    let body = with(order_with(APPROVED), json!({ "confirm": true }));
    for _ in 0..2 {
        assert!(!is_replayed(&shop.creates(body.clone()).await));
    }
    assert_eq!(shop.money().authorized, 2 * 6540);
}
