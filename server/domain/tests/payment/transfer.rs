//! Transfers that arrive in parts.

use insta::assert_snapshot;
use multirail_domain::payments::payment::CaptureMethod::Automatic;
use multirail_domain::payments::payment::excess::Excess;
use multirail_domain::payments::payment::{Context, Fact, PaymentStatus, ReleaseAction};
use multirail_domain::payments::refund;
use multirail_domain::payments::refund::{Effect, Refund, RefundStatus};
use multirail_kernel::ids::{ProcessorKey, RefundId};
use multirail_sdk::connector::{Approval, Outcome};

use crate::support::outcomes::*;
use crate::support::story::{AUTHORIZE, KeysOfStep, Story, VOID};

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

fn overpaid() -> Outcome {
    Outcome::Done(Approval {
        excess: Some(3460),
        ..Approval::default()
    })
}

#[test]
fn what_a_transfer_brings_too_much_is_returned_once() {
    let mut story = asked();
    for _ in 0..2 {
        story.answer(AUTHORIZE, overpaid());
        story.sync();
    }
    let page = story.page();
    assert_eq!(page.matches("[return 3460 too much]").count(), 1, "{page}");
    // An approval after the cancel is voided, and its excess goes back, too.
    let mut story = asked();
    story.cancel();
    story.answer(AUTHORIZE, overpaid());
    let page = story.page();
    assert_eq!(page.matches("[return 3460 too much]").count(), 1, "{page}");
}

/// A notice may tell less than the answer after it.
#[test]
fn an_excess_that_is_reported_after_the_approval_is_returned_once() {
    let returned = |outcomes: [Outcome; 4]| {
        let mut story = asked();
        for outcome in outcomes {
            story.answer(AUTHORIZE, outcome);
        }
        let count = story.page().matches("[return 3460 too much]").count();
        (story.payment.active().excess, count)
    };
    let late = returned([done(), overpaid(), done(), overpaid()]);
    assert_eq!(late, (Some(3460), 1));
    // A transfer that the processor took back brought nothing.
    let gone = returned([done(), taken_back(), overpaid(), done()]);
    assert_eq!(gone, (None, 0));
}

/// A payer may transfer more after the amount is reached, in several parts.
#[test]
fn each_later_part_of_an_excess_is_returned_once() {
    let brings = |excess: i64| {
        Outcome::Done(Approval {
            excess: Some(excess),
            ..Approval::default()
        })
    };
    let mut story = asked();
    for outcome in [
        brings(1000),
        brings(1000),
        brings(3460),
        brings(1000),
        done(),
        brings(3461),
    ] {
        story.answer(AUTHORIZE, outcome);
        story.sync();
    }
    let page = story.page();
    let returned = [1000, 2460, 1].map(|amount| {
        let line = format!("[return {amount} too much]");
        page.matches(&line).count()
    });
    assert_eq!(returned, [1, 1, 1], "{page}");
    assert_eq!(page.matches("too much]").count(), 3, "{page}");
    assert_eq!(story.payment.active().excess, Some(3461));
}

#[test]
fn the_refund_of_an_excess_takes_nothing_from_the_payment() {
    let mut story = asked();
    story.answer(AUTHORIZE, overpaid());
    let key = ProcessorKey::parse("mrk_excess").expect("a key");
    let excess = Excess {
        attempt: 1,
        amount: 3460,
        key: key.clone(),
        known_at: story.now,
    };
    let refund_id = RefundId::parse("ref_1").expect("an id");
    let made = Refund::of_excess(&story.payment, refund_id, &excess).expect("a refund");
    assert!(made.payment.has_open_refund());
    let keys = KeysOfStep::new(1);
    let context = Context {
        now: story.now,
        keys: &keys,
        calls_over_until: story.now.plus_seconds(-60).expect("a moment"),
    };
    let sync = || refund::Input::Command(refund::Command::Sync);
    let told = |outcome| {
        refund::Input::Fact(Fact {
            about: key.clone(),
            outcome,
        })
    };
    // A request that never arrived is sent again, under the same key.
    let (mut payment, mut stored) = (made.payment, made.refund);
    for outcome in [never_happened(), done()] {
        let sent = refund::transition(&payment, &stored, sync(), &context);
        assert_eq!(sent.effects, [Effect::Call(key.clone())]);
        assert!(!sent.refund.is_to_be_sent());
        let step = refund::transition(&sent.payment, &sent.refund, told(outcome), &context);
        (payment, stored) = (step.payment, step.refund);
        assert_eq!(payment.refundable_amount(), 6540);
    }
    assert_eq!(stored.status, RefundStatus::Succeeded);
    assert_eq!((payment.refunded_amount(), payment.refunds.len()), (0, 1));
    assert!(payment.agrees_with(&[stored]));
}
