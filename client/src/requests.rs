//! Requests that have mandatory members, made from these alone. Add the rest by assigning the fields.
//!
//! Requests without mandatory members have a `default()`.

use multirail_types::{
    CardRequest, Currency, DisputeChallengeRequest, PaymentCreateRequest, PaymentMethodDataRequest,
    RefundCreateRequest,
};
use serde_json::json;

/// A payment of `amount` in the currency's minor unit: 6540 and `USD` are 65.40 US dollars.
///
/// ```
/// use multirail_client::types::{CaptureMethod, Currency};
///
/// let mut payment = multirail_client::requests::payment(6540, Currency::Usd);
/// payment.capture_method = Some(CaptureMethod::Manual);
/// ```
pub fn payment(amount: i64, currency: Currency) -> PaymentCreateRequest {
    // By way of JSON, because the request has far more members than can be listed here and kept in step.
    serde_json::from_value(json!({ "amount": amount, "currency": currency }))
        .expect("a payment needs no more than amount and currency")
}

/// A refund of all that the payment captured; for a part of it, set `amount`.
///
/// ```
/// let mut refund = multirail_client::requests::refund("my_first_payment");
/// refund.amount = Some(1500);
/// ```
pub fn refund(payment_id: &str) -> RefundCreateRequest {
    RefundCreateRequest {
        payment_id: payment_id.to_owned(),
        refund_id: None,
        merchant_id: None,
        amount: None,
        reason: None,
        refund_type: None,
        metadata: None,
        merchant_connector_details: None,
        split_refunds: None,
    }
}

/// A card as the instrument of a payment: its number, month (`10`) and year (`2035`) of expiry, and its code.
pub fn card(
    number: &str,
    exp_month: &str,
    exp_year: &str,
    cvc: &str,
) -> Box<PaymentMethodDataRequest> {
    let card = CardRequest {
        card_number: number.into(),
        card_exp_month: exp_month.to_owned(),
        card_exp_year: exp_year.to_owned(),
        card_cvc: cvc.into(),
        card_holder_name: None,
        card_network: None,
        card_issuer: None,
        card_type: None,
        card_issuing_country: None,
        bank_code: None,
        nick_name: None,
    };
    Box::new(PaymentMethodDataRequest {
        card: Some(card),
        ..PaymentMethodDataRequest::default()
    })
}

/// A challenge of a dispute by what was attached before; add texts by assigning the fields.
///
/// ```
/// let mut challenge = multirail_client::requests::challenge("dp_K2mQ8vRt5Yx1Zw4Hn7Lc");
/// challenge.customer_name = Some("Ada Reader".to_owned());
/// ```
pub fn challenge(dispute_id: &str) -> DisputeChallengeRequest {
    // By way of JSON: there is a member for every kind of evidence.
    serde_json::from_value(json!({ "dispute_id": dispute_id }))
        .expect("a challenge needs no more than its dispute")
}
