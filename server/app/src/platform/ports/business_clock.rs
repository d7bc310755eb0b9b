//! How far the business clock was moved.

use async_trait::async_trait;
use multirail_platform::Changes;

use super::failure::StoreFailure;

/// A change of the business clock.
#[derive(Debug)]
pub enum ClockChange {
    /// Moves it forward by this many seconds.
    Advance { seconds: i64 },
}

#[async_trait]
pub trait ClockStore: Changes<ClockChange> {
    /// How far the business clock was moved, in seconds.
    async fn clock_offset(&self) -> Result<i64, StoreFailure>;
}
