//! Reads and writes of merchant accounts. Reads don't return deleted accounts. Objects of a deleted account can still be
//! read, because payments under way have to be finished. Use cases therefore read the merchant first.

use std::sync::Arc;

use async_trait::async_trait;
use multirail_app::accounts::ports::{MerchantChange, MerchantStore};
use multirail_app::platform::ports::StoreFailure;
use multirail_app::platform::ports::failure::duplicate;
use multirail_domain::accounts::merchant::{MerchantAccount, MerchantSecrets};
use multirail_kernel::audit::Named;
use multirail_kernel::ids::MerchantId;
use multirail_platform::{Change, Invalidates, SealedFor, Sealing, Writing};

use crate::accounts::{SECRETS, place, unseal};
use crate::engine::{Read, Row, Write, values};
use crate::platform::cached::Cached;
use crate::platform::lower::Stored;
use crate::platform::record;
use crate::platform::rows::{one_sealed, version};
use crate::platform::sql_store::SqlStore;
use crate::platform::subject_keys::OpenKeys;

record::records! {
    MerchantAccount: "merchant_accounts.record",
}

const TABLE: &str = "merchant_accounts";

const MERCHANT: &str = "select version, record, secrets from merchant_accounts \
     where merchant_id = $1 and deleted_at is null";

const MERCHANT_BY_PUBLISHABLE_KEY: &str = "select version, record, secrets from merchant_accounts \
     where publishable_key = $1 and deleted_at is null";

const INSERT_MERCHANT: &str = "insert into merchant_accounts (merchant_id, organization_id, publishable_key, version, \
     record, secrets, created_at, modified_at) values ($1, $2, $3, 1, $4, $5, $6, $7) on conflict do nothing";

const UPDATE_MERCHANT: &str = "update merchant_accounts set version = version + 1, record = $3, secrets = $4, \
     modified_at = $5 where merchant_id = $1 and version = $2 and deleted_at is null";

/// The condition is checked in the same commit, so that no payment begins in between: see [`crate::payments::unfinished`].
const DELETE_MERCHANT: &str = "update merchant_accounts set version = version + 1, deleted_at = $3, modified_at = $3 \
     where merchant_id = $1 and version = $2 and deleted_at is null \
     and not exists (select 1 from payments where merchant_id = $1 and status in ('requires_merchant_action', 'requires_capture', \
     'partially_authorized_and_requires_capture', 'partially_captured_and_capturable', \
     'partially_captured_and_processing')) \
     and not exists (select 1 from payments where merchant_id = $1 and sync_at is not null and is_unresolved) \
     and not exists (select 1 from open_operations where merchant_id = $1 and object_class in ('refund', 'dispute') and is_unresolved)";

/// A statement of another subject, for a commit that deletes the merchant account `$1`. It changes the account's row if the
/// condition is true. It follows `DELETE_MERCHANT`, whose lock lets it see everything that was stored before.
#[macro_export]
macro_rules! merchant_deleted_if {
    ($($condition:tt)+) => {
        concat!(
            "update merchant_accounts set modified_at = modified_at where merchant_id = $1",
            $($condition)+
        )
    };
}

/// A condition for statements of other subjects: the merchant account `$1` exists. PostgreSQL needs the lock ` for share`,
/// which keeps the account until their commit.
#[macro_export]
macro_rules! merchant_is_there {
    ($lock:literal) => {
        concat!(
            "exists (select 1 from merchant_accounts m where m.merchant_id = $1 and m.deleted_at is null",
            $lock,
            ")"
        )
    };
}

/// A condition for statements of other subjects: the merchant account exists, and belongs to the organization. Both are
/// written as in the statement. The lock is that of [`merchant_is_there`].
#[macro_export]
macro_rules! merchant_belongs_to {
    ($merchant:literal, $organization:literal, $lock:literal) => {
        concat!(
            "exists (select 1 from merchant_accounts m where m.merchant_id = ",
            $merchant,
            " and m.organization_id = ",
            $organization,
            " and m.deleted_at is null",
            $lock,
            ")"
        )
    };
}

/// The deleted merchant accounts, for statements of other subjects.
macro_rules! deleted_merchants {
    () => {
        "(select a.merchant_id from merchant_accounts a where a.deleted_at is not null)"
    };
}
pub(crate) use deleted_merchants;

