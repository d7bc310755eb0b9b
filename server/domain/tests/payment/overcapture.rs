//! A capture above the authorized amount, with the processor's permission.

use insta::assert_snapshot;
use multirail_domain::payments::payment::CaptureMethod::{
    Automatic, Manual, ManualMultiple, Scheduled,
};
use multirail_domain::payments::payment::{CaptureMethod, Changes};

use crate::support::outcomes::*;
use crate::support::story::{AUTHORIZE, CAPTURE, Story, refused};
use crate::support::{AMOUNT, create, purchase};

/// Fifteen percent above the authorized amount.
const MOST: i64 = 7521;

fn wishing(capture_method: CaptureMethod) -> Changes {
    Changes {
        enable_overcapture: Some(true),
        ..purchase(capture_method)
    }
}

fn granted(capture_method: CaptureMethod) -> Story {
    let mut story = Story::create(wishing(capture_method));
    story.confirm();
    story.answer(AUTHORIZE, done_up_to(MOST));
    story.afresh()
}

#[test]
fn it_takes_as_much_as_the_processor_lets_it() {
    for capture_method in [Manual, Scheduled] {
        let mut story = granted(capture_method);
        assert_eq!(story.payment.is_overcapture_enabled(), Some(true));
        assert_eq!(
            story.payment.amounts().capturable,
            MOST,
            "what can be captured"
        );
        story.capture(Some(MOST + 1));
        story.capture(Some(MOST));
        assert_eq!(story.payment.active().pending_capture_amount(), MOST);
        story.answer(CAPTURE, done_for(MOST));
        assert_eq!(story.payment.refundable_amount(), MOST);
        insta::allow_duplicates! { assert_snapshot!(story.page(), @"
        capture 7522                       refused, InvalidValue: amount_to_capture 7522 is above amount_capturable 7521
        capture 7521                       processing                                   0 left    0 received  [ask to capture]
        capture: done 7521                 succeeded                                    0 left 7521 received  payment_succeeded about pay_1
        attempt 1: charged, authorize done, capture done 7521
        ") };
    }
}

#[test]
fn a_capture_without_an_amount_takes_all_that_is_capturable() {
    let mut story = granted(Manual);
    let capturable = story.payment.amounts().capturable;
    story.capture(None);
    story.answer(CAPTURE, done());
    assert_eq!(story.payment.amounts().received, Some(capturable));
    assert_eq!(story.payment.status.as_str(), "succeeded");
}

#[test]
fn nothing_more_is_taken_where_it_was_not_asked_for_or_not_granted() {
    let mut unasked = Story::created(Manual);
    unasked.confirm();
    unasked.answer(AUTHORIZE, done_up_to(MOST));
    let mut unanswered = Story::create(wishing(Manual));
    unanswered.confirm();
    assert_eq!(unanswered.payment.is_overcapture_enabled(), Some(false));
    unanswered.answer(AUTHORIZE, done());
    for (mut story, expected) in [(unasked, None), (unanswered, Some(false))] {
        assert_eq!(story.payment.is_overcapture_enabled(), expected);
        let before = story.payment.clone();
        story.capture(Some(AMOUNT + 1));
        assert_eq!(story.payment, before);
    }
}

#[test]
fn a_refused_one_leaves_the_limit_as_it_was() {
    let mut story = granted(Manual);
    story.capture(Some(MOST));
    story.answer(CAPTURE, declined());
    story.capture(Some(MOST));
    story.answer(CAPTURE, done());
    assert_eq!(story.payment.amounts().received, Some(MOST));
    assert_eq!(story.payment.status.as_str(), "succeeded");
}

#[test]
fn more_than_was_asked_for_is_a_conflict() {
    let mut story = granted(Manual);
    story.capture(Some(7000));
    story.answer(CAPTURE, done_for(MOST));
    assert_eq!(story.payment.status.as_str(), "conflicted");
}

/// A partial approval with overcapture.
#[test]
fn an_approval_for_less_may_be_exceeded_too() {
    for (amount, expected) in [(5750, "partially_captured"), (AMOUNT, "succeeded")] {
        let mut story = Story::create(Changes {
            enable_partial_authorization: Some(true),
            ..wishing(Manual)
        });
        story.confirm();
        let mut approved = done_up_to(MOST);
        if let multirail_sdk::connector::Outcome::Done(approval) = &mut approved {
            approval.amount_minor = Some(5000);
        }
        story.answer(AUTHORIZE, approved);
        story.capture(Some(amount));
        story.answer(CAPTURE, done());
        assert_eq!(story.payment.status.as_str(), expected);
    }
}

#[test]
fn it_is_for_a_single_capture_that_comes_later() {
    let refusals = [Automatic, ManualMultiple].map(|capture_method| {
        let refusal = create(wishing(capture_method))
            .map(|_| ())
            .expect_err("a refusal");
        refused(&refusal)
    });
    assert_snapshot!(refusals.join("\n"), @"
    Precondition: enable_overcapture needs a capture_method that captures later, such as manual
    FlowNotSupported: enable_overcapture with capture_method manual_multiple is not supported
    ");
}
