//! Catalogues of billing accounts, and estimates. (Facts 7.11) Every call names a profile, whose billing account
//! determines the catalogue.

mod account;
mod create;
mod estimate;
mod items;
mod read;
mod redeem;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use multirail_app::AppError;
use multirail_app::platform::base::Base;
use multirail_billing_domain::catalogue::CatalogueOf;
use multirail_kernel::ids::{MerchantId, ProfileId};

use crate::ports::{BillingAccounts, CatalogueStore};

pub use account::AccountsOfProfiles;
pub use create::{CreateItem, CreateProduct};
pub use estimate::{Estimate, EstimateSubscription};
pub use items::{ListItems, OfferedItem};
pub use read::{ListCatalogue, Listed};
pub use redeem::PricedItem;

/// The use cases of catalogues.
pub struct Catalogue {
    pub base: Arc<Base>,
    pub store: Arc<dyn CatalogueStore>,
    pub accounts: Arc<dyn BillingAccounts>,
}

impl Catalogue {
    /// Returns the catalogue of a profile's billing account.
    async fn of_profile(
        &self,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
    ) -> Result<CatalogueOf, AppError> {
        let account_id = self.accounts.account(merchant_id, profile_id).await?;
        Ok(CatalogueOf {
            merchant_id: merchant_id.clone(),
            merchant_connector_id: account_id,
        })
    }
}
