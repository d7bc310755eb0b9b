//! The stored offset of the business clock.

use async_trait::async_trait;
use multirail_platform::Changes;

use super::failure::StoreFailure;

/// A change of the business clock.
#[derive(Debug)]
pub enum ClockChange {
    /// Moves the clock forward by this many seconds.
    Advance { seconds: i64 },
}

#[async_trait]
pub trait ClockStore: Changes<ClockChange> {
    /// Returns the offset of the business clock, in seconds.
    async fn clock_offset(&self) -> Result<i64, StoreFailure>;
}
