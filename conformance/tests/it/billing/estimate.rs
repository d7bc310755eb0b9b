//! Estimates of what a subscription would cost.

use multirail_conformance::{Call, Shop};
use serde_json::{Value, json};

use super::{asks, makes, sells};

fn estimates(shop: &Shop, item_price_id: &str) -> Call {
    asks(shop, "subscription_estimate").query("item_price_id", item_price_id)
}

#[tokio::test]
async fn an_estimate_is_the_first_invoice() {
    let shop = Shop::open().await;
    sells(&shop).await;
    let full = estimates(&shop, "gold-monthly")
        .query("plan_id", "gold")
        .query("coupon_code", "SPRING")
        .query("quantity", 3);
    let full = full.await.ok();
    let line = |place: usize| {
        let line = &full["line_items"][place];
        (line["kind"].clone(), line["amount"].clone())
    };
    assert_eq!(line(0), (json!("subscription"), json!(5997)));
    let of = &full["line_items"][0];
    assert_eq!(
        (&of["item_id"], &of["item_type"]),
        (&json!("gold"), &json!("plan"))
    );
    assert_eq!(line(1), (json!("discount"), json!(-600)));
    assert_eq!(line(2), (json!("tax"), json!(1025)));
    assert_eq!(
        (&full["amount"], &full["currency"]),
        (&json!(6422), &json!("EUR"))
    );
    assert_eq!(full["coupon_code"], "SPRING");
    assert_eq!(full["line_items"][0]["quantity"], 3);
    assert_eq!(full["line_items"][0]["period_end"], full["next_billing_at"]);
    // The estimate redeemed nothing.
    let coupon = asks(&shop, "subscription_coupons_retrieve").at("coupon_code", "SPRING");
    assert_eq!(coupon.await.ok()["redemptions"], 0);

    let trial = json!({ "trial_period": 14 });
    makes(&shop, "item_price_id", "gold-trial", trial)
        .await
        .ok();
    let trial = estimates(&shop, "gold-trial").await.ok();
    assert_eq!(trial["amount"], 0);
    assert_eq!(trial["line_items"][0]["kind"], "trial");
    makes(
        &shop,
        "item_price_id",
        "gold-for-life",
        json!({ "interval": null }),
    )
    .await
    .ok();
    let once = estimates(&shop, "gold-for-life").await.ok();
    assert_eq!(
        (&once["amount"], &once["next_billing_at"]),
        (&json!(2379), &json!(null))
    );

    // Requests that can't be estimated.
    let dollars = json!({ "discount_basis_points": null, "discount_amount": 5, "currency": "USD" });
    makes(&shop, "coupon_code", "DOLLARS", dollars).await.ok();
    let over = json!({ "valid_until": "2020-01-01T00:00:00Z" });
    makes(&shop, "coupon_code", "OVER", over).await.ok();
    makes(&shop, "item_id", "cover", json!({ "item_type": "addon" }))
        .await
        .ok();
    makes(
        &shop,
        "item_price_id",
        "cover-monthly",
        json!({ "item_id": "cover" }),
    )
    .await
    .ok();
    makes(&shop, "item_id", "silver", json!({})).await.ok();
    makes(
        &shop,
        "item_price_id",
        "dear",
        json!({ "amount": 999_999_999_999_i64 }),
    )
    .await
    .ok();
    let half = json!({ "discount_basis_points": 5_000 });
    makes(&shop, "coupon_code", "HALF", half).await.ok();
    let dear = estimates(&shop, "dear").await;
    let message = dear.body["message"].as_str().expect("a text");
    assert!(message.starts_with("item_price_id "), "{}", dear.body);
    for (what, call, status, code) in [
        (
            "no price",
            asks(&shop, "subscription_estimate"),
            400,
            "IR_04",
        ),
        ("unknown price", estimates(&shop, "nothing"), 404, "HE_02"),
        (
            "unknown coupon",
            estimates(&shop, "gold-monthly").query("coupon_code", "NONE"),
            404,
            "HE_02",
        ),
        (
            "other currency",
            estimates(&shop, "gold-monthly").query("coupon_code", "DOLLARS"),
            400,
            "IR_16",
        ),
        (
            "over",
            estimates(&shop, "gold-monthly").query("coupon_code", "OVER"),
            400,
            "IR_16",
        ),
        ("addon", estimates(&shop, "cover-monthly"), 400, "IR_16"),
        (
            "other plan",
            estimates(&shop, "gold-monthly").query("plan_id", "silver"),
            422,
            "IR_06",
        ),
        (
            "too many",
            estimates(&shop, "gold-monthly").query("quantity", 100_001),
            400,
            "IR_06",
        ),
        (
            "too dear",
            estimates(&shop, "dear").query("quantity", 2),
            400,
            "IR_16",
        ),
        (
            "with taxes too dear",
            estimates(&shop, "dear"),
            400,
            "IR_16",
        ),
        // No period after the first would have the coupon.
        (
            "too dear once the coupon is used up",
            estimates(&shop, "dear").query("coupon_code", "HALF"),
            400,
            "IR_16",
        ),
    ] {
        let answer = call.await;
        let told = (answer.status, answer.body["code"].as_str());
        assert_eq!(told, (status, Some(code)), "{what}: {}", answer.body);
    }
}

/// Returns the lines and the total of an invoice at this price.
async fn bill(shop: &Shop, item_price_id: &str, amount: i64, taxes: Value) -> Value {
    let price = json!({ "amount": amount, "taxes": taxes });
    makes(shop, "item_price_id", item_price_id, price)
        .await
        .ok();
    let estimate = estimates(shop, item_price_id).await.ok();
    let lines = estimate["line_items"].as_array().expect("lines").iter();
    let lines: Vec<Value> = lines
        .map(|line| json!([line["kind"], line["amount"]]))
        .collect();
    json!([lines, estimate["amount"]])
}

#[tokio::test]
async fn taxes_are_exact_and_may_be_included() {
    let shop = Shop::open().await;
    sells(&shop).await;
    let quebec = json!([
        { "name": "GST", "basis_points": 500 },
        { "name": "QST", "parts_per_million": 99_750 },
    ]);
    assert_eq!(
        bill(&shop, "quebec", 10_000, quebec).await,
        json!([
            [["subscription", 10_000], ["tax", 500], ["tax", 998]],
            11_498
        ])
    );
    let fifth = json!([{ "name": "VAT", "basis_points": 2_000, "included": true }]);
    assert_eq!(
        bill(&shop, "vienna", 999, fifth).await,
        json!([[["subscription", 832], ["tax", 167]], 999])
    );
}
