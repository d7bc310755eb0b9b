//! The two clocks. Business time determines deadlines, client secrets and retries, and can be advanced in the sandbox.
//! Wall time determines signatures, timeouts and leases.

use crate::timestamp::Timestamp;

/// The source of both times.
pub trait Clock: Send + Sync {
    /// Returns the business time, which never goes back.
    fn now(&self) -> Timestamp;

    /// Returns the wall time.
    fn wall(&self) -> Timestamp;

    /// Returns the seconds by which business time is ahead of wall time.
    fn advanced_seconds(&self) -> i64;

    /// Adopts an offset that another part of the service stored. A smaller offset is ignored.
    fn set_advanced_seconds(&self, seconds: i64);
}
