//! A catalogue: made, listed, archived.

use insta::assert_json_snapshot;
use multirail_conformance::Shop;
use serde_json::{Value, json};

use super::{MEMBERS, asks, id, list, makes, opens, sells};

fn ids(list: &Value, member: &str) -> Vec<String> {
    let entries = list.as_array().expect("a list").iter();
    entries
        .map(|entry| entry[member].as_str().expect("an id").to_owned())
        .collect()
}

#[tokio::test]
async fn without_a_billing_account_there_is_no_catalogue() {
    let shop = Shop::open().await;
    let items = || asks(&shop, "subscription_items_list").query("item_type", "plan");
    let message = items().await.refused(400, "IR_16");
    assert!(message.contains("billing_processor_id"), "{message}");
    let unnamed = shop
        .call("subscription_items_list")
        .query("item_type", "plan");
    let message = unnamed.await.refused(400, "IR_04");
    assert!(message.contains("X-Profile-Id"), "{message}");

    // A profile is billed by an account for that.
    let payments = json!({ "billing_processor_id": shop.connector_account_id });
    shop.sets_up(payments).await.refused(404, "HE_02");
    let nobody = json!({ "billing_processor_id": "mca_nobody" });
    shop.sets_up(nobody).await.refused(404, "HE_02");
    let other_kind = json!({
        "connector_type": "payment_processor", "connector_account_details": { "auth_type": "NoKey", "api_key": null },
    });
    shop.connects("multirail_billing", other_kind)
        .await
        .refused(422, "IR_06");

    opens(&shop).await;
    assert_eq!(items().await.ok(), json!([]));
    let profile = shop.sets_up(json!({ "session_expiry": 900 })).await.ok();
    let account = profile["billing_processor_id"].as_str().expect("an id");
    let call = shop
        .call("connector_accounts_update")
        .at("merchant_connector_id", account)
        .json(&json!({ "connector_type": "billing_processor", "disabled": true }));
    call.await.ok();
    items().await.refused(404, "HE_02");
}

