//! Refunds.

use serde_json::{Value, json};

use super::payers::presses;
use crate::bodies::{APPROVED, REFUNDS_DECLINED, REFUNDS_PEND, order, paid_with, with};
use crate::run::{Merchant, Run, Stop};
use crate::wire::Call;

/// The most refunds of one payment: after 10 refunds there can be one more.
const MOST: usize = 11;

/// Creates a payment that is captured at once from this card.
async fn paid(run: &mut Run, merchant: &Merchant, number: &str) -> Result<Value, Stop> {
    let call = merchant.call("payments_create").json(&paid_with(number));
    let wanted = [("/status", json!("succeeded")), ("/refunds", json!(null))];
    run.works("something is sold", call, &wanted).await
}

fn refund(merchant: &Merchant, payment: &Value, more: Value) -> Call {
    let body = json!({ "payment_id": payment["payment_id"] });
    merchant.call("refunds_create").json(&with(body, more))
}

fn on(merchant: &Merchant, operation: &str, refund: &Value) -> Call {
    let id = refund["refund_id"].as_str().unwrap_or("-");
    merchant.call(operation).at("refund_id", id)
}

pub(super) async fn in_parts(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let call = merchant.call("refunds_create").json(&json!({}));
    run.is_refused("of no payment", call, 400, "IR_04").await;
    let payment = paid(run, merchant, APPROVED).await?;
    let part = |amount: i64| refund(merchant, &payment, json!({ "amount": amount }));
    let wanted = [
        ("/status", json!("succeeded")),
        ("/amount", json!(2000)),
        ("/connector", json!("fauxpay")),
    ];
    let first = run.works("a part goes back", part(2000), &wanted).await?;
    run.is_refused("more than is left", part(5000), 400, "IR_13")
        .await;
    run.is_refused("nothing", part(0), 422, "IR_05").await;
    let again = json!({ "refund_id": first["refund_id"], "amount": 1 });
    let again = refund(merchant, &payment, again);
    run.is_refused("the same refund again", again, 400, "HE_01")
        .await;
    let note = json!({ "reason": "One of two came back" });
    let call = on(merchant, "refunds_update", &first).json(&note);
    let wanted = [("/reason", note["reason"].clone())];
    run.works("the reason is noted", call, &wanted).await?;
    let call = on(merchant, "refunds_retrieve", &first);
    run.works("the refund remembers", call, &wanted).await?;
    let wanted = [("/status", json!("succeeded"))];
    run.works("the rest goes back", part(4540), &wanted).await?;
    let wanted = [
        ("/status", json!("succeeded")),
        ("/state_metadata/total_refunded_amount", json!(6540)),
        ("/refunds/0/refund_id", first["refund_id"].clone()),
        ("/refunds/1/amount", json!(4540)),
    ];
    let call = merchant.on("payments_retrieve", &payment);
    run.works("the payment counts both", call, &wanted).await?;
    let filter = json!({ "payment_id": payment["payment_id"], "limit": 1 });
    let call = merchant.call("refunds_list").json(&filter);
    let wanted = [
        ("/count", json!(1)),
        ("/total_count", json!(2)),
        ("/data/0/amount", json!(4540)),
    ];
    run.works("both are listed", call, &wanted).await?;
    let filter = with(filter, json!({ "offset": 1 }));
    let call = merchant.call("refunds_list").json(&filter);
    let wanted = [
        ("/count", json!(1)),
        ("/data/0/refund_id", first["refund_id"].clone()),
    ];
    run.works("without the newest", call, &wanted).await?;
    let filter = json!({ "object_id": first["refund_id"] });
    let call = run.operator("events_list", &merchant.id).json(&filter);
    let wanted = [
        ("/total_count", json!(1)),
        ("/events/0/event_type", json!("refund_succeeded")),
    ];
    run.works("and told of", call, &wanted).await?;
    let payment = paid(run, merchant, APPROVED).await?;
    let cent = refund(merchant, &payment, json!({ "amount": 1 }));
    for _ in 0..MOST {
        run.works("a cent goes back", cent.clone(), &[]).await?;
    }
    run.is_refused("once too often", cent, 400, "IR_12").await;
    Ok(())
}

pub(super) async fn not_known_yet(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let payment = paid(run, merchant, REFUNDS_PEND).await?;
    let call = refund(merchant, &payment, json!({}));
    let wanted = [("/status", json!("pending"))];
    let pending = run.works("the processor needs time", call, &wanted).await?;
    let more = refund(merchant, &payment, json!({ "amount": 1 }));
    run.is_refused("its amount is reserved", more, 400, "IR_13")
        .await;
    let call = on(merchant, "refunds_retrieve", &pending).query("force_sync", true);
    let wanted = [("/status", json!("succeeded"))];
    run.works("the processor is asked", call, &wanted).await?;
    Ok(())
}

pub(super) async fn declined(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let payment = paid(run, merchant, REFUNDS_DECLINED).await?;
    let wanted = [
        ("/status", json!("failed")),
        ("/error_code", json!("DC_08")),
    ];
    for scenario in ["the processor refuses", "its amount is free again"] {
        let call = refund(merchant, &payment, json!({}));
        run.works(scenario, call, &wanted).await?;
    }
    Ok(())
}

/// Has a payer transfer twice the amount, which makes the service refund the excess.
pub(super) async fn of_excess(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let payer = json!({ "billing_details": { "email": "ada@example.com" } });
    let method = json!({
        "currency": "EUR", "confirm": true, "return_url": "https://shop.example/thanks",
        "payment_method": "bank_transfer", "payment_method_type": "multibanco",
        "payment_method_data": { "bank_transfer": { "multibanco_bank_transfer": payer } },
    });
    let wanted = [("/status", json!("requires_customer_action"))];
    let call = merchant.call("payments_create");
    let call = call.json(&with(order(), method));
    let payment = run.works("a transfer is asked for", call, &wanted).await?;
    let details = &payment["next_action"]["bank_transfer_steps_and_charges_details"];
    let page = details["instructions_url"].as_str().unwrap_or_default();
    presses(run, page, "Pay double", "the payer transfers too much").await?;
    let wanted = [
        ("/status", json!("succeeded")),
        ("/amount_received", json!(6540)),
        ("/refunds/0/returns_excess", json!(true)),
        ("/refunds/0/amount", json!(6540)),
    ];
    let call = merchant.on("payments_retrieve", &payment);
    let paid = run.works("the excess goes back", call, &wanted).await?;
    let reason = json!({ "reason": "One of two came back" });
    let call = on(merchant, "refunds_update", &paid["refunds"][0]).json(&reason);
    run.is_refused("its reason is fixed", call, 400, "IR_16")
        .await;
    Ok(())
}
