//! The payer's view: the publishable key and the client secret of a payment of the customer.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, DECLINED, order, with, without};
use multirail_conformance::payer::Payer;
use serde_json::{Value, json};

use super::{card_of, known, last_digits, listed, method_id, order_of, saves};

fn lists(payer: &Payer, customer: &str) -> multirail_conformance::Call {
    payer
        .call("customer_payment_methods_list")
        .at("customer_id", customer)
        .query("client_secret", &payer.client_secret)
}

async fn payer_of(shop: &Shop, order: Value) -> Payer {
    shop.payer_of(&shop.creates(order).await.ok())
}

#[tokio::test]
async fn a_payer_sees_only_the_methods_of_their_customer() {
    let shop = Shop::open().await;
    for (customer, number) in [("ada", APPROVED), ("grace", DECLINED)] {
        known(&shop, customer).await;
        saves(&shop, customer, number).await.ok();
    }
    let payer = payer_of(&shop, order_of("ada")).await;
    let answer = lists(&payer, "ada").await.ok();
    assert_eq!(last_digits(&answer), ["1111"]);
    assert_eq!(answer["is_guest_customer"], false);
    lists(&payer, "grace").await.refused(400, "IR_16");
    lists(&payer, "nobody").await.refused(400, "IR_16");
    let guest = payer_of(&shop, order()).await;
    let answer = lists(&guest, "ada").await.ok();
    assert_eq!(
        answer,
        json!({ "customer_payment_methods": [], "is_guest_customer": true })
    );
    let without_secret = payer
        .call("customer_payment_methods_list")
        .at("customer_id", "ada");
    without_secret.await.refused(400, "IR_04");
    for wrong in [
        "nonsense",
        "pay_x_secret_y",
        &format!("{}x", payer.client_secret),
    ] {
        lists(&payer.holding(wrong), "ada")
            .await
            .refused(400, "IR_09");
    }
    let stranger = shop.server.shop("flower_shop").await;
    lists(&payer, "ada")
        .key(&stranger.publishable_key)
        .await
        .refused(400, "IR_09");
    shop.time_passes(1_000).await;
    lists(&payer, "ada").await.refused(400, "IR_08");
}

/// An SDK authorization holds key and secret, and allows exactly what the two allow.
#[tokio::test]
async fn an_authorization_shows_the_methods_of_its_own_customer_only() {
    let shop = Shop::open().await;
    for customer in ["ada", "grace"] {
        known(&shop, customer).await;
        saves(&shop, customer, APPROVED).await.ok();
    }
    let asked = |payment: &Value, customer: &str| {
        let text = payment["sdk_authorization"].as_str().expect("a text");
        let call = shop.server.wire.call("customer_payment_methods_list");
        call.at("customer_id", customer)
            .header("authorization", text)
    };
    let own = shop.creates(order_of("ada")).await.ok();
    let answer = asked(&own, "ada").await.ok();
    assert_eq!(last_digits(&answer), ["1111"]);
    // With fingerprints, payers could find a number by saving every number that matches the visible digits.
    let fingerprint = &answer["customer_payment_methods"][0]["card"]["card_fingerprint"];
    assert_eq!(*fingerprint, Value::Null);
    asked(&own, "grace").await.refused(400, "IR_16");
    let guest = shop.creates(order()).await.ok();
    let answer = asked(&guest, "ada").await.ok();
    assert_eq!(
        answer,
        json!({ "customer_payment_methods": [], "is_guest_customer": true })
    );
}

