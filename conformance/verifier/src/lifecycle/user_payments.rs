//! The payments of the merchant account, looked after by a signed-in user.

use serde_json::{Value, json};

use super::team::{asks, joined};
use crate::bodies::{APPROVED, HELD, order_with, with};
use crate::run::{Merchant, Run, Stop};
use crate::wire::Call;

/// Builds a user's call about a payment.
fn on(run: &Run, signed_in: &Value, operation: &str, payment: &Value) -> Call {
    let payment_id = payment["payment_id"].as_str().unwrap_or("-");
    asks(run, signed_in, operation).at("payment_id", payment_id)
}

/// Lets an operator act on payments, and create one with a link.
pub(super) async fn looked_after(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let (operator, _) = joined(run, "merchant_operator", &merchant.id, "lamarr").await?;
    let order = json!({ "amount": 6540, "currency": "EUR", "session_expiry": 3600 });
    let create = asks(run, &operator, "user_payments_create");
    let call = create.clone().json(&json!({ "currency": "EUR" }));
    run.is_refused("a link without an amount", call, 400, "IR_04")
        .await;
    let wanted = [("/status", json!("requires_payment_method"))];
    let call = create.clone().json(&order);
    let linked = run.works("a link for a payer", call, &wanted).await?;
    let same = json!({ "payment_id": linked["payment_id"] });
    let call = create.clone().json(&with(order.clone(), same));
    run.is_refused("but no second one by its id", call, 400, "HE_01")
        .await;
    let gone = redacted(run, merchant).await?;
    let call = create.json(&with(order, json!({ "customer_id": gone })));
    run.is_refused("nor for a customer who is forgotten", call, 400, "IR_11")
        .await;
    let wanted = [
        ("/client_secret", json!("")),
        ("/payment_link/link", json!("")),
    ];
    let call = on(run, &operator, "user_payments_retrieve", &linked);
    run.works("whose secrets stay hidden", call.clone(), &wanted)
        .await?;
    let call = call.moved("payment_id", "pay_unborn");
    run.is_refused("nobody's payment is read", call, 404, "HE_02")
        .await;
    let cancel = on(run, &operator, "user_payments_cancel", &linked);
    let wanted = [("/status", json!("cancelled"))];
    run.works("is cancelled", cancel.clone(), &wanted).await?;
    run.is_refused("but once", cancel, 400, "IR_16").await;
    captured(run, merchant, &operator).await?;
    decided(run, merchant, &operator).await?;
    let (viewer, _) = joined(run, "merchant_view_only", &merchant.id, "noether").await?;
    let call = on(run, &viewer, "user_payments_retrieve", &linked);
    run.works("a viewer reads it", call, &[]).await?;
    let call = on(run, &viewer, "user_payments_cancel", &linked);
    run.is_refused("and cancels nothing", call, 403, "IR_22")
        .await;
    Ok(())
}

/// Returns the id of a customer who was redacted.
async fn redacted(run: &mut Run, merchant: &Merchant) -> Result<Value, Stop> {
    let call = merchant.call("customers_create").json(&json!({}));
    let customer = run.works("a customer", call, &[]).await?;
    let customer_id = customer["customer_id"].as_str().unwrap_or("-").to_owned();
    let call = merchant.call("customers_delete");
    let call = call.at("customer_id", &customer_id);
    run.works("who is forgotten", call, &[]).await?;
    Ok(customer["customer_id"].clone())
}

/// Raises and captures a payment.
async fn captured(run: &mut Run, merchant: &Merchant, operator: &Value) -> Result<(), Stop> {
    let members = json!({
        "capture_method": "manual", "confirm": true, "request_incremental_authorization": true,
    });
    let call = merchant.call("payments_create");
    let call = call.json(&with(order_with(APPROVED), members));
    let wanted = [("/status", json!("requires_capture"))];
    let payment = run.works("an order is authorized", call, &wanted).await?;
    let operation = "user_payments_incremental_authorization";
    let raise = on(run, operator, operation, &payment);
    let call = raise.clone().json(&json!({ "amount": 6540 }));
    run.is_refused("raised to the same", call, 400, "IR_16")
        .await;
    let call = raise.json(&json!({ "amount": 9000 }));
    let wanted = [("/amount_capturable", json!(9000))];
    run.works("raised by the operator", call, &wanted).await?;
    let capture = on(run, operator, "user_payments_capture", &payment);
    let call = capture.clone().json(&json!({ "amount_to_capture": 9001 }));
    run.is_refused("more isn't captured", call, 422, "IR_06")
        .await;
    let call = capture.json(&json!({ "amount_to_capture": 4000 }));
    let wanted = [
        ("/status", json!("partially_captured")),
        ("/amount_received", json!(4000)),
    ];
    run.works("but a part", call, &wanted).await?;
    Ok(())
}

/// Approves one held payment and rejects another.
async fn decided(run: &mut Run, merchant: &Merchant, operator: &Value) -> Result<(), Stop> {
    let body = with(order_with(HELD), json!({ "confirm": true }));
    for (operation, decision) in [
        ("user_payments_approve", "approved"),
        ("user_payments_reject", "rejected"),
    ] {
        let call = merchant.call("payments_create").json(&body);
        let wanted = [("/status", json!("requires_merchant_action"))];
        let held = run.works("an order is held", call, &wanted).await?;
        let call = on(run, operator, operation, &held);
        let wanted = [("/merchant_decision", json!(decision))];
        run.works("the operator decides", call.clone(), &wanted)
            .await?;
        run.is_refused("and only once", call, 400, "IR_16").await;
    }
    Ok(())
}
