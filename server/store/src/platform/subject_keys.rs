//! The keys of merchants and customers. They are read when needed, cached for a while, created in the commit that first
//! seals something with them, and destroyed with a customer.

mod cache;
mod renewal;
mod rows;
mod sealing;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};

use multirail_app::platform::ports::seal::{DataKey, SealedBy, Subject};
use multirail_app::platform::ports::{ChangeSet, Seal, StoreFailure};
use multirail_kernel::ids::MerchantId;
use multirail_kernel::timestamp::Timestamp;

use super::freshness::Freshness;
use super::key_counters::{CHANGED, DESTROYED, OF_MERCHANTS, ROTATIONS};
use super::keys;
use super::record;
use super::record::failure;
use crate::engine::{Dialect, Engine, Read, Row, Value, values};

use cache::CachedKeys;
pub(crate) use renewal::ResealingKeys;
pub(crate) use rows::{MADE_MEANWHILE, destroy, destroys, insert};
use rows::{StoredSubjectKey, TABLE, customer_of};
pub(crate) use sealing::CommitKeys;
pub use sealing::OpenKeys;

const CURRENT: &str = "select key_id, merchant_id, customer_id, wrapped, destroyed_at from subject_keys \
     where merchant_id = $1 and customer_id = $2 order by generation desc limit 1";

const BY_ID: &str = "select key_id, merchant_id, customer_id, wrapped, destroyed_at from subject_keys where key_id in";

const STATE: &str = "select name, cast(value as bigint) as number from settings \
     where name in ('keys_changed', 'keys_destroyed', 'key_rotations', 'keys_of_merchants')";

/// Keys that one statement reads.
const AT_ONCE: usize = 200;

/// The keys that this server works with.
pub struct SubjectKeys {
    engine: Engine,
    seal: Arc<dyn Seal>,
    freshness: Freshness,
    /// True if the state was ever read.
    is_known: AtomicBool,
    /// True if keys are stored that no master key of this server opens.
    is_behind: AtomicBool,
    changed: AtomicI64,
    rotations: AtomicI64,
    destroyed: AtomicI64,
    has_merchant_keys: AtomicBool,
    /// Counts invalidations: a key that was read before one is not cached after it.
    generation: AtomicU64,
    merchants: CachedKeys,
    customers: CachedKeys,
}

impl SubjectKeys {
    pub(crate) fn new(engine: Engine, seal: Arc<dyn Seal>) -> Self {
        SubjectKeys {
            engine,
            seal,
            freshness: Freshness::default(),
            is_known: AtomicBool::new(false),
            is_behind: AtomicBool::new(false),
            changed: AtomicI64::new(0),
            rotations: AtomicI64::new(0),
            destroyed: AtomicI64::new(0),
            has_merchant_keys: AtomicBool::new(false),
            generation: AtomicU64::new(0),
            merchants: CachedKeys::default(),
            customers: CachedKeys::default(),
        }
    }

    /// Checks whether keys were changed or destroyed elsewhere.
    pub(crate) async fn notice_changes(&self) -> Result<(), StoreFailure> {
        match self.engine.dialect() {
            Dialect::Sqlite => self.trust().await,
            Dialect::Postgres => self.freshness.now(async || self.look().await).await,
        }
    }

    /// Checks for changes, unless a check succeeded a moment ago: data whose key was destroyed elsewhere must become
    /// unreadable here.
    async fn trust(&self) -> Result<(), StoreFailure> {
        match self.engine.dialect() {
            // One process has the file to itself, and invalidates its own cache.
            Dialect::Sqlite if self.is_known.load(Ordering::Acquire) => Ok(()),
            Dialect::Sqlite => self.look().await,
            Dialect::Postgres => self.freshness.recent(async || self.look().await).await,
        }
    }

