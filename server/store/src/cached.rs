//! What changes rarely is kept in memory: keys, merchant accounts, profiles, connector accounts, routing configurations and error mappings. A change through
//! this server is seen at once. A change through another server counts up a version in its own commit, and is seen when
//! that version is read. A worker reads it; where its last read is too old, a request reads it before it is answered
//! from memory: a key that was revoked elsewhere may not go on working because the database is away.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use multirail_app::ports::{Change, StoreFailure};
use multirail_domain::api_key::ApiKey;
use multirail_domain::connector_account::ConnectorAccount;
use multirail_domain::error_mapping::ErrorMappings;
use multirail_domain::merchant::MerchantAccount;
use multirail_domain::profile::Profile;
use multirail_domain::routing::RoutingRecord;
use multirail_kernel::ids::{ConnectorAccountId, MerchantId, ProfileId, RoutingId};
use multirail_platform::Invalidates;

use super::engine::{Dialect, Engine, Read, Write, values};
use super::freshness::Freshness;
use super::record::failure;

/// Entries of one kind at most; above it all of them are dropped and read anew.
const AT_MOST: usize = 20_000;

const COUNT_UP: &str = "insert into settings (name, value) values ('accounts_version', '1') \
     on conflict (name) do update set value = cast(cast(settings.value as bigint) + 1 as text)";

const VERSION: &str =
    "select cast(value as bigint) as version from settings where name = 'accounts_version'";

/// The kept objects.
pub(super) struct Cache {
    engine: Engine,
    freshness: Freshness,
    /// The version that was read last.
    version: AtomicI64,
    /// Counts invalidations: what was read before one is not kept after it.
    generation: AtomicU64,
    pub api_keys: CachedObjects<String, ApiKey>,
    pub merchants: CachedObjects<MerchantId, MerchantAccount>,
    pub publishable_keys: CachedObjects<String, MerchantAccount>,
    pub profiles: CachedObjects<(MerchantId, ProfileId), Profile>,
    pub single_connector_accounts: CachedObjects<(MerchantId, ConnectorAccountId), EverConnected>,
    pub connector_accounts:
        CachedObjects<(MerchantId, Option<ProfileId>), Vec<Arc<ConnectorAccount>>>,
    /// None of them ever changes; which one is active is the profile's.
    pub routing: CachedObjects<(MerchantId, RoutingId), RoutingRecord>,
    /// All of them.
    pub error_mappings: CachedObjects<(), ErrorMappings>,
}

impl Cache {
    pub(super) fn new(engine: Engine) -> Self {
        Cache {
            engine,
            freshness: Freshness::default(),
            version: AtomicI64::new(0),
            generation: AtomicU64::new(0),
            api_keys: CachedObjects::default(),
            merchants: CachedObjects::default(),
            publishable_keys: CachedObjects::default(),
            profiles: CachedObjects::default(),
            single_connector_accounts: CachedObjects::default(),
            connector_accounts: CachedObjects::default(),
            routing: CachedObjects::default(),
            error_mappings: CachedObjects::default(),
        }
    }

    /// Looks whether another server changed what is cached, and clears the cache then.
    pub(super) async fn notice_changes(&self) -> Result<(), StoreFailure> {
        match self.engine.dialect() {
            // One process has the file to itself.
            Dialect::Sqlite => Ok(()),
            Dialect::Postgres => self.freshness.now(async || self.look().await).await,
        }
    }

    /// The same, unless it was done a moment ago.
    async fn trust(&self) -> Result<(), StoreFailure> {
        match self.engine.dialect() {
            Dialect::Sqlite => Ok(()),
            Dialect::Postgres => self.freshness.recent(async || self.look().await).await,
        }
    }

    async fn look(&self) -> Result<(), StoreFailure> {
        let version = version(&self.engine).await?;
        if self.version.swap(version, Ordering::AcqRel) != version {
            self.clear();
        }
        Ok(())
    }

    /// Answers from memory, or reads and remembers. Absent objects are not remembered.
    pub(super) async fn get<K, V>(
        &self,
        kept: &CachedObjects<K, V>,
        key: K,
        read: impl Future<Output = Result<Option<V>, StoreFailure>>,
    ) -> Result<Option<Arc<V>>, StoreFailure>
    where
        K: Eq + Hash,
    {
        self.trust().await?;
        if let Some(value) = kept.entries().get(&key) {
            return Ok(Some(Arc::clone(value)));
        }
        let generation = self.generation.load(Ordering::Acquire);
        let value = read.await?.map(Arc::new);
        if let Some(value) = &value {
            let mut entries = kept.entries();
            // Checked under the lock that forgetting takes too: an older value is never put back.
            if self.generation.load(Ordering::Acquire) == generation {
                if entries.len() >= AT_MOST {
                    entries.clear();
                }
                entries.insert(key, Arc::clone(value));
            }
        }
        Ok(value)
    }

    /// Drops everything.
    pub(super) fn clear(&self) {
        self.generation.fetch_add(1, Ordering::AcqRel);
        self.api_keys.entries().clear();
        self.merchants.entries().clear();
        self.publishable_keys.entries().clear();
        self.profiles.entries().clear();
        self.single_connector_accounts.entries().clear();
        self.connector_accounts.entries().clear();
        self.routing.entries().clear();
        self.error_mappings.entries().clear();
    }
}

/// A connector account, or what is kept of a deleted one.
pub(super) struct EverConnected {
    pub account: Arc<ConnectorAccount>,
    pub is_deleted: bool,
}

/// Objects of one kind by their key.
pub(super) struct CachedObjects<K, V>(Mutex<HashMap<K, Arc<V>>>);

impl<K, V> Default for CachedObjects<K, V> {
    fn default() -> Self {
        CachedObjects(Mutex::new(HashMap::new()))
    }
}

impl<K, V> CachedObjects<K, V> {
    fn entries(&self) -> MutexGuard<'_, HashMap<K, Arc<V>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a change concerns what is kept.
pub(super) fn concerns(change: &Change) -> bool {
    match change.invalidates() {
        Invalidates::Settings => true,
        Invalidates::Nothing | Invalidates::CustomerKeys => false,
    }
}

/// What such a change adds to its change-set, so that other servers notice.
pub(super) fn count_up() -> Write {
    Write::new(COUNT_UP, values![])
}

/// How many such changes there were.
async fn version(engine: &Engine) -> Result<i64, StoreFailure> {
    let read = Read::new(VERSION, values![]);
    match engine.fetch_optional(read).await.map_err(failure)? {
        Some(row) => row.int("version").map_err(failure),
        None => Ok(0),
    }
}
