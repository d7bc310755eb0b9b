//! A merchant's accounts at processors, with what their connectors can do.

use std::sync::Arc;

use multirail_domain::accounts::connector_account::{Candidate, ConnectorAccount};
use multirail_kernel::ids::{ConnectorAccountId, MerchantId, ProfileId};
use multirail_sdk::connector::ConnectorDirectory;

use crate::AppError;
use crate::accounts::ports::ConnectorAccountStore;

/// Looks accounts up for whoever is to ask something of their processors.
pub struct ProcessorAccounts {
    pub store: Arc<dyn ConnectorAccountStore>,
    pub connectors: Arc<dyn ConnectorDirectory>,
}

impl ProcessorAccounts {
    /// Returns the accounts of a profile, or of all profiles, with what their connectors can do. It leaves out those of
    /// connectors that aren't here.
    ///
    /// # Errors
    /// A store that fails.
    pub async fn able(
        &self,
        merchant_id: &MerchantId,
        profile_id: Option<&ProfileId>,
    ) -> Result<Vec<Candidate>, AppError> {
        let accounts = self.store.connector_accounts(merchant_id, profile_id);
        let able = accounts.await?.into_iter().filter_map(|account| {
            let connector = self.connectors.find(&account.connector_name)?;
            Some(Candidate {
                capabilities: connector.description().capabilities.clone(),
                account,
            })
        });
        Ok(able.collect())
    }

    /// Returns the account, whatever became of it since something was begun with it.
    ///
    /// # Errors
    /// A store that fails; an account that was never here.
    pub(crate) async fn ever(
        &self,
        merchant_id: &MerchantId,
        account_id: &ConnectorAccountId,
    ) -> Result<Arc<ConnectorAccount>, AppError> {
        let account = self.store.connector_account_ever(merchant_id, account_id);
        account.await?.ok_or_else(|| {
            AppError::Broken("the operation's connector account was never here".to_owned())
        })
    }
}
