//! Voiding a captured payment.

use insta::assert_snapshot;
use multirail_domain::payments::payment::CaptureMethod::{Automatic, Manual, ManualMultiple};
use multirail_domain::payments::payment::{PaymentStatus, RefundShare};
use multirail_domain::payments::refund::RefundStatus;
use multirail_kernel::ids::RefundId;

use crate::support::outcomes::*;
use crate::support::story::{AUTHORIZE, CAPTURE, Story, VOID};

fn captured(amount: i64) -> Story {
    let mut story = Story::approved(Manual);
    story.capture(Some(amount));
    story.answer(CAPTURE, done());
    story.afresh()
}

/// Adds a refund of this amount to the payment.
fn refund(story: &mut Story, amount: i64) {
    story.payment.refunds.push(RefundShare {
        refund_id: RefundId::parse("ref_1").expect("an id"),
        status: RefundStatus::Succeeded,
        amount,
        is_open: false,
        is_of_excess: false,
        above_excess: None,
        unread: multirail_kernel::unread::UnreadMembers::default(),
    });
}

#[test]
fn everything_goes_back() {
    let mut story = captured(4000);
    story.cancel_post_capture();
    story.answer(VOID, done());
    story.cancel_post_capture();
    assert_eq!(
        story.payment.cancellation_reason.as_deref(),
        Some("charged twice")
    );
    assert_snapshot!(story.page(), @"
    cancel post capture                partially_captured                           0 left 4000 received  [ask to void]
    void: done                         cancelled_post_capture                       0 left    0 received  payment_cancelled_post_capture about pay_1
    cancel post capture                refused, Precondition: the captures of the payment can't be voided: its status is cancelled_post_capture
    attempt 1: voided_post_charge, authorize done, capture done 4000, void done
    ");
}

#[test]
fn a_refusal_changes_nothing_and_is_announced() {
    let mut story = captured(6540);
    story.cancel_post_capture();
    story.answer(VOID, declined());
    assert_eq!(story.payment.cancellation_reason, None);
    let why = story
        .payment
        .post_capture_void()
        .expect("a void")
        .description();
    assert_eq!(
        why.as_deref(),
        Some("DC_08: Payment declined: Card declined")
    );
    story.cancel_post_capture();
    story.answer(VOID, done());
    assert_snapshot!(story.page(), @"
    cancel post capture                succeeded                                    0 left 6540 received  [ask to void]
    void: declined                     succeeded                                    0 left 6540 received  action_required about pay_1_1_post_capture_void_1
    cancel post capture                succeeded                                    0 left 6540 received  [ask to void]
    void: done                         cancelled_post_capture                       0 left    0 received  payment_cancelled_post_capture about pay_1
    attempt 1: voided_post_charge, authorize done, capture done 6540, void declined, void done
    ");
}

#[test]
fn while_it_is_under_way_nothing_else_is_done() {
    let mut story = Story::approved(ManualMultiple);
    story.capture(Some(1000));
    story.answer(CAPTURE, done());
    let mut story = story.afresh();
    story.cancel_post_capture();
    story.answer(VOID, unknown());
    story.capture(Some(1000));
    story.cancel_post_capture();
    story.sync();
    story.answer(VOID, never_happened());
    story.capture(Some(1000));
    story.cancel_post_capture();
    story.answer(CAPTURE, done());
    assert_snapshot!(story.page(), @"
    cancel post capture                partially_captured_and_capturable            0 left 1000 received  [ask to void]
    void: unknown (timeout)            partially_captured_and_capturable            0 left 1000 received
    capture 1000                       refused, NotInState: the payment can't be captured: its state_metadata.post_capture_void.status is pending, it would have to be failed
    cancel post capture                refused, Precondition: the captures of the payment can't be voided: the processor has not said yet what became of the void before
    sync                               partially_captured_and_capturable            0 left 1000 received  [look up void]
    void: never happened               partially_captured_and_capturable         5540 left 1000 received  action_required about pay_1_1_post_capture_void_1
    capture 1000                       partially_captured_and_capturable         4540 left 1000 received  [ask to capture]
    cancel post capture                refused, Precondition: the captures of the payment can't be voided: the processor has not said yet what became of a capture or a void
    capture: done                      partially_captured_and_capturable         4540 left 2000 received  payment_captured about pay_1_1_2
    attempt 1: partial_charged_and_chargeable, authorize done, capture done 1000, capture done 1000, void never_happened
    ");
}

#[test]
fn not_where_nothing_was_taken_or_some_of_it_is_refunded() {
    let mut story = Story::approved(Manual).afresh();
    story.cancel_post_capture();
    assert_snapshot!(story.page(), @"
    cancel post capture                refused, Precondition: the captures of the payment can't be voided: its status is requires_capture
    attempt 1: authorized, authorize done
    ");
    let mut story = captured(4000);
    refund(&mut story, 1);
    story.cancel_post_capture();
    assert_snapshot!(story.page(), @"
    cancel post capture                refused, Precondition: the captures of the payment can't be voided: some of what was captured is refunded or being refunded
    attempt 1: partial_charged, authorize done, capture done 4000
    ");
}

/// The excess was never captured, so the processor voids without it.
#[test]
fn the_refund_of_an_excess_does_not_stand_in_the_way() {
    let with_refund = |status, is_open, above_excess| {
        let mut story = captured(4000);
        refund(&mut story, 1000);
        let share = story.payment.refunds.last_mut().expect("a refund");
        share.status = status;
        share.is_open = is_open;
        share.is_of_excess = true;
        share.above_excess = above_excess;
        story.cancel_post_capture();
        story
    };
    let mut story = with_refund(RefundStatus::Pending, true, None);
    story.answer(VOID, done());
    assert_snapshot!(story.page(), @"
    cancel post capture                partially_captured                           0 left 4000 received  [ask to void]
    void: done                         cancelled_post_capture                       0 left    0 received  payment_cancelled_post_capture about pay_1
    attempt 1: voided_post_charge, authorize done, capture done 4000, void done
    ");
    let mut story = with_refund(RefundStatus::Succeeded, false, None);
    story.answer(VOID, done());
    assert_eq!(story.payment.status, PaymentStatus::CancelledPostCapture);
    let story = with_refund(RefundStatus::Review, false, Some(1));
    assert_snapshot!(story.page(), @"
    cancel post capture                refused, Precondition: the captures of the payment can't be voided: some of what was captured is refunded or being refunded
    attempt 1: partial_charged, authorize done, capture done 4000
    ");
}

#[test]
fn what_was_refunded_meanwhile_is_a_conflict() {
    // The void was reported as never happened, so a refund was granted.
    let mut story = captured(6540);
    story.cancel_post_capture();
    story.answer(VOID, never_happened());
    refund(&mut story, 1000);
    story.answer(VOID, done());
    assert_snapshot!(story.page(), @"
    cancel post capture                succeeded                                    0 left 6540 received  [ask to void]
    void: never happened               succeeded                                    0 left 6540 received
    void: done                         conflicted                                   0 left    0 received  action_required about pay_1_1_conflict
    attempt 1: integrity_failure, authorize done, capture done 6540, void done; integrity_failure: the processor voided what it had captured, of which something was refunded
    ");
}

#[test]
fn a_void_that_is_taken_back_leaves_the_payment_as_it_was() {
    let mut story = Story::approved(Automatic).afresh();
    story.cancel_post_capture();
    story.answer(VOID, done());
    story.answer(VOID, taken_back());
    story.answer(VOID, done());
    assert_eq!(story.payment.cancellation_reason, None);
    assert_snapshot!(story.page(), @"
    cancel post capture                succeeded                                    0 left 6540 received  [ask to void]
    void: done                         cancelled_post_capture                       0 left    0 received  payment_cancelled_post_capture about pay_1
    void: taken back                   succeeded                                    0 left 6540 received  action_required about pay_1_1_post_capture_void_1_taken_back
    void: done                         succeeded                                    0 left 6540 received
    attempt 1: charged, authorize done, void declined
    ");
}

/// The first void's event was announced already; this is another void.
#[test]
fn a_repeated_void_is_announced_again() {
    let mut story = captured(6540);
    story.cancel_post_capture();
    story.answer(VOID, done());
    story.answer(VOID, taken_back());
    story.cancel_post_capture();
    story.answer(VOID, done());
    let told = story.announced.iter().map(|one| {
        let event = one.event_type;
        format!("{event} about {}", one.about)
    });
    let told: Vec<_> = told.collect();
    assert_eq!(
        told[told.len() - 3..],
        [
            "payment_cancelled_post_capture about pay_1",
            "action_required about pay_1_1_post_capture_void_1_taken_back",
            "payment_cancelled_post_capture about pay_1_1_post_capture_void_2",
        ]
    );
}

#[test]
fn what_else_becomes_of_the_capture_changes_nothing() {
    let mut story = captured(6540);
    story.cancel_post_capture();
    story.answer(CAPTURE, taken_back());
    story.answer(VOID, done());
    let mut other = captured(6540);
    other.cancel_post_capture();
    other.answer(VOID, done());
    other.answer(CAPTURE, taken_back());
    assert_eq!(story.payment.status, other.payment.status);
    assert_eq!(story.payment.amounts(), other.payment.amounts());
    assert_snapshot!(story.page(), @"
    cancel post capture                succeeded                                    0 left 6540 received  [ask to void]
    capture: taken back                requires_capture                          6540 left    0 received  action_required about pay_1_1_1_taken_back
    void: done                         cancelled_post_capture                       0 left    0 received  payment_cancelled_post_capture about pay_1
    attempt 1: voided_post_charge, authorize done, capture declined 6540, void done
    ");
}

#[test]
fn more_that_was_captured_than_voided_is_a_conflict() {
    let mut story = Story::approved(ManualMultiple);
    story.capture(Some(2000));
    story.answer(CAPTURE, never_happened());
    story.capture(Some(1000));
    story.answer(CAPTURE, done());
    let mut story = story.afresh();
    story.cancel_post_capture();
    story.answer(VOID, done());
    story.answer(CAPTURE.nth(1), done());
    assert_snapshot!(story.page(), @"
    cancel post capture                partially_captured_and_capturable            0 left 1000 received  [ask to void]
    void: done                         cancelled_post_capture                       0 left    0 received  payment_cancelled_post_capture about pay_1
    capture 1: done                    conflicted                                   0 left 2000 received  action_required about pay_1_1_conflict
    attempt 1: integrity_failure, authorize done, capture done 2000, capture done 1000, void done; integrity_failure: the processor captured although the payment had ended without a capture
    ");
}

#[test]
fn another_amount_is_a_conflict() {
    let mut story = Story::created(Automatic);
    story.confirm();
    story.answer(AUTHORIZE, done());
    let mut story = story.afresh();
    story.cancel_post_capture();
    story.answer(VOID, done_for(6000));
    assert_snapshot!(story.page(), @"
    cancel post capture                succeeded                                    0 left 6540 received  [ask to void]
    void: done 6000                    conflicted                                   0 left  540 received  action_required about pay_1_1_conflict
    attempt 1: integrity_failure, authorize done, void done; integrity_failure: the processor confirmed another amount or currency than was asked for
    ");
}
