//! Reading accounts back. Deleted merchant accounts are not found; what belonged to them still is, because payments
//! under way have to be finished, so that use cases ask for the merchant first. Deleted connector accounts are found
//! only by who says that he finishes something.

use std::fmt::Display;

use multirail_app::ports::{Seal, StoreFailure};
use multirail_domain::api_key::ApiKey;
use multirail_domain::connector_account::{ConnectorAccount, ConnectorSecrets};
use multirail_domain::ids::{ApiKeyId, ConnectorAccountId, MerchantId, OrganizationId, ProfileId};
use multirail_domain::merchant::{MerchantAccount, MerchantSecrets};
use multirail_domain::organization::Organization;
use multirail_domain::profile::{Profile, ProfileSecrets};
use multirail_domain::secret::{SecretText, UnreadableSecrets};

use super::engine::{Engine, Read, Row, values};
use super::record::{self, failure};

/// Tables, as they stand in the names of sealed places.
pub(super) const MERCHANT_ACCOUNTS: &str = "merchant_accounts";
pub(super) const PROFILES: &str = "business_profiles";
pub(super) const CONNECTOR_ACCOUNTS: &str = "connector_accounts";

const ORGANIZATION: &str = "select version, record from organizations where organization_id = $1";

const MERCHANT: &str = "select version, record, secrets from merchant_accounts \
     where merchant_id = $1 and deleted_at is null";

const MERCHANT_BY_PUBLISHABLE_KEY: &str = "select version, record, secrets from merchant_accounts \
     where publishable_key = $1 and deleted_at is null";

const PROFILE: &str = "select version, record, secrets from business_profiles \
     where merchant_id = $1 and profile_id = $2";

const PROFILES_OF: &str = "select profile_id as id, version, record, secrets from business_profiles \
     where merchant_id = $1 order by created_at, profile_id";

const API_KEY_BY_HASH: &str = "select k.version as version, k.record as record \
     from api_keys k join merchant_accounts m on m.merchant_id = k.merchant_id \
     where k.hash = $1 and m.deleted_at is null";

const API_KEY: &str = "select version, record from api_keys where merchant_id = $1 and key_id = $2";

const API_KEYS: &str = "select key_id as id, version, record from api_keys where merchant_id = $1 \
     order by created_at, key_id limit $2 offset $3";

const CONNECTOR_ACCOUNT: &str = "select version, record, secrets, deleted_at from connector_accounts \
     where merchant_id = $1 and merchant_connector_id = $2";

const CONNECTOR_ACCOUNTS_OF_MERCHANT: &str = "select merchant_connector_id as id, version, record, secrets \
     from connector_accounts where merchant_id = $1 and deleted_at is null order by created_at, merchant_connector_id";

const CONNECTOR_ACCOUNTS_OF_PROFILE: &str = "select merchant_connector_id as id, version, record, secrets \
     from connector_accounts where merchant_id = $1 and profile_id = $2 and deleted_at is null order by created_at, merchant_connector_id";

/// A connector account, or what is kept of a deleted one.
#[derive(Clone)]
pub(super) struct EverConnected {
    pub account: ConnectorAccount,
    pub is_deleted: bool,
}

/// Where the secrets of one row rest.
pub(super) fn place(table: &str, merchant_id: &MerchantId, id: &impl Display) -> String {
    format!("{table}:{merchant_id}/{id}")
}

pub(super) async fn organization(
    engine: &Engine,
    organization_id: &OrganizationId,
) -> Result<Option<Organization>, StoreFailure> {
    let read = Read::new(ORGANIZATION, values![organization_id.as_str()]);
    one(engine, read, |row| {
        let mut organization: Organization = record::read(row, "record")?;
        organization.version = version(row)?;
        Ok(organization)
    })
    .await
}

pub(super) async fn merchant(
    engine: &Engine,
    seal: &dyn Seal,
    merchant_id: &MerchantId,
) -> Result<Option<MerchantAccount>, StoreFailure> {
    let read = Read::new(MERCHANT, values![merchant_id.as_str()]);
    one(engine, read, |row| read_merchant(row, seal)).await
}

pub(super) async fn merchant_by_publishable_key(
    engine: &Engine,
    seal: &dyn Seal,
    publishable_key: &str,
) -> Result<Option<MerchantAccount>, StoreFailure> {
    let read = Read::new(MERCHANT_BY_PUBLISHABLE_KEY, values![publishable_key]);
    one(engine, read, |row| read_merchant(row, seal)).await
}

pub(super) async fn profile(
    engine: &Engine,
    seal: &dyn Seal,
    merchant_id: &MerchantId,
    profile_id: &ProfileId,
) -> Result<Option<Profile>, StoreFailure> {
    let read = Read::new(PROFILE, values![merchant_id.as_str(), profile_id.as_str()]);
    one(engine, read, |row| read_profile(row, seal)).await
}

pub(super) async fn profiles(
    engine: &Engine,
    seal: &dyn Seal,
    merchant_id: &MerchantId,
) -> Result<Vec<Profile>, StoreFailure> {
    let read = Read::new(PROFILES_OF, values![merchant_id.as_str()]);
    all(engine, PROFILES, read, |row| read_profile(row, seal)).await
}

pub(super) async fn api_key_by_hash(
    engine: &Engine,
    hash: &str,
) -> Result<Option<ApiKey>, StoreFailure> {
    let read = Read::new(API_KEY_BY_HASH, values![hash]);
    one(engine, read, read_api_key).await
}

