//! Explanations of a payment's routing, and dry runs.

use multirail_conformance::bodies::{APPROVED, order_with, with};
use multirail_conformance::{Call, Shop};
use serde_json::{Value, json};

use super::{algorithm, compares, creates, id, routes_by, rules, shop_with_three, single};

/// Returns the routing of the payment's last attempt.
async fn explained(shop: &Shop, payment: &Value) -> Value {
    let read = shop
        .retrieves(payment)
        .query("expand_routing", true)
        .await
        .ok();
    let attempts = read["attempts"].as_array().expect("attempts");
    attempts.last().expect("an attempt")["routing"].clone()
}

fn evaluates(shop: &Shop, more: Value) -> Call {
    let trial = json!({ "amount": 6540, "currency": "EUR" });
    shop.call("routing_evaluate").json(&with(trial, more))
}

/// Returns each candidate account with its obstacle.
fn candidates_of(routing: &Value) -> Vec<String> {
    let candidates = routing["candidates"].as_array().expect("candidates");
    let told = candidates.iter().map(|one| {
        let why = one["dropped_because"].as_str().unwrap_or("eligible");
        format!("{} {why}", one["connector"].as_str().expect("a name"))
    });
    told.collect()
}

#[tokio::test]
async fn each_attempt_tells_why_it_went_there() {
    let shop = shop_with_three().await;
    shop.reconnects(json!({ "disabled": true })).await.ok();
    let condition = json!([compares("currency", "equal", "enum_variant", json!("EUR"))]);
    let active = routes_by(&shop, rules(condition, "adyen_test", "stripe_test")).await;
    let pays = |more: Value| {
        shop.creates(with(
            order_with(APPROVED),
            with(json!({ "confirm": true }), more),
        ))
    };
    let in_euros = pays(json!({ "currency": "EUR" })).await.ok();
    let routing = explained(&shop, &in_euros).await;
    assert_eq!(routing["routed_by"], "configuration");
    assert_eq!(routing["routing_id"], id(&active));
    assert_eq!(
        (&routing["kind"], &routing["rule"]),
        (&json!("advanced"), &json!("the rule"))
    );
    assert_eq!(
        candidates_of(&routing),
        [
            "adyen_test eligible",
            "fauxpay disabled",
            "stripe_test eligible"
        ]
    );
    let in_dollars = pays(json!({ "currency": "USD" })).await.ok();
    let routing = explained(&shop, &in_dollars).await;
    assert_eq!(routing["rule"], json!(null), "none matched");
    assert_eq!(
        candidates_of(&routing),
        [
            "stripe_test eligible",
            "fauxpay disabled",
            "adyen_test eligible"
        ]
    );
    let by_request = pays(json!({ "routing": single("adyen_test") })).await.ok();
    let routing = explained(&shop, &by_request).await;
    assert_eq!(routing["routed_by"], "request");
    assert_eq!(candidates_of(&routing), ["adyen_test eligible"]);
    // The routing is shown only on request.
    let read = shop
        .retrieves(&in_euros)
        .query("expand_attempts", true)
        .await
        .ok();
    assert_eq!(read["attempts"][0].get("routing"), None);
    let payer = shop.payer_of(&in_euros);
    let seen = payer.retrieves().query("expand_routing", true).await.ok();
    assert_eq!(seen["attempts"], json!(null));
}