    async fn look(&self) -> Result<(), StoreFailure> {
        let rows = self.engine.fetch(Read::new(STATE, values![])).await;
        let (mut changed, mut destroyed, mut rotations, mut of_merchants) = (0, 0, 0, 0);
        for row in rows.map_err(failure)? {
            let number = row.int("number").map_err(failure)?;
            match row.str("name").map_err(failure)? {
                CHANGED => changed = number,
                ROTATIONS => rotations = number,
                DESTROYED => destroyed = number,
                OF_MERCHANTS => of_merchants = number,
                _ => {}
            }
        }
        self.has_merchant_keys
            .store(of_merchants > 0, Ordering::Release);
        let is_changed = self.changed.swap(changed, Ordering::AcqRel) != changed;
        if is_changed || self.is_behind.load(Ordering::Acquire) {
            self.take_up().await?;
        }
        self.rotations.store(rotations, Ordering::Release);
        if is_changed {
            self.forget_all();
        }
        if self.destroyed.swap(destroyed, Ordering::AcqRel) != destroyed {
            self.forget_customers();
        }
        self.is_known.store(true, Ordering::Release);
        Ok(())
    }

    /// Loads the stored keys of the installation.
    async fn take_up(&self) -> Result<(), StoreFailure> {
        let stored = keys::stored_keys(&self.engine).await?;
        match self.seal.take_up(&stored) {
            Ok(()) => self.is_behind.store(false, Ordering::Release),
            Err(refused) => {
                if !self.is_behind.swap(true, Ordering::AcqRel) {
                    tracing::error!(
                        %refused,
                        "the keys of this installation were changed, and the master key of this server doesn't open them: \
                         give it the present one and start it again"
                    );
                }
            }
        }
        Ok(())
    }

    /// Checks at once, and returns whether this server has all stored keys.
    pub(crate) async fn is_up_to_date(&self) -> Result<bool, StoreFailure> {
        self.look().await?;
        Ok(!self.is_behind.load(Ordering::Acquire))
    }

    /// Checks at once, even if this server made the change.
    pub(crate) async fn reload(&self) -> Result<(), StoreFailure> {
        self.look().await
    }

    /// Loads the installation's keys if one of them sealed these bytes and is not loaded.
    async fn have_key_of(&self, sealed: &[u8]) -> Result<(), StoreFailure> {
        match self.seal.sealed_by(sealed) {
            Some(SealedBy::Installation(key_id)) if !self.seal.has_installation_key(key_id) => {
                self.take_up().await
            }
            Some(SealedBy::Installation(_) | SealedBy::Subject(_)) | None => Ok(()),
        }
    }

    /// Returns the name of the installation's key that seals new data.
    pub(crate) fn installation_key(&self) -> String {
        self.seal.installation_key()
    }

    pub(crate) fn forget_all(&self) {
        self.generation.fetch_add(1, Ordering::AcqRel);
        self.merchants.forget();
        self.customers.forget();
    }

    /// Drops the cached keys of customers, after some were destroyed.
    pub(crate) fn forget_customers(&self) {
        self.generation.fetch_add(1, Ordering::AcqRel);
        self.customers.forget();
    }

    fn cache(&self, subject: &Subject) -> &CachedKeys {
        match &subject.customer_id {
            None => &self.merchants,
            Some(_) => &self.customers,
        }
    }

    /// Returns the key that seals for a subject, if it has one.
    ///
    /// # Errors
    /// [`StoreFailure::Destroyed`] if the subject's key was destroyed.
    async fn current(&self, subject: &Subject) -> Result<Option<Arc<dyn DataKey>>, StoreFailure> {
        self.trust().await?;
        if let Some(key) = self.cache(subject).current(subject) {
            return Ok(Some(key));
        }
        let generation = self.generation.load(Ordering::Acquire);
        let parameters = values![subject.merchant_id.as_str(), customer_of(subject)];
        let found = self
            .engine
            .fetch_optional(Read::new(CURRENT, parameters))
            .await;
        let Some(row) = found.map_err(failure)? else {
            return Ok(None);
        };
        let stored = StoredSubjectKey::read(&row)?;
        let key = self.unwrap(&stored).await?;
        if let Found::Key(key) = &key {
            self.keep(generation, subject, key, true);
        }
        match key {
            Found::Key(key) => Ok(Some(key)),
            Found::Destroyed => Err(StoreFailure::Destroyed(subject.to_string())),
        }
    }

