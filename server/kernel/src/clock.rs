//! Two clocks. Business time rules deadlines, client secrets and retries, and can be moved in the sandbox; wall time
//! rules signatures, timeouts and leases.

use crate::timestamp::Timestamp;

/// The clocks, handed in.
pub trait Clock: Send + Sync {
    /// Business time. Never goes back.
    fn now(&self) -> Timestamp;

    /// Wall time.
    fn wall(&self) -> Timestamp;

    /// How far business time is ahead of wall time, in seconds.
    fn advanced_seconds(&self) -> i64;

    /// Takes over an offset that another part of the service stored. Smaller offsets are ignored.
    fn set_advanced_seconds(&self, seconds: i64);
}