#[tokio::test]
async fn a_trial_goes_where_a_payment_would() {
    let shop = shop_with_three().await;
    let trial = evaluates(&shop, json!({})).await.ok();
    assert_eq!(trial["profile_id"], json!(shop.profile_id));
    assert_eq!(trial["routing"]["routed_by"], "default");
    assert_eq!(trial["connectors"][0]["connector"], "fauxpay");
    let condition = json!([
        compares("card_network", "equal", "enum_variant", json!("Visa")),
        compares("billing_country", "equal", "enum_variant", json!("DE")),
    ]);
    let by_rules = rules(condition, "adyen_test", "stripe_test");
    let active = routes_by(&shop, by_rules.clone()).await;
    let german_visa = json!({ "card": { "card_bin": "41111111" }, "billing_country": "DE" });
    let trial = evaluates(&shop, german_visa.clone()).await.ok();
    assert_eq!(trial["connectors"][0]["connector"], "adyen_test");
    assert_eq!(trial["routing"]["routing_id"], id(&active));
    let trial = evaluates(&shop, json!({ "billing_country": "DE" }))
        .await
        .ok();
    assert_eq!(trial["connectors"][0]["connector"], "stripe_test");
    // The dry run takes another configuration, stored or given in the request.
    let stored = creates(&shop, single("stripe_test")).await.ok();
    let by_stored = with(german_visa.clone(), json!({ "routing_id": id(&stored) }));
    let trial = evaluates(&shop, by_stored).await.ok();
    assert_eq!(trial["connectors"][0]["connector"], "stripe_test");
    let given = with(german_visa, json!({ "algorithm": single("fauxpay") }));
    let trial = evaluates(&shop, given).await.ok();
    assert_eq!(trial["connectors"][0]["connector"], "fauxpay");
    assert_eq!(trial["routing"]["routing_id"], json!(null));
    let own = json!({ "routing": single("stripe_test") });
    let trial = evaluates(&shop, own).await.ok();
    assert_eq!(trial["connectors"].as_array().map(Vec::len), Some(1));
    // The caller fixes the random draw of a split.
    let data = json!([
        { "connector": { "connector": "stripe_test" }, "split": 1 },
        { "connector": { "connector": "adyen_test" }, "split": 1 },
    ]);
    for (draw, connector) in [(0, "stripe_test"), (1, "adyen_test")] {
        let split = json!({ "algorithm": algorithm("volume_split", data.clone()), "draw": draw });
        let trial = evaluates(&shop, split).await.ok();
        assert_eq!(trial["connectors"][0]["connector"], connector);
    }
    let listed = shop.call("payments_list").await.ok();
    assert_eq!(listed["data"], json!([]), "nothing was paid");
    let records = shop.call("routing_list").await.ok();
    assert_eq!(
        records["records"].as_array().map(Vec::len),
        Some(2),
        "nor stored"
    );
}

#[tokio::test]
async fn no_account_could_take_it() {
    let shop = shop_with_three().await;
    let euros =
        json!({ "payment_methods_enabled": [{ "payment_method": "card", "maximum_amount": 1 }] });
    shop.reconnects(euros).await.ok();
    let trial = evaluates(&shop, json!({ "routing": single("fauxpay") }))
        .await
        .ok();
    assert_eq!(trial["connectors"], json!([]));
    assert_eq!(candidates_of(&trial["routing"]), ["fauxpay amount"]);
}

#[tokio::test]
async fn a_trial_of_a_wallet_or_a_token() {
    let shop = shop_with_three().await;
    let trial = |method: &str, kind: &str| {
        let said = json!({
            "payment_method": method, "payment_method_type": kind, "card": { "card_network": "Visa" },
        });
        evaluates(&shop, said)
    };
    let token = trial("network_token", "network_token").await.ok();
    assert_eq!(token["connectors"][0]["connector"], "fauxpay");
    // The simulated processors open no wallet tokens, and these accounts have no key for them.
    let sealed = trial("wallet", "apple_pay").await.ok();
    assert_eq!(sealed["connectors"], json!([]));
    let why = &sealed["routing"]["candidates"][0]["dropped_because"];
    assert_eq!(why, "connector_payment_method");
}

