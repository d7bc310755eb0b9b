//! Rules that decide whether payers authenticate.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, order_with, with};
use serde_json::{Value, json};

use super::{algorithm, creates, on};

/// Returns rules with this decision for amounts above 50.00.
fn above_fifty(decision: &str) -> Value {
    let above = json!({
        "lhs": "amount", "comparison": "greater_than", "value": { "type": "number", "value": 5000 }, "metadata": {},
    });
    let rule = json!({
        "name": "large", "connectorSelection": { "decision": decision }, "statements": [{ "condition": [above] }],
    });
    let program = json!({
        "defaultSelection": { "decision": "no_three_ds" }, "rules": [rule], "metadata": {},
    });
    algorithm("three_ds_decision_rule", program)
}

async fn pays(shop: &Shop, more: Value) -> Value {
    let body = with(order_with(APPROVED), json!({ "confirm": true }));
    shop.creates(with(body, more)).await.ok()
}

#[tokio::test]
async fn rules_challenge_whom_the_merchant_says_nothing_about() {
    let shop = Shop::open().await;
    let record = creates(&shop, above_fifty("challenge_requested"))
        .await
        .ok();
    assert_eq!(record["algorithm_for"], "three_ds_authentication");
    let before = pays(&shop, json!({})).await;
    assert_eq!(before["authentication_type"], "no_three_ds", "not active");
    on(&shop, "routing_activate", &record).await.ok();
    on(&shop, "routing_activate", &record)
        .await
        .refused(400, "IR_16");

    let large = pays(&shop, json!({})).await;
    assert_eq!(large["authentication_type"], "three_ds");
    let read = shop.retrieves(&large).query("expand_routing", true);
    let read = read.await.ok();
    let attempt = &read["attempts"][0];
    assert_eq!(attempt["authentication_type"], "three_ds");
    assert_eq!(
        attempt["routing"]["three_ds"],
        json!({ "routing_id": record["id"], "decision": "challenge_requested", "rule": "large" })
    );
    let small = pays(&shop, json!({ "amount": 4000 })).await;
    let read = shop.retrieves(&small).query("expand_routing", true);
    assert_eq!(
        read.await.ok()["attempts"][0]["routing"]["three_ds"],
        json!({ "routing_id": record["id"], "decision": "no_three_ds" }),
        "no rule matched"
    );
    assert_eq!(
        (&small["status"], &small["authentication_type"]),
        (&json!("succeeded"), &json!("no_three_ds"))
    );
    // A member of the payment wins over the rules, even if it was set at the create.
    let said = with(
        order_with(APPROVED),
        json!({ "authentication_type": "no_three_ds" }),
    );
    let said = shop.creates(said).await.ok();
    let paid = shop.confirms(&said, json!({})).await.ok();
    assert_eq!(paid["authentication_type"], "no_three_ds");

    let trial = json!({ "amount": 6540, "currency": "USD" });
    let evaluated = shop.call("routing_evaluate").json(&trial).await.ok();
    assert_eq!(
        evaluated["routing"]["three_ds"]["decision"],
        "challenge_requested"
    );
    let off =
        json!({ "profile_id": shop.profile_id, "transaction_type": "three_ds_authentication" });
    shop.call("routing_deactivate").json(&off).await.ok();
    let after = pays(&shop, json!({})).await;
    assert_eq!(after["authentication_type"], "no_three_ds");
}

#[tokio::test]
async fn exemptions_are_refused_where_they_would_be_asked_for() {
    let shop = Shop::open().await;
    for decision in [
        "three_ds_exemption_requested_tra",
        "three_ds_exemption_requested_low_value",
        "issuer_three_ds_exemption_requested",
    ] {
        let record = creates(&shop, above_fifty(decision)).await.ok();
        let message = on(&shop, "routing_activate", &record)
            .await
            .refused(400, "IR_20");
        let path = "algorithm.data.rules[0].connectorSelection.decision";
        assert!(
            message.contains(path) && message.contains(decision),
            "{message}"
        );
    }
}

/// Each decision can be stored. One that no connector can request can't be activated.
#[tokio::test]
async fn each_decision_can_be_stored() {
    let shop = Shop::open().await;
    for (decision, asks_for_exemption) in [
        ("no_three_ds", false),
        ("challenge_requested", false),
        ("challenge_preferred", false),
        ("three_ds_exemption_requested_tra", true),
        ("three_ds_exemption_requested_low_value", true),
        ("issuer_three_ds_exemption_requested", true),
    ] {
        let record = creates(&shop, above_fifty(decision)).await.ok();
        let stored = on(&shop, "routing_retrieve", &record).await.ok();
        let rule = &stored["algorithm"]["data"]["rules"][0];
        assert_eq!(rule["connectorSelection"]["decision"], decision);
        let activate = on(&shop, "routing_activate", &record).await;
        if asks_for_exemption {
            activate.refused(400, "IR_20");
        } else {
            activate.ok();
            let paid = pays(&shop, json!({})).await;
            let read = shop.retrieves(&paid).query("expand_routing", true);
            let decided = &read.await.ok()["attempts"][0]["routing"]["three_ds"];
            assert_eq!(decided["decision"], decision);
        }
    }
}
