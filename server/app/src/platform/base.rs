//! The base of every service: time, randomness, and commits.

use std::sync::Arc;

use multirail_kernel::context::{Context, FreshKeys};
use multirail_kernel::environment::Environment;
use multirail_kernel::ids::{ChangeSetId, EventId, MerchantId, ProcessorKey};
use multirail_kernel::random::Random;
use multirail_kernel::timestamp::Timestamp;
use tokio::sync::Notify;

use crate::platform::audit;
use crate::platform::caller::Origin;
use crate::platform::idempotency::ForKey;
use crate::platform::lease::Leases;
use crate::platform::ports::{Change, ChangeSet, ChangeSetStore, Clock, CommitError, Seal};

/// Time, randomness, and commits. Each service has it, next to its own ports.
pub struct Base {
    pub clock: Arc<dyn Clock>,
    pub random: Arc<dyn Random>,
    pub change_sets: Arc<dyn ChangeSetStore>,
    /// Stamps the entries of the audit log.
    pub seal: Arc<dyn Seal>,
    /// The requests under way whose changes are recorded in the audit log.
    pub audit_notes: audit::Notes,
    /// The leases under which this server claims work.
    pub leases: Leases,
    /// The kind of keys that this deployment gives out.
    pub environment: Environment,
    /// Notified when this server has stored events.
    pub stored_events: Notify,
}

impl Base {
    /// Business time.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Returns the time and fresh processor keys for one decision.
    pub fn context(&self) -> Context<'_> {
        Context {
            now: self.now(),
            keys: self,
            calls_over_until: self.leases.calls_over_until(self.now()),
        }
    }

    pub fn event_id(&self) -> EventId {
        EventId::generate(self.clock.wall(), self.random.as_ref())
    }

    /// Builds a change-set from changes, with those of the request's idempotency key and with the audit log's entry.
    pub fn change_set(
        &self,
        origin: &Origin,
        merchant_id: Option<&MerchantId>,
        for_key: ForKey<'_>,
        changes: Vec<Change>,
    ) -> ChangeSet {
        let claim = origin.claim.as_ref();
        let idempotency = claim.map_or_else(Vec::new, |claim| self.key_changes(claim, for_key));
        let audit = self.audit_record(origin, merchant_id, &changes);
        ChangeSet {
            id: ChangeSetId::generate(self.clock.wall(), self.random.as_ref()),
            merchant_id: merchant_id.cloned(),
            actor: origin.actor.clone(),
            request_id: origin.request_id.clone(),
            at: self.now(),
            changes,
            events: Vec::new(),
            idempotency,
            audit,
        }
    }

    /// Stores a change-set durably and atomically.
    ///
    /// # Errors
    /// A conflict with another change, and a store that fails.
    pub async fn commit(&self, change_set: ChangeSet) -> Result<(), CommitError> {
        let has_events = !change_set.events.is_empty();
        self.change_sets.commit(change_set).await?;
        if has_events {
            self.stored_events.notify_one();
        }
        Ok(())
    }
}

impl FreshKeys for Base {
    fn next(&self) -> ProcessorKey {
        ProcessorKey::generate(self.clock.wall(), self.random.as_ref())
    }
}
