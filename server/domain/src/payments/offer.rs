//! The payment methods that the connector accounts of a profile accept for a payer. (Facts 7.7)

mod required;

use std::collections::{BTreeMap, BTreeSet};

use multirail_kernel::country::CountryCode;
use multirail_kernel::money::Money;
use multirail_sdk::bank_name::BankName;
use multirail_sdk::card::Network;
use multirail_sdk::connector::StepForm;
use multirail_sdk::payer_method::PayerMethodRules;
use multirail_sdk::payment_method::{PaymentMethod, PaymentMethodType};

use crate::accounts::connector_account::{Candidate, PaymentMethodEnabled};
use crate::accounts::profile::Profile;
use crate::customers::saved_method::MethodFilter;
use crate::payments::payment::Payment;

pub use multirail_sdk::required_field::{FieldType, RequiredField};

/// A payment method type that is accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    pub payment_method: PaymentMethod,
    pub payment_method_type: PaymentMethodType,
    /// The connectors that accept it, by the step that the merchant shows to the payer. Unset: the payer visits a page.
    pub connectors: BTreeMap<Option<StepForm>, BTreeSet<String>>,
    /// Card networks, each with the connectors that accept it. Empty for other methods.
    pub networks: BTreeMap<Network, BTreeSet<String>>,
    /// Lists of banks that the payer can name, each with the connectors that accept it. Empty for other methods.
    pub banks: BTreeMap<&'static [BankName], BTreeSet<String>>,
    /// Fields that the checkout has to ask the payer for.
    pub required: Vec<RequiredField>,
}

/// Returns the methods and types that the accounts accept for this filter and payment. `code_is_held`: the server still holds
/// the security code of the payment's card.
pub fn offers(
    filter: &MethodFilter,
    payment: Option<&Payment>,
    profile: Option<&Profile>,
    code_is_held: bool,
    candidates: &[Candidate],
) -> Vec<Offer> {
    let facts = payment.map(|payment| {
        let instrument = payment.instrument();
        match profile {
            Some(profile) => payment.facts_under(profile, instrument),
            None => payment.facts(instrument),
        }
    });
    let country = facts.and_then(|facts| facts.payer_country());
    let mut found: BTreeMap<(PaymentMethod, PaymentMethodType), Offer> = BTreeMap::new();
    for candidate in candidates.iter().filter(|c| c.account.is_routable()) {
        let taken = PaymentMethod::ALL.iter().copied();
        let taken = taken.filter(|method| candidate.capabilities.takes(*method));
        for item in taken.flat_map(|method| items(candidate, method)) {
            if !fits(&item, filter, payment, country) {
                continue;
            }
            let networks = networks(&item, filter);
            if networks.is_empty() && item.payment_method == PaymentMethod::Card {
                continue;
            }
            let kinds = kinds(&item, payment).into_iter();
            let kinds = kinds.filter(|kind| candidate.takes_type(item.payment_method, *kind));
            for kind in kinds.filter(|kind| meets(candidate, *kind, filter, payment, country)) {
                let rules = candidate.capabilities.payer_method(kind);
                let required = match rules {
                    Some(rules) => required::of_payer(rules, facts.as_ref()),
                    None => required::required(item.payment_method, payment, code_is_held),
                };
                let offer = found.entry((item.payment_method, kind)).or_insert(Offer {
                    payment_method: item.payment_method,
                    payment_method_type: kind,
                    connectors: BTreeMap::new(),
                    networks: BTreeMap::new(),
                    banks: BTreeMap::new(),
                    required: Vec::new(),
                });
                // Every connector of the offer may be chosen.
                for field in required {
                    if !offer.required.contains(&field) {
                        offer.required.push(field);
                    }
                }
                let connector = &candidate.account.connector_name;
                let takers = offer.connectors.entry(rules.and_then(|rules| rules.shows));
                takers.or_default().insert(connector.to_string());
                let banks = rules.map(PayerMethodRules::offered_banks);
                if let Some(banks) = banks.filter(|banks| !banks.is_empty()) {
                    let takers = offer.banks.entry(banks).or_default();
                    takers.insert(connector.to_string());
                }
                for network in &networks {
                    let takers = offer.networks.entry(*network).or_default();
                    takers.insert(connector.to_string());
                }
            }
        }
    }
    found.into_values().collect()
}