#[tokio::test]
async fn wrong_dry_runs_are_refused() {
    let shop = shop_with_three().await;
    let elsewhere = Shop::open().await;
    let of_another = creates(&elsewhere, single("fauxpay")).await.ok();
    let table = [
        (json!({ "currency": "EURO" }), 400, "IR_06"),
        (json!({ "card": { "card_bin": "4111" } }), 422, "IR_05"),
        (
            json!({ "payment_method": "wallet", "payment_method_type": "gcash" }),
            400,
            "IR_19",
        ),
        (json!({ "payment_method_type": "google_pay" }), 422, "IR_06"),
        (json!({ "routing_id": id(&of_another) }), 404, "HE_02"),
        (
            json!({ "routing_id": id(&of_another), "algorithm": single("fauxpay") }),
            400,
            "IR_16",
        ),
        (json!({ "algorithm": single("paypal_test") }), 422, "IR_06"),
        (json!({ "profile_id": "pro_elsewhere" }), 404, "HE_02"),
    ];
    for (more, status, code) in table {
        let answer = evaluates(&shop, more.clone()).await;
        let found = (
            answer.status,
            answer.body["code"].as_str().unwrap_or_default().to_owned(),
        );
        assert_eq!(found, (status, code.to_owned()), "{more}: {}", answer.body);
    }
}

/// Obstacles: filters of the profile's accounts, and abilities of their processors.
#[tokio::test]
async fn an_account_is_passed_over_for_a_reason() {
    let shop = Shop::open().await;
    shop.connects("stripe_test", json!({})).await.ok();
    let cards = |more: Value| json!([with(json!({ "payment_method": "card" }), more)]);
    let only = |list: Value| json!({ "type": "enable_only", "list": list });
    let visa = json!({ "card": { "card_bin": "41111111" } });
    let french = json!({ "billing_country": "FR" });
    let credit = json!({ "payment_method": "card", "payment_method_type": "credit" });
    let wallets = json!([{ "payment_method": "wallet", "payment_method_types": ["google_pay"] }]);
    let all = json!({ "type": "all_accepted" });
    for (enabled, trial, reason) in [
        (wallets, credit.clone(), "payment_method"),
        (
            cards(json!({ "payment_method_types": ["debit"] })),
            credit,
            "payment_method_type",
        ),
        (
            cards(json!({ "payment_schemes": ["Mastercard"] })),
            visa,
            "card_network",
        ),
        (
            cards(json!({ "accepted_currencies": only(json!(["USD"])) })),
            json!({}),
            "currency",
        ),
        (
            cards(json!({ "accepted_countries": only(json!(["DE"])) })),
            french.clone(),
            "country",
        ),
        (
            cards(json!({ "accepted_countries": all, "accepted_currencies": all })),
            french,
            "eligible",
        ),
    ] {
        let account = shop.reconnects(json!({ "payment_methods_enabled": enabled }));
        account.await.ok();
        let trial = evaluates(&shop, trial).await.ok();
        let fauxpay = format!("fauxpay {reason}");
        assert_eq!(
            candidates_of(&trial["routing"]),
            [fauxpay.as_str(), "stripe_test eligible"]
        );
    }
}

#[tokio::test]
async fn a_processor_is_passed_over_for_what_it_can_not_do() {
    let shop = Shop::open().await;
    // Adyen is never called here.
    let adyen = json!({
        "connector_account_details": { "auth_type": "BodyKey", "api_key": "key_1", "key1": "Bookshop" },
        "metadata": { "base_url": "http://127.0.0.1:1" }, "test_mode": true,
    });
    shop.connects("adyen", adyen).await.ok();
    for (wish, reason) in [
        (
            json!({ "capture_method": "manual", "request_extended_authorization": true }),
            "request_extended_authorization",
        ),
        (
            json!({ "capture_method": "manual", "enable_overcapture": true }),
            "enable_overcapture",
        ),
        (
            json!({ "capture_method": "manual_multiple" }),
            "capture_method",
        ),
    ] {
        let trial = evaluates(&shop, wish).await.ok();
        let adyen = format!("adyen {reason}");
        assert_eq!(
            candidates_of(&trial["routing"]),
            ["fauxpay eligible", adyen.as_str()]
        );
    }
}
