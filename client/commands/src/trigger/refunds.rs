//! Events of refunds.

use multirail_client::requests;
use multirail_client::types::{PaymentStatus, RefundCreateRequest, RefundStatus};

use super::stage::{APPROVED, Stage, check_status, done, is_as_wanted};
use crate::failure::Failure;

pub(crate) const REFUNDS_DECLINED: &str = "4000000000000630";

pub(super) async fn succeeded(stage: &mut Stage<'_>) -> Result<(), Failure> {
    refund(stage, APPROVED, &RefundStatus::Succeeded).await
}

pub(super) async fn failed(stage: &mut Stage<'_>) -> Result<(), Failure> {
    refund(stage, REFUNDS_DECLINED, &RefundStatus::Failed).await
}

async fn refund(stage: &mut Stage<'_>, card: &str, wanted: &RefundStatus) -> Result<(), Failure> {
    let payment = stage.pays(card, |order| order).await?;
    check_status(&payment, &PaymentStatus::Succeeded)?;
    send(stage, requests::refund(&payment.payment_id), wanted).await
}

/// Creates a refund.
pub(crate) async fn send(
    stage: &mut Stage<'_>,
    order: RefundCreateRequest,
    wanted: &RefundStatus,
) -> Result<(), Failure> {
    let call = stage.client.refunds_create();
    let refund = done("the refund", call.body(order).send().await)?;
    stage.made("refund", &refund.refund_id)?;
    is_as_wanted("refund", &refund.refund_id, &refund.status, wanted)
}
