//! A merchant's accounts at processors, with the capabilities of their connectors.

use std::sync::Arc;

use multirail_domain::accounts::connector_account::{Candidate, ConnectorAccount};
use multirail_kernel::ids::{ConnectorAccountId, MerchantId, ProfileId};
use multirail_sdk::connector::ConnectorDirectory;

use crate::AppError;
use crate::accounts::ports::ConnectorAccountStore;

/// Looks up accounts for callers that ask their processors.
pub struct ProcessorAccounts {
    pub store: Arc<dyn ConnectorAccountStore>,
    pub connectors: Arc<dyn ConnectorDirectory>,
}

impl ProcessorAccounts {
    /// Returns the accounts of a profile, or of all profiles, with their connectors' capabilities. Leaves out accounts
    /// of connectors that this server lacks.
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

    /// Returns the account, even where it was disabled or deleted since an operation began with it.
    ///
    /// # Errors
    /// A store that fails; an account that never existed.
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
