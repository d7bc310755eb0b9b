//! `enable_overcapture`: a capture may exceed the authorized amount, as far as the processor allows.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, order_with, paid_with, with};
use multirail_simulator::processor::OVERCAPTURE_PERCENT;
use serde_json::{Value, json};

use super::{authorized, events_of, standing};

const MOST: i64 = 6540 + 6540 * OVERCAPTURE_PERCENT / 100;

async fn to_exceed(shop: &Shop) -> Value {
    let wish = json!({ "capture_method": "manual", "enable_overcapture": true, "confirm": true });
    let payment = shop.creates(with(order_with(APPROVED), wish)).await.ok();
    assert_eq!(payment["is_overcapture_enabled"], true);
    assert_eq!(standing(&payment), ("requires_capture", MOST, 0));
    payment
}

#[tokio::test]
async fn more_is_captured_and_can_be_refunded() {
    let shop = Shop::open().await;
    let payment = to_exceed(&shop).await;
    let too_much = json!({ "amount_to_capture": MOST + 1 });
    shop.captures(&payment, too_much)
        .await
        .refused(422, "IR_06");
    let all = json!({ "amount_to_capture": MOST });
    let paid = shop.captures(&payment, all).await.ok();
    assert_eq!(standing(&paid), ("succeeded", 0, MOST));
    assert_eq!(
        (&paid["amount"], &paid["net_amount"]),
        (&json!(6540), &json!(6540))
    );
    let told: Vec<_> = events_of(&shop, &payment).await;
    let told: Vec<_> = told.iter().map(|(event, _)| event.as_str()).collect();
    assert_eq!(told, ["payment_authorized", "payment_succeeded"]);
    let too_much = json!({ "amount": MOST + 1 });
    shop.refunds(&paid, too_much).await.refused(400, "IR_13");
    let back = shop.refunds(&paid, json!({ "amount": MOST })).await.ok();
    assert_eq!(back["status"], "succeeded");
    let money = shop.money();
    assert_eq!(
        (money.captured, money.released, money.refunded),
        (MOST, 0, MOST)
    );
}

#[tokio::test]
async fn a_capture_without_an_amount_takes_what_the_payment_shows() {
    let shop = Shop::open().await;
    let payment = to_exceed(&shop).await;
    let paid = shop.captures(&payment, json!({})).await.ok();
    assert_eq!(paid["amount_received"], payment["amount_capturable"]);
    assert_eq!(standing(&paid), ("succeeded", 0, MOST));
    assert_eq!(shop.money().captured, MOST);
}

#[tokio::test]
async fn without_the_wish_nothing_more_is_captured() {
    let shop = Shop::open().await;
    let payment = authorized(&shop, "manual").await;
    assert_eq!(payment["is_overcapture_enabled"], Value::Null);
    let more = json!({ "amount_to_capture": 6541 });
    shop.captures(&payment, more).await.refused(422, "IR_06");
    let without = json!({ "enable_overcapture": false });
    let sale = shop.creates(with(paid_with(APPROVED), without)).await.ok();
    assert_eq!(sale["is_overcapture_enabled"], false);
}

#[tokio::test]
async fn the_rest_is_released_or_voided_as_usual() {
    let shop = Shop::open().await;
    let part = to_exceed(&shop).await;
    let less = json!({ "amount_to_capture": 4000 });
    let captured = shop.captures(&part, less).await.ok();
    assert_eq!(standing(&captured), ("partially_captured", 0, 4000));
    let cancelled = to_exceed(&shop).await;
    shop.cancels(&cancelled, json!({})).await.ok();
    let money = shop.money();
    assert_eq!((money.captured, money.released), (4000, 2540 + 6540));
}

#[tokio::test]
async fn it_is_for_one_capture_that_comes_later() {
    let shop = Shop::open().await;
    for (capture_method, code) in [("automatic", "IR_16"), ("manual_multiple", "IR_20")] {
        let wish = json!({ "capture_method": capture_method, "enable_overcapture": true });
        let order = with(order_with(APPROVED), wish);
        shop.creates(order).await.refused(400, code);
    }
}
