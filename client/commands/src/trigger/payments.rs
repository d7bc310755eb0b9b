//! Events of payments.

use multirail_client::types::{
    CaptureMethod, PaymentCancelPostCaptureRequest, PaymentCancelRequest, PaymentCaptureRequest,
    PaymentStatus,
};

use super::stage::{AMOUNT, APPROVED, Stage, check_status, done};
use crate::failure::Failure;

const DECLINED: &str = "4000000000000002";
const PENDING: &str = "4000000000000341";
const HELD_FOR_DECISION: &str = "4000000000009235";
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
    let call = stage.client.payments_cancel();
    let call = call
        .payment_id(&payment.payment_id)
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
    let part = PaymentCaptureRequest::new().amount_to_capture(AMOUNT / 2);
    let call = stage.client.payments_capture();
    let call = call.payment_id(&payment.payment_id).body(part);
    let payment = done("the capture", call.send().await)?;
    check_status(&payment, &PaymentStatus::PartiallyCaptured)
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
