//! Reads and writes of connector accounts. Only use cases that finish earlier work read deleted ones.

use std::sync::Arc;

use async_trait::async_trait;
use multirail_app::accounts::ports::{ConnectorAccountChange, ConnectorAccountStore};
use multirail_app::platform::ports::StoreFailure;
use multirail_app::platform::ports::failure::duplicate;
use multirail_domain::accounts::connector_account::{ConnectorAccount, ConnectorSecrets};
use multirail_kernel::audit::Named;
use multirail_kernel::ids::{ConnectorAccountId, MerchantId, ProfileId};
use multirail_platform::{Change, Invalidates, SealedFor, Sealing, Writing};

use crate::accounts::{SECRETS, place, unseal};
use crate::engine::{Read, Row, Write, values};
use crate::platform::cached::Cached;
use crate::platform::lower::Stored;
use crate::platform::record;
use crate::platform::record::failure;
use crate::platform::rows::{all_sealed, one_sealed, version};
use crate::platform::sql_store::SqlStore;
use crate::platform::subject_keys::OpenKeys;

crate::platform::record::records! {
    ConnectorAccount: "connector_accounts.record",
}

const TABLE: &str = "connector_accounts";

const CONNECTOR_ACCOUNT: &str = "select version, record, secrets, deleted_at from connector_accounts \
     where merchant_id = $1 and merchant_connector_id = $2";

const CONNECTOR_ACCOUNTS_OF_MERCHANT: &str = "select merchant_connector_id as id, version, record, secrets \
     from connector_accounts where merchant_id = $1 and deleted_at is null order by created_at, merchant_connector_id";

const CONNECTOR_ACCOUNTS_OF_PROFILE: &str = "select merchant_connector_id as id, version, record, secrets \
     from connector_accounts where merchant_id = $1 and profile_id = $2 and deleted_at is null order by created_at, merchant_connector_id";

const EVERY_CONNECTOR_ACCOUNT: &str = "select merchant_connector_id as id, version, record, secrets \
     from connector_accounts where (merchant_id, merchant_connector_id) > ($1, $2) and deleted_at is null \
     order by merchant_id, merchant_connector_id limit $3";

const INSERT_CONNECTOR_ACCOUNT: &str = "insert into connector_accounts (merchant_id, merchant_connector_id, \
     profile_id, connector_name, connector_label, version, record, secrets, created_at, modified_at) \
     values ($1, $2, $3, $4, $5, 1, $6, $7, $8, $9) on conflict do nothing";

const UPDATE_CONNECTOR_ACCOUNT: &str = "update connector_accounts set version = version + 1, connector_label = $4, \
     record = $5, secrets = $6, modified_at = $7 \
     where merchant_id = $1 and merchant_connector_id = $2 and version = $3 and deleted_at is null";

const DELETE_CONNECTOR_ACCOUNT: &str = "update connector_accounts set version = version + 1, deleted_at = $3, \
     modified_at = $3 where merchant_id = $1 and merchant_connector_id = $2 and deleted_at is null";

/// A connector account, or the remaining row of a deleted one.
struct EverConnected {
    account: Arc<ConnectorAccount>,
    is_deleted: bool,
}

/// Cached connector accounts, each by its id.
struct Single;

impl Cached for Single {
    type Key = (MerchantId, ConnectorAccountId);
    type Value = EverConnected;
}

/// Cached lists of connector accounts, one for each profile and merchant account.
struct OfProfile;

impl Cached for OfProfile {
    type Key = (MerchantId, Option<ProfileId>);
    type Value = Vec<Arc<ConnectorAccount>>;
}

impl SqlStore {
    async fn ever_connected(
        &self,
        merchant_id: &MerchantId,
        merchant_connector_id: &ConnectorAccountId,
    ) -> Result<Option<Arc<EverConnected>>, StoreFailure> {
        let parameters = values![merchant_id.as_str(), merchant_connector_id.as_str()];
        let read = one_sealed(
            &self.engine,
            (&self.keys, SECRETS),
            Read::new(CONNECTOR_ACCOUNT, parameters),
            |row, keys| {
                Ok(EverConnected {
                    account: Arc::new(account(row, keys)?),
                    is_deleted: row.opt_int("deleted_at").map_err(failure)?.is_some(),
                })
            },
        );
        let key = (merchant_id.clone(), merchant_connector_id.clone());
        self.cache.get::<Single>(key, read).await
    }
}

#[async_trait]
impl ConnectorAccountStore for SqlStore {
    async fn connector_account(
        &self,
        merchant_id: &MerchantId,
        merchant_connector_id: &ConnectorAccountId,
    ) -> Result<Option<Arc<ConnectorAccount>>, StoreFailure> {
        let found = self
            .ever_connected(merchant_id, merchant_connector_id)
            .await?;
        Ok(found
            .filter(|found| !found.is_deleted)
            .map(|found| Arc::clone(&found.account)))
    }

    async fn connector_account_ever(
        &self,
        merchant_id: &MerchantId,
        merchant_connector_id: &ConnectorAccountId,
    ) -> Result<Option<Arc<ConnectorAccount>>, StoreFailure> {
        let found = self
            .ever_connected(merchant_id, merchant_connector_id)
            .await?;
        Ok(found.map(|found| Arc::clone(&found.account)))
    }

