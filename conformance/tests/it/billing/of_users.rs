//! The catalogue that signed-in users look after, by the operations of the key.

use std::sync::Arc;

use multirail_conformance::{Call, Shop, TestServer};
use serde_json::json;

use super::{asks, catalogue, for_profile, opens, sells};
use crate::audit_log::entries_of;
use crate::users::Person;

async fn person(server: &Arc<TestServer>, role: &str) -> Person {
    Person::invited(server, role, role, "bookshop").await
}

/// Builds a user's call for the shop's profile.
fn by(shop: &Shop, who: &Person, operation: &str) -> Call {
    for_profile(shop, who.call(operation))
}

#[tokio::test]
async fn an_operator_adds_a_plan_and_archives_it() {
    let shop = Shop::open().await;
    opens(&shop).await;
    let ada = person(&shop.server, "merchant_operator").await;
    let made = [
        (
            "subscription_products_create",
            json!({ "product_id": "reading", "name": "Reading" }),
        ),
        (
            "subscription_items_create",
            json!({ "item_id": "reader", "product_id": "reading", "item_type": "plan", "name": "Reader" }),
        ),
        (
            "subscription_item_prices_create",
            json!({ "item_price_id": "reader_monthly", "item_id": "reader", "amount": 990, "currency": "EUR", "interval": "month" }),
        ),
        (
            "subscription_coupons_create",
            json!({ "coupon_code": "HALF", "name": "Half", "discount_basis_points": 5000, "duration": "once" }),
        ),
    ];
    let user_id = ada.details().await["user_id"].clone();
    for (operation, body) in made {
        by(&shop, &ada, operation).json(&body).await.ok();
        let entry = entries_of(&shop.server, operation).await.remove(0);
        let who = [&entry["principal"], &entry["principal_id"]];
        assert_eq!(who, [&json!("user"), &user_id], "{operation}");
    }
    let offered = by(&shop, &ada, "subscription_items_list").query("item_type", "plan");
    let offered = offered.await.ok();
    assert_eq!(offered[0]["price_id"][0]["amount"], 990);
    let estimate = by(&shop, &ada, "subscription_estimate");
    let estimate = estimate.query("item_price_id", "reader_monthly");
    let estimate = estimate.query("coupon_code", "HALF").await.ok();
    assert_eq!(estimate["amount"], 495);
    assert_eq!(estimate.get("customer_id"), None);

    let archive = by(&shop, &ada, "subscription_item_prices_archive");
    let archived = archive.at("item_price_id", "reader_monthly").await.ok();
    assert_eq!(archived["is_archived"], true);
    let prices = by(&shop, &ada, "subscription_item_prices_list");
    assert_eq!(prices.await.ok()[0]["is_archived"], true);
    // The key sees what the user did.
    let by_key = asks(&shop, "subscription_item_prices_retrieve");
    let by_key = by_key.at("item_price_id", "reader_monthly").await.ok();
    assert_eq!(by_key, archived);
}

#[tokio::test]
async fn each_role_does_its_part_with_the_catalogue() {
    let shop = Shop::open().await;
    sells(&shop).await;
    let before = catalogue(&shop).await;
    for role in ["merchant_view_only", "merchant_developer"] {
        let reader = person(&shop.server, role).await;
        for list in ["products", "item_prices", "coupons"] {
            let listed = by(&shop, &reader, &format!("subscription_{list}_list"));
            let listed = listed.await.ok();
            assert_eq!(listed.as_array().map(Vec::len), Some(1), "{role} {list}");
        }
        let create = by(&shop, &reader, "subscription_products_create");
        let create = create.json(&json!({ "name": "Another" }));
        create.await.refused(403, "IR_22");
        let archive = by(&shop, &reader, "subscription_products_archive");
        archive
            .at("product_id", "magazine")
            .await
            .refused(403, "IR_22");
    }
    let ada = person(&shop.server, "merchant_admin").await;
    let nowhere = ada.call("subscription_products_list").await;
    let said = nowhere.refused(400, "IR_04");
    assert!(said.contains("X-Profile-Id"), "{said}");
    // A client secret belongs to a publishable key.
    let secret = by(&shop, &ada, "subscription_items_list").query("item_type", "plan");
    let secret = secret.query("client_secret", "sub_1_secret_0123456789abcdefghij");
    secret.await.refused(422, "IR_06");

    shop.server.shop_without_connector("florist").await;
    let flora = Person::invited(&shop.server, "flora", "org_admin", "florist").await;
    let theirs = by(&shop, &flora, "subscription_products_list");
    theirs.await.refused(404, "HE_02");
    assert_eq!(catalogue(&shop).await, before);
}
