//! The operations of a sandbox only: moving business time.

use std::sync::Arc;

use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;

use super::base::Base;
use super::idempotency::ForKey;
use crate::platform::ports::{ClockChange, ClockStore};
use crate::{AppError, Origin};

/// A hundred years with leap days: further than any deadline, and far from the last date.
const FURTHEST_SECONDS: i64 = 36_525 * 24 * 60 * 60;

/// The times of a sandbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SandboxTime {
    /// Business time.
    pub now: Timestamp,
    /// The offset of business time: the sum of all moves.
    pub advanced_seconds: i64,
}

/// The use cases of a sandbox only.
pub struct Sandbox {
    pub base: Arc<Base>,
    pub store: Arc<dyn ClockStore>,
}

impl Sandbox {
    /// Moves business time forward, for every server of this sandbox. With 0 it only reads the clock.
    ///
    /// # Errors
    /// A move back, or a sum beyond a hundred years.
    pub async fn advance_clock(
        &self,
        origin: &Origin,
        seconds: i64,
    ) -> Result<SandboxTime, AppError> {
        if seconds < 0 {
            return Err(Refusal::invalid_value("advance_seconds: time never goes back").into());
        }
        if seconds > 0 {
            let so_far = self.store.clock_offset().await?;
            if seconds > FURTHEST_SECONDS.saturating_sub(so_far) {
                let message = "advance_seconds: all moves together may not pass a hundred years";
                return Err(Refusal::invalid_value(message).into());
            }
            let advance = self.store.change(ClockChange::Advance { seconds });
            let changes = vec![advance];
            let change_set = self.base.change_set(origin, None, ForKey::Nothing, changes);
            self.base
                .commit(change_set)
                .await
                .map_err(AppError::of_commit)?;
        }
        let advanced_seconds = self.store.clock_offset().await?;
        self.base.clock.set_advanced_seconds(advanced_seconds);
        Ok(SandboxTime {
            now: self.base.now(),
            advanced_seconds,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicI64, Ordering};

    use async_trait::async_trait;
    use multirail_platform::{Change, Changes};

    use super::*;
    use crate::fixture::{Committed, Noted, base, operator};
    use crate::platform::ports::{CommitError, StoreFailure};

    /// A clock that was moved this far, and that counts its readings.
    struct Moved {
        seconds: i64,
        asked: AtomicI64,
    }

    impl Changes<ClockChange> for Moved {
        fn change(&self, change: ClockChange) -> Box<dyn Change> {
            Box::new(Noted(change))
        }
    }

    #[async_trait]
    impl ClockStore for Moved {
        async fn clock_offset(&self) -> Result<i64, StoreFailure> {
            self.asked.fetch_add(1, Ordering::Relaxed);
            Ok(self.seconds)
        }
    }

    fn service(seconds: i64) -> (Sandbox, Arc<Committed>, Arc<Moved>) {
        let committed = Arc::new(Committed::default());
        let store = Arc::new(Moved {
            seconds,
            asked: AtomicI64::new(0),
        });
        let sandbox = Sandbox {
            base: base(&committed),
            store: Arc::clone(&store) as Arc<dyn ClockStore>,
        };
        (sandbox, committed, store)
    }

    #[tokio::test]
    async fn a_move_back_is_refused_before_anybody_looks() {
        let (sandbox, committed, store) = service(0);
        let refused = sandbox.advance_clock(&operator(), -1).await;
        let refused = refused.expect_err("no way back").to_string();
        assert!(refused.contains("advance_seconds"), "{refused}");
        assert_eq!(store.asked.load(Ordering::Relaxed), 0);
        assert_eq!(committed.lines(), Vec::<String>::new());
    }

    #[tokio::test]
    async fn a_move_that_is_not_stored_moves_nothing() {
        let (sandbox, committed, _) = service(60);
        let before = sandbox.base.now();
        committed.refuse(CommitError::Failed(StoreFailure::Unavailable(
            "away".to_owned(),
        )));
        let failed = sandbox.advance_clock(&operator(), 30).await;
        assert!(failed.is_err());
        assert_eq!(sandbox.base.now(), before);
    }
}
