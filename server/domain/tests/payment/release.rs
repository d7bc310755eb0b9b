//! Payments that prevent the deletion of an account, and how their amounts are released.

use insta::assert_snapshot;
use multirail_domain::payments::payment::CaptureMethod;
use multirail_domain::payments::payment::CaptureMethod::{Automatic, Manual, ManualMultiple};
use multirail_domain::payments::payment::{Changes, PaymentStatus, ReleaseAction};
use multirail_sdk::connector::Outcome;

use crate::support::outcomes::*;
use crate::support::purchase;
use crate::support::story::{AUTHORIZE, CAPTURE, Story, VOID};

/// Approved, and partially captured.
fn captured_in_part() -> Story {
    let mut story = Story::approved(ManualMultiple);
    story.capture(Some(2540));
    story.answer(CAPTURE, done());
    story
}

/// Confirms, with this answer of the processor.
fn answered(method: CaptureMethod, answer: Option<Outcome>) -> Story {
    let mut story = Story::created(method);
    story.confirm();
    if let Some(answer) = answer {
        story.answer(AUTHORIZE, answer);
    }
    story
}

/// Approved for less, with or without the merchant's permission.
fn approved_for_less(consent: bool) -> Story {
    let mut story = Story::create(Changes {
        enable_partial_authorization: Some(consent),
        ..purchase(Manual)
    });
    story.confirm();
    story.answer(AUTHORIZE, done_for(4000));
    story
}

#[track_caller]
fn is_open(story: &Story, release_action: Option<ReleaseAction>) {
    assert!(story.payment.is_unfinished(), "{}", story.payment.status);
    assert_eq!(
        story.payment.release_action(),
        release_action,
        "{}",
        story.payment.status
    );
}

#[test]
fn what_is_unfinished_and_how_it_is_released() {
    for method in [Automatic, Manual, ManualMultiple] {
        let story = Story::created(method);
        assert!(!story.payment.is_unfinished(), "nothing was sent");
        is_open(&answered(method, None), None);
        for answer in [pending(), unknown()] {
            is_open(&answered(method, Some(answer)), None);
        }
        is_open(
            &answered(method, Some(redirect())),
            Some(ReleaseAction::Cancel),
        );
        is_open(
            &answered(method, Some(held_for(6540))),
            Some(ReleaseAction::Reject),
        );
        let refused = answered(method, Some(declined()));
        assert!(!refused.payment.is_unfinished());
    }
    is_open(&Story::approved(Manual), Some(ReleaseAction::Cancel));
    is_open(&approved_for_less(true), Some(ReleaseAction::VoidTheRest));
    is_open(&captured_in_part(), Some(ReleaseAction::VoidTheRest));
    let mut capturing = captured_in_part();
    capturing.capture(Some(1000));
    is_open(&capturing, None);
    let mut voiding = Story::approved(Manual);
    voiding.cancel();
    is_open(&voiding, None);
    voiding.answer(VOID, unknown());
    is_open(&voiding, None);
    voiding.answer(VOID, done());
    assert!(!voiding.payment.is_unfinished());
    assert!(!Story::approved(Automatic).payment.is_unfinished());
}

#[test]
fn every_answer_to_the_void_of_a_rest() {
    let mut page = String::new();
    for answer in [done(), unknown(), declined(), never_happened()] {
        let mut story = captured_in_part();
        story.void_the_rest();
        let mut story = story.afresh();
        story.answer(VOID, answer);
        page += &story.page();
    }
    assert_snapshot!(page, @"
    void: done                         partially_captured                           0 left 2540 received  payment_captured about pay_1_1_void
    attempt 1: partial_charged, authorize done, capture done 2540, void done
    void: unknown (timeout)            processing                                   0 left 2540 received  payment_processing about pay_1_1_void
    attempt 1: void_initiated, authorize done, capture done 2540, void unknown
    void: declined                     partially_captured_and_capturable         4000 left 2540 received  action_required about pay_1_1_void
    attempt 1: partial_charged_and_chargeable, authorize done, capture done 2540, void declined; DC_08: Payment declined: Card declined
    void: never happened               partially_captured_and_capturable         4000 left 2540 received  payment_captured about pay_1_1_void
    attempt 1: partial_charged_and_chargeable, authorize done, capture done 2540, void never_happened; not_processed: the processor has no trace of this operation: it did not take place (no such operation)
    ");
}

#[test]
fn an_approval_for_less_is_voided_whole() {
    let mut story = approved_for_less(true);
    story.void_the_rest();
    story.answer(VOID, done());
    assert_snapshot!(story.page(), @"
    create                             requires_confirmation                     6540 left    - received
    confirm                            processing                                   0 left    0 received  [ask to authorize]
    authorize: done 4000               partially_authorized_and_requires_capture 4000 left    0 received  payment_partially_authorized about pay_1  [forget the card]
    void the rest                      processing                                   0 left    0 received  [ask to void]
    void: done                         cancelled                                    0 left    0 received  payment_cancelled about pay_1
    attempt 1: voided, authorize done, void done
    ");
}

#[test]
fn what_is_held_in_a_conflict_is_voided_and_the_conflict_stays() {
    let mut story = approved_for_less(false);
    assert_eq!(story.payment.status, PaymentStatus::Conflicted);
    is_open(&story, Some(ReleaseAction::VoidTheRest));
    story.void_the_rest();
    is_open(&story, None);
    story.answer(VOID, done());
    assert!(!story.payment.is_unfinished());
    assert_snapshot!(story.page(), @"
    create                             requires_confirmation                     6540 left    - received
    confirm                            processing                                   0 left    0 received  [ask to authorize]
    authorize: done 4000               conflicted                                   0 left    0 received  action_required about pay_1_1_conflict  [forget the card]
    void the rest                      conflicted                                   0 left    0 received  [ask to void]
    void: done                         conflicted                                   0 left    0 received
    attempt 1: integrity_failure, authorize done, void done; integrity_failure: the processor confirmed another amount or currency than was asked for
    ");

    let mut refused = approved_for_less(false);
    refused.void_the_rest();
    refused.answer(VOID, declined());
    assert!(!refused.payment.is_unfinished(), "nobody can free it");
}

#[test]
fn what_a_merchant_can_cancel_is_not_voided_in_this_way() {
    let mut story = Story::approved(Manual);
    story.void_the_rest();
    assert_snapshot!(story.page(), @"
    create                             requires_confirmation                     6540 left    - received
    confirm                            processing                                   0 left    0 received  [ask to authorize]
    authorize: done                    requires_capture                          6540 left    0 received  payment_authorized about pay_1  [forget the card]
    void the rest                      refused, Precondition: the rest of a payment whose status is requires_capture can't be voided in this way
    attempt 1: authorized, authorize done
    ");
}
