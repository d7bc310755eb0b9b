//! `payment_methods_enabled`: flat or nested in requests, always flat in answers. (Specification 2.7)

use multirail_domain::accounts::connector_account::{
    Acceptance, PaymentMethodEnabled, PaymentMethodEnabledInput,
};
use multirail_kernel::country::CountryCode;
use multirail_kernel::currency::Currency;
use multirail_kernel::refusal::Refusal;
use multirail_types as types;

use super::super::webhook_details::not_empty;
use crate::platform::convert::words::{ToDomain, ToWire, word, words};

/// Reads the list.
///
/// # Errors
///
/// A missing list or a word that this version doesn't know; the error names the member.
pub(crate) fn input(
    wire: Vec<types::PaymentMethodEnabledRequest>,
) -> Result<Vec<PaymentMethodEnabledInput>, Refusal> {
    let items = wire.into_iter().enumerate();
    items.map(|(index, wire)| item(wire, index)).collect()
}

fn item(
    wire: types::PaymentMethodEnabledRequest,
    index: usize,
) -> Result<PaymentMethodEnabledInput, Refusal> {
    let types::PaymentMethodEnabledRequest {
        payment_method,
        payment_method_types,
        payment_method_issuers,
        payment_schemes,
        accepted_currencies,
        accepted_countries,
        minimum_amount,
        maximum_amount,
        recurring_enabled,
        installment_payment_enabled,
        payment_experience,
    } = wire;
    let member = |name: &str| format!("payment_methods_enabled[{index}].{name}");
    let schemes = payment_schemes.unwrap_or_default();
    let experience = payment_experience.map(|given| word(&given, &member("payment_experience")));
    let countries = accepted_countries.map(|types::AcceptedCountries { type_, list }| {
        accepted(type_, list, &member("accepted_countries"))
    });
    let currencies = accepted_currencies.map(|types::AcceptedCurrencies { type_, list }| {
        accepted(type_, list, &member("accepted_currencies"))
    });
    Ok(PaymentMethodEnabledInput {
        payment_method: word(&payment_method, &member("payment_method"))?,
        payment_method_types: payment_method_types.unwrap_or_default(),
        payment_method_issuers: payment_method_issuers.unwrap_or_default(),
        payment_schemes: words(&schemes, &member("payment_schemes"))?,
        accepted_countries: countries.transpose()?,
        accepted_currencies: currencies.transpose()?,
        minimum_amount,
        maximum_amount,
        recurring_enabled,
        installment_payment_enabled,
        payment_experience: experience.transpose()?,
    })
}

fn accepted<T>(
    kind: types::AcceptanceKind,
    list: Option<Vec<impl ToDomain<T>>>,
    member: &str,
) -> Result<Acceptance<T>, Refusal> {
    let list = || {
        let member = format!("{member}.list");
        let list = list.ok_or_else(|| Refusal::missing(member.clone()))?;
        words(&list, &member)
    };
    match kind {
        types::AcceptanceKind::EnableOnly => list().map(Acceptance::EnableOnly),
        types::AcceptanceKind::DisableOnly => list().map(Acceptance::DisableOnly),
        types::AcceptanceKind::AllAccepted => Ok(Acceptance::AllAccepted),
        types::AcceptanceKind::Unknown(_) => Err(Refusal::Malformed {
            member: format!("{member}.type"),
            why: "has to be enable_only, disable_only or all_accepted".to_owned(),
        }),
    }
}

/// Returns the flat items; a list that restricts nothing is null.
pub(crate) fn answer(items: &[PaymentMethodEnabled]) -> Vec<types::PaymentMethodEnabled> {
    items.iter().map(answer_item).collect()
}

