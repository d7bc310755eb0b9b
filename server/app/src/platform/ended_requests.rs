//! Requests with an idempotency key that ended in this process after storing a call and before making it, because the
//! database failed. Only this process knows them, so only its memory has them. The repeat of such a request waits for
//! no lease, and needs no answer of a processor.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use multirail_kernel::ids::{MerchantId, ProcessorKey};
use multirail_kernel::timestamp::Timestamp;

use super::idempotency::Claim;

/// The lifetime of an entry. By its end the lease has expired, however long the processor's deadline.
pub(crate) const KEPT_FOR: Duration = Duration::from_secs(900);
/// The largest number of entries. Repeats of further requests wait for the lease.
const AT_MOST: usize = 10_000;

type Name = (MerchantId, &'static str, String);

/// The requests of this process that ended this way.
#[derive(Default)]
pub struct EndedRequests {
    by_name: Mutex<HashMap<Name, (Instant, Ended)>>,
}

/// An ended request.
#[derive(Clone, Default)]
pub struct Ended {
    /// The calls that were not made.
    pub calls: Vec<ProcessorKey>,
    /// The lease of the key when the request's calls were settled. While it is the same, no other try has claimed the
    /// key.
    pub settled_with: Option<Timestamp>,
}

impl EndedRequests {
    /// Notes that the request of this claim ended before it made these calls.
    pub fn note(&self, claim: &Claim, calls: Vec<ProcessorKey>) {
        self.change(claim, |ended| ended.calls = calls);
    }

    /// Returns the ended request of this claim, if there is one.
    pub fn find(&self, claim: &Claim) -> Option<Ended> {
        let by_name = lock(&self.by_name);
        by_name.get(&name(claim)).map(|(_, ended)| ended.clone())
    }

    /// Notes that the outcome of the calls is stored, while the key had this lease.
    pub fn settle(&self, claim: &Claim, lease_until: Timestamp) {
        self.change(claim, |ended| {
            *ended = Ended {
                calls: Vec::new(),
                settled_with: Some(lease_until),
            };
        });
    }

    fn change(&self, claim: &Claim, change: impl FnOnce(&mut Ended)) {
        let mut by_name = lock(&self.by_name);
        if by_name.len() >= AT_MOST {
            by_name.retain(|_, (since, _)| since.elapsed() < KEPT_FOR);
        }
        let name = name(claim);
        if by_name.len() < AT_MOST || by_name.contains_key(&name) {
            let (since, ended) = by_name
                .entry(name)
                .or_insert_with(|| (Instant::now(), Ended::default()));
            *since = Instant::now();
            change(ended);
        }
    }
}

fn name(claim: &Claim) -> Name {
    (
        claim.merchant_id.clone(),
        claim.operation,
        claim.key.clone(),
    )
}

fn lock<T>(all: &Mutex<T>) -> MutexGuard<'_, T> {
    all.lock().unwrap_or_else(PoisonError::into_inner)
}
