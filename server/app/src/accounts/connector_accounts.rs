//! Connector accounts: a merchant's accounts at processors. (Specification 2.7, 4.14)
//!
//! `scope` is the one profile that a call is narrowed to. Such a call doesn't see accounts of other profiles.

use std::sync::Arc;

use multirail_domain::accounts::connector_account::{
    ConnectorAccount, ConnectorAccountUpdate, NewConnectorAccount, pm_auth_entries,
};
use multirail_domain::accounts::profile::{Profile, choose_profile};
use multirail_kernel::ids::{ConnectorAccountId, MerchantId, ProfileId};
use multirail_kernel::refusal::{Object, Refusal};
use multirail_kernel::target::TargetRules;
use multirail_sdk::connector::ConnectorDirectory;
use multirail_sdk::connector::{ConnectorType, Description};

use super::credential_check::check_is_called;
use super::merchant_accounts::Merchants;
use super::profiles::is_in;
use crate::accounts::ports::connector_accounts::WalletSecrets;
use crate::accounts::ports::{
    ConnectorAccountChange, ConnectorAccountStore, NoticeRegistrar, ProfileStore,
};
use crate::platform::base::Base;
use crate::platform::decisions::Decisions;
use crate::platform::idempotency::{ForKey, Made};
use crate::platform::ports::CommitError;
use crate::platform::ports::failure::duplicate;
use crate::{AppError, Origin};

/// The request, translated.
#[derive(Debug)]
pub struct CreateConnectorAccount {
    /// The id that the caller chose; the server makes one where it is absent.
    pub merchant_connector_id: Option<String>,
    pub profile_id: Option<ProfileId>,
    /// True to ask the processor first if it accepts the credentials.
    pub checks_credentials: bool,
    /// The account to store. The `merchant_connector_id` above overrules the one in here.
    pub account: NewConnectorAccount,
}

/// The use cases of connector accounts.
pub struct ConnectorAccounts {
    pub base: Arc<Base>,
    pub store: Arc<dyn ConnectorAccountStore>,
    pub merchants: Arc<Merchants>,
    pub profiles: Arc<dyn ProfileStore>,
    pub connectors: Arc<dyn ConnectorDirectory>,
    pub wallet_secrets: Arc<dyn WalletSecrets>,
    /// Registers the addresses for notices. Absent where merchants register them at every processor themselves.
    pub registrar: Option<Arc<dyn NoticeRegistrar>>,
    /// The addresses that an account's own base URL may have.
    pub targets: TargetRules,
    pub is_sandbox: bool,
}

impl ConnectorAccounts {
    /// Links a profile to an account at a processor.
    ///
    /// # Errors
    /// An unknown merchant account or profile, a connector that isn't built, an id or label that is taken, invalid
    /// members. Credentials that don't fit the connector, or, where they are checked, that the processor rejects.
    pub async fn create(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        scope: Option<&ProfileId>,
        request: CreateConnectorAccount,
    ) -> Result<ConnectorAccount, AppError> {
        let chosen = request.merchant_connector_id.as_deref();
        let mut input = request.account;
        let settings = &input.settings;
        self.wallet_secrets.check_form(&settings.secret_notes)?;
        input.merchant_connector_id = chosen
            .map(|id| ConnectorAccountId::parse_chosen(id, &[]))
            .transpose()
            .map_err(|invalid| invalid.refusal("merchant_connector_id"))?;
        let connector = self.available_connector(&input.connector_name)?;
        let profile = self
            .profile_of_new(merchant_id, scope, request.profile_id.as_ref(), &input)
            .await?;
        let mut account = ConnectorAccount::create(
            input,
            connector,
            &profile,
            self.is_sandbox,
            self.base.now(),
            self.base.random.as_ref(),
        )?;
        self.complete_webhook_secret(&mut account);
        connector.check_base_url(&account.access(), &self.targets)?;
        self.wallet_secrets.check(&account.secrets.notes)?;
        self.check_references(&account).await?;
        if request.checks_credentials {
            check_is_called(connector)?;
            self.require_accepted(&account).await?;
        }
        let changes = vec![
            self.store
                .change(ConnectorAccountChange::Insert(account.clone())),
        ];
        let for_key = ForKey::Whole {
            object_id: account.merchant_connector_id.as_str(),
            made: Made::object(&account, None),
        };
        let change_set = self
            .base
            .change_set(origin, Some(merchant_id), for_key, changes);
        match self.base.commit(change_set).await {
            Ok(()) => {
                self.register_notices(&account).await;
                account.version = 1;
                Ok(account)
            }
            Err(error) => Err(self.taken(&account, error).await),
        }
    }

