//! Currencies with no decimals or three: an amount always counts the smallest unit.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, order_with, with};
use serde_json::json;

use super::standing;

#[tokio::test]
async fn amounts_stay_what_they_are() {
    let shop = Shop::open().await;
    for (currency, amount) in [
        ("JPY", 1),
        ("JPY", 6540),
        ("KRW", 50_000),
        ("KWD", 6_540),
        ("BHD", 1),
        ("USD", 1),
        ("EUR", 999),
    ] {
        let more = json!({ "currency": currency, "amount": amount, "capture_method": "manual", "confirm": true });
        let held = shop.creates(with(order_with(APPROVED), more)).await.ok();
        assert_eq!(
            standing(&held),
            ("requires_capture", amount, 0),
            "{currency} {amount}"
        );
        let paid = shop.captures(&held, json!({})).await.ok();
        assert_eq!(
            standing(&paid),
            ("succeeded", 0, amount),
            "{currency} {amount}"
        );
        assert_eq!(paid["currency"], currency);
    }
    let captures = shop
        .processor()
        .ledger()
        .captures()
        .expect("the books can be read");
    let at_the_processor: Vec<(&str, i64)> = captures
        .iter()
        .map(|c| (c.currency.as_str(), c.amount))
        .collect();
    let wanted = [
        ("JPY", 1),
        ("JPY", 6540),
        ("KRW", 50_000),
        ("KWD", 6_540),
        ("BHD", 1),
        ("USD", 1),
        ("EUR", 999),
    ];
    assert_eq!(at_the_processor, wanted);
}

/// A house in Jakarta with a price of twelve digits, and new currencies of ISO 4217.
#[tokio::test]
async fn large_amounts_and_new_currencies() {
    let shop = Shop::open().await;
    let largest = 999_999_999_999_i64;
    for currency in ["IDR", "LBP", "VND", "XCG", "ZWG", "VED"] {
        let more = json!({
            "currency": currency, "amount": largest, "capture_method": "manual_multiple", "confirm": true,
            "billing": { "address": { "country": "XK" } },
        });
        let held = shop.creates(with(order_with(APPROVED), more)).await.ok();
        assert_eq!(
            standing(&held),
            ("requires_capture", largest, 0),
            "{currency}"
        );
        let part = json!({ "amount_to_capture": largest - 1 });
        shop.captures(&held, part).await.ok();
        let paid = shop
            .captures(&held, json!({ "amount_to_capture": 1 }))
            .await
            .ok();
        assert_eq!(standing(&paid), ("succeeded", 0, largest), "{currency}");
        for amount in [largest - 1, 1] {
            let refund = shop.refunds(&paid, json!({ "amount": amount })).await.ok();
            assert_eq!(refund["status"], "succeeded");
        }
        let returned = shop.retrieves(&paid).await.ok();
        assert_eq!(returned["billing"]["address"]["country"], "XK");
        let more = json!({ "currency": currency, "amount": largest, "shipping_cost": 1 });
        shop.creates(with(order_with(APPROVED), more))
            .await
            .refused(400, "IR_16");
    }
}

#[tokio::test]
async fn parts_of_small_units() {
    let shop = Shop::open().await;
    let more = json!({ "currency": "KWD", "amount": 6541, "capture_method": "manual_multiple", "confirm": true });
    let held = shop.creates(with(order_with(APPROVED), more)).await.ok();
    let first = shop
        .captures(&held, json!({ "amount_to_capture": 1 }))
        .await
        .ok();
    assert_eq!(
        standing(&first),
        ("partially_captured_and_capturable", 6540, 1)
    );
    let rest = shop
        .captures(&held, json!({ "amount_to_capture": 6540 }))
        .await
        .ok();
    assert_eq!(standing(&rest), ("succeeded", 0, 6541));
}

#[tokio::test]
async fn a_currency_that_is_none() {
    let shop = Shop::open().await;
    for currency in ["usd", "XXZ", ""] {
        let answer = shop
            .creates(json!({ "amount": 6540, "currency": currency }))
            .await;
        assert!(
            answer.refused(400, "IR_06").contains("currency"),
            "{currency}"
        );
    }
}
