//! News that is late, contradicts earlier news, or concerns an ended payment. It is always recorded and never changes one end
//! into another. The merchant is notified if money is at stake.

use insta::assert_snapshot;
use multirail_domain::payments::payment::CaptureMethod::{Automatic, Manual, ManualMultiple};
use multirail_domain::payments::payment::{AnnouncedStatus, PaymentStatus};

use crate::support::outcomes::*;
use crate::support::story::{AUTHORIZE, CAPTURE, Story, VOID};
use crate::support::{AMOUNT, with_card};

/// Confirmed, and cancelled while the payer was at the processor's page.
fn cancelled_at_the_page(method: multirail_domain::payments::payment::CaptureMethod) -> Story {
    let mut story = Story::created(method);
    story.confirm();
    story.answer(AUTHORIZE, redirect());
    story.cancel();
    story.afresh()
}

/// Two attempts, the first of which the processor had no record of.
fn retried() -> Story {
    let mut story = Story::created(Automatic);
    story.manual_retry_enabled = true;
    story.confirm();
    story.answer(AUTHORIZE, never_happened());
    story.confirm_with(with_card());
    story.afresh()
}

#[test]
fn an_approval_after_the_cancel_is_voided() {
    let mut story = cancelled_at_the_page(Manual);
    story.answer(VOID, declined());
    story.answer(AUTHORIZE, done());
    story.answer(VOID, done());
    assert_snapshot!(story.page(), @"
    void: declined                     cancelled                                    0 left    0 received
    authorize: done                    cancelled                                    0 left    0 received  [ask to void]
    void: done                         cancelled                                    0 left    0 received
    attempt 1: voided, authorize done, void declined, void done
    ");
    assert_eq!(
        story.payment.cancellation_reason.as_deref(),
        Some("duplicate")
    );
}

#[test]
fn money_taken_after_the_cancel_counts_until_it_is_given_back() {
    let mut story = cancelled_at_the_page(Automatic);
    story.answer(AUTHORIZE, done());
    story.answer(VOID.nth(2), pending());
    story.answer(VOID.nth(2), done());
    story.answer(VOID.nth(1), declined());
    assert_snapshot!(story.page(), @"
    authorize: done                    cancelled                                    0 left 6540 received  [ask to void]
    void 2: pending                    cancelled                                    0 left 6540 received
    void 2: done                       cancelled                                    0 left    0 received
    void 1: declined                   cancelled                                    0 left    0 received
    attempt 1: voided, authorize done, void declined, void done
    ");
    assert_eq!(story.payment.active().voided_amount(), AMOUNT);
}

#[test]
fn a_void_before_the_approval_is_trusted_once_nothing_else_is_open() {
    let mut story = cancelled_at_the_page(Automatic);
    story.answer(VOID, done());
    story.answer(AUTHORIZE, done());
    story.answer(VOID.nth(2), declined());
    assert_snapshot!(story.page(), @"
    void: done                         cancelled                                    0 left    0 received
    authorize: done                    cancelled                                    0 left 6540 received  [ask to void]
    void 2: declined                   cancelled                                    0 left    0 received
    attempt 1: voided, authorize done, void done, void declined
    ");
}

#[test]
fn an_unwanted_approval_that_can_not_be_voided_needs_somebody() {
    let mut story = cancelled_at_the_page(Automatic);
    story.answer(VOID, never_happened());
    story.answer(AUTHORIZE, done());
    story.answer(VOID, declined());
    assert_snapshot!(story.page(), @"
    void: never happened               cancelled                                    0 left    0 received
    authorize: done                    cancelled                                    0 left 6540 received  [ask to void]
    void: declined                     conflicted                                   0 left 6540 received  action_required about pay_1_1_conflict
    attempt 1: integrity_failure, authorize done, void never_happened, void declined; integrity_failure: the processor approved too late and refused to void the approval
    ");
}

#[test]
fn voids_that_cross_each_other_are_no_conflict() {
    let mut story = cancelled_at_the_page(Manual);
    story.answer(VOID, never_happened());
    story.sync();
    story.answer(AUTHORIZE, done());
    story.answer(VOID.nth(2), never_happened());
    // The first void was repeated by the sync, and its answer got lost.
    story.answer(VOID.nth(1), unknown());
    story.sync();
    story.answer(VOID.nth(2), declined());
    story.answer(VOID.nth(1), done());
    story.sync();
    assert_snapshot!(story.page(), @"
    void: never happened               cancelled                                    0 left    0 received
    sync                               cancelled                                    0 left    0 received  [look up authorize]  [ask to void]
    authorize: done                    cancelled                                    0 left    0 received  [ask to void]
    void 2: never happened             cancelled                                    0 left    0 received
    void 1: unknown (timeout)          cancelled                                    0 left    0 received
    sync                               cancelled                                    0 left    0 received  [look up void]  [ask to void]
    void 2: declined                   cancelled                                    0 left    0 received
    void 1: done                       cancelled                                    0 left    0 received
    sync                               cancelled                                    0 left    0 received
    attempt 1: voided, authorize done, void done, void declined
    ");
}

#[test]
fn an_approval_of_a_superseded_attempt_is_voided() {
    let mut story = retried();
    story.answer(AUTHORIZE.of_attempt(1), done());
    story.answer(VOID.of_attempt(1), done());
    story.answer(AUTHORIZE, done());
    assert_snapshot!(story.page(), @"
    authorize of attempt 1: done       processing                                   0 left    0 received  [ask to void]
    void of attempt 1: done            processing                                   0 left    0 received
    authorize: done                    succeeded                                    0 left 6540 received  payment_succeeded about pay_1
    attempt 1: failure, authorize done, void done; not_processed: the processor has no trace of this operation: it did not take place (no such operation)
    attempt 2: charged, authorize done
    ");
}

#[test]
fn a_superseded_attempt_that_can_not_be_voided_is_announced() {
    let mut story = retried();
    story.answer(AUTHORIZE, done());
    story.answer(AUTHORIZE.of_attempt(1), done());
    story.answer(VOID.of_attempt(1), declined());
    let told: Vec<_> = story.announced.iter().map(|one| one.status).collect();
    assert_eq!(
        told[told.len() - 2..],
        [PaymentStatus::Succeeded, PaymentStatus::Conflicted].map(AnnouncedStatus::Payment)
    );
    assert_snapshot!(story.page(), @"
    authorize: done                    succeeded                                    0 left 6540 received  payment_succeeded about pay_1
    authorize of attempt 1: done       succeeded                                    0 left 6540 received  [ask to void]
    void of attempt 1: declined        succeeded                                    0 left 6540 received  action_required about pay_1_1_conflict
    attempt 1: integrity_failure, authorize done, void declined; integrity_failure: the processor approved too late and refused to void the approval
    attempt 2: charged, authorize done
    ");
}

#[test]
fn an_approval_after_a_decline_is_voided() {
    let mut story = Story::created(Manual);
    story.confirm();
    story.answer(AUTHORIZE, not_authenticated());
    let mut story = story.afresh();
    story.answer(AUTHORIZE, done());
    story.answer(VOID, done());
    assert_snapshot!(story.page(), @"
    authorize: done                    failed                                       0 left    0 received  [ask to void]
    void: done                         failed                                       0 left    0 received
    attempt 1: authentication_failed, authorize done, void done; DC_09: The payer did not approve
    ");
}

#[test]
fn a_capture_that_comes_alive_while_the_void_runs() {
    let revived = || {
        let mut story = Story::approved(Manual);
        story.capture(Some(4000));
        story.answer(CAPTURE, unknown());
        story.answer(CAPTURE, never_happened());
        story.cancel();
        story.afresh()
    };
    let mut story = revived();
    story.answer(CAPTURE, pending());
    story.answer(VOID, done());
    story.answer(CAPTURE, done());
    assert_snapshot!(story.page(), @"
    capture: pending                   processing                                   0 left    0 received
    void: done                         processing                                   0 left    0 received
    capture: done                      partially_captured                           0 left 4000 received  payment_captured about pay_1_1_1
    attempt 1: partial_charged, authorize done, capture done 4000, void done
    ");

    let mut story = revived();
    story.answer(CAPTURE, pending());
    story.answer(VOID, done());
    story.answer(CAPTURE, declined());
    assert_snapshot!(story.page(), @"
    capture: pending                   processing                                   0 left    0 received
    void: done                         processing                                   0 left    0 received
    capture: declined                  cancelled                                    0 left    0 received  payment_cancelled about pay_1
    attempt 1: voided, authorize done, capture declined 4000, void done
    ");

    let mut story = revived();
    story.answer(CAPTURE, done());
    story.answer(VOID, declined());
    assert_snapshot!(story.page(), @"
    capture: done                      partially_captured                           0 left 4000 received  payment_captured about pay_1_1_1
    void: declined                     partially_captured                           0 left 4000 received
    attempt 1: partial_charged, authorize done, capture done 4000, void declined
    ");
    assert_eq!(story.payment.cancellation_reason, None);

    let mut story = revived();
    story.answer(CAPTURE, declined());
    story.answer(VOID, done());
    assert_snapshot!(story.page(), @"
    capture: declined                  processing                                   0 left    0 received
    void: done                         cancelled                                    0 left    0 received  payment_cancelled about pay_1
    attempt 1: voided, authorize done, capture declined 4000, void done
    ");

    let mut story = revived();
    story.answer(VOID, done());
    story.answer(CAPTURE, done());
    assert_snapshot!(story.page(), @"
    void: done                         cancelled                                    0 left    0 received  payment_cancelled about pay_1
    capture: done                      conflicted                                   0 left 4000 received  action_required about pay_1_1_conflict
    attempt 1: integrity_failure, authorize done, capture done 4000, void done; integrity_failure: the processor captured although the payment had ended without a capture
    ");
}

#[test]
fn of_several_captures_one_that_comes_alive_while_the_void_runs() {
    let revived = || {
        let mut story = Story::approved(ManualMultiple);
        story.capture(Some(4000));
        story.answer(CAPTURE, never_happened());
        story.cancel();
        story.afresh()
    };
    let mut story = revived();
    story.answer(CAPTURE, done());
    story.answer(VOID, done());
    assert_snapshot!(story.page(), @"
    capture: done                      processing                                   0 left 4000 received
    void: done                         partially_captured                           0 left 4000 received  payment_captured about pay_1_1_void
    attempt 1: partial_charged, authorize done, capture done 4000, void done
    ");

    let mut story = revived();
    story.answer(CAPTURE, done());
    story.answer(VOID, declined());
    story.capture(Some(2540));
    story.answer(CAPTURE, done());
    assert_snapshot!(story.page(), @"
    capture: done                      processing                                   0 left 4000 received
    void: declined                     partially_captured_and_capturable         2540 left 4000 received  action_required about pay_1_1_void
    capture 2540                       partially_captured_and_processing            0 left 4000 received  [ask to capture]
    capture: done                      succeeded                                    0 left 6540 received  payment_succeeded about pay_1
    attempt 1: charged, authorize done, capture done 4000, capture done 2540, void declined
    ");
}

#[test]
fn a_void_that_comes_alive_under_a_capture() {
    let revived = || {
        let mut story = Story::approved(Manual);
        story.cancel();
        story.answer(VOID, never_happened());
        story.afresh()
    };
    let mut story = revived();
    story.answer(VOID, done());
    story.capture(None);
    assert_snapshot!(story.page(), @"
    void: done                         cancelled                                    0 left    0 received  payment_cancelled about pay_1
    capture all                        refused, NotInState: the payment can't be captured: its status is cancelled, it would have to be requires_capture, partially_captured_and_capturable or processing
    attempt 1: voided, authorize done, void done
    ");

    let mut story = revived();
    story.capture(None);
    story.answer(VOID, done());
    story.answer(CAPTURE, declined());
    assert_snapshot!(story.page(), @"
    capture all                        processing                                   0 left    0 received  [ask to capture]
    void: done                         processing                                   0 left    0 received
    capture: declined                  cancelled                                    0 left    0 received  payment_cancelled about pay_1
    attempt 1: voided, authorize done, capture declined 6540, void done
    ");

    let mut story = revived();
    story.capture(None);
    story.answer(CAPTURE, done());
    story.answer(VOID, done());
    assert_snapshot!(story.page(), @"
    capture all                        processing                                   0 left    0 received  [ask to capture]
    capture: done                      succeeded                                    0 left 6540 received  payment_succeeded about pay_1
    void: done                         conflicted                                   0 left 6540 received  action_required about pay_1_1_conflict
    attempt 1: integrity_failure, authorize done, capture done 6540, void done; integrity_failure: the processor says both that all was captured and that it was voided
    ");

    let mut story = revived();
    story.capture(None);
    story.answer(VOID, declined());
    story.answer(CAPTURE, done());
    assert_snapshot!(story.page(), @"
    capture all                        processing                                   0 left    0 received  [ask to capture]
    void: declined                     processing                                   0 left    0 received
    capture: done                      succeeded                                    0 left 6540 received  payment_succeeded about pay_1
    attempt 1: charged, authorize done, capture done 6540, void declined
    ");
}

#[test]
fn a_void_that_was_done_releases_a_refused_captures_amount() {
    let mut story = Story::approved(ManualMultiple);
    story.cancel();
    story.answer(VOID, never_happened());
    story.capture(Some(1000));
    let mut story = story.afresh();
    story.answer(VOID, done());
    let voided = story.payment.active().voided_amount();
    story.answer(CAPTURE, declined());
    assert_snapshot!(story.page(), @"
    void: done                         processing                                   0 left    0 received
    capture: declined                  cancelled                                    0 left    0 received  payment_cancelled about pay_1
    attempt 1: voided, authorize done, capture declined 1000, void done
    ");
    assert_eq!(
        (voided, story.payment.active().voided_amount()),
        (5540, AMOUNT)
    );
}

#[test]
fn a_refusal_that_ended_a_payment_may_turn_out_wrong() {
    let mut story = Story::approved(ManualMultiple);
    story.capture(Some(1000));
    story.answer(CAPTURE, done());
    story.capture(Some(2540));
    let mut story = story.afresh();
    story.answer(CAPTURE.nth(2), gone());
    story.answer(CAPTURE.nth(2), done());
    assert_snapshot!(story.page(), @"
    capture 2: gone                    partially_captured                           0 left 1000 received  payment_captured about pay_1_1_2
    capture 2: done                    partially_captured                           0 left 3540 received  payment_captured about pay_1_1_2
    attempt 1: partial_charged, authorize done, capture done 1000, capture done 2540; DC_13: The authorization is over
    ");
    assert_eq!(story.payment.amounts().received, Some(3540));
}