    /// Returns the connectors for which this server can open accounts.
    pub fn connectors(&self) -> Vec<&'static Description> {
        self.connectors.descriptions()
    }

    /// Lists all accounts, or those of one profile: oldest first, with disabled ones.
    ///
    /// # Errors
    /// An unknown merchant account.
    pub async fn list(
        &self,
        merchant_id: &MerchantId,
        scope: Option<&ProfileId>,
    ) -> Result<Vec<Arc<ConnectorAccount>>, AppError> {
        self.merchants.find(merchant_id).await?;
        Ok(self.store.connector_accounts(merchant_id, scope).await?)
    }

    /// Returns one account.
    ///
    /// # Errors
    /// An unknown merchant account or connector account.
    pub async fn find(
        &self,
        merchant_id: &MerchantId,
        merchant_connector_id: &ConnectorAccountId,
        scope: Option<&ProfileId>,
    ) -> Result<Arc<ConnectorAccount>, AppError> {
        self.merchants.find(merchant_id).await?;
        self.store
            .connector_account(merchant_id, merchant_connector_id)
            .await?
            .filter(|account| is_in(scope, &account.profile_id))
            .ok_or_else(|| Refusal::not_found(Object::ConnectorAccount).into())
    }

    /// Changes the members that are given.
    ///
    /// # Errors
    /// As for [`ConnectorAccounts::create`], and an unknown account.
    pub async fn update(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        merchant_connector_id: &ConnectorAccountId,
        scope: Option<&ProfileId>,
        update: ConnectorAccountUpdate,
    ) -> Result<ConnectorAccount, AppError> {
        self.wallet_secrets.check_form(&update.secret_notes)?;
        let mut decisions = Decisions::begin(Object::ConnectorAccount);
        loop {
            let account = self.find(merchant_id, merchant_connector_id, scope).await?;
            let connector = self.described(&account.connector_name)?;
            let mut updated = account.update(update.clone(), connector, self.base.now())?;
            self.complete_webhook_secret(&mut updated);
            self.wallet_secrets.check(&update.secret_notes)?;
            let access = updated.access();
            // Base URLs are checked only when they change: stored ones stay, and calls to forbidden ones fail.
            if access.metadata != account.access().metadata {
                connector.check_base_url(&access, &self.targets)?;
            }
            if update.pm_auth_config.is_some() {
                self.check_references(&updated).await?;
            }
            let changes = vec![
                self.store
                    .change(ConnectorAccountChange::Update(updated.clone())),
            ];
            let for_key = ForKey::Whole {
                object_id: merchant_connector_id.as_str(),
                made: Made::object(&updated, None),
            };
            let change_set = self
                .base
                .change_set(origin, Some(merchant_id), for_key, changes);
            match self.base.commit(change_set).await {
                Ok(()) => {
                    if updated.secrets != account.secrets {
                        self.register_notices(&updated).await;
                    }
                    return Ok(updated);
                }
                Err(error) => {
                    decisions
                        .retry_on_conflict(self.base.random.as_ref(), error, |error| {
                            label_taken(&updated, error)
                        })
                        .await?
                }
            }
        }
    }

    /// Deletes an account, so that no new operation uses it. Its sealed credentials stay: the server still looks up,
    /// captures and voids the operations that began with it.
    ///
    /// # Errors
    /// An unknown merchant account or connector account.
    pub async fn delete(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        merchant_connector_id: &ConnectorAccountId,
    ) -> Result<(), AppError> {
        self.find(merchant_id, merchant_connector_id, None).await?;
        let changes = vec![self.store.change(ConnectorAccountChange::Delete {
            merchant_id: merchant_id.clone(),
            merchant_connector_id: merchant_connector_id.clone(),
        })];
        let change_set = self
            .base
            .change_set(origin, Some(merchant_id), ForKey::Nothing, changes);
        match self.base.commit(change_set).await {
            Ok(()) => Ok(()),
            // Another request deleted the account first.
            Err(CommitError::Conflict) => Err(Refusal::not_found(Object::ConnectorAccount).into()),
            Err(error) => Err(AppError::of_commit(error)),
        }
    }

    /// Returns a connector for which this server can open accounts.
    pub(super) fn available_connector(&self, name: &str) -> Result<&'static Description, Refusal> {
        let connector = self.described(name)?;
        connector.check_available(self.is_sandbox)?;
        let is_here = self.connectors.find(name).is_some();
        if connector.is_never_called() || is_here {
            return Ok(connector);
        }
        Err(Refusal::invalid_value(format!(
            "connector_name {name} can't be used: this server does not have the connector"
        )))
    }

    /// Returns the description of a connector that is built.
    fn described(&self, name: &str) -> Result<&'static Description, Refusal> {
        let connector = self.connectors.describe(name);
        connector.ok_or_else(|| Description::not_built(name))
    }

    async fn profile_of_new(
        &self,
        merchant_id: &MerchantId,
        scope: Option<&ProfileId>,
        named: Option<&ProfileId>,
        input: &NewConnectorAccount,
    ) -> Result<Profile, AppError> {
        let merchant = self.merchants.find(merchant_id).await?;
        let mut profiles = self.profiles.profiles(merchant_id).await?;
        profiles.retain(|profile| is_in(scope, &profile.profile_id));
        let business = input.business_country.zip(input.business_label.as_deref());
        let chosen = choose_profile(named.or(scope), &merchant, business, &profiles)?;
        Ok(chosen.clone())
    }

    /// Checks that the accounts that authenticate bank accounts for this one belong to the same profile.
    async fn check_references(&self, account: &ConnectorAccount) -> Result<(), AppError> {
        let Some(config) = &account.pm_auth_config else {
            return Ok(());
        };
        for entry in pm_auth_entries(config)? {
            let not_found = || Refusal::not_found(Object::ConnectorAccount);
            let named = ConnectorAccountId::parse(&entry.mca_id).map_err(|_| not_found())?;
            let found = self
                .store
                .connector_account(&account.merchant_id, &named)
                .await?;
            found
                .filter(|other| {
                    other.profile_id == account.profile_id
                        && other.connector_type == ConnectorType::PaymentMethodAuth
                        && other.connector_name == entry.connector_name
                })
                .ok_or_else(not_found)?;
        }
        Ok(())
    }

    /// Returns the refusal for a label or id that is taken. The store can't tell which of the two it is.
    async fn taken(&self, account: &ConnectorAccount, error: CommitError) -> AppError {
        match error {
            CommitError::Duplicate(duplicate::CONNECTOR_LABEL) => {
                let id = &account.merchant_connector_id;
                let found = self
                    .store
                    .connector_account_ever(&account.merchant_id, id)
                    .await;
                match found {
                    Ok(Some(_)) => Refusal::Duplicate {
                        message: format!("there is a connector account {id} already, or was one"),
                    }
                    .into(),
                    Ok(None) => label_taken(account, error),
                    Err(failure) => failure.into(),
                }
            }
            CommitError::Duplicate(_)
            | CommitError::Gone(_)
            | CommitError::Conflict
            | CommitError::Failed(_) => AppError::of_commit(error),
        }
    }
}

fn label_taken(account: &ConnectorAccount, error: CommitError) -> AppError {
    match error {
        CommitError::Duplicate(duplicate::CONNECTOR_LABEL) => account.label_taken().into(),
        CommitError::Duplicate(_)
        | CommitError::Gone(_)
        | CommitError::Conflict
        | CommitError::Failed(_) => AppError::of_commit(error),
    }
}
