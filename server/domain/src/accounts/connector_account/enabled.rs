//! Which payments a merchant wants an account to take.

use serde::{Deserialize, Serialize};

use multirail_kernel::country::CountryCode;
use multirail_kernel::currency::Currency;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::card::Network;
use multirail_sdk::payment_method::{PaymentExperience, PaymentMethod, PaymentMethodType};

/// One item of `payment_methods_enabled` in its flat form, as it is stored and answered. (Specification 2.7)
/// An empty list restricts nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaymentMethodEnabled {
    pub payment_method: PaymentMethod,
    #[serde(default)]
    pub payment_method_types: Vec<PaymentMethodType>,
    #[serde(default)]
    pub payment_method_issuers: Vec<String>,
    /// Card networks.
    #[serde(default)]
    pub payment_schemes: Vec<Network>,
    pub accepted_countries: Option<Acceptance<CountryCode>>,
    pub accepted_currencies: Option<Acceptance<Currency>>,
    /// In minor units of the payment's currency, itself accepted.
    pub minimum_amount: Option<i64>,
    /// In minor units of the payment's currency, itself accepted.
    pub maximum_amount: Option<i64>,
    pub recurring_enabled: Option<bool>,
    pub installment_payment_enabled: Option<bool>,
    /// The merchant's note on how the payer meets the method. Nothing reads it.
    pub payment_experience: Option<PaymentExperience>,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// A list of what is accepted, or of what isn't. A stored one with other members is refused: it would accept too much.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    tag = "type",
    content = "list",
    rename_all = "snake_case",
    deny_unknown_fields
)]
pub enum Acceptance<T> {
    EnableOnly(Vec<T>),
    DisableOnly(Vec<T>),
    AllAccepted,
}

impl<T: PartialEq> Acceptance<T> {
    /// Whether `value` is accepted.
    pub fn accepts(&self, value: &T) -> bool {
        match self {
            Acceptance::EnableOnly(list) => list.contains(value),
            Acceptance::DisableOnly(list) => !list.contains(value),
            Acceptance::AllAccepted => true,
        }
    }
}

/// A payment as far as eligibility depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PaymentQuery {
    pub payment_method: PaymentMethod,
    /// `None` is possible for cards: then no type list excludes the payment.
    pub payment_method_type: Option<PaymentMethodType>,
    pub card_network: Option<Network>,
    pub currency: Currency,
    /// Of the billing address. Payments without one are not excluded by a country list.
    pub country: Option<CountryCode>,
    /// In minor units.
    pub amount: i64,
    /// It charges without the payer, or saves what such charges will be made with.
    pub recurs: bool,
}

/// Why an account does not take a payment, in the order in which it is found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ineligible {
    /// Not for payments at all.
    ConnectorType,
    /// Inactive or switched off.
    Disabled,
    PaymentMethod,
    PaymentMethodType,
    CardNetwork,
    Currency,
    Country,
    Amount,
    Recurring,
}

impl Ineligible {
    /// The reason in words, for logs and routing records.
    pub fn reason(self) -> &'static str {
        match self {
            Ineligible::ConnectorType => "the account is not for payments",
            Ineligible::Disabled => "the account is disabled",
            Ineligible::PaymentMethod => "the payment method is not enabled",
            Ineligible::PaymentMethodType => "the payment method type is not enabled",
            Ineligible::CardNetwork => "the card network is not enabled",
            Ineligible::Currency => "the currency is not accepted",
            Ineligible::Country => "the country is not accepted",
            Ineligible::Amount => "the amount is outside the limits",
            Ineligible::Recurring => "charges without the payer are not enabled",
        }
    }
}

impl PaymentMethodEnabled {
    /// An item that enables a method without any restriction.
    pub fn unrestricted(payment_method: PaymentMethod) -> Self {
        PaymentMethodEnabled {
            payment_method,
            payment_method_types: Vec::new(),
            payment_method_issuers: Vec::new(),
            payment_schemes: Vec::new(),
            accepted_countries: None,
            accepted_currencies: None,
            minimum_amount: None,
            maximum_amount: None,
            recurring_enabled: None,
            installment_payment_enabled: None,
            payment_experience: None,
            unread: UnreadMembers::default(),
        }
    }

    /// Whether this item takes the payment, and if not the first thing in its way.
    pub fn check(&self, query: &PaymentQuery) -> Result<(), Ineligible> {
        let listed = |found: bool, reason| if found { Ok(()) } else { Err(reason) };
        listed(
            self.payment_method == query.payment_method,
            Ineligible::PaymentMethod,
        )?;
        listed(
            self.payment_method_types.is_empty()
                || query
                    .payment_method_type
                    .is_none_or(|given| self.payment_method_types.contains(&given)),
            Ineligible::PaymentMethodType,
        )?;
        // A card of unknown network is not on anybody's list of networks, and neither is what stands for one; other methods,
        // and wallets that don't say it, have no network to check.
        listed(
            self.payment_schemes.is_empty()
                || match query.card_network {
                    Some(network) => self.payment_schemes.contains(&network),
                    None => !matches!(
                        query.payment_method,
                        PaymentMethod::Card | PaymentMethod::NetworkToken
                    ),
                },
            Ineligible::CardNetwork,
        )?;
        let currencies = self.accepted_currencies.as_ref();
        listed(
            currencies.is_none_or(|accepted| accepted.accepts(&query.currency)),
            Ineligible::Currency,
        )?;
        let countries = self.accepted_countries.as_ref().zip(query.country);
        listed(
            countries.is_none_or(|(accepted, country)| accepted.accepts(&country)),
            Ineligible::Country,
        )?;
        listed(
            self.minimum_amount
                .is_none_or(|least| query.amount >= least)
                && self.maximum_amount.is_none_or(|most| query.amount <= most),
            Ineligible::Amount,
        )?;
        // Who says nothing of it leaves it to the connector.
        listed(
            !query.recurs || self.recurring_enabled != Some(false),
            Ineligible::Recurring,
        )
    }
}

/// Whether any item takes the payment, and if none does what stood in the way of the one that came closest. No list
/// at all means that the merchant leaves it to the connector; an empty list takes nothing.
pub fn check_enabled(
    enabled: Option<&[PaymentMethodEnabled]>,
    query: &PaymentQuery,
) -> Result<(), Ineligible> {
    let Some(items) = enabled else {
        return Ok(());
    };
    let mut closest = Ineligible::PaymentMethod;
    for item in items {
        match item.check(query) {
            Ok(()) => return Ok(()),
            Err(reason) => closest = closest.max(reason),
        }
    }
    Err(closest)
}

#[cfg(test)]
mod tests;
