//! Limits the calls under way for each account. Processors limit accounts: an account with many calls should neither run
//! into its processor's limit nor use up the connections of other accounts.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash, RandomState};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// Number of accounts from which those without a call are dropped.
const FEW: usize = 64;

/// The limits of all accounts.
pub struct AccountLimits {
    calls: usize,
    patience: Duration,
    accounts: Mutex<Accounts>,
    hasher: RandomState,
}

/// Accounts that have a call under way.
#[derive(Default)]
struct Accounts {
    slots: HashMap<u64, Weak<Semaphore>>,
    /// The size at which accounts without a call are dropped.
    full_at: usize,
}

/// A call under way; dropping it frees its slot.
pub struct Slot(#[expect(dead_code, reason = "held for its drop")] OwnedSemaphorePermit);

impl AccountLimits {
    /// Allows `calls` at once for each account; a call waits at most for `patience` for a slot.
    pub fn new(calls: usize, patience: Duration) -> Self {
        AccountLimits {
            calls: calls.clamp(1, Semaphore::MAX_PERMITS),
            patience,
            accounts: Mutex::default(),
            hasher: RandomState::new(),
        }
    }

    /// Returns a slot for a call of `account`; `None` if none became free in time.
    pub async fn slot(&self, account: impl Hash) -> Option<Slot> {
        let slots = self.slots(self.hasher.hash_one(account));
        let permit = timeout(self.patience, slots.acquire_owned()).await;
        permit.ok()?.ok().map(Slot)
    }

    fn slots(&self, account: u64) -> Arc<Semaphore> {
        let mut accounts = self.accounts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(slots) = accounts.slots.get(&account).and_then(Weak::upgrade) {
            return slots;
        }
        if accounts.slots.len() >= accounts.full_at {
            accounts.slots.retain(|_, slots| slots.strong_count() > 0);
            accounts.full_at = FEW.max(2 * accounts.slots.len());
        }
        let slots = Arc::new(Semaphore::new(self.calls));
        accounts.slots.insert(account, Arc::downgrade(&slots));
        slots
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn an_account_waits_for_a_place_of_its_own() {
        let limits = AccountLimits::new(2, Duration::from_secs(5));
        let first = limits.slot("a").await.expect("a slot");
        let second = limits.slot("a").await.expect("a slot");
        assert!(limits.slot("a").await.is_none(), "no third one");
        assert!(limits.slot("b").await.is_some(), "another account's");
        let (third, ()) = tokio::join!(limits.slot("a"), async { drop(first) });
        assert!(third.is_some(), "what became free in time is taken");
        drop((second, third));
        assert!(limits.slot("a").await.is_some());
    }

    #[tokio::test]
    async fn accounts_without_a_call_are_forgotten() {
        let limits = AccountLimits::new(1, Duration::ZERO);
        let kept = limits.slot("kept").await;
        for account in 0..10_000 {
            assert!(limits.slot(account).await.is_some());
        }
        assert!(limits.accounts.lock().expect("not poisoned").slots.len() <= FEW);
        assert!(limits.slot("kept").await.is_none(), "it is still counted");
        drop(kept);
    }
}
