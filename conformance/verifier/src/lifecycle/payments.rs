//! The merchant's own payments.

use serde_json::json;

use crate::bodies::{APPROVED, DECLINED, HELD, PENDING, card, order, order_with, with};
use crate::run::{Merchant, Run, Stop};

pub(super) async fn automatic(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let call = merchant
        .call("payments_create")
        .json(&json!({ "currency": "USD" }));
    run.is_refused("without an amount", call, 400, "IR_04")
        .await;
    let wanted = [
        ("/status", json!("requires_payment_method")),
        ("/amount_capturable", json!(6540)),
    ];
    let call = merchant.call("payments_create").json(&order());
    let payment = run.works("an order", call, &wanted).await?;
    let call = merchant.on("payments_confirm", &payment);
    run.is_refused("without an instrument", call, 422, "IR_06")
        .await;
    let call = merchant
        .on("payments_update", &payment)
        .json(&json!({ "amount": 7000 }));
    run.works(
        "the price rises",
        call,
        &[("/amount", json!(7000)), ("/net_amount", json!(7000))],
    )
    .await?;
    let wanted = [
        ("/status", json!("succeeded")),
        ("/amount_capturable", json!(0)),
        ("/amount_received", json!(7000)),
        ("/connector", json!("fauxpay")),
        ("/attempt_count", json!(1)),
    ];
    let call = merchant
        .on("payments_confirm", &payment)
        .json(&card(APPROVED));
    run.works("paid by card", call, &wanted).await?;
    run.works(
        "the payment remembers",
        merchant.on("payments_retrieve", &payment),
        &wanted,
    )
    .await?;
    let wanted = [
        ("/status", json!("cancelled_post_capture")),
        ("/amount_received", json!(0)),
        (
            "/state_metadata/post_capture_void/status",
            json!("succeeded"),
        ),
    ];
    let call = merchant.on("payments_cancel_post_capture", &payment);
    run.works("voided before it settles", call.clone(), &wanted)
        .await?;
    run.is_refused("voided twice", call, 400, "IR_16").await;
    run.is_refused(
        "capture after all",
        merchant.on("payments_capture", &payment),
        400,
        "IR_14",
    )
    .await;
    run.is_refused(
        "cancel after all",
        merchant.on("payments_cancel", &payment),
        400,
        "IR_16",
    )
    .await;
    Ok(())
}

pub(super) async fn manual(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let body = with(
        order_with(APPROVED),
        json!({ "capture_method": "manual", "confirm": true }),
    );
    let wanted = [
        ("/status", json!("requires_capture")),
        ("/amount_capturable", json!(6540)),
        ("/amount_received", json!(0)),
    ];
    let call = merchant.call("payments_create").json(&body);
    let payment = run.works("authorized", call, &wanted).await?;
    let capture = |amount: i64| {
        merchant
            .on("payments_capture", &payment)
            .json(&json!({ "amount_to_capture": amount }))
    };
    run.is_refused("capture too much", capture(6541), 422, "IR_06")
        .await;
    run.is_refused("capture nothing", capture(0), 422, "IR_05")
        .await;
    let wanted = [
        ("/status", json!("partially_captured")),
        ("/amount_capturable", json!(0)),
        ("/amount_received", json!(4000)),
    ];
    run.works("a part is captured", capture(4000), &wanted)
        .await?;
    run.is_refused("capture the rest", capture(2540), 400, "IR_14")
        .await;
    Ok(())
}

pub(super) async fn several_captures(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let body = with(
        order_with(APPROVED),
        json!({ "capture_method": "manual_multiple", "confirm": true }),
    );
    let call = merchant.call("payments_create").json(&body);
    let payment = run
        .works(
            "authorized",
            call,
            &[("/status", json!("requires_capture"))],
        )
        .await?;
    let part = merchant
        .on("payments_capture", &payment)
        .json(&json!({ "amount_to_capture": 4000 }));
    let wanted = [
        ("/status", json!("partially_captured_and_capturable")),
        ("/amount_capturable", json!(2540)),
        ("/amount_received", json!(4000)),
    ];
    run.works("a first part", part, &wanted).await?;
    let wanted = [
        ("/status", json!("succeeded")),
        ("/amount_received", json!(6540)),
    ];
    let rest = merchant.on("payments_capture", &payment);
    run.works("the rest, without an amount", rest, &wanted)
        .await?;
    Ok(())
}

pub(super) async fn cancelled(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let body = with(
        order_with(APPROVED),
        json!({ "capture_method": "manual", "confirm": true }),
    );
    let call = merchant.call("payments_create").json(&body);
    let payment = run
        .works(
            "authorized",
            call,
            &[("/status", json!("requires_capture"))],
        )
        .await?;
    let wanted = [
        ("/status", json!("cancelled")),
        ("/cancellation_reason", json!("duplicate")),
        ("/amount_capturable", json!(0)),
    ];
    let cancel = merchant
        .on("payments_cancel", &payment)
        .json(&json!({ "cancellation_reason": "duplicate" }));
    run.works("cancelled", cancel.clone(), &wanted).await?;
    run.is_refused("cancelled twice", cancel, 400, "IR_16")
        .await;
    run.is_refused(
        "capture it",
        merchant.on("payments_capture", &payment),
        400,
        "IR_14",
    )
    .await;
    Ok(())
}

