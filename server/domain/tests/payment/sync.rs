//! Questions to the processor about open operations.

use insta::assert_snapshot;
use multirail_domain::payments::payment::CaptureMethod::{Automatic, Manual};

use crate::support::outcomes::*;
use crate::support::story::{AUTHORIZE, CAPTURE, Story, VOID};
use crate::support::{start, with_card};

#[test]
fn a_call_that_may_still_be_under_way_is_left_alone() {
    for (seconds, asked) in [(59, false), (60, true)] {
        let mut story = Story::created(Automatic);
        story.confirm();
        story.now = start().plus_seconds(seconds - 60).expect("a moment");
        let mut story = story.afresh();
        story.sync();
        assert_eq!(story.page().contains("look up"), asked, "{seconds}");
    }
}

#[test]
fn whatever_is_open_is_asked_about_in_any_status() {
    let mut story = Story::created(Automatic);
    story.manual_retry_enabled = true;
    story.confirm();
    story.sync();
    story.answer(AUTHORIZE, redirect());
    story.sync();
    story.cancel();
    story.answer(VOID, unknown());
    story.sync();
    story.answer(VOID, done());
    story.answer(AUTHORIZE, declined());
    story.sync();
    assert_snapshot!(story.page(), @"
    create                             requires_confirmation                     6540 left    - received
    confirm                            processing                                   0 left    0 received  [ask to authorize]
    sync                               processing                                   0 left    0 received  [look up authorize]
    authorize: customer must act       requires_customer_action                     0 left    0 received  action_required about pay_1_1
    sync                               requires_customer_action                     0 left    0 received  [look up authorize]
    cancel                             cancelled                                    0 left    0 received  payment_cancelled about pay_1  [ask to void]  [forget the card]
    void: unknown (timeout)            cancelled                                    0 left    0 received
    sync                               cancelled                                    0 left    0 received  [look up authorize]  [look up void]
    void: done                         cancelled                                    0 left    0 received
    authorize: declined                cancelled                                    0 left    0 received
    sync                               cancelled                                    0 left    0 received
    attempt 1: voided, authorize declined, void done
    ");
    assert!(!story.payment.is_open_at_processor());
}

#[test]
fn what_never_happened_is_asked_about_while_it_may_still_arrive() {
    let mut story = Story::approved(Manual);
    story.capture(None);
    story.answer(CAPTURE, never_happened());
    assert!(!story.payment.is_open_at_processor());
    let mut story = story.afresh();
    story.sync();
    assert_snapshot!(story.page(), @"
    sync                               requires_capture                          6540 left    0 received  [look up capture]
    attempt 1: authorized, authorize done, capture never_happened 6540; not_processed: the processor has no trace of this operation: it did not take place (no such operation)
    ");

    let mut story = story.afresh();
    story.answer(CAPTURE, done());
    assert_eq!(
        story.payment.amounts().received,
        Some(6540),
        "it had been on its way"
    );
}

#[test]
fn what_never_happened_is_left_alone_after_an_hour() {
    let mut story = Story::approved(Manual);
    story.capture(None);
    story.answer(CAPTURE, never_happened());
    let started_at = story.now;
    let next = |seconds: i64| {
        let now = started_at.plus_seconds(seconds).expect("a moment");
        story.payment.next_question_at(now, 40)
    };
    assert!(next(3_000).is_some());
    assert_eq!(next(3_700), None);
    story.now = started_at.plus_seconds(3_700).expect("a moment");
    let mut story = story.afresh();
    story.sync();
    assert_snapshot!(story.page(), @"
    sync                               requires_capture                          6540 left    0 received
    attempt 1: authorized, authorize done, capture never_happened 6540; not_processed: the processor has no trace of this operation: it did not take place (no such operation)
    ");
}

#[test]
fn an_unwanted_approval_is_voided_until_the_void_takes_place() {
    let mut story = Story::created(Automatic);
    story.manual_retry_enabled = true;
    story.confirm();
    story.answer(AUTHORIZE, never_happened());
    story.confirm_with(with_card());
    story.answer(AUTHORIZE, done());
    let mut story = story.afresh();
    story.answer(AUTHORIZE.of_attempt(1), done());
    story.answer(VOID.of_attempt(1), never_happened());
    assert!(story.payment.is_open_at_processor());
    story.sync();
    story.answer(VOID.of_attempt(1), done());
    assert!(!story.payment.is_open_at_processor());
    story.sync();
    assert_snapshot!(story.page(), @"
    authorize of attempt 1: done       succeeded                                    0 left 6540 received  [ask to void]
    void of attempt 1: never happened  succeeded                                    0 left 6540 received
    sync                               succeeded                                    0 left 6540 received  [ask to void]
    void of attempt 1: done            succeeded                                    0 left 6540 received
    sync                               succeeded                                    0 left 6540 received
    attempt 1: failure, authorize done, void done; not_processed: the processor has no trace of this operation: it did not take place (no such operation)
    attempt 2: charged, authorize done
    ");
}

#[test]
fn a_void_that_did_not_arrive_is_repeated_while_the_payer_may_approve() {
    let mut story = Story::created(Automatic);
    story.confirm();
    story.answer(AUTHORIZE, redirect());
    story.cancel();
    let mut story = story.afresh();
    story.answer(VOID, never_happened());
    story.sync();
    story.answer(AUTHORIZE, declined());
    story.sync();
    assert_snapshot!(story.page(), @"
    void: never happened               cancelled                                    0 left    0 received
    sync                               cancelled                                    0 left    0 received  [look up authorize]  [ask to void]
    authorize: declined                cancelled                                    0 left    0 received
    sync                               cancelled                                    0 left    0 received  [look up void]
    attempt 1: voided, authorize declined, void never_happened
    ");
}
