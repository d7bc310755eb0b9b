//! Accounts as statements: organizations, merchant accounts, profiles, API keys, connector accounts. Each row holds the
//! record as JSON, the secrets sealed, and beside them what is searched by or has to be unique.

use multirail_app::ports::failure::duplicate;
use multirail_app::ports::{Change, Seal, StoreFailure};
use multirail_domain::api_key::ApiKey;
use multirail_domain::connector_account::ConnectorAccount;
use multirail_domain::merchant::MerchantAccount;
use multirail_domain::organization::Organization;
use multirail_domain::profile::Profile;
use multirail_domain::timestamp::Timestamp;

use super::accounts::{CONNECTOR_ACCOUNTS, MERCHANT_ACCOUNTS, PROFILES, place};
use super::engine::{Write, values};
use super::record;

// An insert may collide with more than one unique index, hence `on conflict` without a target.

const INSERT_ORGANIZATION: &str = "insert into organizations (organization_id, version, record, created_at, \
     modified_at) values ($1, 1, $2, $3, $4) on conflict do nothing";

const INSERT_MERCHANT: &str = "insert into merchant_accounts (merchant_id, organization_id, publishable_key, version, \
     record, secrets, created_at, modified_at) values ($1, $2, $3, 1, $4, $5, $6, $7) on conflict do nothing";

const UPDATE_MERCHANT: &str = "update merchant_accounts set version = version + 1, record = $3, secrets = $4, \
     modified_at = $5 where merchant_id = $1 and version = $2 and deleted_at is null";

/// Looked at in the same commit, so that no payment slips in between: see [`super::unfinished`].
const DELETE_MERCHANT: &str = "update merchant_accounts set version = version + 1, deleted_at = $3, modified_at = $3 \
     where merchant_id = $1 and version = $2 and deleted_at is null \
     and not exists (select 1 from payments where merchant_id = $1 and status in ('requires_capture', \
     'partially_authorized_and_requires_capture', 'partially_captured_and_capturable', \
     'partially_captured_and_processing')) \
     and not exists (select 1 from payments where merchant_id = $1 and sync_at is not null and is_unresolved)";

const INSERT_PROFILE: &str = "insert into business_profiles (merchant_id, profile_id, profile_name, version, record, \
     secrets, created_at, modified_at) values ($1, $2, $3, 1, $4, $5, $6, $7) on conflict do nothing";

const UPDATE_PROFILE: &str = "update business_profiles set version = version + 1, profile_name = $4, record = $5, \
     secrets = $6, modified_at = $7 where merchant_id = $1 and profile_id = $2 and version = $3";

const INSERT_API_KEY: &str = "insert into api_keys (merchant_id, key_id, hash, version, record, created_at) \
     values ($1, $2, $3, 1, $4, $5) on conflict do nothing";

const UPDATE_API_KEY: &str = "update api_keys set version = version + 1, record = $4 \
     where merchant_id = $1 and key_id = $2 and version = $3";

const DELETE_API_KEY: &str = "delete from api_keys where merchant_id = $1 and key_id = $2";

const INSERT_CONNECTOR_ACCOUNT: &str = "insert into connector_accounts (merchant_id, merchant_connector_id, \
     profile_id, connector_name, connector_label, version, record, secrets, created_at, modified_at) \
     values ($1, $2, $3, $4, $5, 1, $6, $7, $8, $9) on conflict do nothing";

const UPDATE_CONNECTOR_ACCOUNT: &str = "update connector_accounts set version = version + 1, connector_label = $4, \
     record = $5, secrets = $6, modified_at = $7 \
     where merchant_id = $1 and merchant_connector_id = $2 and version = $3 and deleted_at is null";

const DELETE_CONNECTOR_ACCOUNT: &str = "update connector_accounts set version = version + 1, deleted_at = $3, \
     modified_at = $3 where merchant_id = $1 and merchant_connector_id = $2 and deleted_at is null";

/// The statement of one change to accounts. Updates are guarded by the version that the value was read at.
pub(super) fn lower(
    change: &Change,
    seal: &dyn Seal,
    at: Timestamp,
    writes: &mut Vec<Write>,
) -> Result<(), StoreFailure> {
    let write = match change {
        Change::InsertOrganization(organization) => insert_organization(organization)?,
        Change::InsertMerchant(account) => insert_merchant(account, seal)?,
        Change::UpdateMerchant(account) => update_merchant(account, seal)?,
        Change::DeleteMerchant {
            merchant_id,
            version,
        } => {
            let parameters = values![merchant_id.as_str(), *version, at.as_micros()];
            Write::new(DELETE_MERCHANT, parameters)
        }
        Change::InsertProfile(profile) => insert_profile(profile, seal)?,
        Change::UpdateProfile(profile) => update_profile(profile, seal)?,
        Change::InsertApiKey(key) => insert_api_key(key)?,
        Change::UpdateApiKey(key) => update_api_key(key)?,
        Change::DeleteApiKey {
            merchant_id,
            key_id,
        } => Write::new(
            DELETE_API_KEY,
            values![merchant_id.as_str(), key_id.as_str()],
        ),
        Change::InsertConnectorAccount(account) => insert_connector_account(account, seal)?,
        Change::UpdateConnectorAccount(account) => update_connector_account(account, seal)?,
        Change::DeleteConnectorAccount {
            merchant_id,
            merchant_connector_id,
        } => {
            let parameters = values![
                merchant_id.as_str(),
                merchant_connector_id.as_str(),
                at.as_micros()
            ];
            Write::new(DELETE_CONNECTOR_ACCOUNT, parameters)
        }
        Change::InsertPayment(_)
        | Change::UpdatePayment { .. }
        | Change::HoldCard { .. }
        | Change::ForgetCard { .. }
        | Change::HoldCredentials { .. }
        | Change::ForgetCredentials { .. }
        | Change::ForgetLapsed { .. }
        | Change::PutOffLapse { .. }
        | Change::RecordEvent(_)
        | Change::ClaimKey(_)
        | Change::StoreAnswer { .. }
        | Change::ReleaseKey { .. }
        | Change::AdvanceClock { .. } => {
            return Err(StoreFailure::Broken("this changes no account".to_owned()));
        }
    };
    writes.push(write);
    Ok(())
}

