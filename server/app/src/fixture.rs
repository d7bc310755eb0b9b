//! Fixtures for unit tests of services: a stopped clock, seeded randomness, and a store that records its change-sets.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use multirail_kernel::audit::{Named, Stamp};
use multirail_kernel::clock::Clock;
use multirail_kernel::environment::Environment;
use multirail_kernel::ids::{MerchantId, ProfileId};
use multirail_kernel::random::SeededRandom;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_platform::{Change as PlatformChange, Invalidates, SealedFor, Writing};
use multirail_sql::Write;
use tokio::sync::Notify;

use crate::Origin;
use crate::platform::announcer::Announcer;
use crate::platform::audit::Notes;
use crate::platform::base::Base;
use crate::platform::lease::Leases;
use crate::platform::ports::event_record::{DeliveryQueue, Endpoint, WishStore, Wishes};
use crate::platform::ports::installation_keys::{InstallationKey, KeysRefused};
use crate::platform::ports::seal::{DataKey, Seal, SealedBy, Subject, Unopened, WrappedDataKey};
use crate::platform::ports::{Actor, ChangeSet, ChangeSetStore, CommitError, StoreFailure};

/// The time at which the clock stands: 2026-01-02T03:04:05Z.
pub const NOW: i64 = 1_767_323_045;

/// The operator as the origin of a request.
pub fn operator() -> Origin {
    Origin::of_request(Actor::Admin, "req_1".to_owned(), None)
}

/// A base over this store of change-sets.
pub fn base(change_sets: &Arc<Committed>) -> Arc<Base> {
    base_over(Arc::clone(change_sets) as Arc<dyn ChangeSetStore>)
}

/// A base over another store of change-sets.
pub fn base_over(change_sets: Arc<dyn ChangeSetStore>) -> Arc<Base> {
    Arc::new(Base {
        clock: Arc::new(Standing::default()),
        random: Arc::new(SeededRandom::new(1)),
        change_sets,
        seal: Arc::new(Unsealed),
        audit_notes: Notes::default(),
        leases: Leases {
            processor_deadline: Duration::from_secs(30),
            webhook_timeout: Duration::from_secs(10),
            alone_since: None,
        },
        environment: Environment::Sandbox,
        stored_events: Notify::new(),
    })
}

/// An announcer whose profiles want no webhooks.
pub fn announcer(base: &Arc<Base>) -> Announcer {
    Announcer {
        base: Arc::clone(base),
        wishes: Arc::new(Silent),
        queue: Arc::new(Silent),
    }
}

/// Profiles without webhooks.
struct Silent;

#[async_trait]
impl WishStore for Silent {
    async fn wishes(
        &self,
        _: &MerchantId,
        _: &ProfileId,
    ) -> Result<Option<Arc<dyn Wishes>>, StoreFailure> {
        Ok(None)
    }
}

impl DeliveryQueue for Silent {
    fn notify(&self, _: Endpoint) {}
}

/// A clock that stands still in both times, except for the offset of business time.
#[derive(Default)]
struct Standing(AtomicI64);

impl Clock for Standing {
    fn now(&self) -> Timestamp {
        let advanced = self.wall().plus_seconds(self.advanced_seconds());
        advanced.expect("a time")
    }

    fn wall(&self) -> Timestamp {
        Timestamp::from_micros(NOW * 1_000_000)
    }

    fn advanced_seconds(&self) -> i64 {
        self.0.load(Ordering::Acquire)
    }

    fn set_advanced_seconds(&self, seconds: i64) {
        self.0.store(seconds, Ordering::Release);
    }
}

/// The stored change-sets, each change as text.
#[derive(Default)]
pub struct Committed {
    stored: Mutex<Vec<String>>,
    /// The errors of the next commits, last one first.
    refusals: Mutex<Vec<CommitError>>,
}

impl Committed {
    /// Makes the next commit fail with this error, before errors that were added earlier.
    pub fn refuse(&self, error: CommitError) {
        self.refusals.lock().expect("no panic").push(error);
    }

    /// Returns a line for each stored change, and one for each change-set with its actor and merchant.
    pub fn lines(&self) -> Vec<String> {
        self.stored.lock().expect("no panic").clone()
    }
}

