//! What of a payment tells apart what dynamic routing learns of it.

use multirail_kernel::address::Address;
use multirail_kernel::words::words;

use super::evaluate::Facts;

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
pub fn parameters(params: &[DynamicParam], facts: &Facts<'_>) -> String {
    let values = params.iter().map(|param| {
        let value = value_of(*param, facts);
        value.unwrap_or_else(|| "-".to_owned())
    });
    values.collect::<Vec<_>>().join(":")
}

fn value_of(param: DynamicParam, facts: &Facts<'_>) -> Option<String> {
    let instrument = facts.instrument;
    let card = instrument.and_then(|instrument| instrument.details.card());
    match param {
        DynamicParam::PaymentMethod => Some(instrument?.payment_method.to_string()),
        DynamicParam::PaymentMethodType => Some(instrument?.payment_method_type?.to_string()),
        DynamicParam::AuthenticationType => Some(facts.authentication_type.to_string()),
        DynamicParam::Currency => Some(facts.currency.to_string()),
        DynamicParam::Country => {
            let country = facts.payer_address().and_then(Address::country);
            Some(country?.to_string())
        }
        DynamicParam::CardNetwork => Some(card?.network?.to_string()),
        DynamicParam::CardBin => Some(card?.isin.clone()?),
    }
}
