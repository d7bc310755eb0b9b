//! Expected costs of payments, and routing by cost.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, order_with, with};
use serde_json::{Value, json};

use super::{algorithm, routes_by};

/// Returns a routing algorithm that picks the cheapest of these connectors.
fn cheapest(connectors: &[&str]) -> Value {
    let data: Vec<Value> = connectors
        .iter()
        .map(|name| json!({ "connector": name }))
        .collect();
    algorithm(
        "advanced",
        json!({ "defaultSelection": algorithm("least_cost", json!(data)), "rules": [], "metadata": {} }),
    )
}

/// Pays this amount; returns the connector and its expected cost.
async fn costs(shop: &Shop, amount: i64) -> (Value, Value) {
    let body = json!({ "confirm": true, "amount": amount, "currency": "EUR" });
    let payment = shop.creates(with(order_with(APPROVED), body)).await.ok();
    let read = shop
        .retrieves(&payment)
        .query("expand_routing", true)
        .await
        .ok();
    let routing = &read["attempts"][0]["routing"];
    (
        payment["connector"].clone(),
        routing["expected_cost"].clone(),
    )
}

#[tokio::test]
async fn the_cheapest_goes_first() {
    let shop = Shop::open().await;
    let fees = |entries: Value| json!({ "fee_table": entries });
    // The fees: 2 percent; 1 percent plus 50 cents; unknown in euros.
    let two = json!([{ "percentage_basis_points": 200 }]);
    let fixed = json!([{ "percentage_basis_points": 100, "fixed_amount": 50, "currency": "EUR" }]);
    let dollars = json!([{ "percentage_basis_points": 1, "currency": "USD" }]);
    let account = shop.reconnects(fees(two.clone())).await.ok();
    assert_eq!(account["fee_table"][0]["percentage_basis_points"], 200);
    assert_eq!(account["fee_table"][0]["fixed_amount"], 0);
    shop.connects("stripe_test", fees(fixed)).await.ok();
    shop.connects("adyen_test", fees(dollars)).await.ok();
    routes_by(&shop, cheapest(&["adyen_test", "stripe_test", "fauxpay"])).await;
    assert_eq!(costs(&shop, 4_000).await, (json!("fauxpay"), json!(80)));
    assert_eq!(
        costs(&shop, 5_000).await,
        (json!("stripe_test"), json!(100)),
        "as they stand"
    );
    assert_eq!(
        costs(&shop, 6_000).await,
        (json!("stripe_test"), json!(110))
    );
    // Without a fee table the cost is unknown.
    shop.reconnects(fees(json!([]))).await.ok();
    assert_eq!(costs(&shop, 4_000).await, (json!("stripe_test"), json!(90)));
}

#[tokio::test]
async fn a_trial_tells_what_each_account_would_cost() {
    let shop = Shop::open().await;
    let fees = |points: i64| json!({ "fee_table": [{ "percentage_basis_points": points }] });
    shop.reconnects(fees(200)).await.ok();
    shop.connects("stripe_test", fees(150)).await.ok();
    shop.connects("adyen_test", json!({})).await.ok();
    routes_by(&shop, cheapest(&["adyen_test", "fauxpay", "stripe_test"])).await;
    let trial = json!({ "amount": 4000, "currency": "EUR" });
    let trial = shop.call("routing_evaluate").json(&trial).await.ok();
    let candidates = trial["routing"]["candidates"].as_array();
    let told = candidates.expect("candidates").iter();
    let told = told.map(|one| (one["connector"].clone(), one["expected_cost"].clone()));
    assert_eq!(
        told.collect::<Vec<_>>(),
        [
            (json!("stripe_test"), json!(60)),
            (json!("fauxpay"), json!(80)),
            (json!("adyen_test"), json!(null)),
        ]
    );
    assert_eq!(trial["routing"]["expected_cost"], 60);
    assert_eq!(trial["connectors"][0]["connector"], "stripe_test");
}

#[tokio::test]
async fn tables_that_cant_be() {
    let shop = Shop::open().await;
    let table = [
        (
            json!([{ "percentage_basis_points": 10_001 }]),
            "percentage_basis_points",
        ),
        (
            json!([{ "percentage_basis_points": 1, "fixed_amount": -1 }]),
            "fixed_amount",
        ),
        (
            json!([{ "percentage_basis_points": 1, "fixed_amount": 1 }]),
            "fee_table[0].fixed_amount",
        ),
        (
            json!([{ "fixed_amount": 1, "currency": "EUR" }]),
            "percentage_basis_points",
        ),
        (
            json!([{ "percentage_basis_points": 1, "per": "month" }]),
            "per",
        ),
    ];
    for (fees, member) in table {
        let answer = shop.reconnects(json!({ "fee_table": fees })).await;
        assert!(
            (400..500).contains(&answer.status),
            "{fees}: {}",
            answer.body
        );
        assert!(
            answer.message().contains(member),
            "{fees}: {}",
            answer.message()
        );
    }
}
