//! Workers of billing.

mod billing;

use multirail_platform::workers::Worker;

use crate::app::subscriptions::Billing;

/// Returns every worker of billing.
pub fn all(billing: &Billing) -> Vec<Worker> {
    vec![Worker::new(
        billing::WORKER,
        &billing.collector,
        billing::run,
    )]
}
