//! Opening, configuring and closing accounts.

use serde_json::{Value, json};

use crate::bodies::with;
use crate::run::{Merchant, Run, Stop, micros};

pub(super) async fn health(run: &mut Run) {
    let call = run.wire.call("health_check");
    let _ = run
        .works("is up", call, &[("", json!("health is good"))])
        .await;
    let call = run.wire.call("health_ready");
    let _ = run.works("can do its work", call, &[]).await;
}

pub(super) async fn open(run: &mut Run) -> Result<Merchant, Stop> {
    let id = format!("conformance_{}", micros());
    let body = json!({ "merchant_id": id, "merchant_name": "Conformance" });
    let call = run.operator("merchant_accounts_create", &id).json(&body);
    let account = run
        .works(
            "an account is opened",
            call.clone(),
            &[("/merchant_id", json!(id))],
        )
        .await?;
    run.is_refused("the same account again", call, 400, "HE_01")
        .await;
    let call = run
        .operator("api_keys_create", &id)
        .json(&json!({ "name": "till", "expiration": "never" }));
    let key = run
        .works("a key is issued", call, &[("/merchant_id", json!(id))])
        .await?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    // Without the simulator, an account at a real processor that is never called.
    let (connector, secret) = match run.facts.simulator {
        true => ("fauxpay", "conformance"),
        false => ("stripe", "sk_test_conformance"),
    };
    let mut merchant = Merchant {
        wire: run.wire.clone(),
        profile_id: text(&account["default_profile"]),
        api_key: text(&key["api_key"]),
        publishable_key: text(&account["publishable_key"]),
        connector: connector.to_owned(),
        connector_account_id: String::new(),
        key_id: text(&key["key_id"]),
        id,
    };
    let call = merchant.call("connector_accounts_create").json(&json!({
        "connector_type": "payment_processor",
        "connector_name": connector,
        "connector_account_details": { "auth_type": "HeaderKey", "api_key": secret },
        "test_mode": true,
    }));
    let wanted = [
        ("/status", json!("active")),
        ("/connector_label", json!(format!("{connector}_default"))),
    ];
    let account = run.works("a processor is connected", call, &wanted).await?;
    merchant.connector_account_id = text(&account["merchant_connector_id"]);
    Ok(merchant)
}

/// Opens a second account; returns its secret key.
pub(super) async fn another(run: &mut Run) -> Result<String, Stop> {
    let id = format!("conformance_other_{}", micros());
    let body = json!({ "merchant_id": id, "merchant_name": "Somebody else" });
    let call = run.operator("merchant_accounts_create", &id).json(&body);
    run.works("another account", call, &[]).await?;
    let call = run
        .operator("api_keys_create", &id)
        .json(&json!({ "name": "till", "expiration": "never" }));
    let key = run.works("with a key of its own", call, &[]).await?;
    Ok(key["api_key"].as_str().unwrap_or_default().to_owned())
}

