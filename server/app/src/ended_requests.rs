//! Requests with an idempotency key that ended in this process before they had asked a processor for what they had
//! stored: the database went away in between. Nobody else can know that, so it is kept in memory only. A repeat needs
//! not wait for the lease of such a request, and nobody has to be asked what became of it.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use multirail_domain::ids::{MerchantId, ProcessorKey};

use super::idempotency::Claim;

/// After that the lease has lapsed, however long the processor's deadline.
pub(super) const KEPT_FOR: Duration = Duration::from_secs(900);
/// Above this many no more are kept: repeats of theirs wait.
const AT_MOST: usize = 10_000;

type Name = (MerchantId, &'static str, String);

/// What is known of them.
#[derive(Default)]
pub struct EndedRequests {
    /// The calls that were not made.
    uncalled: Mutex<HashMap<Name, (Instant, Vec<ProcessorKey>)>>,
    /// Requests that are being carried out once more, and the objects that they had begun to change.
    resumed: Mutex<HashMap<Name, (Instant, String)>>,
}

impl EndedRequests {
    /// The request of this claim ended, and these calls were not made.
    pub fn note(&self, claim: &Claim, calls: Vec<ProcessorKey>) {
        put(&mut lock(&self.uncalled), name(claim), calls);
    }

    /// The calls that the request of this claim didn't make, if it ended so.
    pub fn calls_of(&self, claim: &Claim) -> Option<Vec<ProcessorKey>> {
        let uncalled = lock(&self.uncalled);
        uncalled.get(&name(claim)).map(|(_, calls)| calls.clone())
    }

    /// It is settled what became of them.
    pub fn remove(&self, claim: &Claim) {
        lock(&self.uncalled).remove(&name(claim));
    }

    /// The request of this claim is to be carried out once more: it had begun to change this object.
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

    /// It has been.
    pub fn forget_resumed(&self, claim: &Claim) {
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
