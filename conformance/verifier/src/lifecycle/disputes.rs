//! Disputes.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::bodies::{DISPUTED, paid_with};
use crate::notice::{SECRET, disputed, signed};
use crate::patience::PATIENCE;
use crate::run::{Merchant, Run, Stop};
use crate::wire::Call;

/// A key that the simulated processor doesn't know.
const REFUSED: &str = "refused_key";

/// Creates a payment that the processor disputes. The account already has its secret for notices.
async fn disputed_payment(run: &mut Run, merchant: &Merchant) -> Result<(Value, Value), Stop> {
    let call = merchant.call("payments_create").json(&paid_with(DISPUTED));
    let wanted = [("/status", json!("succeeded")), ("/disputes", json!(null))];
    let payment = run.works("something is sold", call, &wanted).await?;
    let door = run.wire.call("notices_receive");
    let door = door
        .at("merchant_id", &merchant.id)
        .at("connector_account", &merchant.connector_account_id);
    let opened = disputed(&payment, "dispute", "dispute_opened");
    let call = signed(door, SECRET, &opened);
    run.works("the processor tells of a dispute", call, &[])
        .await?;

    let started = Instant::now();
    let dispute = loop {
        let answer = of_payment(merchant, &payment).send().await;
        let listed = answer.map_or(Value::Null, |answer| answer.body[0].clone());
        let is_over = started.elapsed() > PATIENCE || merchant.wire.ended().is_some();
        if listed.is_object() || is_over {
            break listed;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    Ok((payment, dispute))
}

fn of_payment(merchant: &Merchant, payment: &Value) -> Call {
    let id = payment["payment_id"].as_str().unwrap_or("-");
    merchant.call("disputes_list").query("payment_id", id)
}

fn on(merchant: &Merchant, operation: &str, dispute: &Value) -> Call {
    let id = dispute["dispute_id"].as_str().unwrap_or("-");
    merchant.call(operation).at("dispute_id", id)
}

/// Challenges a dispute with evidence.
pub(super) async fn challenged(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let (_, dispute) = disputed_payment(run, merchant).await?;
    let attached = |item: &str, file: &str| {
        let id = dispute["dispute_id"].as_str().unwrap_or("-");
        let call = merchant.call("disputes_attach").query("dispute_id", id);
        call.query("evidence_type", item)
            .text("application/octet-stream", file)
    };
    let nothing = json!({ "dispute_id": dispute["dispute_id"] });
    let call = merchant.call("disputes_challenge").json(&nothing);
    run.is_refused("by nothing", call, 422, "IR_06").await;
    let pdf = "%PDF-1.7 a receipt";
    for item in ["receipt", "refund_policy"] {
        run.works("a file is brought", attached(item, pdf), &[])
            .await?;
    }
    run.is_refused(
        "something else",
        attached("receipt", "GIF89a"),
        422,
        "IR_06",
    )
    .await;
    let of_nobody = json!({ "dispute_id": "dp_of_nobody", "shipping_carrier": "Post" });
    let call = merchant.call("disputes_challenge").json(&of_nobody);
    run.is_refused("nobody's is challenged", call, 404, "HE_04")
        .await;
    let call = on(merchant, "disputes_delete_evidence", &dispute);
    let call = call.query("evidence_type", "refund_policy");
    let wanted = [("/files/0/evidence_type", json!("receipt"))];
    run.works("one is taken back", call, &wanted).await?;
    let body = json!({ "dispute_id": dispute["dispute_id"], "shipping_carrier": "Post" });
    let call = merchant.call("disputes_challenge").json(&body);
    let wanted = [("/dispute_status", json!("dispute_challenged"))];
    run.works("the rest is handed in", call, &wanted).await?;
    let body = json!({ "dispute_id": dispute["dispute_id"], "customer_name": "Ada" });
    let call = merchant.call("disputes_challenge").json(&body);
    run.works("and a name that was forgotten", call, &wanted)
        .await?;
    run.is_refused("a file too late", attached("receipt", pdf), 400, "HE_03")
        .await;
    let call = on(merchant, "disputes_delete_evidence", &dispute);
    let call = call.query("evidence_type", "receipt");
    run.is_refused("a change of mind too late", call, 400, "HE_03")
        .await;
    let call = on(merchant, "disputes_retrieve_evidence", &dispute);
    let wanted = [
        ("/texts/0/text", json!("Post")),
        ("/texts/1/text", json!("Ada")),
        ("/files/0/content_type", json!("application/pdf")),
    ];
    run.works("and can be seen", call, &wanted).await?;
    Ok(())
}

/// Accepts a dispute.
pub(super) async fn accepted(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let (payment, dispute) = disputed_payment(run, merchant).await?;
    let wanted = [
        ("/0/dispute_stage", json!("dispute")),
        ("/0/dispute_status", json!("dispute_opened")),
        ("/0/amount", json!("6540")),
        ("/0/is_already_refunded", json!(false)),
    ];
    run.works("it is listed", of_payment(merchant, &payment), &wanted)
        .await?;
    let call = merchant
        .call("disputes_profile_list")
        .query("dispute_status", "dispute_opened,dispute_challenged");
    let wanted = [("/0/dispute_id", dispute["dispute_id"].clone())];
    run.works("in the list of the profile too", call, &wanted)
        .await?;
    let refund = json!({ "payment_id": payment["payment_id"], "amount": 1 });
    let call = merchant.call("refunds_create").json(&refund);
    run.is_refused("what is disputed goes back", call, 400, "IR_13")
        .await;

    let on = |operation: &str| on(merchant, operation, &dispute);
    let wanted = [("/dispute_status", json!("dispute_accepted"))];
    run.works("the merchant gives in", on("disputes_accept"), &wanted)
        .await?;
    run.is_refused("once more", on("disputes_accept"), 400, "HE_03")
        .await;
    let body = json!({ "dispute_id": dispute["dispute_id"], "shipping_carrier": "Post" });
    let call = merchant.call("disputes_challenge").json(&body);
    run.is_refused("it is too late to challenge it", call, 400, "HE_03")
        .await;
    let asked = on("disputes_retrieve").query("force_sync", true);
    run.works("the processor agrees", asked, &wanted).await?;
    let call = merchant
        .call("disputes_fetch")
        .at("merchant_connector_id", &merchant.connector_account_id)
        .query("fetch_from", "2026-01-01T00:00:00Z")
        .query("fetch_till", "2099-01-01T00:00:00Z");
    run.works("it tells of all that there are", call, &[])
        .await?;
    let call = merchant
        .call("disputes_retrieve")
        .at("dispute_id", "dp_of_nobody");
    run.is_refused("another one", call, 404, "HE_04").await;
    let wanted = [
        ("/status", json!("succeeded")),
        ("/state_metadata/total_disputed_amount", json!(6540)),
        ("/disputes/0/dispute_status", json!("dispute_accepted")),
    ];
    let call = merchant.on("payments_retrieve", &payment);
    run.works("the payment counts it", call, &wanted).await?;
    let filter = json!({ "object_id": dispute["dispute_id"] });
    let call = run.operator("events_list", &merchant.id).json(&filter);
    let wanted = [
        ("/total_count", json!(2)),
        ("/events/0/event_type", json!("dispute_accepted")),
        ("/events/1/event_type", json!("dispute_opened")),
    ];
    run.works("and told of", call, &wanted).await?;
    Ok(())
}

/// The processor refuses everything, because it doesn't know the account's key.
pub(super) async fn refused(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let (_, dispute) = disputed_payment(run, merchant).await?;
    let key = |key: &str| {
        let call = merchant.call("connector_accounts_update");
        let call = call.at("merchant_connector_id", &merchant.connector_account_id);
        call.json(&json!({
            "connector_type": "payment_processor",
            "connector_account_details": { "auth_type": "HeaderKey", "api_key": key },
        }))
    };
    run.works("a key that the processor doesn't know", key(REFUSED), &[])
        .await?;
    let body = json!({ "dispute_id": dispute["dispute_id"], "shipping_carrier": "Post" });
    let fetch = merchant.call("disputes_fetch");
    let fetch = fetch.at("merchant_connector_id", &merchant.connector_account_id);
    for call in [
        merchant.call("disputes_challenge").json(&body),
        on(merchant, "disputes_accept", &dispute),
        fetch
            .query("fetch_from", "2026-01-01T00:00:00Z")
            .query("fetch_till", "2099-01-01T00:00:00Z"),
    ] {
        run.is_refused("by it nothing is done", call, 400, "CE_08")
            .await;
    }
    run.works("the key of before", key("conformance"), &[])
        .await?;
    let wanted = [("/dispute_status", json!("dispute_accepted"))];
    let call = on(merchant, "disputes_accept", &dispute);
    run.works("and nothing has changed", call, &wanted).await?;
    Ok(())
}
