//! Facts that are repeated, out of order, or less complete than the known state.

use insta::assert_snapshot;
use multirail_domain::payments::payment::CaptureMethod::{Automatic, Manual, ManualMultiple};
use multirail_domain::payments::payment::{Fact, Input, Progress};
use multirail_kernel::ids::ProcessorKey;
use multirail_sdk::connector::{Approval, CardChecks, Outcome, PayerStep, Remarks, UnknownReason};

use crate::support::AMOUNT;
use crate::support::outcomes::*;
use crate::support::story::{AUTHORIZE, CAPTURE, Story};

#[test]
fn a_fact_about_nothing_that_is_known_changes_nothing() {
    let mut story = Story::approved(Manual);
    let fact = Fact {
        about: ProcessorKey::parse("mrk_elsewhere").expect("a key"),
        outcome: done(),
    };
    let step = story.try_input(Input::Fact(fact)).expect("taken in");
    assert_eq!(step.payment, story.payment);
    assert!(step.effects.is_empty());
}

#[test]
fn a_repeated_fact_changes_nothing() {
    for outcome in [
        done(),
        redirect(),
        declined(),
        not_authenticated(),
        pending(),
        never_happened(),
        unknown(),
    ] {
        let mut story = Story::created(Automatic);
        story.confirm();
        story.answer(AUTHORIZE, outcome.clone());
        let before = story.payment.clone();
        story.now = story.now.plus_seconds(1).expect("a moment");
        let mut story = story.afresh();
        story.answer(AUTHORIZE, outcome);
        assert_eq!(story.payment, before);
        assert!(!story.page().contains('['), "{}", story.page());
    }
}

#[test]
fn done_is_the_last_word() {
    let mut story = Story::approved(Manual);
    let before = story.payment.clone();
    for outcome in [
        declined(),
        pending(),
        never_happened(),
        unknown(),
        redirect(),
    ] {
        story.answer(AUTHORIZE, outcome);
    }
    assert_eq!(story.payment, before);
}

#[test]
fn not_knowing_takes_nothing_back() {
    for known in [redirect(), pending()] {
        let mut story = Story::created(Automatic);
        story.confirm();
        story.answer(AUTHORIZE, known);
        let before = story.payment.clone();
        story.answer(AUTHORIZE, unknown());
        assert_eq!(story.payment, before);
    }
}

