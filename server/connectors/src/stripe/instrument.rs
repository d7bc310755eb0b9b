//! Chooses the form of a payment's instrument: a card, or a method that the payer finishes elsewhere.

use multirail_sdk::connector::AuthorizeRequest;
use multirail_sdk::instrument::PaymentMethodData;

use super::address::billing;
use super::generated::wire::{MethodData, MethodOptions};
use super::{cards, payer_methods};
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
        PaymentMethodData::Card(_)
        | PaymentMethodData::NetworkToken(_)
        | PaymentMethodData::Kept(_)
        | PaymentMethodData::Sealed(_)
        | PaymentMethodData::BankDebit(_) => cards::data(request),
    }
}

/// Returns the options of the instrument's method, if one is set. `in_parts`: the payment may be
/// captured in several parts.
pub fn options(request: &AuthorizeRequest, in_parts: bool) -> Option<MethodOptions<'_>> {
    match &request.data {
        PaymentMethodData::Payer(payer) => payer_methods::options(payer),
        PaymentMethodData::Card(_)
        | PaymentMethodData::NetworkToken(_)
        | PaymentMethodData::Kept(_)
        | PaymentMethodData::Sealed(_)
        | PaymentMethodData::BankDebit(_) => cards::options(&request.details, in_parts),
    }
}