    fn in_memory(&self, key_id: &str) -> Option<Arc<dyn DataKey>> {
        let of_merchant = self.merchants.named(key_id);
        of_merchant.or_else(|| self.customers.named(key_id))
    }

    /// Reads the keys with these names, of any subject.
    async fn read_named(
        &self,
        names: &[&str],
        keys: &mut OpenKeys<'_>,
    ) -> Result<(), StoreFailure> {
        let generation = self.generation.load(Ordering::Acquire);
        let numbers: Vec<String> = (1..=names.len())
            .map(|number| format!("${number}"))
            .collect();
        let sql = format!("{BY_ID} ({})", numbers.join(", "));
        let parameters = names.iter().copied().map(Value::from).collect();
        let rows = self.engine.fetch(Read::new(sql, parameters)).await;
        for row in &rows.map_err(failure)? {
            let stored = StoredSubjectKey::read(row)?;
            let found = self.unwrap(&stored).await?;
            if let Found::Key(key) = &found {
                self.keep(generation, &stored.subject, key, false);
            }
            keys.add(&stored.key.key_id, found);
        }
        Ok(())
    }

    async fn unwrap(&self, stored: &StoredSubjectKey) -> Result<Found, StoreFailure> {
        if stored.is_destroyed {
            return Ok(Found::Destroyed);
        }
        self.have_key_of(&stored.key.wrapped).await?;
        let key = self.seal.unwrap_key(&stored.subject, &stored.key);
        let broken = |_| {
            let key_id = &stored.key.key_id;
            StoreFailure::Broken(format!("the stored key {key_id} does not open"))
        };
        Ok(Found::Key(key.map_err(broken)?))
    }

    fn keep(&self, generation: u64, subject: &Subject, key: &Arc<dyn DataKey>, is_current: bool) {
        let is_so_still = || self.generation.load(Ordering::Acquire) == generation;
        self.cache(subject)
            .keep(subject, key, is_current, is_so_still);
    }

