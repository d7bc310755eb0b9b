//! Tests of connector and processor together.

mod accounts;
mod captures;
mod cards;
mod debits;
mod faults;
mod holds;
mod increments;
mod notices;
mod over_http;
mod payer;
mod refunds;
mod repeats;
mod voids;

use multirail_sdk::connector::{Decline, Outcome, UnknownReason};

const VISA: &str = "4111111111111111";
const THREE_DS: &str = "4000003800000446";

/// Returns the completed amount in minor units; panics on any other outcome.
fn done(outcome: Outcome) -> i64 {
    match outcome {
        Outcome::Done(approval) => approval.amount_minor.expect("the simulator says how much"),
        other => panic!("expected done, got {other:?}"),
    }
}

fn declined(outcome: Outcome) -> Decline {
    match outcome {
        Outcome::Declined(decline) => decline,
        other => panic!("expected declined, got {other:?}"),
    }
}

fn redirect(outcome: Outcome) -> String {
    match outcome {
        Outcome::CustomerMustAct { step, .. } => step.url().expect("a page").to_owned(),
        other => panic!("expected a redirect, got {other:?}"),
    }
}

fn unknown(reason: UnknownReason) -> Outcome {
    Outcome::Unknown(reason)
}
