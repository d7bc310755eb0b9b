//! Payments that a user creates with a link: a request of few members, and an answer without the payment's secrets.

use multirail_app::payments::PaymentView;
use multirail_types as types;

use super::payment_answer;
use crate::platform::convert::words::ToWire;

/// Returns the members that the merchant's key would send, in the type that requires none of them.
pub fn create(request: types::UserPaymentCreateRequest) -> Box<types::PaymentUpdateRequest> {
    let types::UserPaymentCreateRequest {
        amount,
        currency,
        payment_id,
        profile_id,
        description,
        merchant_order_reference_id,
        customer_id,
        name,
        email,
        capture_method,
        return_url,
        session_expiry,
    } = request;
    Box::new(types::PaymentUpdateRequest {
        amount: Some(amount),
        currency: Some(currency),
        payment_id,
        profile_id,
        description,
        merchant_order_reference_id,
        customer_id,
        name,
        email,
        capture_method,
        return_url,
        session_expiry,
        payment_link: Some(true),
        ..types::PaymentUpdateRequest::default()
    })
}

/// Returns the created payment with the address of its page.
pub fn created(view: &PaymentView<'_>) -> types::UserPaymentCreated {
    let payment = &view.payment;
    types::UserPaymentCreated {
        payment_id: payment.payment_id.to_string(),
        profile_id: payment.profile_id.to_string(),
        status: payment.status.to_wire(),
        amount: payment.terms.amount,
        currency: payment.terms.currency.to_wire(),
        payment_link: view.link.as_ref().map(payment_answer::page),
        created: payment.created_at.to_datetime(),
        expires_on: payment.expires_at.to_datetime(),
    }
}
