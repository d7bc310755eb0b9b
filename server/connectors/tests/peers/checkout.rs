//! Checkout.com's connector with Checkout.com's stand-in behind it.

mod stories;

use std::sync::Arc;

use multirail_connectors::checkout::Checkout as CheckoutConnector;
use multirail_peers::checkout::Checkout;

use super::stand_in::{HOLDS_NONE, NO_LIST, StandInSubject};
use crate::suite::subject::Subject;

pub async fn start() -> Box<dyn Subject> {
    Box::new(subject().await)
}

async fn subject() -> StandInSubject<Checkout> {
    let connect = |client| Arc::new(CheckoutConnector::new(client)) as _;
    let subject = StandInSubject::start(Checkout::new(), connect).await;
    subject.without(&[
        ("what_is_held_is_taken_or_let_go", HOLDS_NONE),
        ("which_disputes_there_are", NO_LIST),
    ])
}
