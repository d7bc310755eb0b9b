//! Card data that waits for a confirm is deleted when the client secret expires.

use insta::assert_snapshot;
use multirail_domain::payments::payment::CaptureMethod::{Automatic, Manual};
use multirail_domain::payments::payment::{Changes, Command, Effect, Input, PaymentStatus};

use crate::support::outcomes::*;
use crate::support::story::{AUTHORIZE, Story};
use crate::support::{purchase, with_card};

/// Moves a story to the moment after its client secret expired.
fn over(mut story: Story) -> Story {
    story.now = story.payment.expires_at.plus_seconds(1).expect("a moment");
    story.afresh()
}

#[test]
fn without_its_card_a_payment_asks_for_one() {
    let mut story = over(Story::created(Automatic));
    story.lapse();
    assert_eq!(story.payment.instrument(), None);
    assert_eq!(story.payment.modified_at, story.now);
    story.confirm();
    story.confirm_with(with_card());
    assert_snapshot!(story.page());
}

#[test]
fn nothing_lapses_before_its_time() {
    let mut story = Story::created(Automatic);
    story.now = story.payment.expires_at;
    let before = story.payment.clone();
    story.lapse();
    assert_eq!(story.payment, before);
    // The session was extended.
    story.update(Changes {
        session_expiry_seconds: Some(7_200),
        ..Changes::default()
    });
    let before = story.payment.clone();
    story.now = story.now.plus_seconds(600).expect("a moment");
    story.lapse();
    assert_eq!(story.payment, before);
}

#[test]
fn brought_credentials_go_too_and_no_other_account_stands_in() {
    let mut story = over(Story::create(Changes {
        creds_identifier: Some("mine".to_owned()),
        ..purchase(Manual)
    }));
    story.lapse();
    story.confirm_with(with_card());
    assert_snapshot!(story.page());
}

#[test]
fn who_is_at_the_processors_page_keeps_what_he_was_shown() {
    let mut story = Story::created(Automatic);
    story.confirm();
    story.answer(AUTHORIZE, redirect());
    let mut story = over(story);
    story.lapse();
    assert!(story.payment.instrument().is_some() && !story.payment.holds_card);
    story.answer(AUTHORIZE, done());
    assert_snapshot!(story.page());
}

/// A redacted customer can't pay with the held card any more, and it is deleted at once.
#[test]
fn the_card_of_who_is_forgotten_is_given_up_at_once() {
    let mut story = Story::created(Automatic);
    assert!(story.payment.holds_card);
    story.forget_card();
    assert!(!story.payment.holds_card);
    assert_eq!(story.payment.instrument(), None);
    assert_eq!(story.payment.status, PaymentStatus::RequiresPaymentMethod);
    let before = story.payment.clone();
    story.forget_card();
    assert_eq!(story.payment, before);
    // A request that was sent to a processor goes on.
    let mut story = Story::created(Automatic);
    story.confirm();
    story.answer(AUTHORIZE, redirect());
    story.forget_card();
    assert!(story.payment.instrument().is_some());
    story.answer(AUTHORIZE, done());
    assert_eq!(story.payment.status, PaymentStatus::Succeeded);
}

#[test]
fn a_second_look_finds_nothing_to_do() {
    let mut story = over(Story::created(Automatic));
    story.lapse();
    let step = story
        .try_input(Input::Command(Command::Lapse))
        .expect("a step");
    assert_eq!(step.payment, story.payment);
    assert_eq!(step.effects, Vec::<Effect>::new());
}

#[test]
fn an_attempt_says_that_it_went_without_the_cards_code() {
    for (is_held, says) in [(true, false), (false, true)] {
        let mut story = Story::created(Automatic);
        story.card_code_is_held = is_held;
        story.confirm();
        assert_eq!(story.payment.active().card_code_missing, says);
    }
    // A card in the confirm comes with its code.
    let mut story = Story::created(Automatic);
    story.card_code_is_held = false;
    story.confirm_with(with_card());
    assert!(!story.payment.active().card_code_missing);
}
