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
    let subject = StandInSubject::start("checkout", Checkout::new(), connect).await;
    subject.without(&[
        ("a_raised_amount_is_captured", RAISES_NONE),
        ("a_second_raise_is_captured", RAISES_NONE),
        ("a_raised_amount_is_released", RAISES_NONE),
        ("a_raise_changes_nothing_of_the_authorization", RAISES_NONE),
        (
            "an_increment_needs_a_request_with_the_authorization",
            RAISES_NONE,
        ),
        ("a_captured_or_released_payment_is_not_raised", RAISES_NONE),
        ("a_held_payment_is_captured_or_released", HOLDS_NONE),
        ("disputes_are_listed", NO_LIST),
    ])
}
