//! The filter of a list of saved payment methods. (Specification 4.7)

use multirail_kernel::country::CountryCode;
use multirail_kernel::currency::Currency;
use multirail_sdk::card::Network;

use crate::accounts::connector_account::{Candidate, PaymentMethodEnabled};
use crate::customers::saved_method::SavedMethod;

/// Conditions that all have to hold. Empty members restrict nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MethodFilter {
    pub networks: Vec<Network>,
    pub recurring_enabled: Option<bool>,
    pub installment_payment_enabled: Option<bool>,
    /// Some account accepts the method in one of these countries.
    pub countries: Vec<CountryCode>,
    /// Some account accepts the method in one of these currencies.
    pub currencies: Vec<Currency>,
    /// Some account accepts the method for this amount, in minor units.
    pub amount: Option<i64>,
}

impl MethodFilter {
    /// Returns whether the filter has no conditions.
    pub fn is_empty(&self) -> bool {
        *self == MethodFilter::default()
    }

    fn asks_for_accounts(&self) -> bool {
        !self.countries.is_empty() || !self.currencies.is_empty() || self.amount.is_some()
    }

    /// Returns whether the filter lists the method. `recurs`: it can be charged without its payer.
    pub fn lets_through(
        &self,
        method: &SavedMethod,
        recurs: bool,
        candidates: &[Candidate],
    ) -> bool {
        let network = method.network();
        let is_of_network = self.networks.is_empty()
            || network.is_some_and(|network| self.networks.contains(&network));
        let is_as_asked = |asked: Option<bool>, is: bool| asked.is_none_or(|asked| asked == is);
        is_of_network
            && is_as_asked(self.recurring_enabled, recurs)
            && is_as_asked(self.installment_payment_enabled, false)
            && (!self.asks_for_accounts() || self.is_taken(method, candidates))
    }

    fn is_taken(&self, method: &SavedMethod, candidates: &[Candidate]) -> bool {
        let accounts = candidates.iter().map(|candidate| &candidate.account);
        let mut routable = accounts.filter(|account| account.is_routable());
        routable.any(|account| match &account.payment_methods_enabled {
            None => true,
            Some(enabled) => enabled.iter().any(|item| self.fits(item, method)),
        })
    }

    /// An item without countries or currencies accepts all of them.
    fn fits(&self, item: &PaymentMethodEnabled, method: &SavedMethod) -> bool {
        let countries = item.accepted_countries.as_ref();
        let currencies = item.accepted_currencies.as_ref();
        item.takes_saved(method)
            && (self.countries.is_empty()
                || countries.is_none_or(|accepted| {
                    self.countries
                        .iter()
                        .any(|country| accepted.accepts(country))
                }))
            && (self.currencies.is_empty()
                || currencies.is_none_or(|accepted| {
                    self.currencies
                        .iter()
                        .any(|currency| accepted.accepts(currency))
                }))
            && self.amount.is_none_or(|amount| {
                item.minimum_amount.is_none_or(|least| amount >= least)
                    && item.maximum_amount.is_none_or(|most| amount <= most)
            })
    }
}
