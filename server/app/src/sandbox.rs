//! What only a sandbox can do: move business time.

use std::sync::Arc;

use multirail_domain::refusal::Refusal;
use multirail_domain::timestamp::Timestamp;

use super::base::Base;
use super::idempotency::ForKey;
use super::{AppError, Origin};
use crate::ports::{ClockChange, ClockStore};

/// A hundred years, leap days included: further than any deadline, and far from the end of what a date can show.
const FURTHEST_SECONDS: i64 = 36_525 * 24 * 60 * 60;

/// What time it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SandboxTime {
    /// Business time.
    pub now: Timestamp,
    /// By how much it is ahead of real time: the sum of all moves.
    pub advanced_seconds: i64,
}

/// The use cases that only a sandbox has.
pub struct Sandbox {
    pub base: Arc<Base>,
    pub store: Arc<dyn ClockStore>,
}

impl Sandbox {
    /// Moves business time forward, for every server of this sandbox. 0 only reads the clock.
    ///
    /// # Errors
    /// A move back, or one beyond a hundred years in all.
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
            let changes = vec![advance.into()];
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