fn insert_organization(organization: &Organization) -> Result<Write, StoreFailure> {
    let parameters = values![
        organization.organization_id.as_str(),
        record::write(organization)?,
        organization.created_at.as_micros(),
        organization.modified_at.as_micros()
    ];
    Ok(Write::new(INSERT_ORGANIZATION, parameters).or_duplicate(duplicate::ORGANIZATION))
}

fn insert_merchant(account: &MerchantAccount, seal: &dyn Seal) -> Result<Write, StoreFailure> {
    let parameters = values![
        account.merchant_id.as_str(),
        account.organization_id.as_str(),
        account.publishable_key.as_str(),
        record::write(account)?,
        merchant_secrets(account, seal),
        account.created_at.as_micros(),
        account.modified_at.as_micros()
    ];
    Ok(Write::new(INSERT_MERCHANT, parameters).or_duplicate(duplicate::MERCHANT))
}

fn update_merchant(account: &MerchantAccount, seal: &dyn Seal) -> Result<Write, StoreFailure> {
    let parameters = values![
        account.merchant_id.as_str(),
        account.version,
        record::write(account)?,
        merchant_secrets(account, seal),
        account.modified_at.as_micros()
    ];
    Ok(Write::new(UPDATE_MERCHANT, parameters))
}

fn insert_profile(profile: &Profile, seal: &dyn Seal) -> Result<Write, StoreFailure> {
    let parameters = values![
        profile.merchant_id.as_str(),
        profile.profile_id.as_str(),
        profile.profile_name.as_str(),
        record::write(profile)?,
        profile_secrets(profile, seal),
        profile.created_at.as_micros(),
        profile.modified_at.as_micros()
    ];
    Ok(Write::new(INSERT_PROFILE, parameters).or_duplicate(duplicate::PROFILE_NAME))
}

fn update_profile(profile: &Profile, seal: &dyn Seal) -> Result<Write, StoreFailure> {
    let parameters = values![
        profile.merchant_id.as_str(),
        profile.profile_id.as_str(),
        profile.version,
        profile.profile_name.as_str(),
        record::write(profile)?,
        profile_secrets(profile, seal),
        profile.modified_at.as_micros()
    ];
    Ok(Write::new(UPDATE_PROFILE, parameters))
}

fn insert_api_key(key: &ApiKey) -> Result<Write, StoreFailure> {
    let parameters = values![
        key.merchant_id.as_str(),
        key.key_id.as_str(),
        key.hash.as_str(),
        record::write(key)?,
        key.created_at.as_micros()
    ];
    Ok(Write::new(INSERT_API_KEY, parameters).or_duplicate(duplicate::API_KEY))
}

fn update_api_key(key: &ApiKey) -> Result<Write, StoreFailure> {
    let parameters = values![
        key.merchant_id.as_str(),
        key.key_id.as_str(),
        key.version,
        record::write(key)?
    ];
    Ok(Write::new(UPDATE_API_KEY, parameters))
}

fn insert_connector_account(
    account: &ConnectorAccount,
    seal: &dyn Seal,
) -> Result<Write, StoreFailure> {
    let parameters = values![
        account.merchant_id.as_str(),
        account.merchant_connector_id.as_str(),
        account.profile_id.as_str(),
        account.connector_name.as_str(),
        account.connector_label.as_str(),
        record::write(account)?,
        connector_secrets(account, seal),
        account.created_at.as_micros(),
        account.modified_at.as_micros()
    ];
    Ok(Write::new(INSERT_CONNECTOR_ACCOUNT, parameters).or_duplicate(duplicate::CONNECTOR_LABEL))
}

fn update_connector_account(
    account: &ConnectorAccount,
    seal: &dyn Seal,
) -> Result<Write, StoreFailure> {
    let parameters = values![
        account.merchant_id.as_str(),
        account.merchant_connector_id.as_str(),
        account.version,
        account.connector_label.as_str(),
        record::write(account)?,
        connector_secrets(account, seal),
        account.modified_at.as_micros()
    ];
    Ok(Write::new(UPDATE_CONNECTOR_ACCOUNT, parameters))
}

fn merchant_secrets(account: &MerchantAccount, seal: &dyn Seal) -> Vec<u8> {
    let place = place(
        MERCHANT_ACCOUNTS,
        &account.merchant_id,
        &account.merchant_id,
    );
    seal.seal(&place, &account.secrets.to_sealable())
}

fn profile_secrets(profile: &Profile, seal: &dyn Seal) -> Vec<u8> {
    let place = place(PROFILES, &profile.merchant_id, &profile.profile_id);
    seal.seal(&place, &profile.secrets.to_sealable())
}

fn connector_secrets(account: &ConnectorAccount, seal: &dyn Seal) -> Vec<u8> {
    let place = place(
        CONNECTOR_ACCOUNTS,
        &account.merchant_id,
        &account.merchant_connector_id,
    );
    seal.seal(&place, &account.secrets.to_sealable())
}
