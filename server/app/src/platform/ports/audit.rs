//! The audit log at rest: what commits leave, and the chain that they are taken into.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use multirail_kernel::audit::{Chained, Head, Named, Stamped};
use multirail_kernel::timestamp::Timestamp;

use super::change_set::Actor;
use super::failure::StoreFailure;

/// What is known of a request before it changes anything. Its first commit leaves an entry of it.
#[derive(Debug)]
pub struct AuditNote {
    pub request_id: String,
    /// When it came, in wall time.
    pub recorded_at: Timestamp,
    /// The operation, by the name that it has in the document.
    pub operation: &'static str,
    /// Who calls, where that was known at the door; else it is whom the change names.
    pub actor: Option<Actor>,
    /// The merchant account of the caller. Where a change is made in one, that is the entry's.
    pub merchant_id: Option<String>,
    /// What the path names.
    pub target: Vec<Named>,
    pub ip: IpAddr,
    is_kept: AtomicBool,
}

impl AuditNote {
    /// A note of a request that has changed nothing yet.
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

    /// Whether its entry is stored.
    pub fn is_kept(&self) -> bool {
        self.is_kept.load(Ordering::Acquire)
    }

    /// Its entry is stored.
    pub fn kept(&self) {
        self.is_kept.store(true, Ordering::Release);
    }
}

/// The entry that a commit leaves, and the request that it is about.
#[derive(Clone, Debug)]
pub struct AuditRecord {
    pub note: Arc<AuditNote>,
    pub stamped: Stamped,
}

/// Which entries, the last one first. Every condition that is set has to hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuditSearch {
    pub merchant_id: Option<String>,
    pub principal: Option<String>,
    pub principal_id: Option<String>,
    pub operation: Option<String>,
    pub request_id: Option<String>,
    /// Not earlier, in wall time.
    pub from: Option<Timestamp>,
    /// Not later.
    pub until: Option<Timestamp>,
    /// Only entries before the one of this number.
    pub before: Option<i64>,
    pub limit: i64,
}

/// Reads of the audit log, and the one way in which it grows. Nothing changes an entry or deletes one.
#[async_trait]
pub trait AuditStore: Send + Sync {
    /// What commits left and nobody has chained yet, the earliest request first.
    async fn unchained_entries(&self, at_most: i64) -> Result<Vec<Stamped>, StoreFailure>;

    /// Where the chain ends; `None` while nothing was chained.
    async fn audit_head(&self) -> Result<Option<Head>, StoreFailure>;

    /// Appends to the chain what was unchained; false, and nothing of it, where the head isn't at `former` entries any more or
    /// another server has chained some of it.
    async fn chain_entries(
        &self,
        former: i64,
        entries: &[Chained],
        head: &Head,
    ) -> Result<bool, StoreFailure>;

    /// One page of a search. What can't be read is left out.
    async fn audit_entries(&self, search: &AuditSearch) -> Result<Vec<Chained>, StoreFailure>;

    /// The entries from a number on, in the order of the chain. What can't be read is left out.
    async fn audit_portion(&self, from: i64, at_most: i64) -> Result<Vec<Chained>, StoreFailure>;
}