pub(super) async fn settings(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let id = &merchant.id;
    let connector = |operation| {
        merchant
            .call(operation)
            .at("merchant_connector_id", &merchant.connector_account_id)
    };
    let profile = |operation| {
        merchant
            .call(operation)
            .at("profile_id", &merchant.profile_id)
    };

    run.works(
        "its key reads the account",
        merchant.call("merchant_accounts_retrieve"),
        &[],
    )
    .await?;
    let call = run
        .operator("merchant_accounts_update", id)
        .json(&json!({ "merchant_name": "Renamed" }));
    run.works(
        "the account is renamed",
        call,
        &[("/merchant_name", json!("Renamed"))],
    )
    .await?;

    let call = merchant
        .call("business_profiles_create")
        .json(&json!({ "profile_name": "second" }));
    run.works(
        "a second profile",
        call,
        &[("/profile_name", json!("second"))],
    )
    .await?;
    let wanted = [
        ("/0/profile_name", json!("default")),
        ("/1/profile_name", json!("second")),
    ];
    run.works(
        "profiles, oldest first",
        merchant.call("business_profiles_list"),
        &wanted,
    )
    .await?;
    let call = profile("business_profiles_update").json(&json!({ "session_expiry": 1800 }));
    run.works("longer sessions", call, &[("/session_expiry", json!(1800))])
        .await?;
    let wanted = [("/session_expiry", json!(1800))];
    run.works(
        "the profile remembers",
        profile("business_profiles_retrieve"),
        &wanted,
    )
    .await?;

    let wanted = [("/0/connector_types", json!(["payment_processor"]))];
    let call = merchant.call("connectors_list");
    run.works("connectors", call, &wanted).await?;
    let wanted = [("/0/connector_name", json!(merchant.connector))];
    run.works(
        "connector accounts",
        merchant.call("connector_accounts_list"),
        &wanted,
    )
    .await?;
    let body = json!({ "connector_type": "payment_processor", "disabled": true });
    let call = connector("connector_accounts_update").json(&body);
    run.works(
        "the processor is switched off",
        call,
        &[("/disabled", json!(true))],
    )
    .await?;
    let wanted = [("/disabled", json!(true))];
    run.works(
        "and stays off",
        connector("connector_accounts_retrieve"),
        &wanted,
    )
    .await?;

    let key = |operation| run_key(run, merchant, operation);
    let call = key("api_keys_update").json(&json!({ "description": "front desk" }));
    let (retrieve, list) = (key("api_keys_retrieve"), run.operator("api_keys_list", id));
    run.works(
        "a key is described",
        call,
        &[("/description", json!("front desk"))],
    )
    .await?;
    run.works(
        "the key remembers",
        retrieve,
        &[("/description", json!("front desk"))],
    )
    .await?;
    run.works("all keys", list, &[("/0/name", json!("till"))])
        .await?;

    error_mappings(run).await
}

/// Checks the account's credentials at the processor.
pub(super) async fn processor(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let wanted = [("/result", json!("accepted"))];
    let call = merchant
        .call("connector_accounts_check")
        .at("merchant_connector_id", &merchant.connector_account_id);
    run.works("the processor takes the key", call, &wanted)
        .await?;
    credentials(run, merchant).await
}

/// Checks credentials that are in no account.
async fn credentials(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let credentials = json!({ "auth_type": "HeaderKey", "api_key": "refused_key" });
    let body = json!({
        "connector_name": merchant.connector, "connector_account_details": credentials,
        "test_mode": true, "metadata": { "region": "west" },
    });
    let call = merchant.call("connectors_check").json(&body);
    let wanted = [("/result", json!("refused"))];
    run.works("but not every key", call, &wanted).await?;
    let checks = |more: Value| {
        let call = merchant.call("connectors_check");
        call.json(&with(body.clone(), more))
    };
    let missing = checks(json!({ "connector_account_details": null }));
    run.is_refused("nor none", missing, 400, "IR_04").await;
    let unknown = checks(json!({ "connector_name": "stripe_tset" }));
    run.is_refused("at no processor", unknown, 400, "IR_06")
        .await;
    let vault = checks(json!({ "connector_name": "vgs" }));
    run.is_refused("nor a vault's", vault, 400, "IR_20").await;
    let masked = json!({ "connector_account_details": { "api_key": "te********ey" } });
    run.is_refused("nor a masked one", checks(masked), 422, "IR_06")
        .await;
    let other = json!({ "connector_account_details": { "auth_type": "BodyKey", "key1": "b" } });
    run.is_refused("nor another kind", checks(other), 422, "IR_05")
        .await;
    Ok(())
}

/// Reads the business clock without moving it.
pub(super) async fn clock(run: &mut Run) -> Result<(), Stop> {
    let call = run.operator("sandbox_clock_advance", "-");
    let call = call.json(&json!({ "advance_seconds": 0 }));
    run.works("what time it is", call, &[]).await?;
    Ok(())
}

