//! Refunds, wire to domain and back. (Specification 2.10; facts 7.8)

use multirail_app::payments::refunds::create::CreateRefund;
use multirail_app::payments::refunds::update::UpdateRefund;
use multirail_domain::payments::refund::{Refund, RefundType};
use multirail_kernel::ids::{MerchantId, PaymentId, ProfileId, RefundId};
use multirail_kernel::refusal::Refusal;
use multirail_types as types;

use super::payment_request;
use super::trouble::Trouble;
use crate::platform::convert::words::{ToDomain, ToWire};

/// Converts a request to create a refund. `scope` is the one profile that the call is narrowed to.
///
/// # Errors
/// Members that the schema can't check, such as credentials.
pub fn create(
    merchant_id: MerchantId,
    scope: Option<ProfileId>,
    request: types::RefundCreateRequest,
) -> Result<CreateRefund, Refusal> {
    let types::RefundCreateRequest {
        payment_id,
        refund_id,
        merchant_id: named_merchant_id,
        amount,
        reason,
        refund_type,
        metadata,
        merchant_connector_details,
        // The frame refuses all values but null.
        split_refunds: _,
    } = request;
    let payment_id = PaymentId::parse(&payment_id);
    Ok(CreateRefund {
        merchant_id,
        scope,
        named_merchant_id,
        payment_id: payment_id.map_err(|invalid| invalid.refusal("payment_id"))?,
        refund_id,
        amount,
        reason,
        refund_type: read_refund_type(refund_type),
        metadata,
        credentials: payment_request::credentials(merchant_connector_details)?,
    })
}

/// Reads the type of a refund. The schema refuses other words.
fn read_refund_type(given: Option<types::RefundType>) -> RefundType {
    given
        .and_then(|word| word.to_domain())
        .unwrap_or(RefundType::Instant)
}

/// Converts a request to update a refund.
pub fn update(
    merchant_id: MerchantId,
    scope: Option<ProfileId>,
    refund_id: RefundId,
    request: types::RefundUpdateRequest,
) -> UpdateRefund {
    let types::RefundUpdateRequest { reason, metadata } = request;
    UpdateRefund {
        merchant_id,
        scope,
        refund_id,
        reason,
        metadata,
    }
}

/// Returns the refund's answer.
pub fn answer(refund: &Refund) -> types::Refund {
    let trouble = Trouble::of_refund(refund);
    let account = refund.charge.merchant_connector_id.as_ref();
    types::Refund {
        refund_id: refund.refund_id.to_string(),
        payment_id: refund.payment_id.to_string(),
        amount: refund.amount(),
        currency: refund.currency.to_wire(),
        status: refund.status.to_wire(),
        connector: refund.charge.connector.clone(),
        connector_refund_id: refund.operation.reference.clone(),
        reason: refund.reason.clone(),
        returns_excess: refund.is_of_excess.then_some(true),
        metadata: refund.metadata.clone(),
        error_code: trouble.map(Trouble::code),
        error_message: trouble.map(Trouble::message),
        unified_code: trouble.and_then(Trouble::unified_code),
        unified_message: trouble.and_then(Trouble::unified_refund_message),
        issuer_error_code: trouble.and_then(Trouble::issuer_code),
        issuer_error_message: trouble.and_then(Trouble::issuer_message),
        created_at: Some(refund.created_at.to_datetime()),
        updated_at: Some(refund.modified_at.to_datetime()),
        profile_id: Some(refund.profile_id.to_string()),
        merchant_connector_id: account.map(ToString::to_string),
        split_refunds: None,
        raw_connector_response: None,
    }
}