#[test]
fn a_call_that_was_still_under_way_may_have_arrived_after_all() {
    let mut story = Story::approved(Manual);
    story.capture(None);
    let mut story = story.afresh();
    story.answer(CAPTURE, never_happened());
    story.answer(CAPTURE, unknown());
    story.sync();
    story.answer(CAPTURE, done());
    assert_snapshot!(story.page(), @"
    capture: never happened            requires_capture                          6540 left    0 received
    capture: unknown (timeout)         processing                                   0 left    0 received  payment_processing about pay_1_1_1
    sync                               processing                                   0 left    0 received  [look up capture]
    capture: done                      succeeded                                    0 left 6540 received  payment_succeeded about pay_1
    attempt 1: charged, authorize done, capture done 6540
    ");
}

#[test]
fn the_newest_reason_for_not_knowing_is_stored_and_announced_once() {
    let mut story = Story::created(Automatic);
    story.confirm();
    let mut story = story.afresh();
    story.answer(AUTHORIZE, unknown());
    story.answer(AUTHORIZE, Outcome::Unknown(UnknownReason::ProcessorError));
    assert_snapshot!(story.page(), @"
    authorize: unknown (timeout)       processing                                   0 left    0 received  payment_processing about pay_1_1
    authorize: unknown (processor_error) processing                                   0 left    0 received
    attempt 1: pending, authorize unknown
    ");
    let authorization = story.payment.active().authorization.as_ref();
    let reason = authorization.and_then(|operation| operation.unknown);
    assert_eq!(reason, Some(UnknownReason::ProcessorError));
}

#[test]
fn a_reference_that_comes_later_is_stored() {
    let mut story = Story::created(Automatic);
    story.confirm();
    story.answer(AUTHORIZE, Outcome::Pending { reference: None });
    assert_eq!(story.payment.active().connector_transaction_id(), None);
    story.answer(AUTHORIZE, pending());
    assert_eq!(
        story.payment.active().connector_transaction_id(),
        Some("ref_1")
    );
    story.answer(AUTHORIZE, declined());
    assert_eq!(
        story.payment.active().connector_transaction_id(),
        Some("ref_1")
    );
    assert_eq!(story.announced.len(), 2);
}

#[test]
fn the_payer_may_be_sent_to_another_page() {
    let mut story = Story::created(Automatic);
    story.confirm();
    story.answer(AUTHORIZE, redirect());
    story.answer(
        AUTHORIZE,
        Outcome::CustomerMustAct {
            reference: None,
            step: PayerStep::page("https://processor.example/other".to_owned()),
        },
    );
    let page = story.payment.active().redirect_url.as_deref();
    assert_eq!(page, Some("https://processor.example/other"));
    assert_eq!(story.announced.len(), 1);
    story.answer(AUTHORIZE, pending());
    assert_eq!(story.payment.active().redirect_url, None);
}

#[test]
fn only_money_that_was_taken_is_announced_as_captured() {
    let mut story = Story::approved(ManualMultiple);
    story.capture(Some(1000));
    story.answer(CAPTURE, done());
    let mut story = story.afresh();
    story.capture(Some(500));
    story.answer(CAPTURE, pending());
    story.answer(CAPTURE, unknown());
    story.answer(CAPTURE, done());
    assert_snapshot!(story.page(), @"
    capture 500                        partially_captured_and_capturable         5040 left 1000 received  [ask to capture]
    capture: pending                   partially_captured_and_capturable         5040 left 1000 received
    capture: unknown (timeout)         partially_captured_and_capturable         5040 left 1000 received
    capture: done                      partially_captured_and_capturable         5040 left 1500 received  payment_captured about pay_1_1_2
    attempt 1: partial_charged_and_chargeable, authorize done, capture done 1000, capture done 500
    ");
}

#[test]
fn what_was_really_captured_counts() {
    let mut story = Story::approved(ManualMultiple).afresh();
    story.capture(Some(4000));
    story.answer(CAPTURE, done_for(3000));
    assert_snapshot!(story.page(), @"
    capture 4000                       processing                                2540 left    0 received  [ask to capture]
    capture: done 3000                 conflicted                                   0 left 3000 received  action_required about pay_1_1_conflict
    attempt 1: integrity_failure, authorize done, capture done 4000; integrity_failure: the processor confirmed another amount or currency than was asked for
    ");

    let mut story = Story::approved(Manual).afresh();
    story.capture(None);
    story.answer(CAPTURE, done_in(AMOUNT, "JPY"));
    assert_snapshot!(story.page(), @"
    capture all                        processing                                   0 left    0 received  [ask to capture]
    capture: done 6540 JPY             conflicted                                   0 left    0 received  action_required about pay_1_1_conflict
    attempt 1: integrity_failure, authorize done, capture done 6540; integrity_failure: the processor confirmed another amount or currency than was asked for
    ");
}

#[test]
fn the_card_is_forgotten_once_the_authorization_is_decided() {
    for (outcome, held) in [
        (done(), false),
        (declined(), false),
        (never_happened(), true),
        (done_for(1), false),
        (pending(), true),
        (unknown(), true),
        (redirect(), true),
    ] {
        let mut story = Story::created(Manual);
        story.confirm();
        assert!(story.payment.holds_card);
        story.answer(AUTHORIZE, outcome);
        assert_eq!(story.payment.holds_card, held, "{}", story.page());
    }
}

#[test]
fn progress_never_goes_back_to_started() {
    let mut story = Story::created(Automatic);
    story.confirm();
    let progress = |story: &Story| {
        let authorization = story.payment.active().authorization.clone();
        authorization.map(|operation| operation.progress)
    };
    assert_eq!(progress(&story), Some(Progress::Started));
    story.answer(AUTHORIZE, pending());
    assert_eq!(progress(&story), Some(Progress::Pending));
}

#[test]
fn what_is_heard_again_fills_what_is_missing_and_changes_nothing_else() {
    let mut story = Story::created(Automatic);
    story.confirm();
    story.answer(AUTHORIZE, Outcome::Done(Approval::default()));
    let before = story.payment.clone();
    let mut story = story.afresh();
    story.now = story.now.plus_seconds(1).expect("a moment");
    let checks = |address: Option<&str>, card_code: Option<&str>| CardChecks {
        address: address.map(str::to_owned),
        card_code: card_code.map(str::to_owned),
        ..CardChecks::default()
    };
    let remarks = |auth_code: &str| {
        let auth_code = Some(auth_code.to_owned());
        let remarks = Remarks {
            auth_code,
            ..Remarks::default()
        };
        remarks.unless_empty()
    };
    let told = |reference: &str, scheme: Option<&str>, checks| {
        Outcome::Done(Approval {
            reference: Some(reference.to_owned()),
            network_transaction_id: scheme.map(str::to_owned),
            checks: Some(checks),
            remarks: remarks(reference),
            ..Approval::default()
        })
    };
    story.answer(AUTHORIZE, told("ref_1", None, checks(None, Some("M"))));
    story.answer(
        AUTHORIZE,
        told("ref_2", Some("scheme_1"), checks(Some("Y"), Some("N"))),
    );
    assert_snapshot!(story.page(), @"
    authorize: done                    succeeded                                    0 left 6540 received
    authorize: done                    succeeded                                    0 left 6540 received
    attempt 1: charged, authorize done
    ");
    let mut expected = before;
    expected.modified_at = story.now;
    let attempt = expected.attempts.last_mut().expect("an attempt");
    attempt.modified_at = story.now;
    attempt.authorization.as_mut().expect("one").reference = Some("ref_1".to_owned());
    attempt.network_transaction_id = Some("scheme_1".to_owned());
    attempt.card_checks = Some(Box::new(checks(Some("Y"), Some("M"))));
    attempt.remarks = remarks("ref_1");
    assert_eq!(story.payment, expected);
}
