//! Stripe's connector with Stripe's stand-in.

use std::sync::Arc;

use multirail_connectors::stripe::Stripe as StripeConnector;
use multirail_peers::stripe::Stripe;

use super::stand_in::StandInSubject;
use crate::suite::subject::Subject;

/// The time of everything, in seconds since 1970.
const NOW: i64 = 1_767_268_800;

pub async fn start() -> Box<dyn Subject> {
    Box::new(subject().await)
}

pub async fn subject() -> StandInSubject<Stripe> {
    let connect = |client| Arc::new(StripeConnector::new(client)) as _;
    let subject = StandInSubject::start("stripe", Stripe::new(|| NOW), connect).await;
    subject.at(NOW)
}
