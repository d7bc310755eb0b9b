//! Money that goes back to the payer.

use serde_json::{Value, json};

use super::run::{Merchant, Run, Stop};
use crate::bodies::{APPROVED, REFUNDS_PENDING, paid_with, with};
use crate::wire::Call;

pub(super) async fn given_back(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let call = merchant.call("refunds_create").json(&json!({}));
    run.is_refused("of no payment", call, 400, "IR_04").await?;
    let call = merchant.call("payments_create").json(&paid_with(APPROVED));
    let payment = run.works("paid", call, &[]).await?;
    let part = json!({ "amount": 2000, "reason": "one book came back" });
    let wanted = [
        ("/status", json!("succeeded")),
        ("/amount", json!(2000)),
        ("/currency", json!("USD")),
        ("/connector", json!("fauxpay")),
    ];
    let call = refund(merchant, &payment, part);
    let part = run.works("a part goes back", call, &wanted).await?;
    let call = refund(merchant, &payment, json!({ "amount": 4541 }));
    run.is_refused("more than is left", call, 400, "IR_13")
        .await?;
    run.works(
        "the refund remembers",
        on(merchant, "refunds_retrieve", &part),
        &wanted,
    )
    .await?;
    let call = on(merchant, "refunds_update", &part);
    let call = call.json(&json!({ "reason": "damaged" }));
    run.works("another reason", call, &[("/reason", json!("damaged"))])
        .await?;
    let wanted = [
        ("/status", json!("succeeded")),
        ("/amount_received", json!(6540)),
        ("/state_metadata/total_refunded_amount", json!(2000)),
        ("/refunds/0/refund_id", part["refund_id"].clone()),
    ];
    let call = merchant.on("payments_retrieve", &payment);
    run.works("the payment knows of it", call, &wanted).await?;
    let filter = json!({ "payment_id": payment["payment_id"], "refund_status": ["succeeded"] });
    let call = merchant.call("refunds_list").json(&filter);
    let wanted = [("/count", json!(1)), ("/total_count", json!(1))];
    run.works("it is listed", call, &wanted).await?;
    Ok(())
}

pub(super) async fn not_known_yet(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let body = paid_with(REFUNDS_PENDING);
    let call = merchant.call("payments_create").json(&body);
    let payment = run.works("paid", call, &[]).await?;
    let call = refund(merchant, &payment, json!({}));
    let wanted = [("/status", json!("pending")), ("/amount", json!(6540))];
    let refund = run
        .works("the processor thinks about it", call, &wanted)
        .await?;
    let call = on(merchant, "refunds_retrieve", &refund).query("force_sync", true);
    let wanted = [("/status", json!("succeeded"))];
    run.works("the processor is asked", call, &wanted).await?;
    Ok(())
}

fn refund(merchant: &Merchant, payment: &Value, more: Value) -> Call {
    let body = json!({ "payment_id": payment["payment_id"] });
    merchant.call("refunds_create").json(&with(body, more))
}

fn on(merchant: &Merchant, operation: &str, refund: &Value) -> Call {
    let refund_id = refund["refund_id"].as_str().unwrap_or("-");
    merchant.call(operation).at("refund_id", refund_id)
}