/// Next to an authorization, the secret of another payment opens neither that payment's methods nor its offers.
#[tokio::test]
async fn an_authorization_and_a_secret_are_of_one_payment() {
    let shop = Shop::open().await;
    for customer in ["ada", "grace"] {
        known(&shop, customer).await;
        saves(&shop, customer, APPROVED).await.ok();
    }
    let hers = listed(&shop, "grace").await.remove(0);
    let own = shop.creates(order_of("ada")).await.ok();
    let other = shop.creates(order_of("grace")).await.ok();
    let authorization = own["sdk_authorization"].as_str().expect("a text");
    let as_payer = |operation: &str| {
        let call = shop.server.wire.call(operation);
        call.header("authorization", authorization)
    };
    let with_secret = |payment: &Value| {
        let secret = payment["client_secret"].as_str().expect("a secret");
        let lists = |operation| as_payer(operation).query("client_secret", secret);
        let named = |body: Value| with(body, json!({ "client_secret": secret }));
        let card = without(card_of("ada", DECLINED), "customer_id");
        let nick_name = json!({ "card": { "nick_name": "mine" } });
        vec![
            lists("payer_payment_methods_list"),
            lists("customer_payment_methods_list").at("customer_id", "ada"),
            lists("customer_payment_methods_list").at("customer_id", "grace"),
            lists("account_payment_methods_list"),
            as_payer("payment_methods_create").json(&named(card)),
            as_payer("payment_methods_update")
                .at("payment_method_id", method_id(&hers))
                .json(&named(nick_name)),
        ]
    };
    for call in with_secret(&other) {
        call.await.refused(400, "IR_09");
    }
    assert_eq!(listed(&shop, "grace").await.len(), 1, "nothing was saved");
    let seen = listed(&shop, "grace").await.remove(0);
    assert_eq!(seen["card"], hers["card"]);
    // The secret of the same payment changes nothing.
    let statuses = with_secret(&own).into_iter();
    let mut answers = Vec::new();
    for call in statuses {
        answers.push(call.await.status);
    }
    assert_eq!(answers, [200, 200, 400, 200, 200, 404]);
}

/// Returns a different card number for each index.
fn number(index: usize) -> String {
    let digits = format!("400000000000{index:03}");
    let sum: u32 = (digits.bytes().rev().enumerate())
        .map(|(place, digit)| {
            let digit = u32::from(digit - b'0') * (2 - place as u32 % 2);
            digit / 10 + digit % 10
        })
        .sum();
    format!("{digits}{}", (10 - sum % 10) % 10)
}

fn saves_as_payer(payer: &Payer, index: usize) -> multirail_conformance::Call {
    let body = without(card_of("ada", &number(index)), "customer_id");
    let body = with(body, json!({ "client_secret": payer.client_secret }));
    payer.call("payment_methods_create").json(&body)
}

/// Payers who could save without a limit could find the number behind a listed card's digits.
#[tokio::test]
async fn a_payer_saves_only_so_often_whether_the_card_is_there_or_not() {
    let shop = Shop::open().await;
    known(&shop, "ada").await;
    let payer = payer_of(&shop, order_of("ada")).await;
    for index in 0..9 {
        let saved = saves_as_payer(&payer, index).await.ok();
        assert_eq!(saved["card"]["card_fingerprint"], Value::Null);
    }
    // Saving a known card counts as well, and so does saving with another payment's secret.
    saves_as_payer(&payer, 7).await.ok();
    let other = payer_of(&shop, order_of("ada")).await;
    for (payer, index) in [(&payer, 7), (&other, 8), (&other, 99)] {
        let refused = saves_as_payer(payer, index).await;
        let wait = refused.header("retry-after").expect("a wait");
        let wait: i64 = wait.parse().expect("seconds");
        assert!((8_580..=8_640).contains(&wait), "{wait}");
        refused.refused(429, "MR_03");
    }
    assert_eq!(listed(&shop, "ada").await.len(), 9);
    // The merchant's server isn't limited, nor is another customer's client.
    saves(&shop, "ada", APPROVED).await.ok();
    known(&shop, "grace").await;
    let grace = payer_of(&shop, order_of("grace")).await;
    saves_as_payer(&grace, 0).await.ok();
    shop.time_passes(8_640).await;
    let later = payer_of(&shop, order_of("ada")).await;
    saves_as_payer(&later, 7).await.ok();
    saves_as_payer(&later, 7).await.refused(429, "MR_03");
}

#[tokio::test]
async fn with_many_saved_cards_a_payer_cannot_save_another() {
    let shop = Shop::open().await;
    known(&shop, "ada").await;
    for index in 0..25 {
        saves(&shop, "ada", &number(index)).await.ok();
    }
    let payer = payer_of(&shop, order_of("ada")).await;
    for index in [25, 7] {
        let message = saves_as_payer(&payer, index).await.refused(400, "IR_16");
        assert!(message.contains("25"), "{message}");
    }
}

async fn payer_of_text(shop: &Shop) -> String {
    let payment = shop.creates(order_of("ada")).await.ok();
    let text = payment["sdk_authorization"].as_str();
    text.expect("a text").to_owned()
}

