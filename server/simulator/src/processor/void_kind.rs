//! What voids do.

use serde::Serialize;

/// What a void did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum VoidKind {
    /// Kept an undecided authorization from ever being approved.
    Cancellation,
    /// Set free what wasn't captured.
    Release,
    /// Gave back what was taken together with the authorization, or all that was captured after it.
    Reversal,
    /// Nobody asked for it: the authorization's time was over, and what wasn't captured is free.
    Lapse,
}
