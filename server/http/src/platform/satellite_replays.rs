//! The answers that satellites give to repeated requests.

use multirail_api::keyed::{KeyedBilling, KeyedSubscriptions, KeyedUserSubscriptions};
use multirail_app::platform::idempotency::{Commits, Render};

/// Returns the number of an operation's commits, and the writer of its answer, for one tag.
pub type Replayed<K> = fn(K) -> (Commits, Render);

/// One function for each tag of a satellite. The program sets them.
pub struct SatelliteReplays {
    pub subscriptions: Replayed<KeyedSubscriptions>,
    pub user_subscriptions: Replayed<KeyedUserSubscriptions>,
    pub billing: Replayed<KeyedBilling>,
}
