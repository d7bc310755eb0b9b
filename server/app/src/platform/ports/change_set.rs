//! What is written: a value that is committed whole or not at all. See ARCHITECTURE.md, "A write".

use async_trait::async_trait;
use multirail_kernel::ids::{ChangeSetId, MerchantId};
use multirail_kernel::timestamp::Timestamp;
use multirail_platform as platform;

use super::audit::AuditRecord;
use super::event_record::EventRecord;
use super::failure::{CommitError, StoreFailure};
use super::idempotency::IdempotencyChange;

/// Everything that is to change together, as a value. Committed whole or not at all.
#[derive(Debug)]
pub struct ChangeSet {
    /// Stored with the change: when the answer of a commit is lost, this tells whether it took place.
    pub id: ChangeSetId,
    pub merchant_id: Option<MerchantId>,
    pub actor: Actor,
    /// The request that caused it, `None` for a worker's.
    pub request_id: Option<String>,
    pub at: Timestamp,
    pub changes: Vec<Change>,
    /// The events of the changed objects, recorded and queued with the change.
    pub events: Vec<EventRecord>,
    /// The changes of the request's idempotency key.
    pub idempotency: Vec<IdempotencyChange>,
    /// The entry of the audit log that is stored with it.
    pub audit: Option<AuditRecord>,
}

impl ChangeSet {
    /// Returns whether nothing is to be stored but the entry of the audit log.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.events.is_empty() && self.idempotency.is_empty()
    }
}

/// Who changes something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Actor {
    Admin,
    /// A merchant's secret key.
    ApiKey(String),
    /// A platform's secret key, for a merchant that is connected to the platform.
    Platform {
        merchant_id: String,
        key_id: String,
    },
    /// A person who signed in.
    User(String),
    /// A payer's client.
    Client,
    /// A payer who came back from the processor's page.
    Payer,
    /// A worker of ours, by name.
    Worker(&'static str),
    /// The start of the service.
    Startup,
}

/// One change of one object. An update carries the version that it was decided on. If that moved meanwhile, the commit is a
/// conflict.
pub type Change = Box<dyn platform::Change>;

/// The one way to write, and the rows that say who wrote.
#[async_trait]
pub trait ChangeSetStore: Send + Sync {
    /// Stores the change-set durably, or nothing of it.
    async fn commit(&self, change_set: ChangeSet) -> Result<(), CommitError>;

    /// Deletes the rows that say who committed before a time, the oldest first; answers how many.
    async fn purge_change_sets(
        &self,
        made_before: Timestamp,
        at_most: i64,
    ) -> Result<u64, StoreFailure>;
}