pub(super) async fn api_key(
    engine: &Engine,
    merchant_id: &MerchantId,
    key_id: &ApiKeyId,
) -> Result<Option<ApiKey>, StoreFailure> {
    let read = Read::new(API_KEY, values![merchant_id.as_str(), key_id.as_str()]);
    one(engine, read, read_api_key).await
}

pub(super) async fn api_keys(
    engine: &Engine,
    merchant_id: &MerchantId,
    limit: i64,
    skip: i64,
) -> Result<Vec<ApiKey>, StoreFailure> {
    let read = Read::new(API_KEYS, values![merchant_id.as_str(), limit, skip]);
    all(engine, "api_keys", read, read_api_key).await
}

pub(super) async fn connector_account(
    engine: &Engine,
    seal: &dyn Seal,
    merchant_id: &MerchantId,
    merchant_connector_id: &ConnectorAccountId,
) -> Result<Option<EverConnected>, StoreFailure> {
    let parameters = values![merchant_id.as_str(), merchant_connector_id.as_str()];
    let read = Read::new(CONNECTOR_ACCOUNT, parameters);
    one(engine, read, |row| {
        Ok(EverConnected {
            account: read_connector_account(row, seal)?,
            is_deleted: row.opt_int("deleted_at").map_err(failure)?.is_some(),
        })
    })
    .await
}

pub(super) async fn connector_accounts(
    engine: &Engine,
    seal: &dyn Seal,
    merchant_id: &MerchantId,
    profile_id: Option<&ProfileId>,
) -> Result<Vec<ConnectorAccount>, StoreFailure> {
    let read = match profile_id {
        Some(profile_id) => Read::new(
            CONNECTOR_ACCOUNTS_OF_PROFILE,
            values![merchant_id.as_str(), profile_id.as_str()],
        ),
        None => Read::new(
            CONNECTOR_ACCOUNTS_OF_MERCHANT,
            values![merchant_id.as_str()],
        ),
    };
    all(engine, CONNECTOR_ACCOUNTS, read, |row| {
        read_connector_account(row, seal)
    })
    .await
}

async fn one<T>(
    engine: &Engine,
    read: Read,
    from_row: impl Fn(&Row) -> Result<T, StoreFailure>,
) -> Result<Option<T>, StoreFailure> {
    let row = engine.fetch_optional(read).await.map_err(failure)?;
    row.as_ref().map(from_row).transpose()
}

/// Everything of a merchant in one table, without what can't be read.
async fn all<T>(
    engine: &Engine,
    table: &'static str,
    read: Read,
    from_row: impl Fn(&Row) -> Result<T, StoreFailure>,
) -> Result<Vec<T>, StoreFailure> {
    let mut all = Vec::new();
    for row in engine.fetch(read).await.map_err(failure)? {
        let id = row.str("id").map_err(failure)?;
        all.extend(record::readable(table, id, from_row(&row))?);
    }
    Ok(all)
}

fn read_merchant(row: &Row, seal: &dyn Seal) -> Result<MerchantAccount, StoreFailure> {
    let mut account: MerchantAccount = record::read(row, "record")?;
    account.version = version(row)?;
    let place = place(
        MERCHANT_ACCOUNTS,
        &account.merchant_id,
        &account.merchant_id,
    );
    account.secrets = unseal(row, seal, &place, MerchantSecrets::from_sealable)?;
    Ok(account)
}

fn read_profile(row: &Row, seal: &dyn Seal) -> Result<Profile, StoreFailure> {
    let mut profile: Profile = record::read(row, "record")?;
    profile.version = version(row)?;
    let place = place(PROFILES, &profile.merchant_id, &profile.profile_id);
    profile.secrets = unseal(row, seal, &place, ProfileSecrets::from_sealable)?;
    Ok(profile)
}

fn read_api_key(row: &Row) -> Result<ApiKey, StoreFailure> {
    let mut key: ApiKey = record::read(row, "record")?;
    key.version = version(row)?;
    Ok(key)
}

fn read_connector_account(row: &Row, seal: &dyn Seal) -> Result<ConnectorAccount, StoreFailure> {
    let mut account: ConnectorAccount = record::read(row, "record")?;
    account.version = version(row)?;
    let place = place(
        CONNECTOR_ACCOUNTS,
        &account.merchant_id,
        &account.merchant_connector_id,
    );
    account.secrets = unseal(row, seal, &place, ConnectorSecrets::from_sealable)?;
    Ok(account)
}

fn version(row: &Row) -> Result<i64, StoreFailure> {
    row.int("version").map_err(failure)
}

/// The secrets column; an empty one is a row without secrets.
fn unseal<T: Default>(
    row: &Row,
    seal: &dyn Seal,
    place: &str,
    read: impl Fn(&SecretText) -> Result<T, UnreadableSecrets>,
) -> Result<T, StoreFailure> {
    let Some(sealed) = row.opt_bytes("secrets").map_err(failure)? else {
        return Ok(T::default());
    };
    let broken = |why: String| StoreFailure::Broken(format!("{place}: {why}"));
    let text = seal
        .open(place, &sealed)
        .map_err(|error| broken(error.to_string()))?;
    read(&text).map_err(|error| broken(error.to_string()))
}
