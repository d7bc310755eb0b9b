//! Common requests. Every request type has `new` with its required members, and a setter for every member.

use multirail_types::{
    CardRequest, Currency, DisputeChallengeRequest, PaymentCreateRequest, PaymentMethodDataRequest,
    RefundCreateRequest,
};

/// Creates a payment of `amount` in the currency's minor unit: 6540 and `USD` are 65.40 US dollars.
///
/// ```
/// use multirail_client::types::{CaptureMethod, Currency};
///
/// let payment = multirail_client::requests::payment(6540, Currency::Usd).capture_method(CaptureMethod::Manual);
/// ```
pub fn payment(amount: i64, currency: Currency) -> PaymentCreateRequest {
    PaymentCreateRequest::new(amount, currency)
}

/// Creates a refund of the whole captured amount. For a part of it, set `amount`.
///
/// ```
/// let refund = multirail_client::requests::refund("my_first_payment").amount(1500);
/// ```
pub fn refund(payment_id: &str) -> RefundCreateRequest {
    RefundCreateRequest::new(payment_id)
}

/// Creates a card from its number, month (`10`) and year (`2035`) of expiry, and its code.
pub fn card_of(number: &str, exp_month: &str, exp_year: &str, cvc: &str) -> CardRequest {
    CardRequest::new(number, exp_month, exp_year, cvc)
}

/// Creates the card as `payment_method_data` of a request. [`PaysWith`](crate::PaysWith) also sets the related members.
pub fn card(
    number: &str,
    exp_month: &str,
    exp_year: &str,
    cvc: &str,
) -> Box<PaymentMethodDataRequest> {
    let card = card_of(number, exp_month, exp_year, cvc);
    Box::new(PaymentMethodDataRequest::new().card(card))
}

/// Creates a challenge of a dispute with the files attached before. Add texts with the setters.
///
/// ```
/// let challenge = multirail_client::requests::challenge("dp_K2mQ8vRt5Yx1Zw4Hn7Lc").customer_name("Ada Reader");
/// ```
pub fn challenge(dispute_id: &str) -> DisputeChallengeRequest {
    DisputeChallengeRequest::new(dispute_id)
}
