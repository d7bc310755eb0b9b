//! The port of the answers that satellites give to repeats.

use multirail_api::keyed::{KeyedBilling, KeyedSubscriptions};
use multirail_app::platform::idempotency::{Commits, Render};

/// How many commits each operation of the tags of a satellite takes, and the writer of its answer.
pub trait SatelliteReplays: Send + Sync {
    fn subscriptions(&self, operation: KeyedSubscriptions) -> (Commits, Render);

    fn billing(&self, operation: KeyedBilling) -> (Commits, Render);
}
