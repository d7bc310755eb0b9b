//! Retrying a failed payment.

use insta::assert_snapshot;
use multirail_domain::payments::payment::CaptureMethod::{Automatic, Manual};
use multirail_domain::payments::payment::Changes;

use crate::support::outcomes::*;
use crate::support::story::{AUTHORIZE, CAPTURE, Story};
use crate::support::{start, with_card};

/// Builds a payment that failed with this answer, of a profile that permits retries.
fn failed_by(answer: multirail_sdk::connector::Outcome) -> Story {
    let mut story = Story::created(Automatic);
    story.manual_retry_enabled = true;
    story.confirm();
    story.answer(AUTHORIZE, answer);
    story.afresh()
}

#[test]
fn whatever_left_nothing_at_the_processor_can_be_retried() {
    for answer in [declined(), not_authenticated(), never_happened()] {
        let mut story = failed_by(answer);
        assert_eq!(story.payment.manual_retry_allowed(), Some(true));
        story.confirm_with(with_card());
        assert_eq!(story.payment.attempts.len(), 2);
        assert_eq!(story.payment.status.as_str(), "processing");
        assert_eq!(story.payment.manual_retry_allowed(), None);
        assert_eq!(story.payment.active().decline, None);
        assert_eq!(story.payment.attempt_id(2).to_string(), "pay_1_2");
    }
}

#[test]
fn each_failure_is_announced_again() {
    let mut story = failed_by(declined());
    for _ in 0..2 {
        story.confirm_with(with_card());
        story.answer(AUTHORIZE, declined());
    }
    assert_snapshot!(story.page(), @"
    confirm                            processing                                   0 left    0 received  [ask to authorize]
    authorize: declined                failed                                       0 left    0 received  payment_failed about pay_1_2
    confirm                            processing                                   0 left    0 received  [ask to authorize]
    authorize: declined                failed                                       0 left    0 received  payment_failed about pay_1_3
    attempt 1: failure, authorize declined; DC_08: Payment declined: Card declined
    attempt 2: failure, authorize declined; DC_08: Payment declined: Card declined
    attempt 3: failure, authorize declined; DC_08: Payment declined: Card declined
    ");
}

#[test]
fn a_retry_needs_a_card_and_may_change_the_terms() {
    let mut story = failed_by(declined());
    story.confirm();
    story.confirm_with(Changes {
        amount: Some(5000),
        capture_method: Some(Manual),
        ..with_card()
    });
    story.answer(AUTHORIZE, done());
    assert_snapshot!(story.page(), @"
    confirm                            refused, InvalidValue: the payment method given earlier is no longer held: give payment_method_data again
    confirm                            processing                                   0 left    0 received  [ask to authorize]
    authorize: done                    requires_capture                          5000 left    0 received  payment_authorized about pay_1
    attempt 1: failure, authorize declined; DC_08: Payment declined: Card declined
    attempt 2: authorized, authorize done
    ");
    let asked = story.payment.attempts.iter().map(|attempt| attempt.amount);
    assert_eq!(asked.collect::<Vec<_>>(), [6540, 5000]);
}

#[test]
fn a_retry_comes_in_the_first_half_of_the_session() {
    for (seconds, allowed) in [(450, true), (451, false)] {
        let mut story = failed_by(declined());
        story.now = start().plus_seconds(seconds).expect("a moment");
        story.confirm_with(with_card());
        assert_eq!(
            story.payment.attempts.len() == 2,
            allowed,
            "{}",
            story.page()
        );
    }
}

#[test]
fn what_a_retry_is_refused_for() {
    let mut disallowed = failed_by(declined());
    disallowed.manual_retry_enabled = false;
    let mut late = failed_by(declined());
    late.now = start().plus_seconds(451).expect("a moment");
    let mut uncaptured = Story::approved(Manual);
    uncaptured.capture(None);
    uncaptured.answer(CAPTURE, gone());
    uncaptured.manual_retry_enabled = true;
    let mut page = String::new();
    for story in [disallowed, late, uncaptured] {
        let mut story = story.afresh();
        story.confirm_with(with_card());
        page += &story.page();
        page += &format!(
            "  manual_retry_allowed: {:?}\n",
            story.payment.manual_retry_allowed()
        );
    }
    assert_snapshot!(page, @"
    confirm                            refused, Precondition: a payment whose status is failed can't be confirmed: is_manual_retry_enabled of the profile is not set
    attempt 1: failure, authorize declined; DC_08: Payment declined: Card declined
      manual_retry_allowed: Some(true)
    confirm                            refused, Precondition: the time in which a failed payment can be tried again is over
    attempt 1: failure, authorize declined; DC_08: Payment declined: Card declined
      manual_retry_allowed: Some(true)
    confirm                            refused, Precondition: a payment whose last attempt ended as capture_failed can't be tried again
    attempt 1: capture_failed, authorize done, capture declined 6540; DC_13: The authorization is over
      manual_retry_allowed: Some(false)
    ");
}

/// The repeated request never reached the processor, so it needs no permission of the profile.
#[test]
fn what_was_never_processed_is_carried_out_when_its_request_comes_again() {
    let mut story = Story::created(Automatic);
    story.confirm();
    story.answer(AUTHORIZE, never_happened());
    let mut story = story.afresh();
    story.confirm();
    story.resumes = true;
    story.confirm();
    story.answer(AUTHORIZE, done());
    assert_eq!(story.payment.attempts.len(), 2);
    assert!(!story.payment.holds_card);
    assert_snapshot!(story.page());
}

#[test]
fn what_was_declined_is_not_tried_again_so() {
    let mut story = failed_by(declined());
    story.manual_retry_enabled = false;
    story.resumes = true;
    story.confirm_with(with_card());
    assert_eq!(story.payment.attempts.len(), 1);
    assert_snapshot!(story.page());
}

/// Stored credentials of the request are used again.
#[test]
fn what_was_never_processed_goes_on_with_its_credentials() {
    let mut story = Story::create(Changes {
        creds_identifier: Some("mine".to_owned()),
        ..crate::support::purchase(Automatic)
    });
    story.credentials.are_held = true;
    story.resumes = true;
    story.confirm();
    story.answer(AUTHORIZE, never_happened());
    story.confirm();
    let active = story.payment.active();
    let brought = active
        .brought
        .as_ref()
        .map(|brought| brought.identifier.as_str());
    assert_eq!((active.number, brought), (2, Some("mine")));
}
