//! The connector accounts of a profile: its billing account, and the amounts that its payment accounts can charge.

use std::sync::Arc;

use async_trait::async_trait;
use multirail_app::AppError;
use multirail_app::accounts::ports::ConnectorAccountStore;
use multirail_app::accounts::processor_accounts::ProcessorAccounts;
use multirail_app::accounts::profiles::Profiles;
use multirail_billing_domain::OWN_ENGINE;
use multirail_billing_domain::chargeable::Chargeable;
use multirail_domain::accounts::connector_account::{Candidate, Ineligible, PaymentQuery};
use multirail_kernel::currency::Currency;
use multirail_kernel::ids::{ConnectorAccountId, MerchantId, ProfileId};
use multirail_kernel::refusal::{Object, Refusal};
use multirail_sdk::connector::ConnectorType;
use multirail_sdk::payment_method::PaymentMethod;

use crate::ports::BillingAccounts;

/// The connector accounts of profiles, cached in memory.
pub struct AccountsOfProfiles {
    pub profiles: Arc<Profiles>,
    pub accounts: Arc<ProcessorAccounts>,
    pub store: Arc<dyn ConnectorAccountStore>,
}

#[async_trait]
impl BillingAccounts for AccountsOfProfiles {
    async fn account(
        &self,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
    ) -> Result<ConnectorAccountId, AppError> {
        let profile = self.profiles.stored(merchant_id, profile_id, None).await?;
        let Some(named) = &profile.billing_processor_id else {
            return Err(Refusal::precondition(format!(
                "profile {profile_id} has no billing_processor_id: subscriptions are billed by the connector account that it names"
            ))
            .into());
        };
        let found = self.store.connector_account(merchant_id, named).await?;
        let account = found
            .filter(|account| {
                account.connector_type == ConnectorType::BillingProcessor && account.is_enabled()
            })
            .ok_or_else(|| Refusal::not_found(Object::ConnectorAccount))?;
        if account.connector_name != OWN_ENGINE {
            return Err(Refusal::FlowNotSupported {
                flow: format!("billing by {}", account.connector_name),
            }
            .into());
        }
        Ok(account.merchant_connector_id.clone())
    }

    async fn chargeable(
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
                    // The amount and the payer's country aren't known yet.
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
        let accounts = self.accounts.able(merchant_id, Some(profile_id)).await?;
        let charging = accounts.iter().filter(may_charge);
        let units = charging.map(|candidate| &candidate.capabilities.units);
        Ok(Chargeable::for_processors(units, currency))
    }
}