/// Cached merchant accounts, by their ids.
struct ById;

impl Cached for ById {
    type Key = MerchantId;
    type Value = MerchantAccount;
}

/// Cached merchant accounts, by their publishable keys.
struct ByPublishableKey;

impl Cached for ByPublishableKey {
    type Key = String;
    type Value = MerchantAccount;
}

#[async_trait]
impl MerchantStore for SqlStore {
    async fn merchant(
        &self,
        merchant_id: &MerchantId,
    ) -> Result<Option<Arc<MerchantAccount>>, StoreFailure> {
        let read = Read::new(MERCHANT, values![merchant_id.as_str()]);
        let read = one_sealed(&self.engine, (&self.keys, SECRETS), read, account);
        self.cache.get::<ById>(merchant_id.clone(), read).await
    }

    async fn merchant_by_publishable_key(
        &self,
        publishable_key: &str,
    ) -> Result<Option<Arc<MerchantAccount>>, StoreFailure> {
        let read = Read::new(MERCHANT_BY_PUBLISHABLE_KEY, values![publishable_key]);
        let read = one_sealed(&self.engine, (&self.keys, SECRETS), read, account);
        self.cache
            .get::<ByPublishableKey>(publishable_key.to_owned(), read)
            .await
    }
}

impl Change for Stored<MerchantChange> {
    fn write(&self, with: &Writing<'_>, writes: &mut Vec<Write>) -> Result<(), StoreFailure> {
        match &self.0 {
            MerchantChange::Insert(account) => writes.push(insert(account, with.sealing)?),
            MerchantChange::Update(account) => writes.push(update(account, with.sealing)?),
            MerchantChange::Delete {
                merchant_id,
                version,
            } => {
                let parameters = values![merchant_id.as_str(), *version, with.at.as_micros()];
                writes.push(Write::new(DELETE_MERCHANT, parameters));
            }
        }
        Ok(())
    }

    fn invalidates(&self) -> Invalidates {
        Invalidates::Settings
    }

    fn sealed_for(&self) -> SealedFor<'_> {
        match &self.0 {
            MerchantChange::Insert(account) | MerchantChange::Update(account) => {
                SealedFor::Merchant(&account.merchant_id)
            }
            MerchantChange::Delete { .. } => SealedFor::Nobody,
        }
    }

    fn audited(&self) -> Option<Named> {
        let merchant_id = match &self.0 {
            MerchantChange::Insert(account) | MerchantChange::Update(account) => {
                &account.merchant_id
            }
            MerchantChange::Delete { merchant_id, .. } => merchant_id,
        };
        Some(Named::new("merchant_account", merchant_id.as_str()))
    }
}

fn insert(account: &MerchantAccount, keys: &dyn Sealing) -> Result<Write, StoreFailure> {
    let parameters = values![
        account.merchant_id.as_str(),
        account.organization_id.as_str(),
        account.publishable_key.as_str(),
        record::write(account)?,
        secrets(account, keys),
        account.created_at.as_micros(),
        account.modified_at.as_micros()
    ];
    Ok(Write::new(INSERT_MERCHANT, parameters).or_duplicate(duplicate::MERCHANT))
}

fn update(account: &MerchantAccount, keys: &dyn Sealing) -> Result<Write, StoreFailure> {
    let parameters = values![
        account.merchant_id.as_str(),
        account.version,
        record::write(account)?,
        secrets(account, keys),
        account.modified_at.as_micros()
    ];
    Ok(Write::new(UPDATE_MERCHANT, parameters))
}

fn secrets(account: &MerchantAccount, keys: &dyn Sealing) -> Vec<u8> {
    let secrets = account.secrets.to_sealable();
    keys.seal(&account.merchant_id, &place_of(account), &secrets)
}

fn account(row: &Row, keys: &OpenKeys<'_>) -> Result<MerchantAccount, StoreFailure> {
    let mut account: MerchantAccount = record::read(row, "record")?;
    account.version = version(row)?;
    account.secrets = unseal(
        row,
        keys,
        &place_of(&account),
        MerchantSecrets::from_sealable,
    )?;
    Ok(account)
}

fn place_of(account: &MerchantAccount) -> String {
    place(TABLE, &account.merchant_id, &account.merchant_id)
}
