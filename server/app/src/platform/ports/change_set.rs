//! Change-sets, which are committed atomically. See ARCHITECTURE.md, "A write".

use async_trait::async_trait;
use multirail_kernel::ids::{ChangeSetId, MerchantId};
use multirail_kernel::timestamp::Timestamp;
use multirail_platform as platform;

use super::audit::AuditRecord;
use super::event_record::EventRecord;
use super::failure::{CommitError, StoreFailure};
use super::idempotency::IdempotencyChange;

/// A set of changes that is committed atomically.
#[derive(Debug)]
pub struct ChangeSet {
    /// Stored with the changes: when the result of a commit is lost, this id shows whether it took place.
    pub id: ChangeSetId,
    pub merchant_id: Option<MerchantId>,
    pub actor: Actor,
    /// The request behind it; `None` for a worker.
    pub request_id: Option<String>,
    pub at: Timestamp,
    pub changes: Vec<Change>,
    /// The events of the changed objects, recorded and queued with the change.
    pub events: Vec<EventRecord>,
    /// The changes of the request's idempotency key.
    pub idempotency: Vec<IdempotencyChange>,
    /// The entry of the audit log to store with it.
    pub audit: Option<AuditRecord>,
}

impl ChangeSet {
    /// Returns whether the set has no change apart from the audit log's entry.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.events.is_empty() && self.idempotency.is_empty()
    }
}

/// The author of a change.
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

/// A change of one object. An update has the version that it was decided on, and conflicts where the version changed
/// since.
pub type Change = Box<dyn platform::Change>;

/// Stores change-sets, each with a row that names its author.
#[async_trait]
pub trait ChangeSetStore: Send + Sync {
    /// Stores the change-set durably and atomically.
    async fn commit(&self, change_set: ChangeSet) -> Result<(), CommitError>;

    /// Deletes the rows with the authors of commits before a time, oldest first; returns their number.
    async fn purge_change_sets(
        &self,
        made_before: Timestamp,
        at_most: i64,
    ) -> Result<u64, StoreFailure>;
}
