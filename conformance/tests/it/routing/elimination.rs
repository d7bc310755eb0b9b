//! Elimination: a processor that fails repeatedly is tried last for a while.

use multirail_conformance::bodies::{APPROVED, DECLINED, order_with, with};
use multirail_conformance::{Call, Shop};
use multirail_simulator::scripted::{Call as ProcessorCall, Fault};
use serde_json::{Value, json};

use crate::error_mappings::{about, asks};

fn on_profile(shop: &Shop, operation: &str) -> Call {
    shop.call(operation).at("profile_id", &shop.profile_id)
}

/// The bucket holds five failures, and one leaks each minute.
fn usual() -> Value {
    json!({
        "decision_engine_configs": { "threshold": 0.35 },
        "elimination_analyser_config": { "bucket_size": 5, "bucket_leak_interval_in_secs": 60 },
    })
}

fn creates(shop: &Shop, enable: &str) -> Call {
    let call = on_profile(shop, "dynamic_routing_elimination_create");
    call.query("enable", enable).json(&usual())
}

/// Opens a shop with `fauxpay` before `stripe_test`.
async fn shop_with_two() -> Shop {
    let shop = Shop::open().await;
    shop.connects("stripe_test", json!({})).await.ok();
    shop
}

async fn pays(shop: &Shop) -> Value {
    let body = with(order_with(APPROVED), json!({ "confirm": true }));
    shop.creates(body).await.ok()
}

async fn goes_to(shop: &Shop) -> String {
    let payment = pays(shop).await;
    assert_eq!(payment["status"], "succeeded", "{payment}");
    payment["connector"]
        .as_str()
        .expect("a connector")
        .to_owned()
}

/// Makes a payment that the first processor fails.
async fn fails(shop: &Shop, fault: Fault) {
    shop.next_call_meets(ProcessorCall::Authorize, fault);
    let payment = pays(shop).await;
    assert_eq!(payment["connector"], "fauxpay", "{payment}");
}

#[tokio::test]
async fn a_full_bucket_sends_a_connector_to_the_end_until_a_drop_has_leaked() {
    let shop = shop_with_two().await;
    let record = creates(&shop, "dynamic_connector_selection").await.ok();
    assert_eq!(record["kind"], "dynamic");
    assert_eq!(record["algorithm_for"], "payment");
    assert_eq!(goes_to(&shop).await, "fauxpay");
    for fault in [
        Fault::Throttles,
        Fault::FailsBefore(503),
        Fault::LosesAnswer,
        Fault::LosesRequest,
        Fault::Throttles,
    ] {
        fails(&shop, fault).await;
    }
    assert_eq!(goes_to(&shop).await, "stripe_test");
    shop.time_passes(45).await;
    assert_eq!(goes_to(&shop).await, "stripe_test");
    shop.time_passes(15).await;
    assert_eq!(goes_to(&shop).await, "fauxpay", "one place is free");
}

/// Earlier approvals don't help an unreachable processor.
#[tokio::test]
async fn approvals_of_before_do_not_outweigh_silence() {
    let shop = shop_with_two().await;
    creates(&shop, "dynamic_connector_selection").await.ok();
    goes_to(&shop).await;
    for _ in 0..5 {
        fails(&shop, Fault::LosesAnswer).await;
    }
    assert_eq!(goes_to(&shop).await, "stripe_test");
}

/// Failures of credentials from a request don't count for the account.
#[tokio::test]
async fn credentials_that_were_brought_count_for_nothing() {
    let shop = shop_with_two().await;
    creates(&shop, "dynamic_connector_selection").await.ok();
    for _ in 0..5 {
        let brought = json!({
            "creds_identifier": "own",
            "encoded_data": {
                "connector_account_details": { "auth_type": "HeaderKey", "api_key": "refused_key" },
            },
        });
        let body = json!({ "confirm": true, "merchant_connector_details": brought });
        let failed = shop.creates(with(order_with(APPROVED), body)).await.ok();
        assert_eq!(failed["status"], "failed", "{failed}");
    }
    assert_eq!(goes_to(&shop).await, "fauxpay");
}

#[tokio::test]
async fn an_attempt_tells_who_was_sent_to_the_end() {
    let shop = shop_with_two().await;
    creates(&shop, "dynamic_connector_selection").await.ok();
    for _ in 0..5 {
        fails(&shop, Fault::Throttles).await;
    }
    let payment = pays(&shop).await;
    let read = shop.retrieves(&payment).query("expand_routing", true);
    let read = read.await.ok();
    let candidates = read["attempts"][0]["routing"]["candidates"].as_array();
    let told = candidates.expect("candidates").iter().map(|one| {
        let why = one["moved_because"].as_str().unwrap_or("keeps its place");
        format!("{} {why}", one["connector"].as_str().expect("a name"))
    });
    let told: Vec<_> = told.collect();
    assert_eq!(told, ["fauxpay elimination", "stripe_test keeps its place"]);
    // A dry run gives the same result without paying.
    let trial = json!({
        "amount": 6540, "currency": "USD", "payment_method": "card", "payment_method_type": "credit",
    });
    let evaluated = shop.call("routing_evaluate").json(&trial).await.ok();
    assert_eq!(evaluated["connectors"][0]["connector"], "stripe_test");
    // A payment's own routing is never eliminated.
    let single = json!({ "type": "single", "data": { "connector": "fauxpay" } });
    let asks = json!({ "confirm": true, "routing": single });
    let asked = shop.creates(with(order_with(APPROVED), asks)).await.ok();
    assert_eq!(asked["connector"], "fauxpay");
}

