//! Credentials of a request: later calls of the attempt use them, and they are stored no longer than that.

use insta::assert_snapshot;
use multirail_domain::payments::payment::CaptureMethod::{Automatic, Manual};
use multirail_domain::payments::payment::{AtHand, Changes, Effect, Payment};

use crate::support::outcomes::*;
use crate::support::story::{AUTHORIZE, CAPTURE, Story, VOID};
use crate::support::{purchase, with_card};

fn named(identifier: &str) -> Changes {
    Changes {
        creds_identifier: Some(identifier.to_owned()),
        ..Changes::default()
    }
}

fn brought(capture_method: multirail_domain::payments::payment::CaptureMethod) -> Story {
    let mut story = Story::create(Changes {
        creds_identifier: Some("mine".to_owned()),
        ..purchase(capture_method)
    });
    story.credentials.are_held = true;
    story
}

fn given(identifier: &str) -> AtHand {
    AtHand {
        given: Some(identifier.to_owned()),
        are_held: false,
    }
}

fn are_held(payment: &Payment) -> bool {
    payment.active().holds_credentials()
}

#[test]
fn they_are_stored_from_create_to_the_last_capture() {
    let mut story = brought(Manual);
    story.confirm();
    story.answer(AUTHORIZE, done());
    assert!(are_held(&story.payment));
    story.capture(Some(1000));
    story.answer(CAPTURE, done_for(1000));
    assert!(!are_held(&story.payment));
    assert_snapshot!(story.page());
}

#[test]
fn another_name_or_none_where_they_are_gone_is_refused() {
    let mut story = brought(Manual);
    story.confirm();
    story.answer(AUTHORIZE, done());
    let mut story = story.afresh();
    story.credentials = given("yours");
    story.capture(None);
    story.cancel();
    story.credentials = AtHand::default();
    story.capture(None);
    story.cancel();
    story.credentials = given("mine");
    story.capture(None);
    assert_snapshot!(story.page());
}

#[test]
fn a_payment_of_the_stored_account_stays_with_it() {
    let mut story = Story::approved(Manual).afresh();
    story.credentials = given("mine");
    story.capture(None);
    story.cancel();
    assert_snapshot!(story.page());
}

#[test]
fn a_payment_that_was_never_sent_has_no_use_for_them() {
    let mut story = brought(Manual).afresh();
    story.credentials = given("mine");
    story.cancel();
    story.credentials = AtHand::default();
    story.cancel();
    assert!(!are_held(&story.payment));
    assert_snapshot!(story.page());
}

#[test]
fn a_confirm_goes_with_them_or_brings_its_own() {
    let mut story = brought(Automatic).afresh();
    story.credentials.are_held = false;
    story.confirm();
    story.confirm_with(named("newer"));
    let active = story.payment.active();
    assert_eq!(
        active.brought.as_ref().map(|b| b.identifier.as_str()),
        Some("newer")
    );
    assert_snapshot!(story.page());
}

#[test]
fn a_retry_brings_them_again() {
    let mut story = brought(Automatic).afresh();
    story.manual_retry_enabled = true;
    story.confirm();
    story.answer(AUTHORIZE, declined());
    assert!(!are_held(&story.payment));
    story.confirm_with(with_card());
    story.confirm_with(Changes {
        creds_identifier: Some("other".to_owned()),
        ..with_card()
    });
    assert_snapshot!(story.page());
}

/// The server may ask about the operation for an hour after the processor had no record of it.
#[test]
fn what_may_still_arrive_keeps_them() {
    let mut story = brought(Automatic).afresh();
    story.confirm();
    story.answer(AUTHORIZE, never_happened());
    assert!(are_held(&story.payment));
    story.sync();
    story.now = story.now.plus_seconds(3_600).expect("a moment");
    let late = story.payment.next_question_at(story.now, 40);
    assert!(late.is_some(), "somebody comes to forget them");
    story.sync();
    assert!(!are_held(&story.payment));
    assert_eq!(story.payment.next_question_at(story.now, 40), None);
    assert_snapshot!(story.page());
}

#[test]
fn a_late_approval_is_voided_before_they_are_forgotten() {
    let mut story = brought(Automatic).afresh();
    story.confirm();
    story.answer(AUTHORIZE, redirect());
    story.cancel();
    story.answer(VOID, never_happened());
    story.answer(AUTHORIZE, done());
    assert!(are_held(&story.payment));
    story.answer(VOID, done());
    assert!(are_held(&story.payment), "the first void may still arrive");
    story.now = story.now.plus_seconds(7_200).expect("a moment");
    story.sync();
    assert!(!are_held(&story.payment));
    assert_snapshot!(story.page());
}

#[test]
fn they_are_forgotten_once() {
    let mut story = brought(Automatic);
    story.confirm();
    story.answer(AUTHORIZE, done());
    let step = story
        .try_input(multirail_domain::payments::payment::Input::Command(
            multirail_domain::payments::payment::Command::Sync { about: None },
        ))
        .expect("a step");
    let forgets = |effect: &Effect| matches!(effect, Effect::DeleteCredentials { .. });
    assert!(!step.effects.iter().any(forgets));
    assert_eq!(step.payment, story.payment);
}

/// Records that are older than such credentials use the stored account.
#[test]
fn older_records_have_none() {
    let story = Story::approved(Manual);
    let record = serde_json::to_value(story.payment.active().record()).expect("a record");
    assert_eq!(record.get("brought"), None);
}
