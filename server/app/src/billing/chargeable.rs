//! The amounts that the payment accounts of a profile can charge.

use multirail_domain::billing::chargeable::Chargeable;
use multirail_domain::connector_account::{Candidate, Ineligible, PaymentQuery};
use multirail_domain::currency::Currency;
use multirail_domain::ids::{MerchantId, ProfileId};
use multirail_domain::payment_method::PaymentMethod;

use super::super::{App, AppError};

impl App {
    /// Returns the amounts that accounts can charge which may take a card of this currency without its payer. The accounts are kept in memory.
    ///
    /// # Errors
    /// A store that fails.
    pub(crate) async fn chargeable(
        &self,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
        currency: Currency,
    ) -> Result<Chargeable, AppError> {
        let query = PaymentQuery {
            payment_method: PaymentMethod::Card,
            payment_method_type: None,
            card_network: None,
            currency,
            country: None,
            amount: 0,
            recurs: true,
        };
        let may_charge = |candidate: &&Candidate| {
            candidate.capabilities.takes(PaymentMethod::Card)
                && match candidate.account.check(&query) {
                    // The amount, and the country of the payer, are known later.
                    Ok(()) | Err(Ineligible::Amount | Ineligible::Country) => true,
                    Err(
                        Ineligible::ConnectorType
                        | Ineligible::Disabled
                        | Ineligible::PaymentMethod
                        | Ineligible::PaymentMethodType
                        | Ineligible::CardNetwork
                        | Ineligible::Currency
                        | Ineligible::Recurring,
                    ) => false,
                }
        };
        let accounts = self
            .connector_accounts
            .able(merchant_id, Some(profile_id))
            .await?;
        let charging = accounts.iter().filter(may_charge);
        let units = charging.map(|candidate| &candidate.capabilities.units);
        Ok(Chargeable::for_processors(units, currency))
    }
}
