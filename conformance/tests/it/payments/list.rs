//! `GET /payments/list`: pages by cursor, newest first.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, order, order_with, with};
use serde_json::{Value, json};

/// Returns the ids on a page.
fn ids(page: &Value) -> Vec<&str> {
    page["data"]
        .as_array()
        .expect("a page")
        .iter()
        .map(multirail_conformance::shop::id)
        .collect()
}

async fn shop_with(count: usize) -> Shop {
    let shop = Shop::open().await;
    for number in 1..=count {
        shop.creates(with(
            order(),
            json!({ "payment_id": format!("order_{number}") }),
        ))
        .await
        .ok();
    }
    shop
}

#[tokio::test]
async fn pages_forward_and_back() {
    let shop = shop_with(5).await;
    let list = || shop.call("payments_list");
    let all = list().await.ok();
    assert_eq!(
        ids(&all),
        ["order_5", "order_4", "order_3", "order_2", "order_1"]
    );
    assert_eq!(all["size"], 5);
    let first = list().query("limit", 2).await.ok();
    assert_eq!(ids(&first), ["order_5", "order_4"]);
    let second = list()
        .query("limit", 2)
        .query("starting_after", "order_4")
        .await
        .ok();
    assert_eq!(ids(&second), ["order_3", "order_2"]);
    let last = list()
        .query("limit", 2)
        .query("starting_after", "order_2")
        .await
        .ok();
    assert_eq!((ids(&last), &last["size"]), (vec!["order_1"], &json!(1)));
    let back = list()
        .query("limit", 2)
        .query("ending_before", "order_3")
        .await
        .ok();
    assert_eq!(ids(&back), ["order_5", "order_4"]);
    let nearest = list()
        .query("limit", 1)
        .query("ending_before", "order_2")
        .await
        .ok();
    assert_eq!(
        ids(&nearest),
        ["order_3"],
        "the page that ends right before it"
    );
}

#[tokio::test]
async fn ten_by_default() {
    let shop = shop_with(11).await;
    assert_eq!(shop.call("payments_list").await.ok()["size"], 10);
    assert_eq!(
        shop.call("payments_list").query("limit", 100).await.ok()["size"],
        11
    );
    for (limit, status) in [(101, 422), (-1, 400)] {
        shop.call("payments_list")
            .query("limit", limit)
            .await
            .refused(status, "IR_06");
    }
    shop.call("payments_list")
        .query("limit", "many")
        .await
        .refused(400, "IR_06");
}

#[tokio::test]
async fn by_customer_and_by_time() {
    let shop = Shop::open().await;
    let early = shop
        .creates(with(
            order(),
            json!({ "payment_id": "early", "customer_id": "cus_ada" }),
        ))
        .await
        .ok();
    shop.time_passes(3600).await;
    let late = shop
        .creates(with(
            order(),
            json!({ "payment_id": "late", "customer_id": "cus_bo" }),
        ))
        .await
        .ok();
    let list = |name: &str, value: &Value| {
        let value = value.as_str().expect("a text").to_owned();
        shop.call("payments_list").query(name, value)
    };
    assert_eq!(
        ids(&list("customer_id", &json!("cus_ada")).await.ok()),
        ["early"]
    );
    assert_eq!(
        ids(&list("created.gt", &early["created"]).await.ok()),
        ["late"]
    );
    assert_eq!(
        ids(&list("created.gte", &late["created"]).await.ok()),
        ["late"]
    );
    assert_eq!(
        ids(&list("created.lt", &late["created"]).await.ok()),
        ["early"]
    );
    assert_eq!(
        ids(&list("created.lte", &early["created"]).await.ok()),
        ["early"]
    );
    assert_eq!(ids(&list("created", &late["created"]).await.ok()), ["late"]);
}

#[tokio::test]
async fn attempts_are_left_to_retrieve() {
    let shop = Shop::open().await;
    let more = json!({ "capture_method": "manual_multiple", "confirm": true });
    let payment = shop.creates(with(order_with(APPROVED), more)).await.ok();
    shop.captures(&payment, json!({ "amount_to_capture": 1000 }))
        .await
        .ok();
    let page = shop.call("payments_list").await.ok();
    assert_eq!(page["data"][0]["attempts"], json!(null));
    assert_eq!(page["data"][0]["captures"][0]["amount"], 1000);
}

#[tokio::test]
async fn cursors_and_names_that_are_none() {
    let shop = shop_with(1).await;
    shop.call("payments_list")
        .query("starting_after", "unborn")
        .await
        .refused(404, "HE_02");
    shop.call("payments_list")
        .query("ending_before", "unborn")
        .await
        .refused(404, "HE_02");
    let message = shop
        .call("payments_list")
        .query("custmer_id", "cus_ada")
        .await
        .refused(400, "IR_06");
    assert!(message.contains("custmer_id"), "{message}");
    let message = shop
        .call("payments_list")
        .query("created.lt", "yesterday")
        .await
        .refused(400, "IR_06");
    assert!(message.contains("created.lt"), "{message}");
}

#[tokio::test]
async fn only_the_merchants_own_payments() {
    let shop = shop_with(2).await;
    let other = shop.server.shop("flower_shop").await;
    assert_eq!(
        other.call("payments_list").await.ok(),
        json!({ "size": 0, "data": [] })
    );
    other
        .call("payments_list")
        .query("starting_after", "order_1")
        .await
        .refused(404, "HE_02");
}
