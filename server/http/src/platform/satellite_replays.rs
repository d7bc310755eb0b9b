//! The port for satellites' answers to repeats.

use multirail_api::keyed::{KeyedBilling, KeyedSubscriptions};
use multirail_app::platform::idempotency::{Commits, Render};

/// Returns, for each operation of a satellite's tags, the number of commits and the writer of the answer.
pub trait SatelliteReplays: Send + Sync {
    fn subscriptions(&self, operation: KeyedSubscriptions) -> (Commits, Render);

    fn billing(&self, operation: KeyedBilling) -> (Commits, Render);
}
