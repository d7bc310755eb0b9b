//! Stored connector accounts.

use std::sync::Arc;

use async_trait::async_trait;
use multirail_domain::accounts::connector_account::{ConnectorAccount, SecretNotes};
use multirail_kernel::ids::{ConnectorAccountId, MerchantId, ProfileId};
use multirail_kernel::refusal::Refusal;
use multirail_platform::Changes;

use crate::platform::ports::failure::StoreFailure;

/// A change of a connector account.
#[derive(Debug)]
pub enum ConnectorAccountChange {
    Insert(ConnectorAccount),
    Update(ConnectorAccount),
    Delete {
        merchant_id: MerchantId,
        merchant_connector_id: ConnectorAccountId,
    },
}

#[async_trait]
pub trait ConnectorAccountStore: Changes<ConnectorAccountChange> {
    async fn connector_account(
        &self,
        merchant_id: &MerchantId,
        merchant_connector_id: &ConnectorAccountId,
    ) -> Result<Option<Arc<ConnectorAccount>>, StoreFailure>;

    /// Returns the account, even a deleted one: the server finishes its operations with its credentials.
    async fn connector_account_ever(
        &self,
        merchant_id: &MerchantId,
        merchant_connector_id: &ConnectorAccountId,
    ) -> Result<Option<Arc<ConnectorAccount>>, StoreFailure>;

    /// Lists all accounts of the merchant, or of one profile; oldest first, with disabled ones.
    async fn connector_accounts(
        &self,
        merchant_id: &MerchantId,
        profile_id: Option<&ProfileId>,
    ) -> Result<Vec<Arc<ConnectorAccount>>, StoreFailure>;

    /// Returns at most `limit` accounts of all merchants behind `after`, in the order of merchant and id, without
    /// deleted ones.
    async fn every_connector_account(
        &self,
        after: Option<(MerchantId, ConnectorAccountId)>,
        limit: i64,
    ) -> Result<Vec<Arc<ConnectorAccount>>, StoreFailure>;
}

/// Reads an account's wallet settings. Payments implement it.
pub trait WalletSecrets: Send + Sync {
    /// Checks that the settings belong to wallets and can be read.
    ///
    /// # Errors
    /// A wallet without settings, or with settings that can't be read.
    fn check_form(&self, given: &SecretNotes) -> Result<(), Refusal>;

    /// Checks that wallet keys and certificates can be read before they are stored.
    ///
    /// # Errors
    /// The first member that can't be read.
    fn check(&self, given: &SecretNotes) -> Result<(), Refusal>;
}
