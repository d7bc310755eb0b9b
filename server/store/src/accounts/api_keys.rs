//! Reads and writes of API keys. The database holds only their hashes.

use std::sync::Arc;

use async_trait::async_trait;
use multirail_app::accounts::ports::{ApiKeyChange, ApiKeyStore};
use multirail_app::platform::ports::StoreFailure;
use multirail_app::platform::ports::failure::duplicate;
use multirail_domain::accounts::api_key::ApiKey;
use multirail_kernel::audit::Named;
use multirail_kernel::ids::{ApiKeyId, MerchantId};
use multirail_platform::{Change, Invalidates, SealedFor, Writing};

use crate::engine::{Read, Row, Write, values};
use crate::platform::cached::Cached;
use crate::platform::lower::Stored;
use crate::platform::record;
use crate::platform::rows::{all, one, version};
use crate::platform::sql_store::SqlStore;

record::records! {
    ApiKey: "api_keys.record",
}

const TABLE: &str = "api_keys";

const API_KEY_BY_HASH: &str = "select k.version as version, k.record as record \
     from api_keys k join merchant_accounts m on m.merchant_id = k.merchant_id \
     where k.hash = $1 and m.deleted_at is null";

const API_KEY: &str = "select version, record from api_keys where merchant_id = $1 and key_id = $2";

const API_KEYS: &str = "select key_id as id, version, record from api_keys where merchant_id = $1 \
     order by created_at, key_id limit $2 offset $3";

const INSERT_API_KEY: &str = "insert into api_keys (merchant_id, key_id, hash, version, record, created_at) \
     values ($1, $2, $3, 1, $4, $5) on conflict do nothing";

const UPDATE_API_KEY: &str = "update api_keys set version = version + 1, record = $4 \
     where merchant_id = $1 and key_id = $2 and version = $3";

const DELETE_API_KEY: &str = "delete from api_keys where merchant_id = $1 and key_id = $2";

/// Cached API keys, by their hashes.
struct ByHash;

impl Cached for ByHash {
    type Key = String;
    type Value = ApiKey;
}

#[async_trait]
impl ApiKeyStore for SqlStore {
    async fn api_key_by_hash(&self, hash: &str) -> Result<Option<Arc<ApiKey>>, StoreFailure> {
        let read = Read::new(API_KEY_BY_HASH, values![hash]);
        let read = one(&self.engine, read, api_key);
        self.cache.get::<ByHash>(hash.to_owned(), read).await
    }

    async fn api_key(
        &self,
        merchant_id: &MerchantId,
        key_id: &ApiKeyId,
    ) -> Result<Option<ApiKey>, StoreFailure> {
        let read = Read::new(API_KEY, values![merchant_id.as_str(), key_id.as_str()]);
        one(&self.engine, read, api_key).await
    }

    async fn api_keys(
        &self,
        merchant_id: &MerchantId,
        limit: i64,
        skip: i64,
    ) -> Result<Vec<ApiKey>, StoreFailure> {
        let read = Read::new(API_KEYS, values![merchant_id.as_str(), limit, skip]);
        all(&self.engine, TABLE, read, api_key).await
    }
}

impl Change for Stored<ApiKeyChange> {
    fn write(&self, _: &Writing<'_>, writes: &mut Vec<Write>) -> Result<(), StoreFailure> {
        writes.push(match &self.0 {
            ApiKeyChange::Insert(key) => insert(key)?,
            ApiKeyChange::Update(key) => update(key)?,
            ApiKeyChange::Delete {
                merchant_id,
                key_id,
            } => Write::new(
                DELETE_API_KEY,
                values![merchant_id.as_str(), key_id.as_str()],
            ),
        });
        Ok(())
    }

    fn invalidates(&self) -> Invalidates {
        Invalidates::Settings
    }

    fn sealed_for(&self) -> SealedFor<'_> {
        SealedFor::Nobody
    }

    fn audited(&self) -> Option<Named> {
        let key_id = match &self.0 {
            ApiKeyChange::Insert(key) | ApiKeyChange::Update(key) => &key.key_id,
            ApiKeyChange::Delete { key_id, .. } => key_id,
        };
        Some(Named::new("api_key", key_id.as_str()))
    }
}

fn insert(key: &ApiKey) -> Result<Write, StoreFailure> {
    let parameters = values![
        key.merchant_id.as_str(),
        key.key_id.as_str(),
        key.hash.as_str(),
        record::write(key)?,
        key.created_at.as_micros()
    ];
    Ok(Write::new(INSERT_API_KEY, parameters).or_duplicate(duplicate::API_KEY))
}

fn update(key: &ApiKey) -> Result<Write, StoreFailure> {
    let parameters = values![
        key.merchant_id.as_str(),
        key.key_id.as_str(),
        key.version,
        record::write(key)?
    ];
    Ok(Write::new(UPDATE_API_KEY, parameters))
}

fn api_key(row: &Row) -> Result<ApiKey, StoreFailure> {
    let mut key: ApiKey = record::read(row, "record")?;
    key.version = version(row)?;
    Ok(key)
}