pub(super) async fn held(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let wanted = [
        ("/status", json!("requires_merchant_action")),
        ("/amount_capturable", json!(0)),
        ("/amount_received", json!(0)),
        ("/frm_message/frm_status", json!("manual_review")),
    ];
    let body = with(order_with(HELD), json!({ "confirm": true }));
    let call = merchant.call("payments_create").json(&body);
    let good = run.works("held by the processor", call, &wanted).await?;
    let call = merchant.on("payments_capture", &good);
    run.is_refused("captured undecided", call, 400, "IR_14")
        .await;
    let wanted = [
        ("/status", json!("succeeded")),
        ("/amount_received", json!(6540)),
        ("/merchant_decision", json!("approved")),
    ];
    let call = merchant.on("payments_approve", &good);
    run.works("the merchant approves", call, &wanted).await?;
    for operation in ["payments_reject", "payments_approve"] {
        let call = merchant.on(operation, &good);
        run.is_refused("decided once more", call, 400, "IR_16")
            .await;
    }
    let call = merchant.call("payments_create").json(&body);
    let wanted = [("/status", json!("requires_merchant_action"))];
    let bad = run.works("another one is held", call, &wanted).await?;
    let wanted = [
        ("/status", json!("failed")),
        ("/error_code", json!("merchant_rejected")),
        ("/manual_retry_allowed", json!(false)),
        ("/merchant_decision", json!("rejected")),
    ];
    let call = merchant.on("payments_reject", &bad);
    run.works("the merchant rejects", call, &wanted).await?;
    Ok(())
}

pub(super) async fn raised(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let members = json!({
        "capture_method": "manual", "confirm": true, "request_incremental_authorization": true,
    });
    let call = merchant
        .call("payments_create")
        .json(&with(order_with(APPROVED), members));
    let wanted = [
        ("/status", json!("requires_capture")),
        ("/incremental_authorization_allowed", json!(true)),
        ("/incremental_authorizations", json!(null)),
    ];
    let payment = run.works("authorized", call, &wanted).await?;
    let raise = |amount: i64| {
        merchant
            .on("payments_incremental_authorization", &payment)
            .json(&json!({ "amount": amount, "reason": "a second night" }))
    };
    run.is_refused("to what is authorized", raise(6540), 400, "IR_16")
        .await;
    let wanted = [
        ("/status", json!("requires_capture")),
        ("/net_amount", json!(9000)),
        ("/amount_capturable", json!(9000)),
        ("/authorization_count", json!(1)),
        ("/incremental_authorizations/0/status", json!("success")),
    ];
    run.works("raised", raise(9000), &wanted).await?;
    let wanted = [
        ("/status", json!("succeeded")),
        ("/amount_received", json!(9000)),
    ];
    let call = merchant.on("payments_capture", &payment);
    run.works("all of it is captured", call, &wanted).await?;
    run.is_refused("raised once more", raise(9500), 400, "IR_16")
        .await;
    Ok(())
}

pub(super) async fn declined(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let body = with(order_with(DECLINED), json!({ "confirm": true }));
    let wanted = [
        ("/status", json!("failed")),
        ("/error_code", json!("DC_08")),
        ("/error_message", json!("Payment declined: Card declined")),
        ("/manual_retry_allowed", json!(true)),
    ];
    let call = merchant.call("payments_create").json(&body);
    let payment = run.works("declined", call, &wanted).await?;
    let call = merchant.on("payments_retrieve", &payment);
    let call = call.query("expand_attempts", true);
    let wanted = [
        ("/attempts/0/status", json!("failure")),
        ("/attempts/0/error_code", json!("DC_08")),
    ];
    run.works("what the processor said", call, &wanted).await?;
    let call = merchant
        .on("payments_update_metadata", &payment)
        .json(&json!({ "metadata": { "reserved_until": "noon" } }));
    let wanted = [("/metadata", json!({ "reserved_until": "noon" }))];
    run.works("the order waits", call, &wanted).await?;
    let call = merchant
        .on("payments_confirm", &payment)
        .json(&card(APPROVED));
    run.is_refused("try again", call, 400, "IR_16").await;
    Ok(())
}

pub(super) async fn not_known_yet(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let call = merchant
        .call("payments_create")
        .json(&with(order_with(PENDING), json!({ "confirm": true })));
    let payment = run
        .works(
            "the processor thinks about it",
            call,
            &[("/status", json!("processing"))],
        )
        .await?;
    let call = run.operator("unresolved_operations_list", &merchant.id);
    run.works("what waits for a processor's word", call, &[])
        .await?;
    let call = merchant
        .on("payments_retrieve", &payment)
        .query("force_sync", true);
    run.works(
        "the processor is asked",
        call,
        &[("/status", json!("succeeded"))],
    )
    .await?;
    Ok(())
}

pub(super) async fn lists(run: &mut Run, merchant: &Merchant) -> Result<(), Stop> {
    let call = merchant.call("payments_list").query("limit", 2);
    let page = run
        .works("the newest two", call, &[("/size", json!(2))])
        .await?;
    let last = page["data"][1]["payment_id"]
        .as_str()
        .unwrap_or_default()
        .to_owned();
    let call = merchant.call("payments_list").query("starting_after", last);
    run.works("those before", call, &[]).await?;
    let call = merchant.call("payments_list").query("limit", 0);
    run.works("a page of nothing", call, &[("/size", json!(0))])
        .await?;
    let call = merchant
        .call("payments_filter")
        .json(&json!({ "status": ["failed"] }));
    let wanted = [("/count", json!(2)), ("/data/0/status", json!("failed"))];
    run.works("those that failed", call, &wanted).await?;
    Ok(())
}
