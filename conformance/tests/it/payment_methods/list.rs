//! `GET /customers/{customer_id}/payment_methods`: its callers, content and order.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, DECLINED, DISPUTED, HELD, order, with};
use serde_json::{Value, json};

use super::{
    known, last_digits, listed, lists, method_id, methods, order_of, paid_by_token, saves,
};

/// Creates a customer with three cards, saved in turn.
async fn three_cards(shop: &Shop) -> Vec<Value> {
    known(shop, "ada").await;
    let mut saved = Vec::new();
    for number in [APPROVED, DECLINED, DISPUTED] {
        saved.push(saves(shop, "ada", number).await.ok());
        shop.time_passes(10).await;
    }
    saved
}

#[tokio::test]
async fn the_method_that_was_used_last_is_the_first() {
    let shop = Shop::open().await;
    three_cards(&shop).await;
    let answer = lists(&shop, "ada").await.ok();
    assert_eq!(last_digits(&answer), ["0259", "0002", "1111"]);
    assert_eq!(answer["is_guest_customer"], Value::Null);
    let oldest = methods(&answer)[2].clone();
    shop.creates(paid_by_token("ada", &oldest)).await.ok();
    let answer = lists(&shop, "ada").await.ok();
    assert_eq!(last_digits(&answer), ["1111", "0259", "0002"]);
    let used = methods(&answer)[0].clone();
    assert_eq!(used["created"], oldest["created"]);
    assert!(used["last_used_at"].as_str() > oldest["last_used_at"].as_str());
    // A declined payment doesn't count as a use.
    let declined = methods(&answer)[2].clone();
    let tried = shop.creates(paid_by_token("ada", &declined)).await.ok();
    assert_eq!(tried["status"], "failed");
    let answer = lists(&shop, "ada").await.ok();
    assert_eq!(last_digits(&answer), ["1111", "0259", "0002"]);
}

#[tokio::test]
async fn a_limit_takes_those_used_last() {
    let shop = Shop::open().await;
    three_cards(&shop).await;
    for (limit, found) in [(0, vec![]), (1, vec!["0259"]), (2, vec!["0259", "0002"])] {
        let answer = lists(&shop, "ada").query("limit", limit).await.ok();
        assert_eq!(last_digits(&answer), found, "limit {limit}");
    }
    let all = lists(&shop, "ada").query("limit", 1_000).await.ok();
    assert_eq!(last_digits(&all).len(), 3);
    for limit in ["-1", "many", "1.5"] {
        lists(&shop, "ada")
            .query("limit", limit)
            .await
            .refused(400, "IR_06");
    }
}

#[tokio::test]
async fn an_unknown_customer_and_one_that_is_redacted() {
    let shop = Shop::open().await;
    lists(&shop, "nobody").await.refused(404, "HE_02");
    known(&shop, "ada").await;
    assert!(listed(&shop, "ada").await.is_empty(), "nothing saved yet");
    let saved = saves(&shop, "ada", APPROVED).await.ok();
    let token = listed(&shop, "ada").await[0].clone();
    shop.call("customers_delete")
        .at("customer_id", "ada")
        .await
        .ok();
    lists(&shop, "ada").await.refused(400, "IR_11");
    let gone = shop
        .call("payment_methods_retrieve")
        .at("payment_method_id", method_id(&saved));
    gone.await.refused(404, "HE_02");
    let late = shop.creates(paid_by_token("ada", &token)).await;
    assert!(late.status >= 400, "{late:?}");
    known(&shop, "grace").await;
    shop.creates(paid_by_token("grace", &token))
        .await
        .refused(422, "IR_29");
}

