//! `POST /payments/list`: filters, with a count.

use multirail_conformance::bodies::{APPROVED, DECLINED, order, order_with, with};
use multirail_conformance::{Call, Shop};
use serde_json::{Value, json};

/// Opens a shop with four payments that differ in every filtered member.
async fn shop_with_four() -> Shop {
    let shop = Shop::open().await;
    let at_once = |id: &str, more: Value| with(json!({ "payment_id": id, "confirm": true }), more);
    let orders = [
        with(
            order_with(APPROVED),
            at_once("paid", json!({ "amount": 1000, "customer_id": "cus_ada" })),
        ),
        with(
            order_with(DECLINED),
            at_once("declined", json!({ "amount": 2000, "currency": "EUR" })),
        ),
        with(
            order_with("5555555555554444"),
            at_once(
                "held",
                json!({ "amount": 3000, "capture_method": "manual", "authentication_type": "three_ds" }),
            ),
        ),
        with(
            order(),
            json!({ "payment_id": "open", "amount": 4000, "merchant_order_reference_id": "B-17" }),
        ),
    ];
    for order in orders {
        shop.creates(order).await.ok();
    }
    shop
}

fn filter(shop: &Shop, body: Value) -> Call {
    shop.call("payments_filter").json(&body)
}

async fn found(shop: &Shop, body: Value) -> Vec<String> {
    let page = filter(shop, body).await.ok();
    let data = page["data"].as_array().expect("a page");
    assert_eq!(page["count"], data.len());
    data.iter()
        .map(|payment| multirail_conformance::shop::id(payment).to_owned())
        .collect()
}

#[tokio::test]
async fn by_every_filter() {
    let shop = shop_with_four().await;
    let filters = [
        (json!({}), vec!["open", "held", "declined", "paid"]),
        (json!({ "payment_id": "held" }), vec!["held"]),
        (json!({ "payment_id": "unborn" }), vec![]),
        (json!({ "customer_id": "cus_ada" }), vec!["paid"]),
        (
            json!({ "merchant_order_reference_id": "B-17" }),
            vec!["open"],
        ),
        (
            json!({ "profile_id": shop.profile_id }),
            vec!["open", "held", "declined", "paid"],
        ),
        (
            json!({ "status": ["failed", "succeeded"] }),
            vec!["declined", "paid"],
        ),
        (
            json!({ "status": [] }),
            vec!["open", "held", "declined", "paid"],
        ),
        (json!({ "currency": ["EUR"] }), vec!["declined"]),
        (
            json!({ "amount_filter": { "start_amount": 2000, "end_amount": 3000 } }),
            vec!["held", "declined"],
        ),
        (
            json!({ "amount_filter": { "start_amount": 3001 } }),
            vec!["open"],
        ),
        (
            json!({ "payment_method": ["card"] }),
            vec!["held", "declined", "paid"],
        ),
        (
            json!({ "payment_method_type": ["credit"] }),
            vec!["held", "declined", "paid"],
        ),
        (json!({ "card_network": ["Mastercard"] }), vec!["held"]),
        (json!({ "authentication_type": ["three_ds"] }), vec!["held"]),
        (
            json!({ "connector": ["fauxpay"] }),
            vec!["held", "declined", "paid"],
        ),
        (json!({ "connector": ["stripe_test"] }), vec![]),
        (
            json!({ "merchant_connector_id": [shop.connector_account_id] }),
            vec!["held", "declined", "paid"],
        ),
        (
            json!({ "status": ["succeeded", "failed"], "currency": ["USD"] }),
            vec!["paid"],
        ),
        (
            json!({ "order": { "on": "amount", "by": "asc" } }),
            vec!["paid", "declined", "held", "open"],
        ),
        (
            json!({ "order": { "on": "created", "by": "asc" } }),
            vec!["paid", "declined", "held", "open"],
        ),
        (
            json!({ "order": { "on": "amount", "by": "desc" } }),
            vec!["open", "held", "declined", "paid"],
        ),
    ];
    for (body, wanted) in filters {
        assert_eq!(found(&shop, body.clone()).await, wanted, "{body}");
    }
}

#[tokio::test]
async fn by_time() {
    let shop = Shop::open().await;
    let early = shop
        .creates(with(order(), json!({ "payment_id": "early" })))
        .await
        .ok();
    shop.time_passes(3600).await;
    let late = shop
        .creates(with(order(), json!({ "payment_id": "late" })))
        .await
        .ok();
    assert_eq!(
        found(
            &shop,
            json!({ "time_range": { "start_time": late["created"] } })
        )
        .await,
        ["late"]
    );
    let range =
        json!({ "time_range": { "start_time": early["created"], "end_time": early["created"] } });
    assert_eq!(found(&shop, range).await, ["early"]);
    let message = filter(&shop, json!({ "time_range": {} }))
        .await
        .refused(400, "IR_04");
    assert!(message.contains("time_range.start_time"), "{message}");
}

#[tokio::test]
async fn pages_and_counts() {
    let shop = shop_with_four().await;
    let page = filter(&shop, json!({ "limit": 2, "offset": 1 })).await.ok();
    assert_eq!(
        (&page["count"], &page["total_count"]),
        (&json!(2), &json!(4))
    );
    assert_eq!(page["data"][0]["payment_id"], "held");
    let last = filter(&shop, json!({ "limit": 2, "offset": 3 })).await.ok();
    assert_eq!(
        (&last["count"], &last["total_count"]),
        (&json!(1), &json!(4))
    );
    assert_eq!(last["data"][0]["payment_id"], "paid");
    let beyond = filter(&shop, json!({ "offset": 9 })).await.ok();
    assert_eq!(
        (&beyond["count"], &beyond["total_count"]),
        (&json!(0), &json!(4))
    );
    for (limit, status) in [(51, 422), (-1, 400)] {
        filter(&shop, json!({ "limit": limit }))
            .await
            .refused(status, "IR_06");
    }
    filter(&shop, json!({ "offset": -1 }))
        .await
        .refused(400, "IR_06");
}

#[tokio::test]
async fn an_absent_body_asks_for_everything() {
    let shop = shop_with_four().await;
    assert_eq!(shop.call("payments_filter").await.ok()["total_count"], 4);
}

#[tokio::test]
async fn unknown_words_are_refused() {
    let shop = Shop::open().await;
    for member in [
        "status",
        "currency",
        "payment_method",
        "payment_method_type",
        "card_network",
        "connector",
    ] {
        let message = filter(&shop, json!({ member: ["no_such_word"] }))
            .await
            .refused(400, "IR_06");
        assert!(message.contains(&format!("{member}[0]")), "{message}");
    }
}