    /// Returns the keys that a change-set seals with. A subject without a key gets one, which is stored with the
    /// change-set.
    pub(crate) async fn for_commit(
        &self,
        change_set: &ChangeSet,
    ) -> Result<CommitKeys<'_>, StoreFailure> {
        let mut keys = CommitKeys::new(self.seal.as_ref());
        if !sealing::seals(change_set) {
            return Ok(keys);
        }
        self.trust().await?;
        let has_merchant_keys = self.has_merchant_keys.load(Ordering::Acquire);
        if has_merchant_keys {
            keys.seal_payers();
        }
        for subject in sealing::subjects_of(change_set, has_merchant_keys) {
            // Every server that may still run knows customers' keys; merchants' keys are newer.
            if subject.customer_id.is_none() && !has_merchant_keys {
                continue;
            }
            match self.current(&subject).await {
                Ok(Some(key)) => keys.add(subject, key),
                Ok(None) => {
                    let (key, stored) = self.seal.make_key(&subject);
                    let rotation = self.rotations.load(Ordering::Acquire);
                    keys.make(subject, key, &stored, rotation, change_set.at);
                }
                // The customer was redacted meanwhile: the commit will fail and say so.
                Err(StoreFailure::Destroyed(_)) => keys.has_none(subject),
                Err(failure) => return Err(failure),
            }
        }
        Ok(keys)
    }

    /// Returns the key that seals data outside of change-sets.
    pub(crate) async fn of_merchant(
        &self,
        merchant_id: &MerchantId,
    ) -> Result<CommitKeys<'_>, StoreFailure> {
        let mut keys = CommitKeys::new(self.seal.as_ref());
        self.trust().await?;
        if self.has_merchant_keys.load(Ordering::Acquire) {
            let subject = Subject::merchant(merchant_id);
            // A merchant without a key gets one with the next change-set; until then the installation's key seals.
            if let Some(key) = self.current(&subject).await? {
                keys.add(subject, key);
            }
        }
        Ok(keys)
    }

    /// Returns the keys that open a column of these rows.
    ///
    /// # Errors
    /// Fails when a key can't be read.
    pub async fn to_open<'r>(
        &self,
        rows: impl IntoIterator<Item = &'r Row>,
        column: &str,
    ) -> Result<OpenKeys<'_>, StoreFailure> {
        self.to_open_columns(rows, &[column]).await
    }

    /// Returns the keys that open several columns of these rows.
    pub(crate) async fn to_open_columns<'r>(
        &self,
        rows: impl IntoIterator<Item = &'r Row>,
        columns: &[&str],
    ) -> Result<OpenKeys<'_>, StoreFailure> {
        let mut keys = OpenKeys::new(self.seal.as_ref());
        let mut wanted: Vec<&str> = Vec::new();
        for row in rows {
            for column in columns {
                let Ok(Value::Bytes(sealed)) = row.value(*column) else {
                    continue;
                };
                match self.seal.sealed_by(sealed) {
                    Some(SealedBy::Subject(key_id)) if wanted.last() == Some(&key_id) => {}
                    Some(SealedBy::Subject(key_id)) => wanted.push(key_id),
                    Some(SealedBy::Installation(_)) | None => self.have_key_of(sealed).await?,
                }
            }
        }
        if wanted.is_empty() {
            return Ok(keys);
        }
        wanted.sort_unstable();
        wanted.dedup();
        self.trust().await?;
        wanted.retain(|key_id| match self.in_memory(key_id) {
            Some(key) => {
                keys.add(key_id, Found::Key(key));
                false
            }
            None => true,
        });
        for some in wanted.chunks(AT_ONCE) {
            self.read_named(some, &mut keys).await?;
        }
        Ok(keys)
    }

    /// Returns the key of a subject; creates and stores one if there is none.
    pub(crate) async fn own(
        &self,
        subject: &Subject,
        now: Timestamp,
    ) -> Result<Arc<dyn DataKey>, StoreFailure> {
        if let Some(key) = self.current(subject).await? {
            return Ok(key);
        }
        let (_, stored) = self.seal.make_key(subject);
        let rotation = self.rotations.load(Ordering::Acquire);
        // If another server was faster, its key is used.
        let write = insert(subject, &stored, 1, rotation, now).any_rows();
        record::write_any(&self.engine, vec![write]).await?;
        let key = self.current(subject).await?;
        key.ok_or_else(|| StoreFailure::Broken(format!("the key of {subject} was not stored")))
    }

    /// Returns the keys that open these bytes.
    pub(crate) async fn to_open_bytes(&self, sealed: &[u8]) -> Result<OpenKeys<'_>, StoreFailure> {
        let mut keys = OpenKeys::new(self.seal.as_ref());
        match self.seal.sealed_by(sealed) {
            Some(SealedBy::Subject(key_id)) => {
                self.trust().await?;
                match self.in_memory(key_id) {
                    Some(key) => keys.add(key_id, Found::Key(key)),
                    None => self.read_named(&[key_id], &mut keys).await?,
                }
            }
            Some(SealedBy::Installation(_)) | None => self.have_key_of(sealed).await?,
        }
        Ok(keys)
    }

    /// Returns the seal for data that needs no subject's key.
    pub fn seal(&self) -> &dyn Seal {
        self.seal.as_ref()
    }
}

/// The state of the key that something was sealed with.
pub(crate) enum Found {
    Key(Arc<dyn DataKey>),
    Destroyed,
}
