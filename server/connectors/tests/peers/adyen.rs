//! Adyen's connector with Adyen's stand-in.

mod payer_methods;
mod stories;

use std::sync::Arc;

use multirail_connectors::adyen::Adyen as AdyenConnector;
use multirail_peers::adyen::Adyen;

use super::stand_in::{HOLDS_NONE, NO_LIST, StandInSubject};
use crate::suite::subject::Subject;

const NO_LOOK_UP: &str = "it can't be asked about anything";

pub async fn start() -> Box<dyn Subject> {
    let connect = |client| Arc::new(AdyenConnector::new(client)) as _;
    let subject = StandInSubject::start("adyen", Adyen::new(), connect).await;
    Box::new(subject.without(&[
        ("taken_in_several_parts", "it captures once"),
        ("a_held_payment_is_captured_or_released", HOLDS_NONE),
        ("every_kind_is_found", NO_LOOK_UP),
        ("an_unknown_operation_is_absent", NO_LOOK_UP),
        ("a_look_up_that_fails", NO_LOOK_UP),
        ("a_dispute_is_looked_up", "it can't be asked about disputes"),
        (
            "a_dispute_is_asked_about_in_vain",
            "it can't be asked about disputes",
        ),
        ("disputes_are_listed", NO_LIST),
    ]))
}
