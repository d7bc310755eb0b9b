//! Checkout.com's connector with Checkout.com's stand-in.

mod stories;

use std::sync::Arc;

use multirail_connectors::checkout::Checkout as CheckoutConnector;
use multirail_peers::checkout::Checkout;

use super::stand_in::StandInSubject;
use crate::suite::subject::Subject;

pub async fn start() -> Box<dyn Subject> {
    Box::new(subject().await)
}

pub async fn subject() -> StandInSubject<Checkout> {
    let connect = |client| Arc::new(CheckoutConnector::new(client)) as _;
    StandInSubject::start("checkout", Checkout::new(), connect).await
}
