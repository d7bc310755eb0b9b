//! Rules for paying with a saved payment method, now or without the payer. (Facts 9)

use super::SavedMethod;
use crate::accounts::connector_account::{Candidate, PaymentMethodEnabled};

impl SavedMethod {
    /// Returns whether the payer agreed to charges in their absence, by a payment with `setup_future_usage` `off_session`.
    pub fn is_agreed(&self) -> bool {
        self.agreed_by.is_some()
    }

    /// Returns whether the method can be charged without its payer: the payer agreed, and one of these accounts charges it.
    /// The issuer judges an expired card. A card stored at a processor is charged there by preference, but that isn't required.
    pub fn recurs(&self, candidates: &[Candidate]) -> bool {
        self.is_agreed()
            && self.is_payable()
            && candidates
                .iter()
                .any(|candidate| self.recurs_through(candidate))
    }

    fn recurs_through(&self, candidate: &Candidate) -> bool {
        let takes = |item: &PaymentMethodEnabled| {
            item.takes_saved(self) && item.recurring_enabled != Some(false)
        };
        let enabled = candidate.account.payment_methods_enabled.as_ref();
        candidate.account.is_routable()
            && candidate.capabilities.takes(self.payment_method)
            && self.is_debited_by(candidate)
            && enabled.is_none_or(|items| items.iter().any(takes))
    }

    /// Returns whether the connector debits accounts of this scheme again and again; true for cards.
    fn is_debited_by(&self, candidate: &Candidate) -> bool {
        self.debited_account().is_none_or(|account| {
            let kind = account.debited_as();
            let rules = kind.and_then(|kind| candidate.capabilities.payer_method(kind));
            rules.is_some_and(|rules| rules.recurs)
        })
    }

    /// Returns whether the payer has to enter the card's security code. Bank accounts have none. `is_spared`: the payment needs
    /// no code for a card stored at its processor.
    pub fn requires_code(&self, is_spared: bool) -> bool {
        self.card.is_some() && !(self.is_kept && is_spared)
    }

    /// Returns whether a payer can use the method in a checkout. Accounts for payouts can't be charged.
    pub fn is_payable(&self) -> bool {
        self.card.is_some() || self.debited_account().is_some()
    }
}

impl PaymentMethodEnabled {
    /// Returns whether this item covers the saved method's type and network.
    pub(crate) fn takes_saved(&self, method: &SavedMethod) -> bool {
        let (types, schemes) = (&self.payment_method_types, &self.payment_schemes);
        let (kind, network) = (method.payment_method_type, method.network());
        self.payment_method == method.payment_method
            && (types.is_empty() || kind.is_none_or(|kind| types.contains(&kind)))
            && (schemes.is_empty() || network.is_some_and(|network| schemes.contains(&network)))
    }
}
