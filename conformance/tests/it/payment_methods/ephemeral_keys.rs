//! Ephemeral keys: access to one customer's methods for an hour.

use multirail_conformance::bodies::{APPROVED, DECLINED, order, with};
use multirail_conformance::{Call, Shop};
use serde_json::{Value, json};

use super::{card_of, known, last_digits, listed, method_id, saves};

pub async fn key_for(shop: &Shop, customer: &str) -> Value {
    let body = json!({ "customer_id": customer });
    shop.call("ephemeral_keys_create").json(&body).await.ok()
}

pub fn by(call: Call, key: &Value) -> Call {
    call.key(key["secret"].as_str().expect("a key"))
}

fn lists(shop: &Shop, customer: &str) -> Call {
    super::lists(shop, customer)
}

/// A profile that the app names must belong to the merchant, and decides the list.
#[tokio::test]
async fn a_key_is_for_a_profile_of_its_merchant() {
    let shop = Shop::open().await;
    let stranger = shop.server.shop("flower_shop").await;
    known(&shop, "ada").await;
    let saved = saves(&shop, "ada", APPROVED).await.ok();
    let key = key_for(&shop, "ada").await;
    let calls = [
        shop.call("customers_retrieve").at("customer_id", "ada"),
        lists(&shop, "ada"),
        shop.call("payment_methods_set_default")
            .at("customer_id", "ada")
            .at("payment_method_id", method_id(&saved)),
        shop.call("payment_methods_delete")
            .at("payment_method_id", method_id(&saved)),
    ];
    for named in ["i_]sB", "pro_unknown", &stranger.profile_id] {
        for call in calls.clone() {
            let call = by(call, &key).header("X-Profile-Id", named);
            let message = call.await.refused(404, "HE_02");
            assert!(message.contains("profile"), "{message}");
        }
    }
    let second = shop.second_profile().await;
    let body = with(
        order(),
        json!({ "customer_id": "ada", "profile_id": second }),
    );
    let payment = shop.creates(body).await.ok();
    let secret = payment["client_secret"].as_str().expect("a secret");
    let listed = by(lists(&shop, "ada"), &key).query("client_secret", secret);
    let within = |profile: &str| listed.clone().header("X-Profile-Id", profile);
    assert_eq!(listed_of(within(&second).await.ok()), 1);
    within(&shop.profile_id).await.refused(400, "IR_09");
}

fn listed_of(answer: Value) -> usize {
    let methods = answer["customer_payment_methods"].as_array();
    methods.expect("a list").len()
}

#[tokio::test]
async fn a_key_opens_what_its_customer_has_saved() {
    let shop = Shop::open().await;
    for (customer, number) in [("ada", APPROVED), ("grace", DECLINED)] {
        known(&shop, customer).await;
        saves(&shop, customer, number).await.ok();
    }
    let key = key_for(&shop, "ada").await;
    assert_eq!(key["customer_id"], "ada");
    let hour =
        key["expires"].as_i64().expect("a time") - key["created_at"].as_i64().expect("a time");
    assert_eq!(hour, 3_600);
    assert!(key["secret"].as_str().expect("a key").starts_with("epk_"));
    let answer = by(lists(&shop, "ada"), &key).await.ok();
    assert_eq!(
        (last_digits(&answer), &answer["is_guest_customer"]),
        (vec!["1111".to_owned()], &Value::Null)
    );
    by(lists(&shop, "grace"), &key).await.refused(401, "IR_15");
    by(lists(&shop, "nobody"), &key).await.refused(401, "IR_15");

    // The key also shows the customer, without the merchant's own notes.
    let noted =
        json!({ "name": "Ada Okafor", "description": "owes us", "metadata": { "tier": "gold" } });
    let updates = shop.call("customers_update").at("customer_id", "ada");
    updates.json(&noted).await.ok();
    let reads = |customer: &str| {
        by(
            shop.call("customers_retrieve").at("customer_id", customer),
            &key,
        )
    };
    let ada = reads("ada").await.ok();
    assert_eq!(
        (&ada["customer_id"], &ada["name"]),
        (&json!("ada"), &json!("Ada Okafor"))
    );
    assert_eq!(
        (&ada["description"], &ada["metadata"]),
        (&Value::Null, &Value::Null)
    );
    reads("grace").await.refused(401, "IR_15");
    reads("nobody").await.refused(401, "IR_15");

    let second = saves(&shop, "ada", DECLINED).await.ok();
    let of_grace = listed(&shop, "grace").await.remove(0);
    let on = |operation: &str, customer: &str, method: &Value| {
        let call = shop
            .call(operation)
            .at("payment_method_id", method_id(method));
        by(call.at("customer_id", customer), &key)
    };
    on("payment_methods_set_default", "ada", &second).await.ok();
    on("payment_methods_set_default", "ada", &of_grace)
        .await
        .refused(400, "IR_16");
    on("payment_methods_set_default", "grace", &of_grace)
        .await
        .refused(401, "IR_15");
    on("payment_methods_delete", "ada", &of_grace)
        .await
        .refused(404, "HE_02");
    on("payment_methods_delete", "ada", &second).await.ok();
    assert_eq!(listed(&shop, "ada").await.len(), 1);
    assert_eq!(listed(&shop, "grace").await.len(), 1);
}

