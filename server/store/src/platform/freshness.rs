//! The time of this server's last check for other servers' changes of cached values.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use multirail_app::platform::ports::StoreFailure;
use tokio::sync::Mutex;

/// The time for which requests are answered from memory after a check. A worker checks twice as often; requests check
/// themselves only while it can't.
const TRUSTED_FOR: Duration = Duration::from_secs(1);

/// The last check that succeeded, and the one that is running.
pub(crate) struct Freshness {
    start: Instant,
    /// When the last successful check began, in microseconds since the start plus one; 0 before the first.
    last: AtomicU64,
    /// Held by the running check, whose outcome all waiters share. Holds when and why the last check failed.
    failed: Mutex<Option<(Instant, StoreFailure)>>,
}

impl Default for Freshness {
    fn default() -> Self {
        Freshness {
            start: Instant::now(),
            last: AtomicU64::new(0),
            failed: Mutex::default(),
        }
    }
}

impl Freshness {
    /// Checks, unless a check succeeded a moment ago.
    ///
    /// # Errors
    /// Fails when the check fails.
    pub(crate) async fn recent(
        &self,
        look: impl AsyncFnOnce() -> Result<(), StoreFailure>,
    ) -> Result<(), StoreFailure> {
        let asked = Instant::now();
        let since = self.micros(asked).saturating_sub(micros(TRUSTED_FOR));
        if self.succeeded(since) {
            return Ok(());
        }
        self.after(asked, since, look).await
    }

    /// Checks, unless a check that began after this call has succeeded.
    ///
    /// # Errors
    /// Fails when the check fails.
    pub(crate) async fn now(
        &self,
        look: impl AsyncFnOnce() -> Result<(), StoreFailure>,
    ) -> Result<(), StoreFailure> {
        let asked = Instant::now();
        self.after(asked, self.micros(asked), look).await
    }

    async fn after(
        &self,
        asked: Instant,
        since: u64,
        look: impl AsyncFnOnce() -> Result<(), StoreFailure>,
    ) -> Result<(), StoreFailure> {
        let mut failed = self.failed.lock().await;
        if self.succeeded(since) {
            return Ok(());
        }
        // A caller that waited for a failed check doesn't wait for another one.
        if let Some((at, why)) = &*failed
            && *at >= asked
        {
            return Err(why.clone());
        }
        let begun = self.micros(Instant::now());
        let seen = look().await;
        match &seen {
            Ok(()) => {
                *failed = None;
                self.last.store(begun + 1, Ordering::Release);
            }
            Err(why) => *failed = Some((Instant::now(), why.clone())),
        }
        seen
    }

    /// Returns whether a check that began then or later has succeeded.
    fn succeeded(&self, since: u64) -> bool {
        self.last.load(Ordering::Acquire) > since
    }

    fn micros(&self, time: Instant) -> u64 {
        micros(time.saturating_duration_since(self.start))
    }
}

fn micros(duration: Duration) -> u64 {
    duration.as_micros() as u64
}
