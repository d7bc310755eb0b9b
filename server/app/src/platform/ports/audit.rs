//! The stored audit log: the entries that commits write, and their chain.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use multirail_kernel::audit::{Chained, Head, Named, Stamped};
use multirail_kernel::timestamp::Timestamp;

use super::change_set::Actor;
use super::failure::StoreFailure;

/// A request before it changes anything. Its first commit writes an entry with this data.
#[derive(Debug)]
pub struct AuditNote {
    pub request_id: String,
    /// The time of its arrival, in wall time.
    pub recorded_at: Timestamp,
    /// The operation, by its name in the document.
    pub operation: &'static str,
    /// The caller, where authentication named one; otherwise the entry names the change's actor.
    pub actor: Option<Actor>,
    /// The caller's merchant account. A change inside another account names that one in the entry.
    pub merchant_id: Option<String>,
    /// The objects that the path names.
    pub target: Vec<Named>,
    pub ip: IpAddr,
    is_kept: AtomicBool,
}

impl AuditNote {
    /// Returns the note of a request that has changed nothing yet.
    pub fn new(
        request_id: String,
        recorded_at: Timestamp,
        operation: &'static str,
        ip: IpAddr,
    ) -> Self {
        AuditNote {
            request_id,
            recorded_at,
            operation,
            actor: None,
            merchant_id: None,
            target: Vec::new(),
            ip,
            is_kept: AtomicBool::new(false),
        }
    }

    /// Returns whether its entry is stored.
    pub fn is_stored(&self) -> bool {
        self.is_kept.load(Ordering::Acquire)
    }

    /// Notes that its entry is stored.
    pub fn mark_stored(&self) {
        self.is_kept.store(true, Ordering::Release);
    }
}

/// The entry that a commit writes, and the note of its request.
#[derive(Clone, Debug)]
pub struct AuditRecord {
    pub note: Arc<AuditNote>,
    pub stamped: Stamped,
}

/// The filter for a list of entries, last one first. An entry has to match every member that is set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuditSearch {
    pub merchant_id: Option<String>,
    pub principal: Option<String>,
    pub principal_id: Option<String>,
    pub operation: Option<String>,
    pub request_id: Option<String>,
    /// Inclusive, in wall time.
    pub from: Option<Timestamp>,
    /// Inclusive.
    pub until: Option<Timestamp>,
    /// Only entries with a lower number.
    pub before: Option<i64>,
    pub limit: i64,
}

/// Reads the audit log and appends to it. Nothing changes or deletes an entry.
#[async_trait]
pub trait AuditStore: Send + Sync {
    /// Returns the entries that are not chained yet, earliest request first.
    async fn unchained_entries(&self, at_most: i64) -> Result<Vec<Stamped>, StoreFailure>;

    /// Returns the end of the chain; `None` before the first chained entry.
    async fn audit_head(&self) -> Result<Option<Head>, StoreFailure>;

    /// Appends entries to the chain. Appends nothing and returns `false` where the head no longer has `former` entries,
    /// or another server has chained some of them.
    async fn chain_entries(
        &self,
        former: i64,
        entries: &[Chained],
        head: &Head,
    ) -> Result<bool, StoreFailure>;

    /// Returns one page of a search, without entries that can't be read.
    async fn audit_entries(&self, search: &AuditSearch) -> Result<Vec<Chained>, StoreFailure>;

    /// Returns the entries from a number on, in the order of the chain, without entries that can't be read.
    async fn audit_portion(&self, from: i64, at_most: i64) -> Result<Vec<Chained>, StoreFailure>;
}
