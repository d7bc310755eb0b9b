//! Reversals by the processor: the sums are reduced, and the payment is as if the operation had been refused at once.

use insta::assert_snapshot;
use multirail_domain::payments::payment::CaptureMethod::{Automatic, Manual, ManualMultiple};
use multirail_domain::payments::payment::RefundShare;
use multirail_domain::payments::refund::RefundStatus;
use multirail_kernel::currency::Currency;
use multirail_kernel::ids::RefundId;
use multirail_kernel::unread::UnreadMembers;

use crate::support::outcomes::*;
use crate::support::story::{AUTHORIZE, CAPTURE, Story, VOID};

#[test]
fn a_capture_that_failed_after_all_can_be_made_again() {
    let mut story = Story::approved(Manual);
    story.capture(None);
    story.answer(CAPTURE, done());
    let mut story = story.afresh();
    story.answer(CAPTURE, taken_back());
    story.answer(CAPTURE, done());
    story.capture(None);
    story.answer(CAPTURE, done());
    assert_snapshot!(story.page(), @"
    capture: taken back                requires_capture                          6540 left    0 received  action_required about pay_1_1_1_taken_back
    capture: done                      requires_capture                          6540 left    0 received
    capture all                        processing                                   0 left    0 received  [ask to capture]
    capture: done                      succeeded                                    0 left 6540 received  payment_succeeded about pay_1_1_2
    attempt 1: charged, authorize done, capture declined 6540, capture done 6540
    ");
}

#[test]
fn it_is_the_same_where_it_was_never_announced_as_done() {
    let mut early = Story::approved(Manual);
    early.capture(None);
    let mut late = Story::approved(Manual);
    late.capture(None);
    late.answer(CAPTURE, done());
    early.answer(CAPTURE, taken_back());
    early.answer(CAPTURE, done());
    late.answer(CAPTURE, taken_back());
    assert_eq!(early.payment, late.payment);
}

#[test]
fn of_several_captures_one_is_taken_back() {
    let mut story = Story::approved(ManualMultiple);
    story.capture(Some(1000));
    story.answer(CAPTURE, done());
    story.capture(Some(5540));
    story.answer(CAPTURE, done());
    let mut story = story.afresh();
    story.answer(CAPTURE.nth(1), taken_back());
    story.answer(CAPTURE.nth(2), taken_back());
    assert_snapshot!(story.page(), @"
    capture 1: taken back              partially_captured_and_capturable         1000 left 5540 received  action_required about pay_1_1_1_taken_back
    capture 2: taken back              requires_capture                          6540 left    0 received  action_required about pay_1_1_2_taken_back
    attempt 1: authorized, authorize done, capture declined 1000, capture declined 5540; returned: The bank sent it back
    ");
}

#[test]
fn what_had_ended_with_a_part_of_it_ends_without() {
    let mut story = Story::approved(ManualMultiple);
    story.capture(Some(1000));
    story.answer(CAPTURE, done());
    story.void_the_rest();
    story.answer(VOID, done());
    let mut story = story.afresh();
    story.answer(CAPTURE, taken_back());
    assert_snapshot!(story.page(), @"
    capture: taken back                cancelled                                    0 left    0 received  payment_cancelled about pay_1
    attempt 1: voided, authorize done, capture declined 1000, void done
    ");

    let mut story = Story::approved(ManualMultiple);
    story.capture(Some(1000));
    story.answer(CAPTURE, done());
    story.capture(Some(500));
    story.answer(CAPTURE, gone());
    let mut story = story.afresh();
    story.answer(CAPTURE.nth(1), taken_back());
    assert_snapshot!(story.page(), @"
    capture 1: taken back              failed                                       0 left    0 received  payment_failed about pay_1_1_1_taken_back
    attempt 1: capture_failed, authorize done, capture declined 1000, capture declined 500; DC_13: The authorization is over
    ");
}

#[test]
fn what_was_taken_with_the_authorization_has_failed() {
    let mut story = Story::created(Automatic);
    story.manual_retry_enabled = true;
    story.confirm();
    story.answer(AUTHORIZE, done());
    let mut story = story.afresh();
    story.answer(AUTHORIZE, taken_back());
    story.answer(AUTHORIZE, done());
    story.confirm_with(crate::support::with_card());
    assert_snapshot!(story.page(), @"
    authorize: taken back              failed                                       0 left    0 received  payment_failed about pay_1_1
    authorize: done                    failed                                       0 left    0 received
    confirm                            refused, Precondition: a payment whose last attempt ended as capture_failed can't be tried again
    attempt 1: capture_failed, authorize declined; returned: The bank sent it back
    ");
}

#[test]
fn an_authorization_that_only_reserves_has_nothing_to_take_back() {
    let mut story = Story::approved(Manual);
    let before = story.payment.clone();
    story.answer(AUTHORIZE, taken_back());
    assert_eq!(story.payment, before);
    let authorization = before.active().authorization.as_ref();
    let authorization = authorization.expect("an authorization");
    assert!(authorization.contradicts(&taken_back(), Currency::USD));
}

#[test]
fn a_void_that_failed_after_all_needs_somebody() {
    let mut story = Story::approved(Manual);
    story.cancel();
    let mut late = story.afresh();
    late.answer(VOID, done());
    late.answer(VOID, taken_back());
    assert_snapshot!(late.page(), @"
    void: done                         cancelled                                    0 left    0 received  payment_cancelled about pay_1
    void: taken back                   conflicted                                   0 left    0 received  action_required about pay_1_1_conflict
    attempt 1: integrity_failure, authorize done, void declined; integrity_failure: the void of an approval failed at the processor in the end
    ");
    let mut early = Story::approved(Manual);
    early.cancel();
    early.answer(VOID, taken_back());
    early.answer(VOID, done());
    assert_eq!(early.payment, late.payment);
}

#[test]
fn more_refunded_than_is_left_is_one_conflict() {
    let mut story = Story::approved(ManualMultiple);
    for amount in [1000, 5540] {
        story.capture(Some(amount));
        story.answer(CAPTURE, done());
    }
    story.payment.refunds.push(RefundShare {
        refund_id: RefundId::parse("ref_1").expect("an id"),
        status: RefundStatus::Succeeded,
        amount: 1500,
        is_open: false,
        is_of_excess: false,
        above_excess: None,
        unread: UnreadMembers::default(),
    });
    let mut story = story.afresh();
    story.answer(CAPTURE.nth(2), taken_back());
    let (gone, limit) = (
        story.payment.refunds_amount(),
        story.payment.refunds_limit(),
    );
    assert!(gone <= limit, "the database refuses {gone} above {limit}");
    story.answer(CAPTURE.nth(1), taken_back());
    assert_snapshot!(story.page(), @"
    capture 2: taken back              conflicted                                   0 left 1000 received  action_required about pay_1_1_conflict
    capture 1: taken back              conflicted                                   0 left    0 received
    attempt 1: integrity_failure, authorize done, capture declined 1000, capture declined 5540; integrity_failure: the processor took back what it had captured, of which something was refunded
    ");
}
