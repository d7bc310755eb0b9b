//! `POST /payments/{payment_id}`: changes before confirm.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, DECLINED, card, order, order_with, with};
use serde_json::json;

use super::{attempt_status, standing};

#[tokio::test]
async fn the_price_before_it_is_paid() {
    let shop = Shop::open().await;
    let payment = shop.creates(order()).await.ok();
    let dearer = shop
        .updates(
            &payment,
            json!({ "amount": 7000, "shipping_cost": 300, "currency": "EUR" }),
        )
        .await
        .ok();
    assert_eq!(standing(&dearer), ("requires_payment_method", 7300, 0));
    assert_eq!(
        (&dearer["net_amount"], &dearer["currency"]),
        (&json!(7300), &json!("EUR"))
    );
    let paid = shop.confirms(&payment, card(APPROVED)).await.ok();
    assert_eq!(standing(&paid), ("succeeded", 0, 7300));
    assert_eq!(shop.money().captured, 7300);
}

#[tokio::test]
async fn an_instrument_moves_it_on() {
    let shop = Shop::open().await;
    let payment = shop.creates(order()).await.ok();
    let ready = shop.updates(&payment, card(APPROVED)).await.ok();
    assert_eq!(standing(&ready), ("requires_confirmation", 6540, 0));
    assert_eq!(attempt_status(&shop, &ready).await, "confirmation_awaited");
    assert_eq!(
        standing(&shop.confirms(&payment, json!({})).await.ok()),
        ("succeeded", 0, 6540)
    );
}

#[tokio::test]
async fn a_later_card_replaces_an_earlier_one() {
    let shop = Shop::open().await;
    let payment = shop.creates(order_with(DECLINED)).await.ok();
    let ready = shop.updates(&payment, card(APPROVED)).await.ok();
    assert_eq!(ready["payment_method_data"]["card"]["last4"], "1111");
    assert_eq!(
        shop.confirms(&payment, json!({})).await.ok()["status"],
        "succeeded"
    );
}

#[tokio::test]
async fn absent_members_stay() {
    let shop = Shop::open().await;
    let notes = json!({ "description": "Two books", "metadata": { "order": 17 }, "email": "ada@example.com" });
    let payment = shop.creates(with(order(), notes)).await.ok();
    let updated = shop
        .updates(
            &payment,
            json!({ "description": "Three books", "email": null }),
        )
        .await
        .ok();
    assert_eq!(updated["description"], "Three books");
    assert_eq!(updated["metadata"], json!({ "order": 17 }));
    assert_eq!(updated["email"], "ada@example.com", "null means absent");
}

#[tokio::test]
async fn with_confirm_it_is_paid_at_once() {
    let shop = Shop::open().await;
    let payment = shop.creates(order()).await.ok();
    let paid = shop
        .updates(
            &payment,
            with(card(APPROVED), json!({ "amount": 7000, "confirm": true })),
        )
        .await
        .ok();
    assert_eq!(standing(&paid), ("succeeded", 0, 7000));
}

#[tokio::test]
async fn the_rules_of_create_hold() {
    let shop = Shop::open().await;
    let payment = shop.creates(order()).await.ok();
    shop.updates(&payment, json!({ "amount": 1_000_000_000_000_i64 }))
        .await
        .refused(400, "IR_16");
    shop.updates(&payment, json!({ "session_expiry": 1 }))
        .await
        .refused(422, "IR_06");
    shop.updates(&payment, json!({ "currency": "XXZ" }))
        .await
        .refused(400, "IR_06");
    shop.updates(&payment, card("4111111111111112"))
        .await
        .refused(400, "IR_06");
    shop.updates(&json!({ "payment_id": "pay_unborn" }), json!({}))
        .await
        .refused(404, "HE_02");
    assert_eq!(shop.retrieves(&payment).await.ok()["amount"], 6540);
}
