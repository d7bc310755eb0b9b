//! Names are stored and measured without the blanks around them.

use multirail_conformance::{Call, Shop};
use serde_json::{Value, json};

use crate::{billing, routing};

/// A routing configuration with a rule of this name.
fn rule(name: &str) -> Value {
    let chosen = json!({ "type": "priority", "data": [{ "connector": "fauxpay" }] });
    let condition = json!({
        "lhs": "amount",
        "comparison": "greater_than",
        "value": { "type": "number", "value": 100 },
        "metadata": {},
    });
    let rule = json!({
        "name": name,
        "connectorSelection": chosen,
        "statements": [{ "condition": [condition] }],
    });
    let data = json!({ "defaultSelection": chosen, "rules": [rule], "metadata": {} });
    routing::algorithm("advanced", data)
}

/// Builds a request that names something; returns it with the name's longest length and its place in the answer.
fn asks(shop: &Shop, what: &str, name: &str) -> (Call, usize, &'static str) {
    let id = format!("n{}", name.len());
    let sold = |member: &str, said: Value| billing::makes(shop, member, &id, said);
    match what {
        "key" => {
            let call = shop.server.operator("api_keys_create");
            let key = json!({ "name": name, "expiration": "never" });
            let call = call.at("merchant_id", &shop.merchant_id).json(&key);
            (call, 64, "/name")
        }
        "profile" => {
            let call = shop.call("business_profiles_create");
            (
                call.json(&json!({ "profile_name": name })),
                64,
                "/profile_name",
            )
        }
        "label" => {
            let label = json!({ "connector_label": name });
            (shop.connects("fauxpay", label), 255, "/connector_label")
        }
        "routing" => {
            let call = routing::creates_with(shop, rule("Small"), json!({ "name": name }));
            (call, 64, "/name")
        }
        "rule" => (routing::creates(shop, rule(name)), 64, ""),
        "product" => (sold("product_id", json!({ "name": name })), 255, "/name"),
        "item" => (sold("item_id", json!({ "name": name })), 255, "/name"),
        "tax" => {
            let taxes = json!({ "taxes": [{ "name": name, "basis_points": 1900 }] });
            (sold("item_price_id", taxes), 64, "/taxes/0/name")
        }
        "coupon" => (sold("coupon_code", json!({ "name": name })), 255, "/name"),
        other => panic!("nothing is a {other}"),
    }
}

#[tokio::test]
async fn blanks_around_a_name_are_no_part_of_it() {
    let shop = Shop::open().await;
    billing::sells(&shop).await;
    for what in [
        "key", "profile", "label", "routing", "rule", "product", "item", "tax", "coupon",
    ] {
        let (_, most, place) = asks(&shop, what, "");
        let name = "n".repeat(most);
        let (call, ..) = asks(&shop, what, &format!("  {name} \t"));
        // A schema can't express that blanks don't count.
        let answer = call.unjudged().await.ok();
        let told = answer.pointer(place).expect("what was named");
        if what != "rule" {
            assert_eq!(told, &json!(name), "{what}");
        } else {
            let read = routing::on(&shop, "routing_retrieve", told).await.ok();
            let rule = &read["algorithm"]["data"]["rules"][0];
            assert_eq!(rule["name"], json!(name), "{read}");
        }
        for wrong in ["n".repeat(most + 1), "   ".to_owned()] {
            let (call, ..) = asks(&shop, what, &wrong);
            let answer = call.await;
            assert!(
                matches!(answer.status, 400 | 422),
                "{what}: {}",
                answer.body
            );
            assert!(
                answer.message().contains("name") || what == "label",
                "{what}: {}",
                answer.body
            );
        }
    }
}
