//! What it takes to pay with a saved method, and whether it can be charged again. (Facts 9)

use super::SavedMethod;
use crate::accounts::connector_account::{Candidate, PaymentMethodEnabled};

impl SavedMethod {
    /// Whether its payer agreed to be charged without being there, by a payment with `setup_future_usage` `off_session`.
    pub fn is_agreed(&self) -> bool {
        self.agreed_by.is_some()
    }

    /// Returns whether it can be charged without its payer: he agreed, and it is a card that one of these accounts charges. An expiry that is
    /// over is for the issuer to judge. Where a processor keeps the card that is a better way than by its number, and no condition.
    pub fn recurs(&self, candidates: &[Candidate]) -> bool {
        self.is_agreed()
            && self.card.is_some()
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
            && enabled.is_none_or(|items| items.iter().any(takes))
    }

    /// Whether the code of the card has to be given to pay with it. An account has none. `is_spared`: the payment does without
    /// the code of what its processor keeps.
    pub fn requires_code(&self, is_spared: bool) -> bool {
        self.card.is_some() && !(self.is_kept && is_spared)
    }

    /// Whether a payer in checkout can do anything with it. No connector takes accounts: those are for who pays out to them.
    pub fn is_payable(&self) -> bool {
        self.card.is_some()
    }
}

impl PaymentMethodEnabled {
    /// Whether this item is of a saved method's kind.
    pub(crate) fn takes_saved(&self, method: &SavedMethod) -> bool {
        let (types, schemes) = (&self.payment_method_types, &self.payment_schemes);
        let (kind, network) = (method.payment_method_type, method.network());
        self.payment_method == method.payment_method
            && (types.is_empty() || kind.is_none_or(|kind| types.contains(&kind)))
            && (schemes.is_empty() || network.is_some_and(|network| schemes.contains(&network)))
    }
}
