//! Disputes, domain to wire. (Specification 2.3)

use multirail_app::payments::disputes::DisputeView;
use multirail_domain::payments::dispute::Dispute;
use multirail_kernel::ids::AttemptId;
use multirail_types as types;

use crate::platform::convert::words::ToWire;

/// Returns the dispute's answer.
pub fn answer(view: &DisputeView) -> types::Dispute {
    let dispute = &view.dispute;
    let charge = &dispute.charge;
    types::Dispute {
        dispute_id: dispute.dispute_id.to_string(),
        payment_id: dispute.payment_id.to_string(),
        attempt_id: AttemptId::new(dispute.payment_id.clone(), charge.attempt).to_string(),
        amount: dispute.amount.to_string(),
        currency: dispute.currency.to_wire(),
        dispute_stage: dispute.stage.to_wire(),
        dispute_status: dispute.status.to_wire(),
        connector: charge.connector.clone(),
        connector_status: dispute.processor_status.clone(),
        connector_dispute_id: charge.reference.clone(),
        connector_reason: dispute.reason.clone(),
        connector_reason_code: dispute.reason_code.clone(),
        challenge_required_by: dispute.challenge_required_by.map(|at| at.to_datetime()),
        connector_created_at: dispute.processor_created_at.map(|at| at.to_datetime()),
        connector_updated_at: dispute.processor_updated_at.map(|at| at.to_datetime()),
        created_at: dispute.created_at.to_datetime(),
        profile_id: Some(dispute.profile_id.to_string()),
        merchant_connector_id: Some(charge.merchant_connector_id.to_string()),
        is_already_refunded: view.is_already_refunded,
    }
}

/// Returns the dispute as a part of its payment.
pub fn of_payment(dispute: &Dispute) -> types::PaymentDispute {
    types::PaymentDispute {
        dispute_id: dispute.dispute_id.to_string(),
        amount: dispute.amount.to_string(),
        dispute_stage: dispute.stage.to_wire(),
        dispute_status: dispute.status.to_wire(),
        connector: dispute.charge.connector.clone(),
        connector_status: dispute.processor_status.clone(),
        connector_dispute_id: dispute.charge.reference.clone(),
        connector_reason: dispute.reason.clone(),
        connector_reason_code: dispute.reason_code.clone(),
        challenge_required_by: dispute.challenge_required_by.map(|at| at.to_datetime()),
        connector_created_at: dispute.processor_created_at.map(|at| at.to_datetime()),
        connector_updated_at: dispute.processor_updated_at.map(|at| at.to_datetime()),
        created_at: dispute.created_at.to_datetime(),
    }
}
