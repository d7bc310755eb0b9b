//! Builds the requests that change a payment.

use multirail_kernel::ids::ProcessorKey;
use multirail_sdk::connector::{CaptureRequest, IncrementRequest, RefundRequest};

use super::generated::wire::{
    Amount, LineItem, PaymentAmountUpdateRequest,
    PaymentAmountUpdateRequestIndustryUsage as IndustryUsage, PaymentCancelRequest,
    PaymentCaptureRequest, PaymentRefundRequest,
    PaymentRefundRequestMerchantRefundReason as RefundReason, PaymentReversalRequest,
    StandalonePaymentCancelRequest,
};
use super::lines;
use super::request::amount;
use crate::amounts::NotWritable;

/// Adyen's refund reasons, by the merchant's words.
const REFUND_REASONS: &[(&str, RefundReason)] = &[
    ("fraud", RefundReason::Fraud),
    ("customer request", RefundReason::CustomerRequest),
    ("return", RefundReason::Return),
    ("duplicate", RefundReason::Duplicate),
    ("other", RefundReason::Other),
];

/// Adyen's reasons for a new total, by the merchant's words and by Adyen's.
const INDUSTRY_USAGES: &[(&str, IndustryUsage)] = &[
    ("delayed charge", IndustryUsage::DelayedCharge),
    ("delayedcharge", IndustryUsage::DelayedCharge),
    ("installment", IndustryUsage::Installment),
    ("no show", IndustryUsage::NoShow),
    ("noshow", IndustryUsage::NoShow),
];

/// Builds the request for a new total.
///
/// # Errors
/// [`NotWritable`]
pub fn increment<'a>(
    request: &'a IncrementRequest,
    merchant_account: &'a str,
) -> Result<PaymentAmountUpdateRequest<'a>, NotWritable> {
    Ok(PaymentAmountUpdateRequest {
        merchant_account: merchant_account.into(),
        reference: request.key.as_str().into(),
        amount: amount(request.money)?,
        industry_usage: word(request.reason.as_deref(), INDUSTRY_USAGES),
    })
}

/// Builds the request for a capture.
///
/// # Errors
/// [`NotWritable`]
pub fn capture<'a>(
    request: &'a CaptureRequest,
    merchant_account: &'a str,
) -> Result<PaymentCaptureRequest<'a>, NotWritable> {
    let amount = amount(request.money)?;
    Ok(PaymentCaptureRequest {
        merchant_account: merchant_account.into(),
        reference: request.key.as_str().into(),
        line_items: one_line("Capture", &amount),
        amount,
    })
}

/// Builds the request for a refund.
///
/// # Errors
/// [`NotWritable`]
pub fn refund<'a>(
    request: &'a RefundRequest,
    merchant_account: &'a str,
) -> Result<PaymentRefundRequest<'a>, NotWritable> {
    let amount = amount(request.money)?;
    Ok(PaymentRefundRequest {
        merchant_account: merchant_account.into(),
        reference: request.key.as_str().into(),
        merchant_refund_reason: word(request.reason.as_deref(), REFUND_REASONS),
        line_items: one_line("Refund", &amount),
        amount,
    })
}

/// Returns one line with the whole amount. Adyen refuses a part of a pay-later payment without lines.
fn one_line(description: &'static str, amount: &Amount<'_>) -> Vec<LineItem<'static>> {
    vec![lines::whole(description, amount.value)]
}

/// Builds the request for the release of an authorization.
pub fn cancel<'a>(key: &'a ProcessorKey, merchant_account: &'a str) -> PaymentCancelRequest<'a> {
    PaymentCancelRequest {
        merchant_account: merchant_account.into(),
        reference: key.as_str().into(),
    }
}

/// Builds the request for the return of all of a payment that was captured at once.
pub fn reverse<'a>(key: &'a ProcessorKey, merchant_account: &'a str) -> PaymentReversalRequest<'a> {
    PaymentReversalRequest {
        merchant_account: merchant_account.into(),
        reference: key.as_str().into(),
    }
}

/// Builds the request for the release of an authorization of which only our key is known.
pub fn cancel_unknown<'a>(
    key: &'a ProcessorKey,
    authorization: &'a ProcessorKey,
    merchant_account: &'a str,
) -> StandalonePaymentCancelRequest<'a> {
    StandalonePaymentCancelRequest {
        merchant_account: merchant_account.into(),
        reference: key.as_str().into(),
        payment_reference: authorization.as_str().into(),
    }
}

/// Returns Adyen's word for a merchant's reason.
fn word<T: Copy>(reason: Option<&str>, words: &[(&str, T)]) -> Option<T> {
    let reason = reason?.trim().replace('_', " ");
    let mut words = words.iter();
    let (_, word) = words.find(|(own, _)| own.eq_ignore_ascii_case(&reason))?;
    Some(*word)
}