/// Only the full bucket decides, even with approvals in the same minute.
#[tokio::test]
async fn approvals_of_before_do_not_outweigh_failures_of_now() {
    let shop = shop_with_two().await;
    creates(&shop, "dynamic_connector_selection").await.ok();
    for _ in 0..8 {
        assert_eq!(goes_to(&shop).await, "fauxpay");
    }
    for _ in 0..5 {
        fails(&shop, Fault::Throttles).await;
    }
    assert_eq!(goes_to(&shop).await, "stripe_test");
}

#[tokio::test]
async fn declines_of_the_payer_do_not_count_against_the_processor() {
    let shop = shop_with_two().await;
    creates(&shop, "dynamic_connector_selection").await.ok();
    for _ in 0..6 {
        let body = with(order_with(DECLINED), json!({ "confirm": true }));
        assert_eq!(shop.creates(body).await.ok()["connector"], "fauxpay");
    }
    assert_eq!(goes_to(&shop).await, "fauxpay");
}

#[tokio::test]
async fn declines_that_map_to_a_processor_fault_count() {
    let table = [
        ("processor_decline_unauthorized", "stripe_test"),
        ("processor_downtime", "stripe_test"),
        ("processor_decline_incorrect_data", "fauxpay"),
        ("issue_with_payment_method", "fauxpay"),
        ("frm_decline", "fauxpay"),
        ("hard_decline", "fauxpay"),
        ("soft_decline", "fauxpay"),
    ];
    for (category, first_afterwards) in table {
        let shop = shop_with_two().await;
        creates(&shop, "dynamic_connector_selection").await.ok();
        let mapping = json!({
            "status": "failure", "decision": "do_default", "step_up_possible": false, "clear_pan_possible": false,
            "error_category": category,
        });
        let mapping = with(about("fauxpay", "DC_08", ""), mapping);
        asks(&shop, "gsm_create", mapping).await.ok();
        for _ in 0..5 {
            let body = with(order_with(DECLINED), json!({ "confirm": true }));
            let refused = shop.creates(body).await.ok();
            assert_eq!(refused["connector"], "fauxpay");
            assert_eq!(refused["status"], "failed");
        }
        assert_eq!(goes_to(&shop).await, first_afterwards, "{category}");
    }
}

#[tokio::test]
async fn it_is_switched() {
    let shop = shop_with_two().await;
    let toggle = |enable: &str| {
        let call = on_profile(&shop, "dynamic_routing_elimination_toggle");
        call.query("enable", enable)
    };
    toggle("none").await.refused(400, "IR_16");
    creates(&shop, "none").await.refused(400, "IR_16");
    let first = toggle("metrics").await.ok();
    toggle("metrics").await.refused(400, "IR_16");
    for _ in 0..5 {
        fails(&shop, Fault::Throttles).await;
    }
    assert_eq!(goes_to(&shop).await, "fauxpay", "metrics only count");
    let same = toggle("dynamic_connector_selection").await.ok();
    assert_eq!(same["id"], first["id"]);
    assert_eq!(goes_to(&shop).await, "stripe_test");
    toggle("none").await.ok();
    assert_eq!(goes_to(&shop).await, "fauxpay");
}

/// A configuration that was created without enabling can be activated. The next one replaces it, and the list keeps
/// both. (Facts 2.5, 10.4, 10.5)
#[tokio::test]
async fn configurations_stay_and_one_is_active() {
    let shop = shop_with_two().await;
    let create = on_profile(&shop, "dynamic_routing_elimination_create");
    let first = create.json(&usual()).await.ok();
    assert_eq!(
        (&first["name"], &first["description"]),
        (
            &json!("Elimination based dynamic routing algorithm"),
            &json!("")
        )
    );
    assert_eq!(first["profile_id"], json!(shop.profile_id));
    assert_eq!(first["decision_engine_routing_id"], json!(null));
    let activate = |record: &Value| {
        let id = record["id"].as_str().expect("an id");
        shop.call("routing_activate").at("routing_id", id)
    };
    activate(&first).await.ok();
    activate(&first).await.refused(400, "IR_16");
    for _ in 0..5 {
        fails(&shop, Fault::Throttles).await;
    }
    assert_eq!(goes_to(&shop).await, "stripe_test", "it is active");
    let patient = json!({
        "decision_engine_configs": { "threshold": 0.35 },
        "elimination_analyser_config": { "bucket_size": 50 },
    });
    let create = on_profile(&shop, "dynamic_routing_elimination_create");
    let create = create.query("enable", "dynamic_connector_selection");
    let second = create.json(&patient).await.ok();
    assert_eq!(goes_to(&shop).await, "fauxpay", "its bucket is larger");
    activate(&second).await.refused(400, "IR_16");
    let listed = shop.call("routing_list").await.ok();
    let ids = listed["records"].as_array().expect("records").iter();
    let ids: Vec<_> = ids.map(|one| &one["id"]).collect();
    assert_eq!(ids, [&second["id"], &first["id"]]);
    assert_eq!(listed["active_id"], json!(null), "no static one is active");
}

