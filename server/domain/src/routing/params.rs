//! What of a payment tells apart what dynamic routing learns of it.

use crate::instrument::Instrument;
use crate::payment::{Attempt, Payment};
use crate::words::words;

words! {
    /// A value of a payment: what was learned with one value says nothing of payments with another.
    pub enum DynamicParam {
        PaymentMethod = "PaymentMethod",
        PaymentMethodType = "PaymentMethodType",
        AuthenticationType = "AuthenticationType",
        Currency = "Currency",
        Country = "Country",
        CardNetwork = "CardNetwork",
        CardBin = "CardBin",
    }
}

/// In the order of [`DynamicParam`], none twice.
pub(super) fn in_order(params: &[DynamicParam]) -> Vec<DynamicParam> {
    let all = DynamicParam::ALL.iter().copied();
    all.filter(|param| params.contains(param)).collect()
}

/// The values of a payment. What it has none of is a hyphen.
pub fn parameters(params: &[DynamicParam], payment: &Payment, attempt: &Attempt) -> String {
    let instrument = attempt.instrument.as_ref();
    let values = params.iter().map(|param| {
        let value = value_of(*param, payment, attempt, instrument);
        value.unwrap_or_else(|| "-".to_owned())
    });
    values.collect::<Vec<_>>().join(":")
}

fn value_of(
    param: DynamicParam,
    payment: &Payment,
    attempt: &Attempt,
    instrument: Option<&Instrument>,
) -> Option<String> {
    let card = instrument.and_then(|instrument| instrument.details.card());
    match param {
        DynamicParam::PaymentMethod => Some(instrument?.payment_method.to_string()),
        DynamicParam::PaymentMethodType => Some(instrument?.payment_method_type?.to_string()),
        DynamicParam::AuthenticationType => Some(payment.authentication_type(attempt).to_string()),
        DynamicParam::Currency => Some(payment.terms.currency.to_string()),
        DynamicParam::Country => {
            let own = instrument.and_then(|instrument| instrument.billing.as_deref());
            let billing = own.or(payment.particulars.billing.as_deref())?;
            Some(billing.country()?.to_string())
        }
        DynamicParam::CardNetwork => Some(card?.network?.to_string()),
        DynamicParam::CardBin => Some(card?.isin.clone()?),
    }
}
