//! The answers that satellites give to repeated requests.

use multirail_api::keyed::{KeyedBilling, KeyedSubscriptions};
use multirail_app::platform::idempotency::{Commits, Render};

/// Returns how many commits an operation of one tag takes, and the writer of its answer.
pub type Replayed<K> = fn(K) -> (Commits, Render);

/// One function for each tag of a satellite. The program names them.
pub struct SatelliteReplays {
    pub subscriptions: Replayed<KeyedSubscriptions>,
    pub billing: Replayed<KeyedBilling>,
}