#[tokio::test]
async fn entries_are_made_found_and_archived() {
    let shop = Shop::open().await;
    sells(&shop).await;
    let retrieved = |member: &str| {
        let operation = format!("subscription_{}_retrieve", list(member));
        asks(&shop, &operation).at(leaked(member), id(member))
    };
    let price = retrieved("item_price_id").await.ok();
    assert_json_snapshot!(price, {".merchant_connector_id" => "mca", ".created_at" => "then", ".modified_at" => "then"}, @r#""#);
    let coupon = retrieved("coupon_code").await.ok();
    assert_json_snapshot!(coupon, {".merchant_connector_id" => "mca", ".created_at" => "then", ".modified_at" => "then"}, @r#""#);

    // What is paid once, and an addon.
    let once = json!({ "interval": null });
    makes(&shop, "item_price_id", "gold-for-life", once)
        .await
        .ok();
    let trial = json!({ "interval": "year", "interval_count": 2, "trial_period": 14 });
    makes(&shop, "item_price_id", "gold-two-years", trial)
        .await
        .ok();
    let addon = json!({ "item_type": "addon", "name": "Cover", "description": "Against rain" });
    makes(&shop, "item_id", "cover", addon).await.ok();
    let made =
        asks(&shop, "subscription_products_create").json(&json!({ "name": "Without an id" }));
    let made = made.await.ok()["product_id"].clone();
    assert!(made.as_str().is_some_and(|id| id.starts_with("prod_")));

    let offered = |kind: &str| asks(&shop, "subscription_items_list").query("item_type", kind);
    let plans = offered("plan").await.ok();
    assert_json_snapshot!(plans, @r#""#);
    assert_eq!(ids(&offered("addon").await.ok(), "id"), ["cover"]);
    let of_product = offered("plan").query("product_id", "other").await.ok();
    assert_eq!(of_product, json!([]));
    let of_product = offered("plan").query("product_id", "magazine").await.ok();
    assert_eq!(of_product, plans);
    assert_eq!(offered("plan").query("offset", 1).await.ok(), json!([]));
    offered("plan")
        .query("limit", 101)
        .await
        .refused(400, "IR_06");
    asks(&shop, "subscription_items_list")
        .await
        .refused(400, "IR_04");

    // The newest first, page by page.
    let prices = |offset: i64| {
        let call = asks(&shop, "subscription_item_prices_list").query("item_id", "gold");
        call.query("limit", 2).query("offset", offset)
    };
    let first = ids(&prices(0).await.ok(), "item_price_id");
    assert_eq!(first, ["gold-two-years", "gold-for-life"]);
    let second = ids(&prices(2).await.ok(), "item_price_id");
    assert_eq!(second, ["gold-monthly"]);

    // Taken once more by nobody, and archived for good.
    for member in MEMBERS {
        let taken = makes(&shop, member, id(member), json!({})).await;
        let message = taken.refused(400, "HE_01");
        assert!(message.contains(id(member)), "{message}");
    }
    for member in MEMBERS.into_iter().rev() {
        let operation = format!("subscription_{}_archive", list(member));
        let archive = || asks(&shop, &operation).at(leaked(member), id(member));
        let archived = archive().await.ok();
        assert_eq!(archived["is_archived"], true, "{member}");
        assert_eq!(archive().await.ok(), archived, "once more changes nothing");
        assert_eq!(retrieved(member).await.ok(), archived);
    }
    assert_eq!(offered("plan").await.ok(), json!([]));
    let late = makes(&shop, "item_price_id", "late", json!({})).await;
    late.refused(400, "IR_16");
    makes(&shop, "item_id", "late", json!({}))
        .await
        .refused(400, "IR_16");
}

/// Names of path parameters live as long as the program.
fn leaked(member: &str) -> &'static str {
    MEMBERS
        .into_iter()
        .find(|own| *own == member)
        .expect("a member")
}

#[tokio::test]
async fn what_can_t_be_sold_is_refused_by_its_member() {
    let shop = Shop::open().await;
    sells(&shop).await;
    let mut told = Vec::new();
    let price = |more: Value| ("item_price_id", more);
    let coupon = |more: Value| ("coupon_code", more);
    for (member, more) in [
        price(json!({ "amount": -1 })),
        price(json!({ "amount": 1_000_000_000 })),
        price(json!({ "interval": "fortnight" })),
        price(json!({ "interval": null, "interval_count": 2 })),
        price(json!({ "interval": null, "trial_period": 7 })),
        price(json!({ "interval_count": 37 })),
        price(json!({ "min_quantity": 5, "max_quantity": 4 })),
        price(json!({ "time_zone": "Europe/Nowhere" })),
        price(json!({ "taxes": [{ "name": "VAT", "basis_points": 10_001 }] })),
        price(
            json!({ "taxes": [{ "name": "VAT", "basis_points": 1 }, { "name": "VAT", "basis_points": 2 }] }),
        ),
        price(json!({ "item_id": "silver" })),
        price(json!({ "item_price_id": "a b" })),
        coupon(json!({ "discount_amount": 5, "currency": "EUR" })),
        coupon(json!({ "discount_basis_points": null })),
        coupon(json!({ "discount_basis_points": null, "discount_amount": 5 })),
        coupon(json!({ "duration": "repeating" })),
        coupon(json!({ "duration_periods": 2 })),
        coupon(
            json!({ "valid_from": "2027-01-02T00:00:00Z", "valid_until": "2027-01-01T00:00:00Z" }),
        ),
        ("item_id", json!({ "product_id": "newspaper" })),
        ("item_id", json!({ "name": "two\nlines" })),
        ("product_id", json!({ "name": "" })),
    ] {
        let answer = makes(&shop, member, "another", more.clone()).await;
        let (code, message) = (answer.body["code"].clone(), answer.message());
        told.push(format!("{more}: {} {code} {message}", answer.status));
    }
    insta::assert_snapshot!(told.join("\n"), @"");
    let price = asks(&shop, "subscription_item_prices_retrieve").at("item_price_id", "another");
    price.await.refused(404, "HE_02");
}
