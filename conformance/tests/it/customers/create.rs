//! `POST /customers` creates a customer. (Facts 7.6)

use multirail_conformance::Shop;
use multirail_conformance::bodies::with;
use serde_json::json;

use super::{ada, creates, id, on, undated};

#[tokio::test]
async fn all_that_is_said_is_answered_and_remembered() {
    let shop = Shop::open().await;
    let made = creates(&shop, ada()).await.ok();
    assert_eq!(
        made,
        with(
            ada(),
            json!({ "default_payment_method_id": null, "created_at": made["created_at"] })
        )
    );
    let read = on(&shop, "customers_retrieve", &made).await.ok();
    assert_eq!(read, made);
    // A customer without any data has all members null.
    let somebody = shop.call("customers_create").await.ok();
    assert!(id(&somebody).starts_with("cus_") && id(&somebody).len() == 24);
    insta::assert_json_snapshot!(undated(somebody), @r#"
    {
      "name": null,
      "email": null,
      "phone": null,
      "phone_country_code": null,
      "description": null,
      "address": null,
      "tax_registration_id": null,
      "metadata": null,
      "default_payment_method_id": null
    }
    "#);
}

#[tokio::test]
async fn an_id_is_given_once() {
    let shop = Shop::open().await;
    creates(&shop, ada()).await.ok();
    let again = json!({ "customer_id": " ada ", "name": "Grace" });
    let message = creates(&shop, again.clone()).await.refused(400, "IR_12");
    insta::assert_snapshot!(message, @"there is a customer ada already");
    let read = shop.call("customers_retrieve").at("customer_id", "ada");
    assert_eq!(read.await.ok()["name"], "Ada Okafor");
    // The id of a redacted customer can't be used again either.
    let ada = ada();
    on(&shop, "customers_delete", &ada).await.ok();
    creates(&shop, again).await.refused(400, "IR_12");
}

#[tokio::test]
async fn wrong_requests_are_refused() {
    let shop = Shop::open().await;
    let long = "x".repeat(256);
    let many: serde_json::Map<_, _> = (0..51).map(|n| (format!("k{n}"), json!(n))).collect();
    let mut told = String::new();
    for body in [
        json!({ "customer_id": "list" }),
        json!({ "customer_id": "a b" }),
        json!({ "customer_id": "" }),
        json!({ "customer_id": "c".repeat(65) }),
        json!({ "customer_id": 7 }),
        json!({ "name": long }),
        json!({ "email": long }),
        json!({ "phone": long }),
        json!({ "phone_country_code": long }),
        json!({ "description": long }),
        json!({ "tax_registration_id": long }),
        json!({ "metadata": many }),
        json!({ "metadata": "gold" }),
        json!({ "address": { "line1": long } }),
        json!({ "address": { "country": "XX" } }),
        json!({ "address": { "planet": "Mars" } }),
        json!({ "default_payment_method_id": "pm_1" }),
        json!({ "e_mail": "ada@shopper.example" }),
    ] {
        let answer = creates(&shop, body).await;
        let code = answer.body["code"].as_str().unwrap_or("-");
        told.push_str(&format!("{} {code} {}\n", answer.status, answer.message()));
    }
    insta::assert_snapshot!(told, @r"
    422 IR_05 customer_id is not in the expected form: an id that is not a word of our own paths, such as list
    422 IR_05 `customer_id` must be of the form `^ *[A-Za-z0-9_-]+ *$`.
    422 IR_05 `customer_id` must be not empty.
    422 IR_05 `customer_id` must be at most 64 characters long.
    400 IR_06 `customer_id` must be text.
    422 IR_05 `name` must be at most 255 characters long.
    422 IR_05 `email` must be at most 255 characters long.
    422 IR_05 `phone` must be at most 255 characters long.
    422 IR_05 `phone_country_code` must be at most 255 characters long.
    422 IR_05 `description` must be at most 255 characters long.
    422 IR_05 `tax_registration_id` must be at most 255 characters long.
    422 IR_05 `metadata` must be an object of at most 50 members.
    400 IR_06 `metadata` must be an object.
    422 IR_05 `address.line1` must be at most 200 characters long.
    400 IR_06 `address.country` must be one of the words that the document lists.
    400 IR_06 `address.planet` is not a known member here.
    400 IR_06 `default_payment_method_id` is not a known member here.
    400 IR_06 `e_mail` is not a known member here. Was `email` meant?
    ");
    assert_eq!(shop.call("customers_list").await.ok(), json!([]));
}
