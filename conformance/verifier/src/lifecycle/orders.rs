//! Unpaid orders: everything about a payment that needs no processor.

use serde_json::json;

use crate::bodies::{order, with};
use crate::run::{Merchant, Run, Stop};

pub(super) async fn never_paid(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let wanted = [
        ("/status", json!("requires_payment_method")),
        ("/amount_capturable", json!(6540)),
        ("/amount_received", json!(null)),
    ];
    let call = merchant.call("payments_create").json(&order());
    let payment = run.works("an order without a payer", call, &wanted).await?;
    let taken = json!({ "payment_id": payment["payment_id"] });
    let call = merchant.call("payments_create");
    let call = call.json(&with(order(), taken));
    run.is_refused("the same order again", call, 400, "HE_01")
        .await;
    let change = json!({ "description": "Two books" });
    let call = merchant.on("payments_update", &payment).json(&change);
    let wanted = [("/description", json!("Two books"))];
    run.works("is described", call, &wanted).await?;
    let call = merchant.on("payments_retrieve", &payment);
    run.works("is read", call, &wanted).await?;
    let call = merchant.call("payments_list").query("limit", 1);
    let wanted = [("/data/0/payment_id", payment["payment_id"].clone())];
    run.works("is the newest", call, &wanted).await?;
    let call = merchant.on("payments_capture", &payment);
    run.is_refused("can't be captured", call, 400, "IR_14")
        .await;
    let call = merchant.on("payments_cancel", &payment);
    let wanted = [("/status", json!("cancelled"))];
    run.works("and is called off", call, &wanted).await?;
    Ok(())
}
