//! The addresses to which simulated processors send notices. The server registers them at every start, since its port
//! may have changed.

use std::sync::Arc;

use multirail_domain::accounts::connector_account::{
    ConnectorAccount, ConnectorAccountUpdate, WebhookSecrets,
};

use crate::Origin;
use crate::accounts::connector_accounts::ConnectorAccounts;
use crate::accounts::ports::NoticeRegistrar;
use crate::platform::ports::StoreFailure;

/// The number of accounts that are read at once.
const PAGE: i64 = 200;

impl ConnectorAccounts {
    /// Returns the registrar for this account, if its processor accepts an address from us and the account can be
    /// called.
    pub(crate) fn registrar_of(&self, account: &ConnectorAccount) -> Option<&dyn NoticeRegistrar> {
        let registrar = self.registrar.as_deref()?;
        let serves = registrar.serves(&account.connector_name);
        (serves && account.secrets.credentials.are_real()).then_some(registrar)
    }

    /// Makes a webhook secret where the processor is to send notices and the merchant chose none.
    pub(crate) fn complete_webhook_secret(&self, account: &mut ConnectorAccount) {
        if self.registrar_of(account).is_some() && account.secrets.webhook.is_none() {
            account.secrets.webhook = Some(WebhookSecrets::generate(self.base.random.as_ref()));
        }
    }

    /// Registers the address for the account's notices with the processor. An account without notices still works: the
    /// worker asks about pending operations.
    pub(crate) async fn register_notices(&self, account: &ConnectorAccount) {
        let Some(registrar) = self.registrar_of(account) else {
            return;
        };
        if let Err(why) = registrar.register(account).await {
            tracing::warn!(
                why,
                merchant_connector_id = %account.merchant_connector_id,
                "the processor sends no notices for this account: pending operations end with a sync"
            );
        }
    }

    /// Registers the accounts of every merchant. Accounts of earlier versions without a webhook secret get one.
    ///
    /// # Errors
    /// When the accounts can't be read.
    pub async fn register_all_notices(&self, origin: &Origin) -> Result<(), StoreFailure> {
        if self.registrar.is_none() {
            return Ok(());
        }
        let mut after = None;
        loop {
            let page = self.store.every_connector_account(after, PAGE).await?;
            let Some(last) = page.last() else {
                return Ok(());
            };
            after = Some((last.merchant_id.clone(), last.merchant_connector_id.clone()));
            for account in page {
                if self.registrar_of(&account).is_some() {
                    self.register_again(origin, account).await?;
                }
            }
        }
    }

    async fn register_again(
        &self,
        origin: &Origin,
        mut account: Arc<ConnectorAccount>,
    ) -> Result<(), StoreFailure> {
        let (merchant_id, id) = (
            &account.merchant_id.clone(),
            &account.merchant_connector_id.clone(),
        );
        if account.secrets.webhook.is_none() {
            let update = ConnectorAccountUpdate {
                webhook: Some(WebhookSecrets::generate(self.base.random.as_ref())),
                ..ConnectorAccountUpdate::default()
            };
            let updated = self.update(origin, merchant_id, id, None, update);
            if let Err(error) = updated.await {
                tracing::warn!(%error, merchant_connector_id = %id, "the account gets no secret for notices");
            }
            return Ok(());
        }
        loop {
            self.register_notices(&account).await;
            // An update that came meanwhile has registered the account with other secrets, which count.
            match self.store.connector_account(merchant_id, id).await? {
                Some(now) if now.secrets != account.secrets => account = now,
                Some(_) | None => return Ok(()),
            }
        }
    }
}