/// A configuration that only counts shows itself and its counts.
#[tokio::test]
async fn active_configurations_and_counts_can_be_read() {
    let shop = shop_with_two().await;
    let reads = || on_profile(&shop, "dynamic_routing_retrieve");
    let none = reads().await.ok();
    assert_eq!(none["profile_id"], json!(shop.profile_id));
    assert_eq!(
        (&none["elimination"], &none["success_based"], &none["split"]),
        (&Value::Null, &Value::Null, &json!(100))
    );
    let record = creates(&shop, "metrics").await.ok();
    goes_to(&shop).await;
    for _ in 0..5 {
        fails(&shop, Fault::Throttles).await;
    }
    assert_eq!(goes_to(&shop).await, "fauxpay", "it only counts");
    let found = reads().await.ok();
    let mut shown = found["elimination"].clone();
    assert_eq!(shown["id"], record["id"]);
    let account = shown["counts"][0]["merchant_connector_id"].clone();
    assert_eq!(account, json!(shop.connector_account_id));
    shown["id"] = json!("routing_1");
    for list in ["buckets", "counts"] {
        assert_eq!(shown[list][0]["merchant_connector_id"], account);
        shown[list][0]["merchant_connector_id"] = json!("mca_1");
    }
    assert_eq!(
        shown,
        json!({
            "id": "routing_1", "enable": "metrics", "params": ["PaymentMethod"], "bucket_size": 5,
            "bucket_leak_interval_in_secs": 60, "threshold": 0.35,
            "buckets": [{
                "merchant_connector_id": "mca_1", "parameters": "card", "error_category": "processor_downtime",
                "drops": 5, "is_full": true,
            }],
            "counts": [{ "merchant_connector_id": "mca_1", "parameters": "card", "decided": 7, "approved": 2 }],
        })
    );
    shop.time_passes(60).await;
    let later = reads().await.ok();
    let bucket = &later["elimination"]["buckets"][0];
    assert_eq!(
        (&bucket["drops"], &bucket["is_full"]),
        (&json!(4), &json!(false))
    );
    let unknown = reads().moved("profile_id", "pro_elsewhere");
    unknown.await.refused(404, "HE_02");
}

#[tokio::test]
async fn an_update_takes_the_place_of_what_it_changes() {
    let shop = shop_with_two().await;
    let first = creates(&shop, "dynamic_connector_selection").await.ok();
    let update = |id: &Value, body: Value| {
        let call = on_profile(&shop, "dynamic_routing_elimination_update");
        call.at("routing_id", id.as_str().expect("an id"))
            .json(&body)
    };
    let smaller = json!({ "elimination_analyser_config": { "bucket_size": 2 } });
    let second = update(&first["id"], smaller).await.ok();
    assert_ne!(first["id"], second["id"]);
    for _ in 0..2 {
        fails(&shop, Fault::Throttles).await;
    }
    assert_eq!(goes_to(&shop).await, "stripe_test");
    let none = json!({ "elimination_analyser_config": { "bucket_size": 0 } });
    let message = update(&second["id"], none).await.refused(422, "IR_06");
    assert!(
        message.contains("elimination_analyser_config.bucket_size"),
        "{message}"
    );
    update(&json!("routing_unknown"), json!({}))
        .await
        .refused(404, "HE_02");
}

#[tokio::test]
async fn wrong_requests_are_refused() {
    let shop = Shop::open().await;
    let create = |body: Value| on_profile(&shop, "dynamic_routing_elimination_create").json(&body);
    create(json!({})).await.refused(400, "IR_04");
    create(json!({ "decision_engine_configs": {} }))
        .await
        .refused(400, "IR_04");
    create(json!({ "decision_engine_configs": { "threshold": 1.5 } }))
        .await
        .refused(422, "IR_06");
    create(with(usual(), json!({ "params": ["Weather"] })))
        .await
        .refused(400, "IR_06");
    create(with(usual(), json!({ "surprise": 1 })))
        .await
        .refused(400, "IR_06");
    let elsewhere = shop
        .call("dynamic_routing_elimination_create")
        .at("profile_id", "pro_unknown");
    elsewhere.json(&usual()).await.refused(404, "HE_02");
    let stored = create(usual()).await.ok();
    assert_eq!(stored["kind"], "dynamic", "it does nothing yet");
}
