//! Checkout.com's connector with Checkout.com's stand-in.

mod stories;

use std::sync::Arc;

use multirail_connectors::checkout::Checkout as CheckoutConnector;
use multirail_peers::checkout::Checkout;

use super::stand_in::{HOLDS_NONE, NO_LIST, RAISES_NONE, StandInSubject};
use crate::suite::subject::Subject;

pub async fn start() -> Box<dyn Subject> {
    Box::new(subject().await)
}

async fn subject() -> StandInSubject<Checkout> {
    let connect = |client| Arc::new(CheckoutConnector::new(client)) as _;
    let subject = StandInSubject::start(Checkout::new(), connect).await;
    subject.without(&[
        ("what_is_raised_is_taken", RAISES_NONE),
        ("what_is_raised_again_is_taken", RAISES_NONE),
        ("what_is_raised_is_released", RAISES_NONE),
        ("a_raise_changes_nothing_of_the_authorization", RAISES_NONE),
        ("what_was_not_asked_for_so_is_not_raised", RAISES_NONE),
        ("what_is_taken_or_released_is_not_raised", RAISES_NONE),
        ("what_is_held_is_taken_or_let_go", HOLDS_NONE),
        ("which_disputes_there_are", NO_LIST),
    ])
}
