//! Routing of payments.

use serde_json::{Value, json};

use crate::bodies::with;
use crate::run::{Merchant, Run, Stop};
use crate::wire::Call;

fn on(merchant: &Merchant, operation: &str, routing: &Value) -> Call {
    let id = routing["id"].as_str().unwrap_or("-");
    merchant.call(operation).at("routing_id", id)
}

pub(super) async fn configured(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let algorithm = algorithm_of(merchant);
    let body = json!({
        "name": "One for all", "description": "", "profile_id": merchant.profile_id, "algorithm": algorithm,
    });
    let call = merchant.call("routing_create").json(&body);
    let wanted = [
        ("/kind", json!("single")),
        ("/algorithm_for", json!("payment")),
    ];
    let stored = run
        .works("a configuration is stored", call, &wanted)
        .await?;
    let call = on(merchant, "routing_retrieve", &stored);
    let wanted = [("/algorithm", algorithm)];
    run.works("with what it does", call, &wanted).await?;
    let call = on(merchant, "routing_activate", &stored);
    let wanted = [("/id", stored["id"].clone())];
    run.works("it decides", call, &wanted).await?;
    let again = on(merchant, "routing_activate", &stored);
    run.is_refused("it does already", again, 400, "IR_16").await;
    let call = merchant.call("routing_active");
    let call = call.query("profile_id", &merchant.profile_id);
    let wanted = [("/algorithm/id", stored["id"].clone())];
    run.works("nothing else does", call, &wanted).await?;
    let wanted = [
        ("/active_id", stored["id"].clone()),
        ("/records/0/id", stored["id"].clone()),
    ];
    let call = merchant.call("routing_list");
    run.works("it is listed", call, &wanted).await?;
    let trial = json!({ "amount": 6540, "currency": "USD" });
    let call = merchant.call("routing_evaluate").json(&trial);
    let wanted = [
        ("/routing/routed_by", json!("configuration")),
        (
            "/connectors/0/merchant_connector_id",
            json!(merchant.connector_account_id),
        ),
    ];
    run.works("a payment would go there", call, &wanted).await?;
    let call = merchant.call("routing_estimate");
    let call = call.json(&json!({ "payment_limit": 500 }));
    let wanted = [("/profile_id", json!(merchant.profile_id))];
    let counts = "the newest payments are counted";
    run.works(counts, call, &wanted).await?;
    let call = merchant.call("routing_deactivate");
    let call = call.json(&json!({ "profile_id": merchant.profile_id }));
    run.works("it decides no more", call.clone(), &[]).await?;
    run.is_refused("nothing does", call, 400, "IR_16").await;
    let both = with(
        trial,
        json!({ "algorithm": algorithm_of(merchant), "routing_id": stored["id"] }),
    );
    let call = merchant.call("routing_evaluate").json(&both);
    run.is_refused("by two at once", call, 400, "IR_16").await;
    let both = json!({ "algorithm": algorithm_of(merchant), "routing_id": stored["id"] });
    let call = merchant.call("routing_estimate").json(&both);
    run.is_refused("nor an estimate", call, 400, "IR_16").await;
    let unknown = json!({ "type": "single", "data": { "connector": "adyen_test" } });
    let body = json!({
        "name": "Elsewhere", "description": "", "profile_id": merchant.profile_id, "algorithm": unknown,
    });
    let call = merchant.call("routing_create").json(&body);
    run.is_refused("to nobody of its own", call, 422, "IR_06")
        .await;
    let nobody = json!({ "connectors": [] });
    let call = merchant.call("routing_default_update").json(&nobody);
    run.is_refused("an order of nobody", call, 400, "IR_16")
        .await;
    let account = json!(merchant.connector_account_id);
    let call = merchant.call("routing_default_retrieve");
    let wanted = [("/0/merchant_connector_id", account.clone())];
    run.works("the order of last resort does", call, &wanted)
        .await?;
    let order = json!({ "connectors": [{ "connector": merchant.connector }] });
    let call = merchant.call("routing_default_update").json(&order);
    run.works("it is set", call, &wanted).await?;
    let wanted = [("/connectors/0/merchant_connector_id", account.clone())];
    let call = merchant.call("routing_default_update_of_profile");
    let call = call.at("profile_id", &merchant.profile_id).json(&order);
    run.works("of a profile", call, &wanted).await?;
    let wanted = [("/0/connectors/0/merchant_connector_id", account)];
    let call = merchant.call("routing_default_list");
    run.works("of all of them", call, &wanted).await?;
    eliminated(run, merchant).await
}

/// Returns an algorithm that sends everything to the merchant's only account.
fn algorithm_of(merchant: &Merchant) -> Value {
    json!({ "type": "single", "data": {
        "connector": merchant.connector, "merchant_connector_id": merchant.connector_account_id,
    } })
}

async fn eliminated(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let on_profile = |operation: &str| {
        let call = merchant.call(operation);
        call.at("profile_id", &merchant.profile_id)
    };
    let config = json!({ "decision_engine_configs": { "threshold": 0.35 } });
    let call = on_profile("dynamic_routing_elimination_create");
    let call = call.query("enable", "metrics").json(&config);
    let wanted = [("/kind", json!("dynamic"))];
    let made = run.works("failures are counted", call, &wanted).await?;
    let call = on_profile("dynamic_routing_elimination_update");
    let call = call.at("routing_id", made["id"].as_str().unwrap_or("-"));
    let larger = json!({ "elimination_analyser_config": { "bucket_size": 10 } });
    let call = call.json(&larger);
    run.works("in a larger bucket", call, &wanted).await?;
    let shown = [("/elimination/enable", json!("metrics"))];
    let call = on_profile("dynamic_routing_retrieve");
    run.works("which can be read", call, &shown).await?;
    let call = on_profile("dynamic_routing_elimination_toggle");
    let call = call.query("enable", "none");
    run.works("and no more", call.clone(), &wanted).await?;
    run.is_refused("as before", call, 400, "IR_16").await;
    let call = on_profile("dynamic_routing_elimination_create");
    let call = call.query("enable", "none").json(&config);
    run.is_refused("nothing is active", call, 400, "IR_16")
        .await;
    ordered_by_success(run, merchant).await
}

async fn ordered_by_success(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let on_profile = |operation: &str| {
        let call = merchant.call(operation);
        call.at("profile_id", &merchant.profile_id)
    };
    let call = on_profile("dynamic_routing_success_based_create");
    let call = call.query("enable", "metrics").json(&json!({}));
    let wanted = [("/kind", json!("dynamic"))];
    let made = run.works("successes are counted", call, &wanted).await?;
    let call = on_profile("dynamic_routing_success_based_update");
    let call = call.at("routing_id", made["id"].as_str().unwrap_or("-"));
    let longer = json!({ "config": { "current_block_threshold": { "duration_in_mins": 30 } } });
    let call = call.json(&longer);
    run.works("in longer blocks", call, &wanted).await?;
    let call = on_profile("dynamic_routing_success_based_toggle");
    let call = call.query("enable", "none");
    run.works("and no more", call.clone(), &wanted).await?;
    run.is_refused("as before", call, 400, "IR_16").await;
    let call = on_profile("dynamic_routing_success_based_create");
    let call = call.query("enable", "none").json(&json!({}));
    run.is_refused("nothing is active", call, 400, "IR_16")
        .await;
    let call = on_profile("dynamic_routing_set_volume_split");
    let whole = [("/split", json!(100))];
    run.works("for all payments", call.query("split", 100), &whole)
        .await?;
    Ok(())
}
