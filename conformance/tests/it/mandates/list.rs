//! `GET /mandates/list` and `GET /customers/{customer_id}/mandates`

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, with};
use serde_json::{Value, json};

use super::{id, made, often, on, once, retrieved, setting_up};

fn ids(list: &Value) -> Vec<&str> {
    let list = list.as_array().expect("a list");
    list.iter().map(id).collect()
}

#[tokio::test]
async fn the_newest_first_by_page_and_filter() {
    let shop = Shop::open().await;
    let mut all = Vec::new();
    for _ in 0..2 {
        all.insert(0, made(&shop, once()).await);
        shop.time_passes(60).await;
    }
    let grace = with(
        setting_up(APPROVED, often()),
        json!({ "customer_id": "grace" }),
    );
    let grace = shop.creates(grace).await.ok();
    all.insert(0, retrieved(&shop, &grace).await);
    on(&shop, "mandates_revoke", &all[2]).await.ok();
    let expected: Vec<&str> = all.iter().map(id).collect();
    let list = || shop.call("mandates_list");
    let listed = list().await.ok();
    assert_eq!(ids(&listed), expected);
    assert_eq!(listed[0], all[0], "each as it is retrieved");
    let date = all[1]["created_at"].as_str().expect("a date");
    let table = [
        (vec![("limit", "1")], &expected[..1]),
        (vec![("limit", "1"), ("offset", "1")], &expected[1..2]),
        (vec![("mandate_status", "active")], &expected[..2]),
        (vec![("mandate_status", "revoked")], &expected[2..]),
        (vec![("mandate_status", "pending")], &[][..]),
        (vec![("connector", "fauxpay")], &expected[..]),
        (vec![("connector", "stripe_test")], &[][..]),
        (vec![("customer_id", "ada")], &expected[1..]),
        (vec![("created_time", date)], &expected[1..2]),
        (vec![("created_time.gt", date)], &expected[..1]),
        (vec![("created_time.gte", date)], &expected[..2]),
        (vec![("created_time.lt", date)], &expected[2..]),
        (vec![("created_time.lte", date)], &expected[1..]),
    ];
    for (query, expected) in table {
        let mut call = list();
        for (name, value) in &query {
            call = call.query(name, value);
        }
        assert_eq!(ids(&call.await.ok()), expected, "{query:?}");
    }
    list().query("limit", 101).await.refused(422, "IR_06");
    list()
        .query("mandate_status", "gone")
        .await
        .refused(400, "IR_06");
    // The list of one customer.
    let of = |customer: &str| {
        shop.call("customer_mandates_list")
            .at("customer_id", customer)
    };
    assert_eq!(ids(&of("ada").await.ok()), &expected[1..]);
    let page = of("ada").query("limit", 1).query("offset", 1);
    assert_eq!(ids(&page.await.ok()), &expected[2..]);
    of("nobody").await.refused(404, "HE_02");
}