fn answer_item(item: &PaymentMethodEnabled) -> types::PaymentMethodEnabled {
    let types = item.payment_method_types.iter();
    let schemes = item.payment_schemes.iter();
    types::PaymentMethodEnabled {
        payment_method: item.payment_method.to_wire(),
        payment_method_types: not_empty(types.map(|one| one.to_wire()).collect()),
        payment_method_issuers: not_empty(item.payment_method_issuers.clone()),
        payment_schemes: not_empty(schemes.map(|one| one.to_wire()).collect()),
        accepted_currencies: item.accepted_currencies.as_ref().map(currencies),
        accepted_countries: item.accepted_countries.as_ref().map(countries),
        minimum_amount: item.minimum_amount,
        maximum_amount: item.maximum_amount,
        recurring_enabled: item.recurring_enabled,
        installment_payment_enabled: item.installment_payment_enabled,
        payment_experience: item.payment_experience.map(|one| one.to_wire()),
    }
}

fn currencies(acceptance: &Acceptance<Currency>) -> types::AcceptedCurrencies {
    let (type_, list) = parts(acceptance);
    types::AcceptedCurrencies {
        type_,
        list: list.map(|codes| codes.iter().map(|code| code.to_wire()).collect()),
    }
}

fn countries(acceptance: &Acceptance<CountryCode>) -> types::AcceptedCountries {
    let (type_, list) = parts(acceptance);
    types::AcceptedCountries {
        type_,
        list: list.map(|codes| codes.iter().map(|code| code.to_wire()).collect()),
    }
}

fn parts<T>(acceptance: &Acceptance<T>) -> (types::AcceptanceKind, Option<&[T]>) {
    match acceptance {
        Acceptance::EnableOnly(list) => (types::AcceptanceKind::EnableOnly, Some(list)),
        Acceptance::DisableOnly(list) => (types::AcceptanceKind::DisableOnly, Some(list)),
        Acceptance::AllAccepted => (types::AcceptanceKind::AllAccepted, None),
    }
}

#[cfg(test)]
mod tests {
    use multirail_domain::accounts::connector_account::flatten;

    use super::*;
    use serde_json::{Value, json};

    fn answered(given: Value) -> Result<Value, Refusal> {
        let wire = serde_json::from_value(given).expect("a request");
        let flat = flatten(input(wire)?)?;
        Ok(serde_json::to_value(answer(&flat)).expect("plain JSON"))
    }

    #[test]
    fn a_flat_item_comes_back_as_it_was() {
        let given = json!([{
            "payment_method": "card",
            "payment_method_types": ["credit", "debit"],
            "payment_method_issuers": ["a bank"],
            "payment_schemes": ["Visa", "AmericanExpress"],
            "accepted_currencies": {"type": "enable_only", "list": ["USD", "EUR"]},
            "accepted_countries": {"type": "all_accepted"},
            "minimum_amount": 100,
            "maximum_amount": 5_000_000,
            "recurring_enabled": true,
            "installment_payment_enabled": false,
            "payment_experience": "redirect_to_url",
        }]);
        assert_eq!(answered(given.clone()), Ok(given));
    }

    #[test]
    fn nested_types_become_flat_items() {
        let given = json!([{
            "payment_method": "card",
            "payment_method_types": [
                {
                    "payment_method_type": "credit",
                    "card_networks": ["Visa"],
                    "accepted_currencies": {"type": "enable_only", "list": ["EUR"]},
                    "accepted_countries": {"type": "disable_only", "list": ["US", "CA"]},
                },
                {"payment_method_type": "debit", "minimum_amount": 100},
            ],
        }]);
        insta::assert_json_snapshot!(answered(given).expect("an answer"));
    }

    #[test]
    fn a_list_that_has_to_be_there_is_named() {
        let given = json!([
            {"payment_method": "card"},
            {"payment_method": "card", "accepted_countries": {"type": "enable_only"}},
        ]);
        assert_eq!(
            answered(given),
            Err(Refusal::missing(
                "payment_methods_enabled[1].accepted_countries.list"
            ))
        );
    }
}
