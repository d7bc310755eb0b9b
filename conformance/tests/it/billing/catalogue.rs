//! A catalogue: made, listed, archived.

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

    // Only a billing account can bill for a profile.
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
    for (name, wanted) in [
        ("item_id", json!("gold")),
        ("amount", json!(1999)),
        ("currency", json!("EUR")),
        ("interval", json!("month")),
        ("interval_count", json!(1)),
        ("trial_period", json!(null)),
        ("min_quantity", json!(1)),
        ("max_quantity", json!(100_000)),
        (
            "taxes",
            json!([{
                "name": "VAT", "basis_points": 1900, "parts_per_million": 190_000, "included": false,
            }]),
        ),
        ("time_zone", json!("Europe/Berlin")),
        ("is_archived", json!(false)),
    ] {
        assert_eq!(price[name], wanted, "{name}");
    }
    let coupon = retrieved("coupon_code").await.ok();
    for (name, wanted) in [
        ("discount_type", json!("percent")),
        ("discount_basis_points", json!(1000)),
        ("discount_amount", json!(null)),
        ("duration", json!("once")),
        ("max_redemptions", json!(100)),
        ("redemptions", json!(0)),
    ] {
        assert_eq!(coupon[name], wanted, "{name}");
    }

    // A one-time price, and an addon.
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
    assert_eq!(ids(&plans, "id"), ["gold"]);
    assert_eq!(
        ids(&plans[0]["price_id"], "price_id"),
        ["gold-monthly", "gold-for-life", "gold-two-years"]
    );
    let two_years = json!({
        "price_id": "gold-two-years", "item_id": "gold", "amount": 1999, "currency": "EUR",
        "interval": "year", "interval_count": 2, "trial_period": 14, "trial_period_unit": "day",
    });
    assert_eq!(plans[0]["price_id"][2], two_years);
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

    // The ids can't be used again, and archiving is permanent.
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

/// Archiving a product archives its prices too.
#[tokio::test]
async fn entries_of_an_archived_product_are_not_offered() {
    let shop = Shop::open().await;
    sells(&shop).await;
    let estimate = || asks(&shop, "subscription_estimate").query("item_price_id", "gold-monthly");
    estimate().await.ok();
    let archive = asks(&shop, "subscription_products_archive");
    archive.at("product_id", id("product_id")).await.ok();
    for kind in ["plan", "addon"] {
        let offered = asks(&shop, "subscription_items_list").query("item_type", kind);
        assert_eq!(offered.await.ok(), json!([]), "{kind}");
        let of_product = asks(&shop, "subscription_items_list").query("item_type", kind);
        let of_product = of_product.query("product_id", id("product_id"));
        assert_eq!(of_product.await.ok(), json!([]), "{kind}");
    }
    let said = estimate().await.refused(400, "IR_16");
    assert_eq!(said, "item_price_id is not offered any more");
}

/// Leaks a path parameter's name, because calls need static names.
fn leaked(member: &str) -> &'static str {
    MEMBERS
        .into_iter()
        .find(|own| *own == member)
        .expect("a member")
}

#[tokio::test]
async fn wrong_entries_are_refused_by_member() {
    let shop = Shop::open().await;
    sells(&shop).await;
    let price = |more: Value| ("item_price_id", more);
    let coupon = |more: Value| ("coupon_code", more);
    let twice = json!([{ "name": "VAT", "basis_points": 1 }, { "name": "VAT", "basis_points": 2 }]);
    for ((member, more), status, code) in [
        (price(json!({ "amount": -1 })), 400, "IR_06"),
        (
            price(json!({ "amount": 1_000_000_000_000_i64 })),
            400,
            "IR_06",
        ),
        (price(json!({ "interval": "fortnight" })), 400, "IR_06"),
        (
            price(json!({ "interval": null, "interval_count": 2 })),
            400,
            "IR_04",
        ),
        (
            price(json!({ "interval": null, "trial_period": 7 })),
            422,
            "IR_06",
        ),
        (price(json!({ "interval_count": 37 })), 422, "IR_05"),
        (
            price(json!({ "min_quantity": 5, "max_quantity": 4 })),
            422,
            "IR_05",
        ),
        (
            price(json!({ "time_zone": "Europe/Nowhere" })),
            422,
            "IR_05",
        ),
        (
            price(json!({ "taxes": [{ "name": "VAT", "basis_points": 10_001 }] })),
            400,
            "IR_06",
        ),
        (price(json!({ "taxes": twice })), 422, "IR_05"),
        (price(json!({ "taxes": [{ "name": "VAT" }] })), 422, "IR_06"),
        (price(json!({ "item_id": "silver" })), 404, "HE_02"),
        (
            coupon(json!({ "discount_amount": 5, "currency": "EUR" })),
            422,
            "IR_06",
        ),
        (
            coupon(json!({ "discount_basis_points": null })),
            422,
            "IR_06",
        ),
        (
            coupon(json!({ "discount_basis_points": null, "discount_amount": 5 })),
            400,
            "IR_04",
        ),
        (coupon(json!({ "duration": "repeating" })), 400, "IR_04"),
        (coupon(json!({ "duration_periods": 2 })), 422, "IR_06"),
        (
            coupon(
                json!({ "valid_from": "2027-01-02T00:00:00Z", "valid_until": "2027-01-01T00:00:00Z" }),
            ),
            422,
            "IR_05",
        ),
        (
            ("item_id", json!({ "product_id": "newspaper" })),
            404,
            "HE_02",
        ),
        (("item_id", json!({ "name": "two\nlines" })), 422, "IR_05"),
        (("product_id", json!({ "name": "" })), 422, "IR_05"),
    ] {
        let answer = makes(&shop, member, "another", more.clone()).await;
        let told = (answer.status, answer.body["code"].as_str());
        assert_eq!(told, (status, Some(code)), "{more}: {}", answer.body);
    }
    let price = asks(&shop, "subscription_item_prices_retrieve").at("item_price_id", "another");
    price.await.refused(404, "HE_02");
}
