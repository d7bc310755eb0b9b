//! The requests that one begins with. Every type of a request has `new`, which takes the members that it can't do without,
//! and a setter of the same name for every member.

use multirail_types::{
    CardRequest, Currency, DisputeChallengeRequest, PaymentCreateRequest, PaymentMethodDataRequest,
    RefundCreateRequest,
};

/// A payment of `amount` in the currency's minor unit: 6540 and `USD` are 65.40 US dollars.
///
/// ```
/// use multirail_client::types::{CaptureMethod, Currency};
///
/// let payment = multirail_client::requests::payment(6540, Currency::Usd).capture_method(CaptureMethod::Manual);
/// ```
pub fn payment(amount: i64, currency: Currency) -> PaymentCreateRequest {
    PaymentCreateRequest::new(amount, currency)
}

/// A refund of all that the payment captured; for a part of it, set `amount`.
///
/// ```
/// let refund = multirail_client::requests::refund("my_first_payment").amount(1500);
/// ```
pub fn refund(payment_id: &str) -> RefundCreateRequest {
    RefundCreateRequest::new(payment_id)
}

/// A card: its number, month (`10`) and year (`2035`) of expiry, and its code.
pub fn card_of(number: &str, exp_month: &str, exp_year: &str, cvc: &str) -> CardRequest {
    CardRequest::new(number, exp_month, exp_year, cvc)
}

/// The same as `payment_method_data` of a request. [`PaysWith`](crate::PaysWith) sets the members beside it, too.
pub fn card(
    number: &str,
    exp_month: &str,
    exp_year: &str,
    cvc: &str,
) -> Box<PaymentMethodDataRequest> {
    let card = card_of(number, exp_month, exp_year, cvc);
    Box::new(PaymentMethodDataRequest::new().card(card))
}

/// A challenge of a dispute by what was attached before; add texts with the setters.
///
/// ```
/// let challenge = multirail_client::requests::challenge("dp_K2mQ8vRt5Yx1Zw4Hn7Lc").customer_name("Ada Reader");
/// ```
pub fn challenge(dispute_id: &str) -> DisputeChallengeRequest {
    DisputeChallengeRequest::new(dispute_id)
}
