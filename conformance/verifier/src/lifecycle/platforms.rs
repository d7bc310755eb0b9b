//! Organizations: one for later accounts, and a platform that takes a payment for a merchant.

use serde_json::{Value, json};

use crate::run::micros;
use crate::run::{Run, Stop};

/// Plays a platform; `platform` is the answer that created it.
pub(super) async fn acting(run: &mut Run, platform: &Value) -> Result<(), Stop> {
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let body = json!({ "organization_name": "Books Inc." });
    let call = run.operator("organizations_create", "-").json(&body);
    let wanted = [("/organization_type", json!("standard"))];
    run.works("an organization is made", call, &wanted).await?;
    let call = run.operator("organizations_list", "-").query("limit", 1);
    run.works("and listed with all others", call, &[]).await?;
    let call = run.operator("health_describe", "-");
    run.works("the operator reads the version", call, &[])
        .await?;

    let organization_id = text(&platform["org_id"]);
    let asks = |run: &Run, operation: &str| {
        let call = run.operator(operation, "-");
        call.at("organization_id", &organization_id)
    };
    let call = asks(run, "organizations_retrieve");
    let wanted = [("/platform_merchant_id", platform["merchant_id"].clone())];
    run.works("a platform's", call, &wanted).await?;
    let call = asks(run, "organizations_update");
    let call = call.json(&json!({ "organization_name": "Old market hall" }));
    let wanted = [("/organization_name", json!("Old market hall"))];
    run.works("gets another name", call, &wanted).await?;

    let stall = format!("stall_{}", micros());
    let body = json!({
        "merchant_id": stall, "organization_id": organization_id, "merchant_account_type": "connected",
    });
    let call = run.operator("merchant_accounts_create", "-").json(&body);
    let wanted = [("/merchant_account_type", json!("connected"))];
    run.works("a merchant is connected to it", call, &wanted)
        .await?;
    let call = run.operator("merchant_accounts_list", "-");
    let wanted = [("/0/merchant_id", json!(stall))];
    run.works(
        "the operator finds it",
        call.query("search", &stall),
        &wanted,
    )
    .await?;
    let call = asks(run, "organization_accounts_list");
    let wanted = [("/1/merchant_id", json!(stall))];
    run.works("and listed under it", call, &wanted).await?;

    let key = json!({ "name": "platform", "expiration": "never" });
    let call = run.operator("api_keys_create", &text(&platform["merchant_id"]));
    let call = call.json(&key);
    let key = run.works("the platform gets a key", call, &[]).await?;
    let key = text(&key["api_key"]);
    let wire = run.wire.clone();
    let create = |merchant_id: &str| {
        let call = wire.call("payments_create").key(&key);
        let call = call.header("X-Connected-Merchant-Id", merchant_id);
        call.json(&json!({ "amount": 6540, "currency": "USD" }))
    };
    let wanted = [
        ("/merchant_id", json!(stall)),
        ("/processor_merchant_id", json!(stall)),
        ("/initiator", json!("platform")),
    ];
    run.works(
        "by which it makes a payment for the merchant",
        create(&stall),
        &wanted,
    )
    .await?;
    let refused = create("nobody");
    run.is_refused("and for nobody else", refused, 401, "IR_44")
        .await;
    Ok(())
}
