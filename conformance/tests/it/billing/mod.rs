//! The catalogue that customers subscribe to, and its prices.

mod catalogue;
mod estimate;
mod of_users;

use multirail_conformance::{Call, Shop};
use serde_json::{Value, json};

/// Returns the request body of a connector account of our own billing engine.
pub fn account() -> Value {
    json!({
        "connector_type": "billing_processor",
        // The account has no secret; null removes the secret that other accounts have.
        "connector_account_details": { "auth_type": "NoKey", "api_key": null },
    })
}

/// Adds the shop's profile to a call.
pub fn for_profile(shop: &Shop, call: Call) -> Call {
    call.header("X-Profile-Id", &shop.profile_id)
}

/// Builds a call of this operation for the shop's profile.
pub fn asks(shop: &Shop, operation: &str) -> Call {
    for_profile(shop, shop.call(operation))
}

/// Makes our own engine bill for the shop's profile, if it doesn't yet.
pub async fn opens(shop: &Shop) {
    let profile = shop
        .call("business_profiles_retrieve")
        .at("profile_id", &shop.profile_id);
    if profile.await.ok()["billing_processor_id"].is_string() {
        return;
    }
    let account = shop.connects("multirail_billing", account()).await.ok();
    let id = &account["merchant_connector_id"];
    let profile = json!({ "billing_processor_id": id });
    assert_eq!(
        shop.sets_up(profile).await.ok()["billing_processor_id"],
        *id
    );
}

/// Returns the list that holds an entry, by the member with its id.
pub fn list(member: &str) -> &'static str {
    match member {
        "product_id" => "products",
        "item_id" => "items",
        "item_price_id" => "item_prices",
        "coupon_code" => "coupons",
        other => panic!("no entry has a {other}"),
    }
}

/// Returns the id of the entry that [`offers`] makes.
pub fn id(member: &str) -> &'static str {
    match member {
        "product_id" => "magazine",
        "item_id" => "gold",
        "item_price_id" => "gold-monthly",
        "coupon_code" => "SPRING",
        other => panic!("no entry has a {other}"),
    }
}

/// Builds a call that creates an entry with this id.
pub fn makes(shop: &Shop, member: &str, id: &str, more: Value) -> Call {
    let mut body = match member {
        "product_id" => json!({ "name": "The magazine" }),
        "item_id" => json!({ "product_id": "magazine", "item_type": "plan", "name": "Gold" }),
        "item_price_id" => json!({
            "item_id": "gold", "amount": 1999, "currency": "EUR", "interval": "month",
            "time_zone": "Europe/Berlin", "taxes": [{ "name": "VAT", "basis_points": 1900 }],
        }),
        "coupon_code" => json!({
            "name": "Spring", "discount_basis_points": 1000, "duration": "once", "max_redemptions": 100,
        }),
        other => panic!("no entry has a {other}"),
    };
    body[member] = json!(id);
    let operation = format!("subscription_{}_create", list(member));
    let body = multirail_conformance::bodies::with(body, more);
    asks(shop, &operation).json(&body)
}

pub const MEMBERS: [&str; 4] = ["product_id", "item_id", "item_price_id", "coupon_code"];

/// Creates one entry of each kind, if there is none.
pub async fn offers(shop: &Shop) {
    for member in MEMBERS {
        let answer = makes(shop, member, id(member), json!({})).await;
        assert!(
            answer.status == 200 || answer.body["code"] == "HE_01",
            "{member}: {}",
            answer.body
        );
    }
}

/// Opens billing for the shop and creates a catalogue.
pub async fn sells(shop: &Shop) {
    opens(shop).await;
    offers(shop).await;
}

/// Returns everything that the merchant can read; refusals, before there is a billing account.
pub async fn catalogue(shop: &Shop) -> Value {
    let mut all = Vec::new();
    for list in ["products", "item_prices", "coupons"] {
        let call = asks(shop, &format!("subscription_{list}_list"));
        all.push(call.query("limit", 100).await.body);
    }
    let offered = asks(shop, "subscription_items_list").query("item_type", "plan");
    all.push(offered.query("limit", 100).await.body);
    json!(all)
}
