//! Chooses the form of a payment's instrument: a card, a debited account, or a method that the payer
//! finishes elsewhere.

use multirail_sdk::connector::AuthorizeRequest;
use multirail_sdk::instrument::PaymentMethodData;

use super::address::billing;
use super::generated::wire::{MandateData, MethodData, MethodOptions, MethodType};
use super::{bank_debits, cards, payer_methods};
use crate::amounts::NotWritable;

/// Returns the instrument's data.
///
/// # Errors
/// [`NotWritable`] for an instrument that Stripe doesn't accept. Routing excludes them.
pub fn data(request: &AuthorizeRequest) -> Result<MethodData<'_>, NotWritable> {
    match &request.data {
        PaymentMethodData::Payer(payer) => {
            payer_methods::data(payer, billing(None, &request.details))
        }
        PaymentMethodData::BankDebit(account) => bank_debits::data(account, &request.details),
        PaymentMethodData::Card(_)
        | PaymentMethodData::NetworkToken(_)
        | PaymentMethodData::Kept(_)
        | PaymentMethodData::Sealed(_) => cards::data(request),
    }
}

/// Returns Stripe's word for an instrument that Stripe has stored.
pub fn stored(request: &AuthorizeRequest) -> MethodType {
    match &request.data {
        PaymentMethodData::BankDebit(account) => bank_debits::word(account.scheme),
        PaymentMethodData::Card(_)
        | PaymentMethodData::NetworkToken(_)
        | PaymentMethodData::Kept(_)
        | PaymentMethodData::Sealed(_)
        | PaymentMethodData::Payer(_) => None,
    }
    .unwrap_or(MethodType::Card)
}

/// Returns the consent to debit an account that Stripe hasn't stored.
///
/// # Errors
/// [`NotWritable`] without a consent.
pub fn consent(request: &AuthorizeRequest) -> Result<Option<MandateData<'_>>, NotWritable> {
    let is_stored = request.details.initiation.mandate.is_some();
    match &request.data {
        PaymentMethodData::BankDebit(account) if !is_stored => {
            bank_debits::mandate(account, &request.details).map(Some)
        }
        PaymentMethodData::BankDebit(_)
        | PaymentMethodData::Card(_)
        | PaymentMethodData::NetworkToken(_)
        | PaymentMethodData::Kept(_)
        | PaymentMethodData::Sealed(_)
        | PaymentMethodData::Payer(_) => Ok(None),
    }
}

/// Returns the options of the instrument's method, if one is set. `in_parts`: the payment may be
/// captured in several parts.
pub fn options(request: &AuthorizeRequest, in_parts: bool) -> Option<MethodOptions<'_>> {
    match &request.data {
        PaymentMethodData::Payer(payer) => payer_methods::options(payer),
        PaymentMethodData::BankDebit(_) => None,
        PaymentMethodData::Card(_)
        | PaymentMethodData::NetworkToken(_)
        | PaymentMethodData::Kept(_)
        | PaymentMethodData::Sealed(_) => cards::options(&request.details, in_parts),
    }
}
