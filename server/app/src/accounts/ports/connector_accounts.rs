//! Connector accounts at rest.

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

    /// The account, also after it was deleted: what was begun at the processor is finished with its credentials.
    async fn connector_account_ever(
        &self,
        merchant_id: &MerchantId,
        merchant_connector_id: &ConnectorAccountId,
    ) -> Result<Option<Arc<ConnectorAccount>>, StoreFailure>;

    /// All accounts of the merchant, or of one profile; oldest first, disabled ones included.
    async fn connector_accounts(
        &self,
        merchant_id: &MerchantId,
        profile_id: Option<&ProfileId>,
    ) -> Result<Vec<Arc<ConnectorAccount>>, StoreFailure>;

    /// At most `limit` accounts of all merchants, in the order of merchant and id, those behind `after`. Deleted ones are left
    /// out.
    async fn every_connector_account(
        &self,
        after: Option<(MerchantId, ConnectorAccountId)>,
        limit: i64,
    ) -> Result<Vec<Arc<ConnectorAccount>>, StoreFailure>;
}

/// Reads an account's settings of wallets. Payments fill it in.
pub trait WalletSecrets: Send + Sync {
    /// Checks that the settings are those of wallets and can be read.
    ///
    /// # Errors
    /// A wallet that has no settings there, or whose settings can't be read.
    fn check_form(&self, given: &SecretNotes) -> Result<(), Refusal>;

    /// Checks that keys and certificates of wallets can be read, before an account has them.
    ///
    /// # Errors
    /// The first member that can't be read.
    fn check(&self, given: &SecretNotes) -> Result<(), Refusal>;
}
