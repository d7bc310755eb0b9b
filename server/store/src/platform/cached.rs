//! A cache of objects that change rarely. Each subject defines a type for the objects that it caches. A change through this
//! server is visible at once. A change through another server increments a version in its own commit. A worker reads the
//! version regularly. If the last read is too old, a request reads the version before it is answered from memory. Otherwise
//! a key that was revoked elsewhere would go on working while the database is away.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use multirail_app::platform::ports::{Change, StoreFailure};
use multirail_platform::Invalidates;

use super::freshness::Freshness;
use super::record::failure;
use crate::engine::{Dialect, Engine, Read, Write, values};

/// The most entries of one kind; above that, all of them are dropped.
const AT_MOST: usize = 20_000;

const COUNT_UP: &str = "insert into settings (name, value) values ('accounts_version', '1') \
     on conflict (name) do update set value = cast(cast(settings.value as bigint) + 1 as text)";

const VERSION: &str =
    "select cast(value as bigint) as version from settings where name = 'accounts_version'";

/// The cached objects.
pub(crate) struct Cache {
    engine: Engine,
    freshness: Freshness,
    /// The version that was read last.
    version: AtomicI64,
    /// Counts invalidations: a value that was read before one is not cached after it.
    generation: AtomicU64,
    /// The cached objects of each kind, by the kind's type.
    cached: RwLock<HashMap<TypeId, Arc<dyn Forgetful>>>,
}

impl Cache {
    pub(crate) fn new(engine: Engine) -> Self {
        Cache {
            engine,
            freshness: Freshness::default(),
            version: AtomicI64::new(0),
            generation: AtomicU64::new(0),
            cached: RwLock::default(),
        }
    }

    /// Checks whether another server changed cached objects, and then clears the cache.
    pub(crate) async fn notice_changes(&self) -> Result<(), StoreFailure> {
        match self.engine.dialect() {
            // One process has the file to itself.
            Dialect::Sqlite => Ok(()),
            Dialect::Postgres => self.freshness.now(async || self.look().await).await,
        }
    }

    /// Checks for changes like [`Self::notice_changes`], unless a check succeeded a moment ago.
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

    /// Answers from memory, or reads and caches. Absent objects are not cached.
    pub(crate) async fn get<C: Cached>(
        &self,
        key: C::Key,
        read: impl Future<Output = Result<Option<C::Value>, StoreFailure>>,
    ) -> Result<Option<Arc<C::Value>>, StoreFailure> {
        let cached = self.cached_objects::<C>();
        self.trust().await?;
        if let Some(value) = cached.entries().get(&key) {
            return Ok(Some(Arc::clone(value)));
        }
        let generation = self.generation.load(Ordering::Acquire);
        let value = read.await?.map(Arc::new);
        if let Some(value) = &value {
            let mut entries = cached.entries();
            // Checked under the lock that invalidation takes too: an older value is never put back.
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
    pub(crate) fn clear(&self) {
        self.generation.fetch_add(1, Ordering::AcqRel);
        let cached = self.cached.read().unwrap_or_else(PoisonError::into_inner);
        cached.values().for_each(|objects| objects.forget());
    }

    fn cached_objects<C: Cached>(&self) -> Arc<CachedObjects<C>> {
        let of_type = TypeId::of::<C>();
        let found = {
            let cached = self.cached.read().unwrap_or_else(PoisonError::into_inner);
            cached.get(&of_type).map(Arc::clone)
        };
        let found = found.unwrap_or_else(|| {
            let mut cached = self.cached.write().unwrap_or_else(PoisonError::into_inner);
            let made = cached
                .entry(of_type)
                .or_insert_with(|| Arc::new(CachedObjects::<C>::default()));
            Arc::clone(made)
        });
        // Each kind is stored under its own type.
        found.any().downcast().unwrap_or_default()
    }
}

/// One kind of object that a subject caches.
pub(crate) trait Cached: 'static {
    type Key: Eq + Hash + Send;
    type Value: Send + Sync;
}

/// Objects of one kind, by their keys.
struct CachedObjects<C: Cached>(Mutex<HashMap<C::Key, Arc<C::Value>>>);

impl<C: Cached> Default for CachedObjects<C> {
    fn default() -> Self {
        CachedObjects(Mutex::new(HashMap::new()))
    }
}

impl<C: Cached> CachedObjects<C> {
    fn entries(&self) -> MutexGuard<'_, HashMap<C::Key, Arc<C::Value>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Objects of any kind.
trait Forgetful: Send + Sync {
    fn forget(&self);

    fn any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync>;
}

impl<C: Cached> Forgetful for CachedObjects<C> {
    fn forget(&self) {
        self.entries().clear();
    }

    fn any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync> {
        self
    }
}

/// Returns whether a change invalidates cached objects.
pub(crate) fn concerns(change: &Change) -> bool {
    match change.invalidates() {
        Invalidates::Settings => true,
        Invalidates::Nothing | Invalidates::CustomerKeys => false,
    }
}

/// Returns the statement that such a change adds to its change-set, so that other servers notice.
pub(crate) fn count_up() -> Write {
    Write::new(COUNT_UP, values![])
}

/// Reads how many such changes there were.
async fn version(engine: &Engine) -> Result<i64, StoreFailure> {
    let read = Read::new(VERSION, values![]);
    match engine.fetch_optional(read).await.map_err(failure)? {
        Some(row) => row.int("version").map_err(failure),
        None => Ok(0),
    }
}