/// Rotates the keys that seal stored data.
pub(super) async fn service_keys(run: &mut Run) -> Result<(), Stop> {
    let call = run.operator("keys_rotate", "-");
    let call = call.json(&json!({ "change": "data_keys" }));
    run.works("all data keys change", call, &[]).await?;
    let call = run.operator("keys_retrieve", "-");
    run.works("how the keys stand", call, &[]).await?;
    audit_log(run).await
}

/// Checks that the audit log has all of that and is intact.
async fn audit_log(run: &mut Run) -> Result<(), Stop> {
    let call = |run: &Run, operation: &str| run.operator(operation, "-");
    let wanted = [("/0/operation", json!("keys_rotate"))];
    let list = call(run, "audit_list").query("operation", "keys_rotate");
    run.works("who changed the keys", list, &wanted).await?;
    let export = call(run, "audit_export").query("limit", 10);
    run.works("the audit log for keeping", export, &[]).await?;
    let verify = call(run, "audit_verify").query("limit", 1000);
    let wanted = [("/fault", json!(null))];
    run.works("it is whole", verify, &wanted).await?;
    Ok(())
}

/// Maps a code that no processor has.
async fn error_mappings(run: &mut Run) -> Result<(), Stop> {
    let place = json!({
        "connector": "fauxpay", "flow": "Authorize", "sub_flow": "sub_flow", "code": "LIFE_1", "message": "",
    });
    let call = |run: &Run, operation: &str, more: Value| {
        let body = with(place.clone(), more);
        run.operator(operation, "-").json(&body)
    };
    let said = json!({
        "status": "failure", "decision": "retry", "step_up_possible": false, "clear_pan_possible": false,
    });
    let texts = json!({
        "router_error": "told", "unified_code": "UE_9000", "unified_message": "Something went wrong",
        "error_category": "processor_downtime", "standardised_code": "account_closed_or_invalid",
        "description": "The processor is down", "user_guidance_message": "Try again",
    });
    let made = call(run, "gsm_create", with(said.clone(), texts));
    let wanted = [("/decision", json!("retry"))];
    run.works("a code is mapped", made.clone(), &wanted).await?;
    run.is_refused("mapped twice", made, 400, "HE_01").await;
    let with_number = json!({ "clear_pan_possible": true });
    let unknown = call(run, "gsm_create", with(said, with_number.clone()));
    run.is_refused("by the number itself", unknown, 400, "IR_20")
        .await;
    let unknown = call(run, "gsm_update", with_number);
    run.is_refused("by the number itself", unknown, 400, "IR_20")
        .await;
    let found = call(run, "gsm_retrieve", json!({}));
    run.works("the mapping is found", found, &wanted).await?;
    let changed = call(run, "gsm_update", json!({ "decision": "do_default" }));
    let wanted = [("/decision", json!("do_default"))];
    run.works("it says something else", changed, &wanted)
        .await?;
    let gone = call(run, "gsm_delete", json!({}));
    run.works("it is taken away", gone, &wanted).await?;
    Ok(())
}

pub(super) async fn close(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let id = &merchant.id;
    let call = run
        .operator("connector_accounts_delete", id)
        .at("merchant_connector_id", &merchant.connector_account_id);
    run.works(
        "the processor is disconnected",
        call,
        &[("/deleted", json!(true))],
    )
    .await?;
    let call = run_key(run, merchant, "api_keys_revoke");
    run.works("the key is revoked", call, &[("/revoked", json!(true))])
        .await?;
    run.is_refused(
        "the key opens nothing",
        merchant.call("payments_list"),
        401,
        "IR_01",
    )
    .await;
    let call = run.operator("merchant_accounts_delete", id);
    run.works("the account is closed", call, &[("/deleted", json!(true))])
        .await?;
    let call = run.operator("merchant_accounts_retrieve", id);
    run.is_refused("the account is gone", call, 404, "HE_02")
        .await;
    Ok(())
}

fn run_key(run: &Run, merchant: &Merchant, operation: &str) -> crate::wire::Call {
    run.operator(operation, &merchant.id)
        .at("key_id", &merchant.key_id)
}
