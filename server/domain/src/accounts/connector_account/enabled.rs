//! The payments that a merchant lets an account accept.

use serde::{Deserialize, Serialize};

use multirail_kernel::country::CountryCode;
use multirail_kernel::currency::Currency;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::card::Network;
use multirail_sdk::payment_method::{PaymentExperience, PaymentMethod, PaymentMethodType};

/// One item of `payment_methods_enabled` in its flat form, as it is stored and returned. (Specification 2.7) An empty list
/// restricts nothing.
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
    /// In minor units of the payment's currency, inclusive.
    pub minimum_amount: Option<i64>,
    /// In minor units of the payment's currency, inclusive.
    pub maximum_amount: Option<i64>,
    pub recurring_enabled: Option<bool>,
    pub installment_payment_enabled: Option<bool>,
    /// The merchant's note on how the payer meets the method. The server doesn't read it.
    pub payment_experience: Option<PaymentExperience>,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// A list of the values that are accepted, or of those that aren't. A stored list with unknown members is refused, because it
/// could accept too much.
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
    /// Returns whether `value` is accepted.
    pub fn accepts(&self, value: &T) -> bool {
        match self {
            Acceptance::EnableOnly(list) => list.contains(value),
            Acceptance::DisableOnly(list) => !list.contains(value),
            Acceptance::AllAccepted => true,
        }
    }
}

/// The parts of a payment that decide whether an account is eligible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PaymentQuery {
    pub payment_method: PaymentMethod,
    /// `None` is possible for cards; a list of types then doesn't exclude the payment.
    pub payment_method_type: Option<PaymentMethodType>,
    pub card_network: Option<Network>,
    pub currency: Currency,
    /// Country of the billing address. A list of countries doesn't exclude a payment without one.
    pub country: Option<CountryCode>,
    /// In minor units.
    pub amount: i64,
    /// True if the payment charges without the payer, or saves a method for such charges.
    pub recurs: bool,
}

/// The reason why an account doesn't accept a payment, in the order of the checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ineligible {
    /// The account isn't for payments.
    ConnectorType,
    /// The account is inactive or switched off.
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
    /// Returns the reason in words, for logs and routing records.
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
    /// Returns an item that enables a method without restrictions.
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

    /// Checks that this item accepts the payment; the error is the first condition that it doesn't meet.
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
        // A list of networks excludes cards and network tokens without a known network. Other methods, and wallets that don't
        // name a network, skip this check.
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
        // An item that doesn't say leaves recurring payments to the connector.
        listed(
            !query.recurs || self.recurring_enabled != Some(false),
            Ineligible::Recurring,
        )
    }
}

/// Checks that one of the items accepts the payment; the error comes from the item that got furthest. Without a list the
/// merchant leaves the choice to the connector; an empty list accepts nothing.
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
