//! `GET /customers/list`: pages, and searches by members that are stored only as hashes.

use multirail_conformance::Shop;
use serde_json::{Value, json};

use super::{ada, creates, id, on};

/// Returns the ids of customers in a list.
fn ids(list: &Value) -> Vec<&str> {
    list.as_array().expect("a list").iter().map(id).collect()
}

#[tokio::test]
async fn pages_go_from_the_oldest_to_the_newest() {
    let shop = Shop::open().await;
    for n in 0..12 {
        creates(&shop, json!({ "customer_id": format!("c{n:02}") }))
            .await
            .ok();
    }
    let page = |limit: i64, offset: i64| {
        let call = shop.call("customers_list");
        call.query("limit", limit).query("offset", offset)
    };
    let first = shop.call("customers_list").await.ok();
    assert_eq!(ids(&first).len(), 10, "ten where no limit is named");
    assert_eq!(ids(&first)[..2], ["c00", "c01"]);
    assert_eq!(ids(&page(2, 3).await.ok()), ["c03", "c04"]);
    assert_eq!(ids(&page(100, 11).await.ok()), ["c11"]);
    assert_eq!(ids(&page(100, 12).await.ok()), Vec::<&str>::new());
    let one = shop.call("customers_list").query("customer_id", "c07");
    assert_eq!(ids(&one.await.ok()), ["c07"]);
    let nobody = shop.call("customers_list").query("customer_id", "nobody");
    assert_eq!(nobody.await.ok(), json!([]));
}

#[tokio::test]
async fn addresses_and_numbers_are_found_however_they_are_written() {
    let shop = Shop::open().await;
    creates(&shop, ada()).await.ok();
    let grace =
        json!({ "customer_id": "grace", "email": "grace@shopper.example", "phone": "2025550132" });
    let grace = creates(&shop, grace).await.ok();
    creates(&shop, json!({ "customer_id": "nobody" }))
        .await
        .ok();
    let search = async |member: &str, value: &str| {
        let list = shop.call("customers_list").query(member, value).await.ok();
        ids(&list).join(" ")
    };
    assert_eq!(search("email", " ada@shopper.EXAMPLE").await, "ada");
    assert_eq!(search("email", "ada@shopper").await, "", "the whole of it");
    assert_eq!(search("phone", "202-555-0132").await, "ada grace");
    assert_eq!(search("phone", "+1 202 555 0132").await, "");
    let noura = json!({ "customer_id": "noura", "phone": "٠٥٠ ٥٥٥ ٠١٩٩" });
    creates(&shop, noura).await.ok();
    for written in ["٠٥٠ ٥٥٥ ٠١٩٩", "050 555 0199", "۰۵۰۵۵۵۰۱۹۹"] {
        assert_eq!(search("phone", written).await, "noura", "{written}");
    }
    let both = shop.call("customers_list").query("phone", "2025550132");
    let both = both.query("email", "grace@shopper.example").await.ok();
    assert_eq!(ids(&both), ["grace"]);
    // The new address finds the customer, the former one doesn't.
    let moved = json!({ "email": "hopper@shopper.example" });
    super::updates(&shop, &grace, moved).await.ok();
    assert_eq!(search("email", "grace@shopper.example").await, "");
    assert_eq!(search("email", "hopper@shopper.example").await, "grace");
    // Only the id finds a redacted customer.
    on(&shop, "customers_delete", &grace).await.ok();
    assert_eq!(search("email", "hopper@shopper.example").await, "");
    assert_eq!(search("email", "redacted").await, "");
    assert_eq!(search("customer_id", "grace").await, "grace");
}

#[tokio::test]
async fn wrong_queries_are_refused() {
    let shop = Shop::open().await;
    let mut told = String::new();
    for (name, value) in [
        ("limit", "-1"),
        ("limit", "101"),
        ("limit", "ten"),
        ("offset", "-1"),
        ("customer_id", "a b"),
        ("email", ""),
        ("email", "  "),
        ("phone", "none"),
        ("name", "Ada"),
    ] {
        let answer = shop.call("customers_list").query(name, value).await;
        let code = answer.body["code"].as_str().unwrap_or("-");
        told.push_str(&format!("{} {code} {}\n", answer.status, answer.message()));
    }
    insta::assert_snapshot!(told, @r"
    400 IR_06 The query parameter `limit` must be at least 0.
    422 IR_06 limit has to lie between 0 and 100
    400 IR_06 The query parameter `limit` must be a whole number.
    400 IR_06 The query parameter `offset` must be at least 0.
    400 IR_06 The query parameter `customer_id` must be of the form `^ *[A-Za-z0-9_-]+ *$`.
    400 IR_06 The query parameter `email` must be not empty.
    422 IR_05 email is not in the expected form: an e-mail address
    422 IR_05 phone is not in the expected form: a phone number with digits
    400 IR_06 The query parameter `name` isn't known here. Known: `customer_id`, `email`, `limit`, `offset`, `phone`.
    ");
}
