//! Expectations about outcomes; every other outcome panics.

use multirail_kernel::money::Money;
use multirail_sdk::connector::{Approval, Decline, Outcome, UnknownReason};

/// Returns the approval of a completed operation; panics on any other outcome.
#[track_caller]
pub fn done(outcome: Outcome) -> Approval {
    match outcome {
        Outcome::Done(approval) => approval,
        other => panic!("expected done, got {other:?}"),
    }
}

/// Like [`done`], for this amount. An unreported amount counts as the requested one.
#[track_caller]
pub fn done_for(outcome: Outcome, money: Money) -> Approval {
    let approval = done(outcome);
    let amount = approval.amount_minor.unwrap_or(money.amount_minor);
    assert_eq!(amount, money.amount_minor, "{approval:?}");
    if let Some(currency) = &approval.currency {
        assert_eq!(currency, money.currency.as_str());
    }
    approval
}

#[track_caller]
pub fn declined(outcome: Outcome) -> Decline {
    match outcome {
        Outcome::Declined(decline) => decline,
        other => panic!("expected declined, got {other:?}"),
    }
}

#[track_caller]
pub fn never_happened(outcome: Outcome) -> String {
    match outcome {
        Outcome::NeverHappened { reason, .. } => reason,
        other => panic!("expected that it never happened, got {other:?}"),
    }
}

#[track_caller]
pub fn unknown(outcome: Outcome) -> UnknownReason {
    match outcome {
        Outcome::Unknown(reason) => reason,
        other => panic!("expected unknown, got {other:?}"),
    }
}