#[tokio::test]
async fn names_that_are_no_filters_are_refused() {
    let shop = Shop::open().await;
    known(&shop, "ada").await;
    let table = [
        ("limits", "1"),
        ("card_networks", "Visum"),
        ("card_networks", "Visa,,Visa"),
        ("accepted_countries", "Nigeria"),
        ("accepted_currencies", "usd"),
        ("amount", "-1"),
        ("amount", "much"),
        ("recurring_enabled", "perhaps"),
    ];
    for (name, value) in table {
        let call = lists(&shop, "ada").query(name, value);
        let refused = call.await;
        assert!(
            (400..=422).contains(&refused.status),
            "{name}={value}: {refused:?}"
        );
        assert!(refused.text.contains("IR_0"), "{name}={value}: {refused:?}");
    }
    for operation in [
        "customer_payment_methods_list",
        "account_payment_methods_list",
    ] {
        let mut call = shop.call(operation);
        if operation.starts_with("customer") {
            call = call.at("customer_id", "ada");
        }
        let message = call.query("accepted_countries", "DE,XX").await;
        let message = message.refused(400, "IR_06");
        assert_eq!(
            message,
            "accepted_countries has the word `XX` that this service doesn't know"
        );
    }
    for name in ["limit", "amount", "client_secret"] {
        let twice = lists(&shop, "ada").query(name, 1).query(name, 1);
        twice.await.refused(400, "IR_06");
    }
}

#[tokio::test]
async fn a_client_secret_tells_of_guests() {
    let shop = Shop::open().await;
    three_cards(&shop).await;
    known(&shop, "grace").await;
    let secret = |payment: &Value| {
        payment["client_secret"]
            .as_str()
            .expect("a secret")
            .to_owned()
    };
    let own = shop.creates(order_of("ada")).await.ok();
    let answer = lists(&shop, "ada")
        .query("client_secret", secret(&own))
        .await
        .ok();
    assert_eq!(
        (last_digits(&answer).len(), &answer["is_guest_customer"]),
        (3, &json!(false))
    );
    let guest = shop.creates(order()).await.ok();
    let answer = lists(&shop, "ada")
        .query("client_secret", secret(&guest))
        .await
        .ok();
    assert_eq!(
        answer,
        json!({ "customer_payment_methods": [], "is_guest_customer": true })
    );
    let others = shop.creates(order_of("grace")).await.ok();
    let call = lists(&shop, "ada").query("client_secret", secret(&others));
    call.await.refused(400, "IR_16");
    for wrong in ["nonsense", "pay_1_secret_1", &format!("{}x", secret(&own))] {
        let call = lists(&shop, "ada").query("client_secret", wrong);
        call.await.refused(400, "IR_09");
    }
    shop.time_passes(1_000).await;
    let call = lists(&shop, "ada").query("client_secret", secret(&own));
    call.await.refused(400, "IR_08");
}

#[tokio::test]
async fn another_merchants_customer_is_not_there() {
    let shop = Shop::open().await;
    three_cards(&shop).await;
    let stranger = shop.server.shop("flower_shop").await;
    lists(&stranger, "ada").await.refused(404, "HE_02");
    known(&stranger, "ada").await;
    assert!(listed(&stranger, "ada").await.is_empty());
    saves(&stranger, "ada", HELD).await.ok();
    assert_eq!(last_digits(&lists(&stranger, "ada").await.ok()), ["9235"]);
    assert_eq!(listed(&shop, "ada").await.len(), 3);
}

/// A secret names a payment, and thereby a profile.
#[tokio::test]
async fn the_secret_of_another_profile_is_refused() {
    let shop = Shop::open().await;
    known(&shop, "ada").await;
    saves(&shop, "ada", APPROVED).await.ok();
    let second = shop.second_profile().await;
    let named = json!({ "profile_id": second });
    let payment = shop.creates(with(order_of("ada"), named)).await.ok();
    let secret = payment["client_secret"].as_str().expect("a secret");
    let listed = lists(&shop, "ada").query("client_secret", secret);
    listed.clone().await.ok();
    let within = |profile: &str| listed.clone().header("X-Profile-Id", profile);
    within(&second).await.ok();
    within(&shop.profile_id).await.refused(400, "IR_09");
}
