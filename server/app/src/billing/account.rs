//! The account that bills a profile's subscriptions.

use std::sync::Arc;

use multirail_domain::billing::OWN_ENGINE;
use multirail_domain::billing::catalogue::CatalogueOf;
use multirail_domain::connector::ConnectorType;
use multirail_domain::connector_account::ConnectorAccount;
use multirail_domain::ids::{MerchantId, ProfileId};
use multirail_domain::refusal::{Object, Refusal};

use super::super::{App, AppError};

impl App {
    /// The billing account that a profile names.
    ///
    /// # Errors
    /// An unknown profile; [`Refusal::Precondition`] where it names none; [`Refusal::NotFound`] where the account is gone,
    /// disabled or not one for billing; [`Refusal::FlowNotSupported`] where it is of an outside engine.
    pub async fn billing_account(
        &self,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
    ) -> Result<Arc<ConnectorAccount>, AppError> {
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
        Ok(account)
    }

    /// The catalogue of a profile's billing account.
    pub(super) async fn catalogue_of(
        &self,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
    ) -> Result<CatalogueOf, AppError> {
        let account = self.billing_account(merchant_id, profile_id).await?;
        Ok(CatalogueOf {
            merchant_id: merchant_id.clone(),
            merchant_connector_id: account.merchant_connector_id.clone(),
        })
    }
}
