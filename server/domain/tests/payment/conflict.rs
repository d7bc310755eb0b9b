//! Contradicting news, and money that the processor shouldn't have taken: the facts are recorded, the payment is in conflict,
//! and the merchant is notified.

use insta::assert_snapshot;
use multirail_domain::payments::payment::CaptureMethod::{Automatic, Manual, ManualMultiple};

use crate::support::outcomes::*;
use crate::support::story::{AUTHORIZE, CAPTURE, Story};
use crate::support::{AMOUNT, with_card};

#[test]
fn a_single_capture_that_takes_money_twice() {
    let mut story = Story::approved(Manual);
    story.capture(Some(2000));
    story.answer(CAPTURE, never_happened());
    story.capture(Some(2000));
    story.answer(CAPTURE, done());
    let mut story = story.afresh();
    story.answer(CAPTURE.nth(1), done());
    assert_snapshot!(story.page(), @"
    capture 1: done                    conflicted                                   0 left 4000 received  action_required about pay_1_1_conflict
    attempt 1: integrity_failure, authorize done, capture done 2000, capture done 2000; integrity_failure: the processor carried out a capture that it had no trace of, after another one
    ");
}

#[test]
fn more_captured_than_authorized() {
    let mut story = Story::approved(ManualMultiple);
    story.capture(Some(4000));
    story.answer(CAPTURE, never_happened());
    story.capture(Some(AMOUNT));
    story.answer(CAPTURE, done());
    let mut story = story.afresh();
    story.answer(CAPTURE.nth(1), pending());
    story.answer(CAPTURE.nth(1), done());
    assert_snapshot!(story.page(), @"
    capture 1: pending                 succeeded                                    0 left 6540 received
    capture 1: done                    conflicted                                   0 left 10540 received  action_required about pay_1_1_conflict
    attempt 1: integrity_failure, authorize done, capture done 4000, capture done 6540; integrity_failure: the processor captured more than was authorized
    ");
    let attempt = story.payment.active();
    assert_eq!(attempt.authorized_amount, Some(AMOUNT));
    assert_eq!(
        attempt.capturable_limit(),
        10_540,
        "the truth can be stored"
    );
}

#[test]
fn captures_that_come_alive_reserve_no_more_than_is_left() {
    let mut story = Story::approved(ManualMultiple);
    story.capture(Some(4000));
    story.answer(CAPTURE, never_happened());
    story.capture(Some(4000));
    let mut story = story.afresh();
    story.answer(CAPTURE.nth(1), pending());
    story.answer(CAPTURE.nth(2), declined());
    story.answer(CAPTURE.nth(1), done());
    assert_snapshot!(story.page(), @"
    capture 1: pending                 processing                                   0 left    0 received
    capture 2: declined                processing                                2540 left    0 received  action_required about pay_1_1_2
    capture 1: done                    partially_captured_and_capturable         2540 left 4000 received  payment_captured about pay_1_1_1
    attempt 1: partial_charged_and_chargeable, authorize done, capture done 4000, capture declined 4000; DC_08: Payment declined: Card declined
    ");
}

#[test]
fn within_what_was_authorized_a_late_capture_of_several_just_counts() {
    let mut story = Story::approved(ManualMultiple);
    story.capture(Some(2000));
    story.answer(CAPTURE, never_happened());
    story.capture(Some(3000));
    story.answer(CAPTURE, done());
    let mut story = story.afresh();
    story.answer(CAPTURE.nth(1), done());
    assert_snapshot!(story.page(), @"
    capture 1: done                    partially_captured_and_capturable         1540 left 5000 received  payment_captured about pay_1_1_1
    attempt 1: partial_charged_and_chargeable, authorize done, capture done 2000, capture done 3000
    ");
}

#[test]
fn a_capture_after_its_refusal_just_counts() {
    let mut story = Story::approved(Manual);
    story.capture(None);
    story.answer(CAPTURE, declined());
    let mut story = story.afresh();
    story.answer(CAPTURE, done());
    assert_snapshot!(story.page(), @"
    capture: done                      succeeded                                    0 left 6540 received  payment_succeeded about pay_1
    attempt 1: charged, authorize done, capture done 6540
    ");
}

#[test]
fn a_capture_of_what_was_gone() {
    let mut story = Story::approved(Manual);
    story.capture(None);
    story.answer(CAPTURE, gone());
    let mut story = story.afresh();
    story.answer(CAPTURE, done());
    story.confirm_with(with_card());
    assert_snapshot!(story.page(), @"
    capture: done                      conflicted                                   0 left 6540 received  action_required about pay_1_1_conflict
    confirm                            refused, Precondition: a payment whose status is conflicted can't be confirmed
    attempt 1: integrity_failure, authorize done, capture done 6540; integrity_failure: the processor captured although the payment had ended without a capture
    ");
}

#[test]
fn the_rest_of_what_was_gone() {
    let mut story = Story::approved(ManualMultiple);
    story.capture(Some(4000));
    story.answer(CAPTURE, done());
    story.capture(Some(2540));
    let mut story = story.afresh();
    story.answer(CAPTURE, gone());
    story.answer(CAPTURE, done());
    assert_snapshot!(story.page(), @"
    capture: gone                      partially_captured                           0 left 4000 received  payment_captured about pay_1_1_2
    capture: done                      conflicted                                   0 left 6540 received  action_required about pay_1_1_conflict
    attempt 1: integrity_failure, authorize done, capture done 4000, capture done 2540; integrity_failure: the processor captured the rest of an authorization that it had said was gone
    ");
}

#[test]
fn a_conflict_after_the_payers_action_is_news_of_its_own() {
    let mut story = Story::created(Automatic);
    story.confirm();
    story.answer(AUTHORIZE, redirect());
    story.answer(AUTHORIZE, done_for(10_000));
    assert_snapshot!(story.page(), @"
    create                             requires_confirmation                     6540 left    - received
    confirm                            processing                                   0 left    0 received  [ask to authorize]
    authorize: customer must act       requires_customer_action                     0 left    0 received  action_required about pay_1_1
    authorize: done 10000              conflicted                                   0 left 10000 received  action_required about pay_1_1_conflict  [forget the card]
    attempt 1: integrity_failure, authorize done; integrity_failure: the processor confirmed another amount or currency than was asked for
    ");
}

#[test]
fn nothing_moves_a_conflict() {
    let mut story = Story::created(Manual);
    story.manual_retry_enabled = true;
    story.confirm();
    story.answer(AUTHORIZE, done_for(10_000));
    let mut story = story.afresh();
    story.capture(None);
    story.cancel();
    story.confirm_with(with_card());
    story.answer(AUTHORIZE, done());
    assert_snapshot!(story.page(), @"
    capture all                        refused, NotInState: the payment can't be captured: its status is conflicted, it would have to be requires_capture, partially_captured_and_capturable or processing
    cancel                             refused, Precondition: a payment whose status is conflicted can't be cancelled
    confirm                            refused, Precondition: a payment whose status is conflicted can't be confirmed
    authorize: done                    conflicted                                   0 left    0 received
    attempt 1: integrity_failure, authorize done; integrity_failure: the processor confirmed another amount or currency than was asked for
    ");
}