#[tokio::test]
async fn a_client_need_not_know_its_customer() {
    let shop = Shop::open().await;
    known(&shop, "ada").await;
    saves(&shop, "ada", APPROVED).await.ok();
    saves(&shop, "ada", "5454545454545454").await.ok();
    let payer = payer_of(&shop, order_of("ada")).await;
    let lists = |payer: &Payer| {
        let call = payer.call("payer_payment_methods_list");
        call.query("client_secret", &payer.client_secret)
    };
    let answer = lists(&payer).await.ok();
    assert_eq!(last_digits(&answer).len(), 2);
    assert_eq!(answer["is_guest_customer"], false);
    let authorization = payer_of_text(&shop).await;
    let by_authorization = shop.server.wire.call("payer_payment_methods_list");
    let by_authorization = by_authorization.header("authorization", &authorization);
    assert_eq!(last_digits(&by_authorization.await.ok()).len(), 2);
    let visa = lists(&payer).query("card_networks", "Visa").await.ok();
    assert_eq!(last_digits(&visa), ["1111"]);
    let guest = payer_of(&shop, order()).await;
    let answer = lists(&guest).await.ok();
    assert_eq!(
        answer,
        json!({ "customer_payment_methods": [], "is_guest_customer": true })
    );
    lists(&payer.holding("nonsense"))
        .await
        .refused(400, "IR_09");
    let without = payer.call("payer_payment_methods_list");
    without.await.refused(400, "IR_04");
    lists(&payer).query("limits", 1).await.refused(400, "IR_06");
    lists(&payer).key(&shop.api_key).await.refused(401, "IR_01");
    shop.call("customers_delete")
        .at("customer_id", "ada")
        .await
        .ok();
    lists(&payer).await.refused(400, "IR_11");
    shop.time_passes(1_000).await;
    lists(&payer).await.refused(400, "IR_08");
}

#[tokio::test]
async fn a_payer_saves_and_updates_a_card_of_his_customer() {
    let shop = Shop::open().await;
    for customer in ["ada", "grace"] {
        known(&shop, customer).await;
    }
    let payer = payer_of(&shop, order_of("ada")).await;
    let secret = json!({ "client_secret": payer.client_secret });
    let saves = |body: Value| {
        payer
            .call("payment_methods_create")
            .json(&with(body, secret.clone()))
    };
    let own = without(card_of("ada", APPROVED), "customer_id");
    let saved = saves(own).await.ok();
    assert_eq!(saved["customer_id"], "ada");
    saves(card_of("ada", APPROVED)).await.ok();
    saves(card_of("grace", APPROVED))
        .await
        .refused(400, "IR_16");
    let noted = with(card_of("ada", APPROVED), json!({ "metadata": { "a": 1 } }));
    saves(noted).await.refused(422, "IR_06");
    let updates = |payer: &Payer, method: &Value| {
        let body = json!({ "card": { "nick_name": "mine" }, "client_secret": payer.client_secret });
        let call = payer.call("payment_methods_update").json(&body);
        call.at("payment_method_id", method_id(method))
    };
    let named = updates(&payer, &saved).await.ok();
    assert_eq!(named["card"]["nick_name"], "mine");
    for order in [order_of("grace"), order()] {
        let other = payer_of(&shop, order).await;
        updates(&other, &saved).await.refused(404, "HE_02");
    }
    let guest = payer_of(&shop, order()).await;
    let body = with(
        without(card_of("ada", APPROVED), "customer_id"),
        json!({ "client_secret": guest.client_secret }),
    );
    guest
        .call("payment_methods_create")
        .json(&body)
        .await
        .refused(400, "IR_04");
    assert_eq!(listed(&shop, "ada").await.len(), 1);
    assert!(listed(&shop, "grace").await.is_empty());
}

#[tokio::test]
async fn the_rest_is_the_merchants() {
    let shop = Shop::open().await;
    known(&shop, "ada").await;
    let saved = saves(&shop, "ada", APPROVED).await.ok();
    let payer = payer_of(&shop, order_of("ada")).await;
    for operation in [
        "payment_methods_retrieve",
        "payment_methods_delete",
        "payment_methods_set_default",
    ] {
        let call = payer
            .call(operation)
            .at("payment_method_id", method_id(&saved));
        call.at("customer_id", "ada").await.refused(401, "IR_01");
    }
    payer
        .call("ephemeral_keys_create")
        .json(&json!({ "customer_id": "ada" }))
        .await
        .refused(401, "IR_01");
    let secret = json!({ "client_secret": payer.client_secret });
    let body = with(card_of("ada", APPROVED), secret);
    shop.call("payment_methods_create")
        .json(&body)
        .await
        .refused(422, "IR_06");
}
