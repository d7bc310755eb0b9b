//! Configurations: stored ones, and refused ones. (Facts 7.10, 10.1)

use multirail_conformance::Shop;
use serde_json::{Value, json};

use super::{algorithm, compares, creates, creates_with, on, rules, shop_with_three, single};

#[tokio::test]
async fn every_kind_is_stored_as_it_was_sent() {
    let shop = shop_with_three().await;
    let large = compares("amount", "greater_than", "number", json!(10_000));
    let decision = json!({ "decision": "challenge_requested" });
    let table = [
        ("payment", single("stripe_test")),
        (
            "payment",
            algorithm(
                "priority",
                json!([{ "connector": "adyen_test" }, { "connector": "fauxpay" }]),
            ),
        ),
        (
            "payment",
            algorithm(
                "volume_split",
                json!([
                    { "connector": { "connector": "fauxpay", "merchant_connector_id": shop.connector_account_id }, "split": 80 },
                    { "connector": { "connector": "adyen_test" }, "split": 20 },
                ]),
            ),
        ),
        (
            "payment",
            rules(json!([large]), "adyen_test", "stripe_test"),
        ),
        (
            "three_ds_authentication",
            algorithm(
                "three_ds_decision_rule",
                json!({
                    "defaultSelection": { "decision": "no_three_ds" },
                    "rules": [{ "name": "large", "connectorSelection": decision, "statements": [{ "condition": [large] }] }],
                    "metadata": { "ticket": "OPS-1" },
                }),
            ),
        ),
    ];
    for (of, algorithm) in table {
        let made = creates(&shop, algorithm.clone()).await.ok();
        assert_eq!(made["kind"], algorithm["type"]);
        assert_eq!(made["algorithm_for"], of);
        assert_eq!(made["decision_engine_routing_id"], json!(null));
        let read = on(&shop, "routing_retrieve", &made).await.ok();
        assert_eq!(read["algorithm"], algorithm);
        assert_eq!(read["created_at"], made["created_at"]);
        let milliseconds = made["created_at"].as_i64().expect("a number");
        assert!(milliseconds > 1_600_000_000_000, "{milliseconds}");
    }
}

#[tokio::test]
async fn missing_members_are_named() {
    let shop = shop_with_three().await;
    for member in ["name", "description", "profile_id", "algorithm"] {
        let without = json!({ member: null });
        let refused = creates_with(&shop, single("fauxpay"), without).await;
        let message = refused.refused(400, "IR_04");
        assert!(message.contains(member), "{member}: {message}");
    }
}

