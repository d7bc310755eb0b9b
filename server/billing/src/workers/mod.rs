//! Workers of billing.

mod billing;

use multirail_platform::workers::Worker;

use crate::app::subscriptions::Billing;

/// Every worker of billing.
pub fn all(services: &Billing) -> Vec<Worker> {
    vec![Worker::new(
        billing::WORKER,
        &services.collector,
        billing::run,
    )]
}
