//! API keys: the operator issues, lists, changes and revokes them.

use std::sync::Arc;

use multirail_domain::accounts::api_key::{ApiKey, ApiKeyUpdate, NewApiKey};
use multirail_kernel::ids::{ApiKeyId, MerchantId};
use multirail_kernel::refusal::{Object, Refusal};
use multirail_kernel::secret::SecretText;

use super::merchant_accounts::Merchants;
use crate::accounts::ports::{ApiKeyChange, ApiKeyStore};
use crate::platform::base::Base;
use crate::platform::decisions::Decisions;
use crate::platform::idempotency::ForKey;
use crate::platform::paging::page_size;
use crate::platform::ports::CommitError;
use crate::{AppError, Origin};

/// The largest page of keys, also the default.
const PAGE: i64 = 100;

/// The use cases of API keys.
pub struct ApiKeys {
    pub base: Arc<Base>,
    pub store: Arc<dyn ApiKeyStore>,
    pub merchants: Arc<Merchants>,
}

impl ApiKeys {
    /// Issues a key. Returns its record and the key itself, which is stored nowhere.
    ///
    /// # Errors
    /// An unknown merchant account, texts that are too long.
    pub async fn create(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        input: NewApiKey,
    ) -> Result<(ApiKey, SecretText), AppError> {
        self.merchants.find(merchant_id).await?;
        let (mut key, plain) = ApiKey::create(
            input,
            merchant_id.clone(),
            self.base.environment,
            self.base.now(),
            self.base.random.as_ref(),
            |plain| self.base.seal.hash_api_key(plain),
        )?;
        let changes = vec![self.store.change(ApiKeyChange::Insert(key.clone()))];
        let change_set = self
            .base
            .change_set(origin, Some(merchant_id), ForKey::Nothing, changes);
        self.base
            .commit(change_set)
            .await
            .map_err(AppError::of_commit)?;
        key.version = 1;
        Ok((key, plain))
    }

    /// Lists the merchant's keys, oldest first, with expired ones. `limit` is 0 to 100.
    ///
    /// # Errors
    /// An unknown merchant account, a limit out of range.
    pub async fn list(
        &self,
        merchant_id: &MerchantId,
        limit: Option<i64>,
        skip: Option<i64>,
    ) -> Result<Vec<ApiKey>, AppError> {
        let limit = page_size(limit.or(Some(PAGE)), PAGE)?;
        let skip = skip.unwrap_or(0);
        if skip < 0 {
            return Err(Refusal::invalid_value("skip can't be negative").into());
        }
        self.merchants.find(merchant_id).await?;
        Ok(self.store.api_keys(merchant_id, limit, skip).await?)
    }

    /// Returns one key.
    ///
    /// # Errors
    /// An unknown merchant account or key.
    pub async fn find(
        &self,
        merchant_id: &MerchantId,
        key_id: &ApiKeyId,
    ) -> Result<ApiKey, AppError> {
        self.merchants.find(merchant_id).await?;
        self.store
            .api_key(merchant_id, key_id)
            .await?
            .ok_or_else(|| Refusal::not_found(Object::ApiKey).into())
    }

    /// Changes name, description or expiry.
    ///
    /// # Errors
    /// An unknown merchant account or key, texts that are too long.
    pub async fn update(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        key_id: &ApiKeyId,
        update: ApiKeyUpdate,
    ) -> Result<ApiKey, AppError> {
        let mut decisions = Decisions::begin(Object::ApiKey);
        loop {
            let key = self.find(merchant_id, key_id).await?;
            let updated = key.update(update.clone(), self.base.now())?;
            let change = ApiKeyChange::Update(updated.clone());
            let changes = vec![self.store.change(change)];
            let change_set =
                self.base
                    .change_set(origin, Some(merchant_id), ForKey::Nothing, changes);
            match self.base.commit(change_set).await {
                Ok(()) => return Ok(updated),
                Err(error) => {
                    decisions
                        .retry_on_conflict(self.base.random.as_ref(), error, AppError::of_commit)
                        .await?
                }
            }
        }
    }

    /// Revokes a key and deletes its record.
    ///
    /// # Errors
    /// An unknown merchant account or key.
    pub async fn revoke(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        key_id: &ApiKeyId,
    ) -> Result<(), AppError> {
        self.find(merchant_id, key_id).await?;
        let delete = ApiKeyChange::Delete {
            merchant_id: merchant_id.clone(),
            key_id: key_id.clone(),
        };
        let changes = vec![self.store.change(delete)];
        let change_set = self
            .base
            .change_set(origin, Some(merchant_id), ForKey::Nothing, changes);
        match self.base.commit(change_set).await {
            Ok(()) => Ok(()),
            // Another request deleted the key first.
            Err(CommitError::Conflict) => Err(Refusal::not_found(Object::ApiKey).into()),
            Err(error) => Err(AppError::of_commit(error)),
        }
    }
}
