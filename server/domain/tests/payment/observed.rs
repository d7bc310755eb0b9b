//! The outcomes of authorizations that dynamic routing counts for an account.

use insta::assert_snapshot;
use multirail_domain::payments::payment::CaptureMethod::Automatic;
use multirail_domain::payments::payment::observed::observed;
use multirail_sdk::connector::{Outcome, UnknownReason};

use crate::support::outcomes::*;
use crate::support::story::{AUTHORIZE, Story};

fn not_asked() -> Outcome {
    Outcome::never_happened("the service was interrupted before it asked the processor")
}

/// Returns what is counted for each of these outcomes of one authorization.
fn counted(outcomes: &[Outcome]) -> String {
    let mut story = Story::created(Automatic);
    story.confirm();
    let told = outcomes.iter().map(|outcome| {
        let before = story.payment.clone();
        story.answer(AUTHORIZE, outcome.clone());
        let observed = observed(&before, &story.payment);
        let said = match observed.as_slice() {
            [] => "nothing".to_owned(),
            [one] => match one.fault {
                Some(fault) => fault.as_str().to_owned(),
                None if one.is_approved => "approved".to_owned(),
                None => "refused".to_owned(),
            },
            more => panic!("{more:?}"),
        };
        format!("{}: {said}", words(outcome))
    });
    told.collect::<Vec<_>>().join(", ")
}

#[test]
fn each_authorization_is_counted_once() {
    let interrupted = || Outcome::Unknown(UnknownReason::Interrupted);
    let all = [
        counted(&[done()]),
        counted(&[pending(), done()]),
        counted(&[declined()]),
        counted(&[unknown(), done()]),
        counted(&[never_happened()]),
        counted(&[never_happened(), done()]),
    ];
    assert_snapshot!(all.join("\n"), @"
    done: approved
    pending: nothing, done: approved
    declined: refused
    unknown (timeout): processor_downtime, done: nothing
    never happened: processor_downtime
    never happened: processor_downtime, done: nothing
    ");
    // A reason on the server's side says nothing about the processor, until the processor answers.
    let ours = [
        counted(&[not_asked()]),
        counted(&[interrupted(), not_asked()]),
        counted(&[interrupted(), done()]),
        counted(&[not_asked(), done()]),
    ];
    assert_snapshot!(ours.join("\n"), @"
    never happened: nothing
    unknown (interrupted): nothing, never happened: nothing
    unknown (interrupted): nothing, done: approved
    never happened: nothing, done: approved
    ");
}
