//! Checks of credentials at their processor.

use std::sync::Arc;
use std::time::Instant;

use multirail_domain::accounts::connector_account::{ConnectorAccount, UnstoredCredentials};
use multirail_kernel::ids::{ConnectorAccountId, MerchantId, ProfileId};
use multirail_kernel::refusal::Refusal;
use multirail_sdk::connector::{Access, AccountCheck, Description, UnknownReason};

use super::connector_accounts::ConnectorAccounts;
use crate::AppError;
use crate::platform::ports::metric;

/// Credentials that fit their connector.
pub struct Checkable {
    connector: &'static Description,
    access: Access,
}

impl ConnectorAccounts {
    /// Checks that the processor can be asked about credentials that are in no account.
    ///
    /// # Errors
    /// A connector that this server doesn't have or never calls, credentials and settings that don't fit it, and a base URL
    /// that the operator doesn't allow.
    pub fn checkable(&self, request: UnstoredCredentials) -> Result<Checkable, Refusal> {
        let connector = self.available_connector(&request.connector_name)?;
        check_is_called(connector)?;
        let access = request.access(connector)?;
        connector.check_base_url(&access, &self.targets)?;
        Ok(Checkable { connector, access })
    }

    /// Asks the processor whether it accepts these credentials. Nothing is stored.
    ///
    /// # Errors
    /// A connector that this server doesn't have.
    pub async fn check_credentials(&self, asked: Checkable) -> Result<AccountCheck, AppError> {
        let Checkable { connector, access } = asked;
        self.ask_whether_accepted(connector.name, access).await
    }

    /// Asks the processor whether it accepts the credentials of an account.
    ///
    /// # Errors
    /// As for [`ConnectorAccounts::find`], and a connector that this server doesn't have.
    pub async fn check(
        &self,
        merchant_id: &MerchantId,
        merchant_connector_id: &ConnectorAccountId,
        scope: Option<&ProfileId>,
    ) -> Result<(Arc<ConnectorAccount>, AccountCheck), AppError> {
        let account = self.find(merchant_id, merchant_connector_id, scope).await?;
        let available = self.available_connector(&account.connector_name)?;
        check_is_called(available)?;
        let checked = self
            .ask_whether_accepted(&account.connector_name, account.access())
            .await?;
        Ok((account, checked))
    }

    /// Asks whether a processor accepts an account's credentials.
    async fn ask_whether_accepted(
        &self,
        name: &str,
        access: Access,
    ) -> Result<AccountCheck, AppError> {
        let patience = self.base.leases.processor_deadline;
        let started = Instant::now();
        let connector = self.connectors.find(name);
        let connector = connector
            .ok_or_else(|| AppError::Broken(format!("connector {name} is not registered here")))?;
        let checked = tokio::time::timeout(patience, connector.check(access)).await;
        let checked = checked.unwrap_or(AccountCheck::NotKnown(UnknownReason::Timeout));
        let (outcome, reason) = match &checked {
            AccountCheck::Accepted => ("done", None),
            AccountCheck::Refused { .. } => ("declined", None),
            AccountCheck::NotKnown(reason) => ("unknown", Some(reason.as_str())),
        };
        metric::processor_call(name, "check", outcome, reason, started.elapsed());
        Ok(checked)
    }

    /// Fails unless the processor accepts the credentials of an account that is being created.
    pub(super) async fn require_accepted(
        &self,
        account: &ConnectorAccount,
    ) -> Result<(), AppError> {
        let name = &account.connector_name;
        let checked = self.ask_whether_accepted(name, account.access());
        match checked.await? {
            AccountCheck::Accepted => Ok(()),
            AccountCheck::Refused { message } => Err(Refusal::invalid_value(format!(
                "connector_account_details is refused by {name}: {message}"
            ))
            .into()),
            AccountCheck::NotKnown(reason) => Err(Refusal::precondition(format!(
                "the account was not made: {name} was asked whether it takes the credentials and gave no answer \
                 ({reason}); try again, or leave check_credentials out"
            ))
            .into()),
        }
    }
}

/// Refuses to check the credentials of a connector that is never called.
pub(super) fn check_is_called(connector: &Description) -> Result<(), Refusal> {
    if connector.is_never_called() {
        let flow = format!("a check of credentials by {}", connector.name);
        return Err(Refusal::FlowNotSupported { flow });
    }
    Ok(())
}
