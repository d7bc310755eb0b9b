//! Reads and writes of business profiles.

use std::sync::Arc;

use async_trait::async_trait;
use multirail_app::accounts::ports::{ProfileChange, ProfileStore};
use multirail_app::platform::ports::StoreFailure;
use multirail_app::platform::ports::failure::duplicate;
use multirail_domain::accounts::profile::{Profile, ProfileSecrets};
use multirail_kernel::audit::Named;
use multirail_kernel::ids::{MerchantId, ProfileId};
use multirail_platform::{Change, Invalidates, SealedFor, Sealing, Writing};

use crate::accounts::{SECRETS, place, unseal};
use crate::engine::{Read, Row, Write, values};
use crate::platform::cached::Cached;
use crate::platform::lower::Stored;
use crate::platform::record;
use crate::platform::rows::{all_sealed, one_sealed, version};
use crate::platform::sql_store::SqlStore;
use crate::platform::subject_keys::OpenKeys;

record::records! {
    Profile: "business_profiles.record",
}

const TABLE: &str = "business_profiles";

const PROFILE: &str = "select version, record, secrets from business_profiles \
     where merchant_id = $1 and profile_id = $2";

const PROFILES_OF: &str = "select profile_id as id, version, record, secrets from business_profiles \
     where merchant_id = $1 order by created_at, profile_id";

const INSERT_PROFILE: &str = "insert into business_profiles (merchant_id, profile_id, profile_name, version, record, \
     secrets, created_at, modified_at) values ($1, $2, $3, 1, $4, $5, $6, $7) on conflict do nothing";

const UPDATE_PROFILE: &str = "update business_profiles set version = version + 1, profile_name = $4, record = $5, \
     secrets = $6, modified_at = $7 where merchant_id = $1 and profile_id = $2 and version = $3";

/// Cached profiles.
struct Kept;

impl Cached for Kept {
    type Key = (MerchantId, ProfileId);
    type Value = Profile;
}

#[async_trait]
impl ProfileStore for SqlStore {
    async fn profile(
        &self,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
    ) -> Result<Option<Arc<Profile>>, StoreFailure> {
        let read = Read::new(PROFILE, values![merchant_id.as_str(), profile_id.as_str()]);
        let read = one_sealed(&self.engine, (&self.keys, SECRETS), read, profile);
        let key = (merchant_id.clone(), profile_id.clone());
        self.cache.get::<Kept>(key, read).await
    }

    async fn profiles(&self, merchant_id: &MerchantId) -> Result<Vec<Profile>, StoreFailure> {
        let read = Read::new(PROFILES_OF, values![merchant_id.as_str()]);
        all_sealed(&self.engine, (&self.keys, SECRETS), TABLE, read, profile).await
    }
}

impl Change for Stored<ProfileChange> {
    fn write(&self, with: &Writing<'_>, writes: &mut Vec<Write>) -> Result<(), StoreFailure> {
        writes.push(match &self.0 {
            ProfileChange::Insert(profile) => insert(profile, with.sealing)?,
            ProfileChange::Update(profile) => update(profile, with.sealing)?,
        });
        Ok(())
    }

    fn invalidates(&self) -> Invalidates {
        Invalidates::Settings
    }

    fn sealed_for(&self) -> SealedFor<'_> {
        let (ProfileChange::Insert(profile) | ProfileChange::Update(profile)) = &self.0;
        SealedFor::Merchant(&profile.merchant_id)
    }

    fn audited(&self) -> Option<Named> {
        let (ProfileChange::Insert(profile) | ProfileChange::Update(profile)) = &self.0;
        Some(Named::new("business_profile", profile.profile_id.as_str()))
    }
}

fn insert(profile: &Profile, keys: &dyn Sealing) -> Result<Write, StoreFailure> {
    let parameters = values![
        profile.merchant_id.as_str(),
        profile.profile_id.as_str(),
        profile.profile_name.as_str(),
        record::write(profile)?,
        secrets(profile, keys),
        profile.created_at.as_micros(),
        profile.modified_at.as_micros()
    ];
    Ok(Write::new(INSERT_PROFILE, parameters).or_duplicate(duplicate::PROFILE_NAME))
}

fn update(profile: &Profile, keys: &dyn Sealing) -> Result<Write, StoreFailure> {
    let parameters = values![
        profile.merchant_id.as_str(),
        profile.profile_id.as_str(),
        profile.version,
        profile.profile_name.as_str(),
        record::write(profile)?,
        secrets(profile, keys),
        profile.modified_at.as_micros()
    ];
    Ok(Write::new(UPDATE_PROFILE, parameters))
}

fn secrets(profile: &Profile, keys: &dyn Sealing) -> Vec<u8> {
    let secrets = profile.secrets.to_sealable();
    keys.seal(&profile.merchant_id, &place_of(profile), &secrets)
}

fn profile(row: &Row, keys: &OpenKeys<'_>) -> Result<Profile, StoreFailure> {
    let mut profile: Profile = record::read(row, "record")?;
    profile.version = version(row)?;
    profile.secrets = unseal(
        row,
        keys,
        &place_of(&profile),
        ProfileSecrets::from_sealable,
    )?;
    Ok(profile)
}

fn place_of(profile: &Profile) -> String {
    place(TABLE, &profile.merchant_id, &profile.profile_id)
}
