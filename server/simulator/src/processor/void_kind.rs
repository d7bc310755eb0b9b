//! Kinds of voids.

use serde::Serialize;

/// The effect of a void.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum VoidKind {
    /// Cancelled an undecided authorization.
    Cancellation,
    /// Released an uncaptured amount.
    Release,
    /// Returned money that was captured together with the authorization, or everything captured
    /// after it.
    Reversal,
    /// Released an expired authorization, without a request.
    Lapse,
}