#[tokio::test]
async fn a_key_opens_nothing_else() {
    let shop = Shop::open().await;
    known(&shop, "ada").await;
    let saved = saves(&shop, "ada", APPROVED).await.ok();
    let key = key_for(&shop, "ada").await;
    let read = shop
        .call("payment_methods_retrieve")
        .at("payment_method_id", method_id(&saved));
    for call in [
        read,
        shop.creates(order()),
        shop.call("payment_methods_create")
            .json(&card_of("ada", APPROVED)),
        shop.call("ephemeral_keys_create")
            .json(&json!({ "customer_id": "ada" })),
        shop.call("customers_list"),
    ] {
        by(call, &key).await.refused(401, "IR_01");
    }
}

#[tokio::test]
async fn a_key_is_valid_for_an_hour_and_for_an_existing_customer() {
    let shop = Shop::open().await;
    known(&shop, "ada").await;
    let key = key_for(&shop, "ada").await;
    shop.time_passes(3_590).await;
    by(lists(&shop, "ada"), &key).await.ok();
    shop.time_passes(20).await;
    by(lists(&shop, "ada"), &key).await.refused(401, "IR_01");
    let key = key_for(&shop, "ada").await;
    let secret = key["secret"].as_str().expect("a key");
    let later = secret.replace(&key["expires"].to_string(), "9999999999");
    for forged in [
        "epk_",
        "epk_bookshop.ada.9999999999.",
        &later,
        &format!("{secret}x"),
        &secret.replace("ada", "adb"),
    ] {
        lists(&shop, "ada").key(forged).await.refused(401, "IR_01");
    }
    shop.call("customers_delete")
        .at("customer_id", "ada")
        .await
        .ok();
    by(lists(&shop, "ada"), &key).await.refused(400, "IR_11");
    let asks = |customer: &str| {
        shop.call("ephemeral_keys_create")
            .json(&json!({ "customer_id": customer }))
    };
    asks("ada").await.refused(400, "IR_11");
    asks("nobody").await.refused(404, "HE_02");
    shop.call("ephemeral_keys_create")
        .json(&json!({}))
        .await
        .refused(400, "IR_04");
}

#[tokio::test]
async fn a_browser_may_use_it() {
    let shop = Shop::open().await;
    known(&shop, "ada").await;
    let key = key_for(&shop, "ada").await;
    let call = by(lists(&shop, "ada"), &key).header("origin", "https://shop.example");
    assert_eq!(call.await.headers["access-control-allow-origin"], "*");
}

/// The first answer about a payment contains an ephemeral key of its customer, once.
#[tokio::test]
async fn a_payment_of_a_customer_answers_a_key() {
    let shop = Shop::open().await;
    let of_ada = multirail_conformance::bodies::with(order(), json!({ "customer_id": "ada" }));
    let create = || {
        shop.creates(of_ada.clone())
            .header("idempotency-key", "once")
    };
    let payment = create().await.ok();
    let key = &payment["ephemeral_key"];
    assert_eq!(key["customer_id"], "ada");
    let times = [&key["created_at"], &key["expires"]].map(|time| time.as_i64().expect("a time"));
    assert_eq!(times[1] - times[0], 3_600);
    by(lists(&shop, "ada"), key).await.ok();
    by(lists(&shop, "grace"), key).await.refused(401, "IR_15");
    assert_eq!(create().await.ok(), payment, "a repeat answers the same");
    let read = shop.retrieves(&payment).await.ok();
    assert_eq!(read["ephemeral_key"], Value::Null);
    let guest = shop.creates(order()).await.ok();
    assert_eq!(guest["ephemeral_key"], Value::Null);
    shop.time_passes(3_601).await;
    by(lists(&shop, "ada"), key).await.refused(401, "IR_01");
}
