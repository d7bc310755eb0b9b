//! Payment values by which dynamic routing separates its counts.

use multirail_kernel::words::words;

use super::facts::Facts;

words! {
    /// A value of a payment. Outcomes with one value don't count for payments with another.
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

/// Returns the parameters in the order of [`DynamicParam`], without duplicates.
pub(super) fn in_order(params: &[DynamicParam]) -> Vec<DynamicParam> {
    let all = DynamicParam::ALL.iter().copied();
    all.filter(|param| params.contains(param)).collect()
}

/// Returns the payment's values of these parameters; a hyphen stands for a value that it lacks.
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
            let country = facts.payer_country();
            Some(country?.to_string())
        }
        DynamicParam::CardNetwork => Some(card?.network?.to_string()),
        DynamicParam::CardBin => Some(card?.isin.clone()?),
    }
}