    async fn connector_accounts(
        &self,
        merchant_id: &MerchantId,
        profile_id: Option<&ProfileId>,
    ) -> Result<Vec<Arc<ConnectorAccount>>, StoreFailure> {
        let of_merchant = merchant_id.as_str();
        let read = match profile_id {
            Some(profile_id) => Read::new(
                CONNECTOR_ACCOUNTS_OF_PROFILE,
                values![of_merchant, profile_id.as_str()],
            ),
            None => Read::new(CONNECTOR_ACCOUNTS_OF_MERCHANT, values![of_merchant]),
        };
        let read = async {
            let found = all_sealed(
                &self.engine,
                (&self.keys, SECRETS),
                TABLE,
                read,
                |row, keys| account(row, keys).map(Arc::new),
            );
            found.await.map(Some)
        };
        let key = (merchant_id.clone(), profile_id.cloned());
        let found = self.cache.get::<OfProfile>(key, read).await?;
        Ok(found.map(|found| found.to_vec()).unwrap_or_default())
    }

    async fn every_connector_account(
        &self,
        after: Option<(MerchantId, ConnectorAccountId)>,
        limit: i64,
    ) -> Result<Vec<Arc<ConnectorAccount>>, StoreFailure> {
        let (merchant_id, id) = match &after {
            Some((merchant_id, id)) => (merchant_id.as_str(), id.as_str()),
            None => ("", ""),
        };
        let read = Read::new(EVERY_CONNECTOR_ACCOUNT, values![merchant_id, id, limit]);
        all_sealed(
            &self.engine,
            (&self.keys, SECRETS),
            TABLE,
            read,
            |row, keys| account(row, keys).map(Arc::new),
        )
        .await
    }
}

impl Change for Stored<ConnectorAccountChange> {
    fn write(&self, with: &Writing<'_>, writes: &mut Vec<Write>) -> Result<(), StoreFailure> {
        writes.push(match &self.0 {
            ConnectorAccountChange::Insert(account) => insert(account, with.sealing)?,
            ConnectorAccountChange::Update(account) => update(account, with.sealing)?,
            ConnectorAccountChange::Delete {
                merchant_id,
                merchant_connector_id,
            } => Write::new(
                DELETE_CONNECTOR_ACCOUNT,
                values![
                    merchant_id.as_str(),
                    merchant_connector_id.as_str(),
                    with.at.as_micros()
                ],
            ),
        });
        Ok(())
    }

    fn invalidates(&self) -> Invalidates {
        Invalidates::Settings
    }

    fn sealed_for(&self) -> SealedFor<'_> {
        match &self.0 {
            ConnectorAccountChange::Insert(account) | ConnectorAccountChange::Update(account) => {
                SealedFor::Merchant(&account.merchant_id)
            }
            ConnectorAccountChange::Delete { .. } => SealedFor::Nobody,
        }
    }

    fn audited(&self) -> Option<Named> {
        let id = match &self.0 {
            ConnectorAccountChange::Insert(account) | ConnectorAccountChange::Update(account) => {
                &account.merchant_connector_id
            }
            ConnectorAccountChange::Delete {
                merchant_connector_id,
                ..
            } => merchant_connector_id,
        };
        Some(Named::new("connector_account", id.as_str()))
    }
}

fn insert(account: &ConnectorAccount, keys: &dyn Sealing) -> Result<Write, StoreFailure> {
    let parameters = values![
        account.merchant_id.as_str(),
        account.merchant_connector_id.as_str(),
        account.profile_id.as_str(),
        account.connector_name.as_str(),
        account.connector_label.as_str(),
        record::write(account)?,
        secrets(account, keys),
        account.created_at.as_micros(),
        account.modified_at.as_micros()
    ];
    Ok(Write::new(INSERT_CONNECTOR_ACCOUNT, parameters).or_duplicate(duplicate::CONNECTOR_LABEL))
}

fn update(account: &ConnectorAccount, keys: &dyn Sealing) -> Result<Write, StoreFailure> {
    let parameters = values![
        account.merchant_id.as_str(),
        account.merchant_connector_id.as_str(),
        account.version,
        account.connector_label.as_str(),
        record::write(account)?,
        secrets(account, keys),
        account.modified_at.as_micros()
    ];
    Ok(Write::new(UPDATE_CONNECTOR_ACCOUNT, parameters))
}

fn secrets(account: &ConnectorAccount, keys: &dyn Sealing) -> Vec<u8> {
    let secrets = account.secrets.to_sealable();
    keys.seal(&account.merchant_id, &place_of(account), &secrets)
}

fn account(row: &Row, keys: &OpenKeys<'_>) -> Result<ConnectorAccount, StoreFailure> {
    let mut account: ConnectorAccount = record::read(row, "record")?;
    account.version = version(row)?;
    account.secrets = unseal(
        row,
        keys,
        &place_of(&account),
        ConnectorSecrets::from_sealable,
    )?;
    Ok(account)
}

fn place_of(account: &ConnectorAccount) -> String {
    let id = &account.merchant_connector_id;
    place(TABLE, &account.merchant_id, id)
}
