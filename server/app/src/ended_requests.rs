//! Requests with an idempotency key that ended in this process between storing a call and making it, because the
//! database went away. Only this process knows, so they are kept in its memory only. The repeat of such a request waits
//! for no lease, and no processor has to be asked what became of it.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use multirail_domain::ids::{MerchantId, ProcessorKey};

use super::idempotency::Claim;

/// How long an entry is kept: by then the lease has lapsed, however long the processor's deadline.
pub(super) const KEPT_FOR: Duration = Duration::from_secs(900);
/// The most entries that are kept: repeats of further requests wait for the lease.
const AT_MOST: usize = 10_000;

type Name = (MerchantId, &'static str, String);

/// The requests of this process that ended so.
#[derive(Default)]
pub struct EndedRequests {
    /// The calls that were not made.
    uncalled: Mutex<HashMap<Name, (Instant, Vec<ProcessorKey>)>>,
    /// Requests that are being carried out once more, and the objects that they had begun to change.
    resumed: Mutex<HashMap<Name, (Instant, String)>>,
}

impl EndedRequests {
    /// Notes that the request of this claim ended before it made these calls.
    pub fn note(&self, claim: &Claim, calls: Vec<ProcessorKey>) {
        put(&mut lock(&self.uncalled), name(claim), calls);
    }

    /// The calls that the request of this claim didn't make, if it ended so.
    pub fn calls_of(&self, claim: &Claim) -> Option<Vec<ProcessorKey>> {
        let uncalled = lock(&self.uncalled);
        uncalled.get(&name(claim)).map(|(_, calls)| calls.clone())
    }

    /// Removes the calls of the request of this claim: what became of them is settled.
    pub fn remove(&self, claim: &Claim) {
        lock(&self.uncalled).remove(&name(claim));
    }

    /// Notes that the request of this claim is carried out once more: it had begun to change this object.
    pub fn resume(&self, claim: &Claim, object_id: String) {
        put(&mut lock(&self.resumed), name(claim), object_id);
    }

    /// The object that the request of this claim is to change once more.
    pub fn resumed(&self, claim: &Claim) -> Option<String> {
        let resumed = lock(&self.resumed);
        if resumed.is_empty() {
            return None;
        }
        resumed
            .get(&name(claim))
            .map(|(_, object_id)| object_id.clone())
    }

    /// Removes a request that was carried out once more.
    pub fn remove_resumed(&self, claim: &Claim) {
        lock(&self.resumed).remove(&name(claim));
    }
}

fn put<T>(all: &mut HashMap<Name, (Instant, T)>, name: Name, what: T) {
    if all.len() >= AT_MOST {
        all.retain(|_, (since, _)| since.elapsed() < KEPT_FOR);
    }
    if all.len() < AT_MOST {
        all.insert(name, (Instant::now(), what));
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
