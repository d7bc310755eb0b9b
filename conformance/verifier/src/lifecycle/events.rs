//! The merchant's events. The run has no endpoint that the server could reach, so nothing is sent.

use serde_json::json;

use crate::bodies::{APPROVED, order_with, with};
use crate::run::{Merchant, Run, Stop};

pub(super) async fn announced(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let body = with(order_with(APPROVED), json!({ "confirm": true }));
    let call = merchant.call("payments_create").json(&body);
    let payment = run.works("something happens", call, &[]).await?;
    let filter = json!({ "object_id": payment["payment_id"], "event_classes": ["payments"] });
    let call = run.operator("events_list", &merchant.id).json(&filter);
    let wanted = [
        ("/total_count", json!(1)),
        ("/events/0/event_type", json!("payment_succeeded")),
        ("/events/0/is_delivery_successful", json!(null)),
    ];
    let page = run.works("it was recorded", call, &wanted).await?;
    let event_id = page["events"][0]["event_id"].clone();
    let on = |run: &Run, operation| {
        let call = run.operator(operation, &merchant.id);
        call.at("event_id", event_id.as_str().unwrap_or("-"))
    };
    let wanted = [
        ("/0/delivery_attempt", json!("initial_attempt")),
        ("/0/response/status_code", json!(null)),
    ];
    let call = on(run, "events_attempts");
    run.works("there is nowhere to send it to", call, &wanted)
        .await?;
    let wanted = [
        ("/delivery_attempt", json!("manual_retry")),
        ("/initial_attempt_id", event_id.clone()),
        ("/response/status_code", json!(null)),
    ];
    let call = on(run, "events_retry");
    run.works("nor later", call, &wanted).await?;
    let call = run.operator("events_replay", &merchant.id);
    let call = call.json(&json!({ "profile_id": merchant.profile_id }));
    let wanted = [("/dry_run", json!(true)), ("/queued", json!(0))];
    run.works("a replay is counted first", call, &wanted)
        .await?;
    let call = merchant.call("events_list");
    run.is_refused("the merchant reads events", call, 401, "IR_01")
        .await;
    Ok(())
}

pub(super) async fn signed(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let profile = |operation| {
        merchant
            .call(operation)
            .at("profile_id", &merchant.profile_id)
    };
    let wanted = [("/webhook_secrets/0/expires", json!(null))];
    let call = profile("business_profiles_rotate_webhook_secret");
    let body = json!({ "previous_valid_for_seconds": 60 });
    run.works("a new secret for webhooks", call.json(&body), &wanted)
        .await?;
    let wanted = [
        ("/webhook_delivery/state", json!("active")),
        ("/webhook_delivery/failures", json!(0)),
    ];
    let call = profile("business_profiles_resume_webhook_delivery");
    run.works("deliveries go on", call, &wanted).await?;
    Ok(())
}

pub(super) async fn delivered_elsewhere(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let profile = |operation| {
        merchant
            .call(operation)
            .at("profile_id", &merchant.profile_id)
    };
    let private = json!({ "webhook_url": "http://10.0.0.7/" });
    let call = profile("webhook_endpoints_create");
    run.is_refused(
        "no private address",
        call.clone().json(&private),
        422,
        "IR_06",
    )
    .await;
    let body =
        json!({ "webhook_url": "https://books.example/hooks", "event_types": ["payment_failed"] });
    let wanted = [
        ("/event_types/0", json!("payment_failed")),
        ("/webhook_delivery/state", json!("active")),
    ];
    let made = run
        .works("an endpoint for failures", call.json(&body), &wanted)
        .await?;
    let id = made["webhook_endpoint_id"]
        .as_str()
        .unwrap_or("-")
        .to_owned();
    let on = |operation| profile(operation).at("webhook_endpoint_id", &id);
    let wanted = [(
        "/0/webhook_endpoint_id",
        made["webhook_endpoint_id"].clone(),
    )];
    let call = profile("webhook_endpoints_list");
    run.works("it is listed", call, &wanted).await?;
    let wanted = [("/webhook_endpoint_id", made["webhook_endpoint_id"].clone())];
    let call = on("webhook_endpoints_retrieve");
    run.works("it is found, without its secret", call, &wanted)
        .await?;
    let call =
        on("webhook_endpoints_replay").json(&json!({ "created_after": "2026-01-01T00:00:00Z" }));
    let backwards = json!({
        "created_after": "2026-01-02T00:00:00Z", "created_before": "2026-01-01T00:00:00Z",
    });
    let never = call.clone().json(&backwards);
    run.is_refused("no replay backwards in time", never, 422, "IR_06")
        .await;
    let wanted = [("/dry_run", json!(true)), ("/queued", json!(0))];
    run.works("a replay to it is counted first", call, &wanted)
        .await?;
    let wanted = [("/disabled", json!(true))];
    let moved = on("webhook_endpoints_update").json(&private);
    run.is_refused("nor moved to a private address", moved, 422, "IR_06")
        .await;
    let call = on("webhook_endpoints_update").json(&json!({ "disabled": true }));
    run.works("it is switched off", call, &wanted).await?;
    let wanted = [("/webhook_endpoint_id", made["webhook_endpoint_id"].clone())];
    let call = on("webhook_endpoints_test");
    run.works("a test event is sent to it", call, &wanted)
        .await?;
    let wanted = [("/deleted", json!(true))];
    let call = on("webhook_endpoints_delete");
    run.works("it is deleted", call, &wanted).await?;
    let call = on("webhook_endpoints_retrieve");
    run.is_refused("it is gone", call, 404, "HE_02").await;
    Ok(())
}