#[async_trait]
impl ChangeSetStore for Committed {
    async fn commit(&self, change_set: ChangeSet) -> Result<(), CommitError> {
        if let Some(error) = self.refusals.lock().expect("no panic").pop() {
            return Err(error);
        }
        let mut stored = self.stored.lock().expect("no panic");
        let merchant_id = change_set.merchant_id.map(|id| id.to_string());
        let merchant_id = merchant_id.unwrap_or_else(|| "nobody".to_owned());
        stored.push(format!("{:?} for {merchant_id}", change_set.actor));
        let changes = change_set.changes.iter();
        stored.extend(changes.map(|one| format!("  {one:?}")));
        let of_key = change_set.idempotency.iter();
        stored.extend(of_key.map(|one| format!("  key: {one:?}")));
        Ok(())
    }

    async fn purge_change_sets(&self, _: Timestamp, _: i64) -> Result<u64, StoreFailure> {
        Ok(0)
    }
}

/// A change of a fake store. It prints as the inner change and has no statements.
pub struct Noted<C>(pub C);

impl<C: std::fmt::Debug> std::fmt::Debug for Noted<C> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl<C: std::fmt::Debug + Send + Sync> PlatformChange for Noted<C> {
    fn write(&self, _: &Writing<'_>, _: &mut Vec<Write>) -> Result<(), StoreFailure> {
        Ok(())
    }

    fn invalidates(&self) -> Invalidates {
        Invalidates::Nothing
    }

    fn sealed_for(&self) -> SealedFor<'_> {
        SealedFor::Nobody
    }

    fn audited(&self) -> Option<Named> {
        None
    }
}

/// Seals nothing and returns its input as the hash: enough for tests that only compare.
struct Unsealed;

impl Seal for Unsealed {
    fn seal(&self, place: &str, text: &SecretText) -> Vec<u8> {
        format!("{place}|{}", text.expose()).into_bytes()
    }

    fn open(&self, place: &str, sealed: &[u8]) -> Result<SecretText, Unopened> {
        let text = String::from_utf8(sealed.to_vec()).map_err(|_| Unopened)?;
        let opened = text.strip_prefix(&format!("{place}|")).ok_or(Unopened)?;
        Ok(SecretText::new(opened))
    }

    fn sealed_by<'a>(&self, _: &'a [u8]) -> Option<SealedBy<'a>> {
        None
    }

    fn make_key(&self, _: &Subject) -> (Arc<dyn DataKey>, WrappedDataKey) {
        let stored = WrappedDataKey {
            key_id: self.installation_key(),
            wrapped: Vec::new(),
        };
        (Arc::new(Unsealed), stored)
    }

    fn unwrap_key(&self, _: &Subject, _: &WrappedDataKey) -> Result<Arc<dyn DataKey>, Unopened> {
        Err(Unopened)
    }

    fn rewrap(&self, _: &Subject, _: &WrappedDataKey) -> Result<WrappedDataKey, Unopened> {
        Err(Unopened)
    }

    fn installation_key(&self) -> String {
        "key_of_tests".to_owned()
    }

    fn has_installation_key(&self, key_id: &str) -> bool {
        key_id == self.installation_key()
    }

    fn take_up(&self, _: &[InstallationKey]) -> Result<(), KeysRefused> {
        Ok(())
    }

    fn hash_api_key(&self, key: &SecretText) -> String {
        format!("hash of {}", key.expose())
    }

    fn audit_stamp(&self, _: &[&[u8]]) -> Stamp {
        multirail_kernel::audit::BEGINNING
    }

    fn fingerprint(&self, scope: &str, value: &str) -> String {
        format!("{scope}:{value}")
    }

    fn client_secret_suffix(&self, _: &str, payment_id: &str) -> SecretText {
        SecretText::new(format!("secret_of_{payment_id}"))
    }

    fn visit_token(&self, about: &[&str]) -> SecretText {
        SecretText::new(about.join("+"))
    }
}

impl DataKey for Unsealed {
    fn key_id(&self) -> &str {
        "key_of_tests"
    }

    fn seal(&self, place: &str, text: &SecretText) -> Vec<u8> {
        Seal::seal(self, place, text)
    }

    fn open(&self, place: &str, sealed: &[u8]) -> Result<SecretText, Unopened> {
        Seal::open(self, place, sealed)
    }
}
