//! The list of configurations. (Specification 4.13; facts 2.13)

use multirail_conformance::{Call, Shop};
use serde_json::{Value, json};

use super::{creates, creates_with, id, on, routes_by, single};

fn lists(shop: &Shop) -> Call {
    shop.call("routing_list")
}

fn ids(listed: &Value) -> Vec<String> {
    let records = listed["records"].as_array().expect("records");
    records.iter().map(|record| id(record).to_owned()).collect()
}

#[tokio::test]
async fn a_dictionary_with_the_latest_first() {
    let shop = Shop::open().await;
    let empty = lists(&shop).await.ok();
    assert_eq!(
        empty,
        json!({ "merchant_id": "bookshop", "active_id": null, "records": [] })
    );
    let mut made = Vec::new();
    for name in ["first", "second", "third"] {
        let stored = creates_with(&shop, single("fauxpay"), json!({ "name": name }));
        made.insert(0, stored.await.ok());
        shop.time_passes(1).await;
    }
    let listed = lists(&shop).await.ok();
    assert_eq!(listed["records"], json!(made));
    let page = lists(&shop).query("limit", 1).query("offset", 1).await.ok();
    assert_eq!(page["records"], json!([made[1]]));
    let none = lists(&shop).query("limit", 0).await.ok();
    assert_eq!(none["records"], json!([]));
    on(&shop, "routing_activate", &made[1]).await.ok();
    let listed = lists(&shop).await.ok();
    assert_eq!(listed["active_id"], made[1]["id"]);
    assert_eq!(listed["records"], json!(made), "a record never changes");
}

#[tokio::test]
async fn wrong_queries_are_refused() {
    let shop = Shop::open().await;
    lists(&shop).query("limit", 101).await.refused(422, "IR_06");
    for (name, value) in [
        ("limit", "-1"),
        ("offset", "-1"),
        ("limit", "many"),
        ("order", "asc"),
    ] {
        lists(&shop).query(name, value).await.refused(400, "IR_06");
    }
    let word = lists(&shop).query("transaction_type", "barter").await;
    word.refused(400, "IR_06");
    let profile = lists(&shop).query("profile_id", "pro_elsewhere").await;
    profile.refused(404, "HE_02");
}

#[tokio::test]
async fn the_list_of_one_profile() {
    let shop = Shop::open().await;
    let second = &shop.second_profile().await;
    shop.connects("adyen_test", json!({ "profile_id": second }))
        .await
        .ok();
    let here = routes_by(&shop, single("fauxpay")).await;
    let there = creates_with(&shop, single("adyen_test"), json!({ "profile_id": second }));
    let there = there.await.ok();
    let all = lists(&shop).await.ok();
    assert_eq!(ids(&all).len(), 2);
    assert_eq!(all["active_id"], here["id"], "of the default profile");
    let of_second = lists(&shop).query("profile_id", second).await.ok();
    assert_eq!(ids(&of_second), [id(&there)]);
    assert_eq!(of_second["active_id"], json!(null));
    let narrowed = lists(&shop).header("X-Profile-Id", second).await.ok();
    assert_eq!(narrowed, of_second);
    let other = lists(&shop).header("X-Profile-Id", second);
    other
        .query("profile_id", &shop.profile_id)
        .await
        .refused(404, "HE_02");
    let hidden = on(&shop, "routing_retrieve", &here).header("X-Profile-Id", second);
    hidden.await.refused(404, "HE_02");
    let payouts = lists(&shop).query("transaction_type", "payout").await.ok();
    assert_eq!(ids(&payouts), Vec::<String>::new());
}

#[tokio::test]
async fn another_merchants_dont_exist() {
    let bookshop = Shop::open().await;
    let florist = bookshop.server.shop("florist").await;
    let made = creates(&florist, single("fauxpay")).await.ok();
    on(&bookshop, "routing_retrieve", &made)
        .await
        .refused(404, "HE_02");
    on(&bookshop, "routing_activate", &made)
        .await
        .refused(404, "HE_02");
    let listed = lists(&bookshop).await.ok();
    assert_eq!(ids(&listed), Vec::<String>::new());
}