#[tokio::test]
async fn wrong_members_are_named() {
    let shop = shop_with_three().await;
    let stripe = json!({ "connector": "stripe_test" });
    let other = Shop::open().await;
    let rule = |condition: Value| rules(json!([condition]), "stripe_test", "fauxpay");
    let by_rule = |condition: Value| {
        (
            rule(condition),
            "algorithm.data.rules[0].statements[0].condition[0]",
        )
    };
    let nested = (0..5).fold(json!({ "condition": [compares("currency", "equal", "enum_variant", json!("EUR"))] }), |inner, _| {
        json!({ "condition": [compares("currency", "equal", "enum_variant", json!("EUR"))], "nested": [inner] })
    });
    let mut deep = rule(compares("currency", "equal", "enum_variant", json!("EUR")));
    deep["data"]["rules"][0]["statements"][0] = nested;
    let table = [
        (algorithm("by_moonlight", json!({})), 400, "algorithm.type"),
        (algorithm("dynamic", json!({})), 400, "algorithm.type"),
        (algorithm("single", json!(null)), 400, "algorithm.data"),
        (algorithm("single", json!([])), 400, "algorithm.data"),
        (
            algorithm("single", json!({})),
            400,
            "algorithm.data.connector",
        ),
        (
            algorithm("single", json!({ "connector": "paypal_test" })),
            422,
            "algorithm.data.connector",
        ),
        (
            algorithm(
                "single",
                json!({ "connector": "fauxpay", "merchant_connector_id": other.connector_account_id }),
            ),
            422,
            "algorithm.data.merchant_connector_id",
        ),
        (
            algorithm(
                "single",
                json!({ "connector": "stripe_test", "merchant_connector_id": shop.connector_account_id }),
            ),
            422,
            "algorithm.data.connector",
        ),
        (
            algorithm(
                "single",
                json!({ "connector": "stripe_test", "account": 1 }),
            ),
            400,
            "algorithm.data.account",
        ),
        (algorithm("priority", json!([])), 422, "algorithm.data"),
        (
            algorithm("priority", json!([stripe, stripe])),
            422,
            "algorithm.data[1]",
        ),
        (
            algorithm("priority", json!([stripe, { "connector": "paypal_test" }])),
            422,
            "algorithm.data[1].connector",
        ),
        (
            algorithm("volume_split", json!([{ "connector": stripe, "split": 0 }])),
            422,
            "algorithm.data",
        ),
        (
            algorithm(
                "volume_split",
                json!([{ "connector": stripe, "split": 256 }]),
            ),
            422,
            "algorithm.data[0].split",
        ),
        (
            algorithm(
                "volume_split",
                json!([{ "connector": stripe, "split": -1 }]),
            ),
            400,
            "algorithm.data[0].split",
        ),
        (
            algorithm("volume_split", json!([{ "connector": stripe }])),
            400,
            "algorithm.data[0].split",
        ),
        (
            algorithm("advanced", json!({ "rules": [], "metadata": {} })),
            400,
            "algorithm.data.defaultSelection",
        ),
        (
            rules(json!([]), "stripe_test", "fauxpay"),
            422,
            "algorithm.data.rules[0].statements[0].condition",
        ),
        (
            rules(json!([]), "stripe_test", "paypal_test"),
            422,
            "condition",
        ),
        (
            deep,
            422,
            "nested[0].nested[0].nested[0].nested[0].nested[0]",
        ),
    ];
    for (algorithm, status, member) in table {
        let answer = creates(&shop, algorithm.clone()).await;
        assert_eq!(answer.status, status, "{algorithm}: {}", answer.body);
        let message = answer.message();
        assert!(message.contains(member), "{algorithm}: {message}");
    }
    let table = [
        (
            by_rule(compares("weather", "equal", "enum_variant", json!("fine"))),
            400,
            "lhs",
        ),
        (
            by_rule(compares(
                "acquirer_fraud_rate",
                "greater_than",
                "number",
                json!(1),
            )),
            400,
            "lhs acquirer_fraud_rate",
        ),
        (
            by_rule(compares("amount", "about", "number", json!(1))),
            400,
            "comparison",
        ),
        (
            by_rule(compares("amount", "equal", "enum_variant", json!("much"))),
            422,
            "value.type",
        ),
        (
            by_rule(compares("amount", "less_than", "number_array", json!([1]))),
            422,
            "comparison",
        ),
        (
            by_rule(compares("amount", "equal", "number", json!(-1))),
            400,
            "value.value",
        ),
        (
            by_rule(compares("amount", "equal", "number_array", json!([]))),
            422,
            "value.value",
        ),
        (
            by_rule(compares("currency", "equal", "enum_variant", json!("EURO"))),
            422,
            "value.value",
        ),
        (
            by_rule(compares(
                "currency",
                "less_than",
                "enum_variant",
                json!("EUR"),
            )),
            422,
            "comparison",
        ),
        (
            by_rule(compares(
                "card_network",
                "equal",
                "enum_variant_array",
                json!(["Visa", "visa"]),
            )),
            422,
            "value.value[1]",
        ),
        (
            by_rule(compares("card_bin", "equal", "str_value", json!("4111x1"))),
            422,
            "value.value",
        ),
        (
            by_rule(compares("metadata", "equal", "str_value", json!("B"))),
            422,
            "value.type",
        ),
        (
            by_rule(compares(
                "metadata",
                "equal",
                "metadata_variant",
                json!({ "key": "shelf" }),
            )),
            400,
            "value.value.value",
        ),
        (
            by_rule(compares("amount", "equal", "global_ref", json!("limit"))),
            422,
            "value.type",
        ),
    ];
    for ((algorithm, path), status, member) in table {
        let answer = creates(&shop, algorithm.clone()).await;
        assert_eq!(answer.status, status, "{algorithm}: {}", answer.body);
        let (message, wanted) = (answer.message(), format!("{path}.{member}"));
        assert!(message.contains(&wanted), "{wanted}: {message}");
    }
    let listed = shop.call("routing_list").await.ok();
    assert_eq!(listed["records"], json!([]), "nothing of it was stored");
}

#[tokio::test]
async fn algorithms_must_fit_their_transaction_type() {
    let shop = shop_with_three().await;
    let with_type = |algorithm: Value, of: &str| {
        creates_with(&shop, algorithm, json!({ "transaction_type": of }))
    };
    let decision = json!({ "decision": "no_three_ds" });
    let three_ds = algorithm(
        "three_ds_decision_rule",
        json!({ "defaultSelection": decision, "rules": [], "metadata": {} }),
    );
    for (algorithm, of) in [
        (single("fauxpay"), "three_ds_authentication"),
        (three_ds.clone(), "payment"),
    ] {
        let message = with_type(algorithm, of).await.refused(422, "IR_06");
        assert!(message.contains("transaction_type"), "{message}");
    }
    // Payouts need accounts for payouts, and this shop has none.
    with_type(single("fauxpay"), "payout")
        .await
        .refused(422, "IR_06");
    let made = with_type(three_ds, "three_ds_authentication").await.ok();
    assert_eq!(made["algorithm_for"], "three_ds_authentication");
}

#[tokio::test]
async fn a_profile_that_isnt_the_merchants() {
    let shop = shop_with_three().await;
    let elsewhere = json!({ "profile_id": "pro_elsewhere" });
    creates_with(&shop, single("fauxpay"), elsewhere)
        .await
        .refused(404, "HE_02");
    let second = shop.second_profile().await;
    // The second profile has no accounts.
    let message = creates_with(&shop, single("fauxpay"), json!({ "profile_id": second }))
        .await
        .refused(422, "IR_06");
    assert!(message.contains("algorithm.data.connector"), "{message}");
}
