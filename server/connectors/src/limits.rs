//! How many calls are under way for one account. Processors limit accounts, not us: one account with many calls neither
//! has the processor refuse more of them than it must, nor takes the connections of the others.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash, RandomState};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// How many accounts are remembered before those without a call are looked for.
const FEW: usize = 64;

/// The limits of all accounts.
pub struct AccountLimits {
    calls: usize,
    patience: Duration,
    accounts: Mutex<Accounts>,
    hasher: RandomState,
}

/// Of accounts that have a call under way.
#[derive(Default)]
struct Accounts {
    places: HashMap<u64, Weak<Semaphore>>,
    /// At this size those that have none any more are forgotten.
    full_at: usize,
}

/// A call under way; its place is free again when this is dropped.
pub struct Place(#[expect(dead_code, reason = "held for its drop")] OwnedSemaphorePermit);

impl AccountLimits {
    /// `calls` at once for each account; a call waits at most for `patience` until there is room.
    pub fn new(calls: usize, patience: Duration) -> Self {
        AccountLimits {
            calls: calls.clamp(1, Semaphore::MAX_PERMITS),
            patience,
            accounts: Mutex::default(),
            hasher: RandomState::new(),
        }
    }

    /// A place for a call of `account`; `None` where none became free in time.
    pub async fn place(&self, account: impl Hash) -> Option<Place> {
        let places = self.places(self.hasher.hash_one(account));
        let permit = timeout(self.patience, places.acquire_owned()).await;
        permit.ok()?.ok().map(Place)
    }

    fn places(&self, account: u64) -> Arc<Semaphore> {
        let mut accounts = self.accounts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(places) = accounts.places.get(&account).and_then(Weak::upgrade) {
            return places;
        }
        if accounts.places.len() >= accounts.full_at {
            accounts
                .places
                .retain(|_, places| places.strong_count() > 0);
            accounts.full_at = FEW.max(2 * accounts.places.len());
        }
        let places = Arc::new(Semaphore::new(self.calls));
        accounts.places.insert(account, Arc::downgrade(&places));
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn an_account_waits_for_a_place_of_its_own() {
        let limits = AccountLimits::new(2, Duration::from_secs(5));
        let first = limits.place("a").await.expect("a place");
        let second = limits.place("a").await.expect("a place");
        assert!(limits.place("a").await.is_none(), "no third one");
        assert!(limits.place("b").await.is_some(), "another account's");
        let (third, ()) = tokio::join!(limits.place("a"), async { drop(first) });
        assert!(third.is_some(), "what became free in time is taken");
        drop((second, third));
        assert!(limits.place("a").await.is_some());
    }

    #[tokio::test]
    async fn accounts_without_a_call_are_forgotten() {
        let limits = AccountLimits::new(1, Duration::ZERO);
        let kept = limits.place("kept").await;
        for account in 0..10_000 {
            assert!(limits.place(account).await.is_some());
        }
        assert!(limits.accounts.lock().expect("not poisoned").places.len() <= FEW);
        assert!(limits.place("kept").await.is_none(), "it is still counted");
        drop(kept);
    }
}
