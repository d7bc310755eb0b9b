//! Transfers that arrive in parts.

use insta::assert_snapshot;
use multirail_domain::payments::payment::CaptureMethod::Automatic;
use multirail_domain::payments::payment::{PaymentStatus, ReleaseAction};

use crate::support::outcomes::*;
use crate::support::story::{AUTHORIZE, Story, VOID};

fn asked() -> Story {
    let mut story = Story::created(Automatic);
    story.confirm();
    story.answer(AUTHORIZE, transfer(0));
    story
}

fn announced(story: &Story) -> String {
    let all = story.announced.iter();
    let all = all.map(|one| format!("{} about {}", one.event_type, one.about));
    all.collect::<Vec<_>>().join("\n")
}

#[test]
fn the_first_part_of_a_transfer_begins_its_processing() {
    let mut story = asked();
    let mut lines = Vec::new();
    for received in [0, 3270, 3270, 5000, 3270] {
        story.answer(AUTHORIZE, transfer(received));
        let missing = story.payment.active().missing_of_transfer();
        lines.push(format!("{received}: {} {missing:?}", story.payment.status));
    }
    // A late answer that tells less changes nothing.
    assert_snapshot!(lines.join("\n"), @"
    0: requires_customer_action None
    3270: processing Some(3270)
    3270: processing Some(3270)
    5000: processing Some(1540)
    3270: processing Some(1540)
    ");
    assert_eq!(story.payment.amounts().received, Some(0));
    story.answer(AUTHORIZE, done());
    assert_eq!(story.payment.status, PaymentStatus::Succeeded);
    assert_snapshot!(announced(&story), @"
    action_required about pay_1_1
    payment_processing about pay_1_1_part
    payment_succeeded about pay_1
    ");
}

#[test]
fn a_part_is_announced_after_an_unanswered_call_was() {
    let mut story = Story::created(Automatic);
    story.confirm();
    for outcome in [unknown(), transfer(0), transfer(3270)] {
        story.answer(AUTHORIZE, outcome);
    }
    assert_snapshot!(announced(&story), @"
    payment_processing about pay_1_1
    action_required about pay_1_1
    payment_processing about pay_1_1_part
    ");
}

#[test]
fn a_payment_that_has_a_part_of_its_transfer_can_be_cancelled() {
    let mut story = asked();
    story.answer(AUTHORIZE, transfer(3270));
    assert!(story.payment.awaits_payer());
    assert_eq!(story.payment.release_action(), Some(ReleaseAction::Cancel));
    story.cancel();
    assert_eq!(story.payment.status, PaymentStatus::Cancelled);
    assert!(!story.payment.awaits_payer());
    story.answer(VOID, done());
    story.answer(AUTHORIZE, transfer(5000));
    assert_eq!(story.payment.status, PaymentStatus::Cancelled);
}

#[test]
fn a_transfer_that_stays_a_part_fails() {
    let mut story = asked();
    story.answer(AUTHORIZE, transfer(3270));
    story.answer(AUTHORIZE, declined());
    assert_eq!(story.payment.status, PaymentStatus::Failed);
    assert_eq!(story.payment.active().missing_of_transfer(), None);
}