/// Returns the account's items for this method. An account without a list leaves the choice to its connector.
fn items(candidate: &Candidate, method: PaymentMethod) -> Vec<PaymentMethodEnabled> {
    match &candidate.account.payment_methods_enabled {
        None => vec![PaymentMethodEnabled::unrestricted(method)],
        Some(items) => {
            let own = items.iter().filter(|item| item.payment_method == method);
            own.cloned().collect()
        }
    }
}

fn fits(
    item: &PaymentMethodEnabled,
    filter: &MethodFilter,
    payment: Option<&Payment>,
    country: Option<CountryCode>,
) -> bool {
    let amounts = [filter.amount, payment.map(|payment| payment.terms.total())];
    let takes_amount = amounts.into_iter().flatten().all(|amount| {
        item.minimum_amount.is_none_or(|least| amount >= least)
            && item.maximum_amount.is_none_or(|most| amount <= most)
    });
    let takes_currency = item.accepted_currencies.as_ref().is_none_or(|accepted| {
        let asked = &filter.currencies;
        (asked.is_empty() || asked.iter().any(|one| accepted.accepts(one)))
            && payment.is_none_or(|payment| accepted.accepts(&payment.terms.currency))
    });
    let takes_country = item.accepted_countries.as_ref().is_none_or(|accepted| {
        let asked = &filter.countries;
        (asked.is_empty() || asked.iter().any(|one| accepted.accepts(one)))
            && country.is_none_or(|country| accepted.accepts(&country))
    });
    let agrees = |asked: Option<bool>, said: Option<bool>| match (asked, said) {
        (Some(asked), Some(said)) => asked == said,
        (None, _) | (_, None) => true,
    };
    let recurs = payment.is_some_and(Payment::recurs);
    takes_amount
        && takes_currency
        && takes_country
        && (!recurs || item.recurring_enabled != Some(false))
        && agrees(filter.recurring_enabled, item.recurring_enabled)
        && agrees(
            filter.installment_payment_enabled,
            item.installment_payment_enabled,
        )
}

/// Returns whether the connector charges the payment's amount, and its rules for the method, if any, accept this filter and payment.
fn meets(
    candidate: &Candidate,
    kind: PaymentMethodType,
    filter: &MethodFilter,
    payment: Option<&Payment>,
    country: Option<CountryCode>,
) -> bool {
    let able = &candidate.capabilities;
    let is_refused = |payment: &Payment| {
        let money = Money::new(payment.terms.total(), payment.terms.currency);
        able.check_charged(Some(kind), money).is_err()
    };
    if payment.is_some_and(is_refused) {
        return false;
    }
    let Some(rules) = able.payer_method(kind) else {
        return true;
    };
    let asked = &filter.currencies;
    (asked.is_empty() || asked.iter().any(|one| rules.accepts(*one)))
        && payment.is_none_or(|payment| {
            rules.accepts(payment.terms.currency)
                && rules.serves(country)
                && rules.captures(payment.terms.capture_method)
                && rules.leads_by(payment.facts(None).experience)
                && !payment.terms.only_verifies()
                && (rules.recurs || !is_for_later(payment))
        })
}

/// Returns whether the payment saves its method, or charges without the payer.
fn is_for_later(payment: &Payment) -> bool {
    payment.terms.setup_future_usage.is_some() || payment.particulars.off_session == Some(true)
}

fn networks(item: &PaymentMethodEnabled, filter: &MethodFilter) -> Vec<Network> {
    if item.payment_method != PaymentMethod::Card {
        return Vec::new();
    }
    let enabled = &item.payment_schemes;
    let all = Network::ALL.iter().copied();
    all.filter(|network| enabled.is_empty() || enabled.contains(network))
        .filter(|network| filter.networks.is_empty() || filter.networks.contains(network))
        .collect()
}

fn kinds(item: &PaymentMethodEnabled, payment: Option<&Payment>) -> Vec<PaymentMethodType> {
    let enabled = &item.payment_method_types;
    let all = PaymentMethodType::ALL.iter().copied();
    all.filter(|kind| kind.belongs_to(item.payment_method))
        .filter(|kind| enabled.is_empty() || enabled.contains(kind))
        .filter(|kind| payment.is_none_or(|payment| payment.allows(*kind)))
        .collect()
}
