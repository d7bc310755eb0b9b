//! What a subscription would cost.

use insta::assert_json_snapshot;
use multirail_conformance::{Call, Shop};
use serde_json::json;

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
    assert_json_snapshot!(full, {
        ".next_billing_at" => "then",
        ".line_items[].period_start" => "now",
        ".line_items[].period_end" => "then",
    }, @r#""#);
    // Nothing was redeemed.
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

    // What can't be had.
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
        json!({ "amount": 999_999_999 }),
    )
    .await
    .ok();
    let mut told = Vec::new();
    for (what, call) in [
        ("no price", asks(&shop, "subscription_estimate")),
        ("unknown price", estimates(&shop, "nothing")),
        (
            "unknown coupon",
            estimates(&shop, "gold-monthly").query("coupon_code", "NONE"),
        ),
        (
            "other currency",
            estimates(&shop, "gold-monthly").query("coupon_code", "DOLLARS"),
        ),
        (
            "over",
            estimates(&shop, "gold-monthly").query("coupon_code", "OVER"),
        ),
        ("addon", estimates(&shop, "cover-monthly")),
        (
            "other plan",
            estimates(&shop, "gold-monthly").query("plan_id", "silver"),
        ),
        (
            "too many",
            estimates(&shop, "gold-monthly").query("quantity", 100_001),
        ),
        ("too dear", estimates(&shop, "dear").query("quantity", 2)),
        ("with taxes too dear", estimates(&shop, "dear")),
    ] {
        let answer = call.await;
        let (code, message) = (answer.body["code"].clone(), answer.message());
        told.push(format!("{what}: {} {code} {message}", answer.status));
    }
    insta::assert_snapshot!(told.join("\n"), @"");
}
