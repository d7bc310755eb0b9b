//! Events of payments.

use multirail_client::types::{
    CaptureMethod, Payment, PaymentCancelPostCaptureRequest, PaymentCancelRequest,
    PaymentCaptureRequest, PaymentStatus,
};

use super::stage::{AMOUNT, APPROVED, Stage, check_status, done};
use crate::failure::Failure;

pub(crate) const DECLINED: &str = "4000000000000002";
pub(crate) const PENDING: &str = "4000000000000341";
pub(crate) const HELD_FOR_DECISION: &str = "4000000000009235";
const APPROVED_BY_HALF: &str = "4000000000000697";
/// The time for which an authorization of the simulator is valid, in seconds.
const VALID: i64 = 7 * 24 * 60 * 60;

pub(super) async fn succeeded(stage: &mut Stage<'_>) -> Result<(), Failure> {
    let payment = stage.pays(APPROVED, |order| order).await?;
    check_status(&payment, &PaymentStatus::Succeeded)
}

pub(super) async fn failed(stage: &mut Stage<'_>) -> Result<(), Failure> {
    let payment = stage.pays(DECLINED, |order| order).await?;
    check_status(&payment, &PaymentStatus::Failed)
}

pub(super) async fn processing(stage: &mut Stage<'_>) -> Result<(), Failure> {
    let payment = stage.pays(PENDING, |order| order).await?;
    check_status(&payment, &PaymentStatus::Processing)
}

pub(super) async fn authorized(stage: &mut Stage<'_>) -> Result<(), Failure> {
    let payment = stage.holds(APPROVED).await?;
    check_status(&payment, &PaymentStatus::RequiresCapture)
}

pub(super) async fn partially_authorized(stage: &mut Stage<'_>) -> Result<(), Failure> {
    let payment = stage.pays(APPROVED_BY_HALF, |order| {
        let order = order.capture_method(CaptureMethod::Manual);
        order.enable_partial_authorization(true)
    });
    let wanted = PaymentStatus::PartiallyAuthorizedAndRequiresCapture;
    check_status(&payment.await?, &wanted)
}

pub(super) async fn cancelled(stage: &mut Stage<'_>) -> Result<(), Failure> {
    let payment = stage.holds(APPROVED).await?;
    cancel(stage, &payment.payment_id).await
}

/// Cancels an authorized payment.
pub(crate) async fn cancel(stage: &Stage<'_>, payment_id: &str) -> Result<(), Failure> {
    let call = stage.client.payments_cancel();
    let call = call
        .payment_id(payment_id)
        .body(PaymentCancelRequest::new());
    let payment = done("the cancellation", call.send().await)?;
    check_status(&payment, &PaymentStatus::Cancelled)
}

pub(super) async fn cancelled_post_capture(stage: &mut Stage<'_>) -> Result<(), Failure> {
    let payment = stage.pays(APPROVED, |order| order).await?;
    let call = stage.client.payments_cancel_post_capture();
    let call = call
        .payment_id(&payment.payment_id)
        .body(PaymentCancelPostCaptureRequest::new());
    let payment = done("the void", call.send().await)?;
    check_status(&payment, &PaymentStatus::CancelledPostCapture)
}

/// Captures a part: the capture of the whole amount announces `payment_succeeded`.
pub(super) async fn captured(stage: &mut Stage<'_>) -> Result<(), Failure> {
    let payment = stage.holds(APPROVED).await?;
    let payment = capture(stage, &payment.payment_id, AMOUNT / 2).await?;
    check_status(&payment, &PaymentStatus::PartiallyCaptured)
}

/// Captures this amount of an authorized payment.
pub(crate) async fn capture(
    stage: &Stage<'_>,
    payment_id: &str,
    amount: i64,
) -> Result<Payment, Failure> {
    let body = PaymentCaptureRequest::new().amount_to_capture(amount);
    let call = stage.client.payments_capture();
    let call = call.payment_id(payment_id).body(body);
    let captured = done("the capture", call.send().await)?;
    Ok(captured.into_inner())
}

/// Moves the sandbox's clock on until the authorization has lapsed.
pub(super) async fn expired(stage: &mut Stage<'_>) -> Result<(), Failure> {
    let operator = stage.operator_for("payment_expired")?;
    let payment = stage.holds(APPROVED).await?;
    check_status(&payment, &PaymentStatus::RequiresCapture)?;
    stage.advance(&operator, VALID).await?;
    let wanted = PaymentStatus::Expired;
    stage.becomes(&payment.payment_id, &wanted).await.map(drop)
}

/// Leaves a payment to the merchant's decision. Webhooks announce this status by default.
pub(super) async fn action_required(stage: &mut Stage<'_>) -> Result<(), Failure> {
    let payment = stage.pays(HELD_FOR_DECISION, |order| order).await?;
    check_status(&payment, &PaymentStatus::RequiresMerchantAction)
}
