//! Credentials of a refund's request: stored only while the processor may be asked.

use insta::assert_snapshot;
use multirail_domain::payments::payment::{AtHand, CaptureMethod, Changes};

use crate::story::Refunds;
use crate::support::outcomes::*;
use crate::support::purchase;
use crate::support::story::{AUTHORIZE, Story};

/// A payment whose credentials of the request were deleted.
fn brought() -> Refunds {
    let mut payment = Story::create(Changes {
        creds_identifier: Some("mine".to_owned()),
        ..purchase(CaptureMethod::Automatic)
    });
    payment.credentials.are_held = true;
    payment.confirm();
    payment.answer(AUTHORIZE, done());
    assert!(!payment.payment.active().holds_credentials());
    Refunds::with_payment(payment.payment)
}

fn given(identifier: &str) -> AtHand {
    AtHand {
        given: Some(identifier.to_owned()),
        are_held: false,
    }
}

#[test]
fn the_same_credentials_are_brought_again() {
    let mut story = brought();
    story.refund(Some(2000));
    story.credentials = given("yours");
    story.refund(Some(2000));
    story.credentials = given("mine");
    story.refund(Some(2000));
    assert!(story.refunds[0].holds_credentials());
    story.answer(1, done());
    assert!(!story.refunds[0].holds_credentials());
    assert_snapshot!(story.page(), @"
    refund 2000                  refused, InvalidValue: merchant_connector_details are needed again: the payment was begun with credentials that were brought along, which are no longer kept
    refund 2000                  refused, InvalidValue: merchant_connector_details.creds_identifier is not the one that the payment was sent with
    refund 2000                  ref_1 pending      0 refunded 2000 taken 4540 left  [ask to refund]
    ref_1: done                  ref_1 succeeded 2000 refunded 2000 taken 4540 left  refund_succeeded about ref_1  [forget the credentials]
    ref_1 of 2000: done
    ");
    let brought = story.refunds[0].charge.brought.as_ref().expect("a name");
    assert_eq!(brought.identifier, "mine");
    let account = &story.refunds[0].charge.merchant_connector_id;
    assert_eq!(*account, None, "no other account stands in");
}

#[test]
fn they_are_stored_while_the_processor_may_still_answer() {
    let mut story = brought();
    story.credentials = given("mine");
    for _ in 0..4 {
        story.refund(Some(1000));
    }
    let mut story = story.afresh();
    story.answer(1, pending());
    story.answer(2, unknown());
    story.answer(3, never_happened());
    story.answer(4, declined());
    let kept = |story: &Refunds| -> Vec<bool> {
        let refunds = story.refunds.iter();
        refunds.map(|refund| refund.holds_credentials()).collect()
    };
    assert_eq!(kept(&story), [true, true, true, false]);
    story.wait(3_599);
    story.sync(3);
    assert_eq!(kept(&story), [true, true, true, false]);
    story.wait(1);
    story.sync(3);
    assert_eq!(kept(&story), [true, true, false, false]);
    story.sync(3);
    story.answer(1, declined());
    story.answer(2, done());
    assert_eq!(kept(&story), [false; 4]);
    assert_snapshot!(story.page(), @"
    ref_1: pending               ref_1 pending      0 refunded 4000 taken 2540 left
    ref_2: unknown (timeout)     ref_2 pending      0 refunded 4000 taken 2540 left
    ref_3: never happened        ref_3 failed       0 refunded 3000 taken 3540 left  refund_failed about ref_3
    ref_4: declined              ref_4 failed       0 refunded 2000 taken 4540 left  refund_failed about ref_4  [forget the credentials]
    ... 3599 seconds later
    sync ref_3                   ref_3 failed       0 refunded 2000 taken 4540 left  [look up]
    ... 1 seconds later
    sync ref_3                   ref_3 failed       0 refunded 2000 taken 4540 left  [forget the credentials]
    sync ref_3                   ref_3 failed       0 refunded 2000 taken 4540 left
    ref_1: declined              ref_1 failed       0 refunded 1000 taken 5540 left  refund_failed about ref_1  [forget the credentials]
    ref_2: done                  ref_2 succeeded 1000 refunded 1000 taken 5540 left  refund_succeeded about ref_2  [forget the credentials]
    ref_1 of 1000: declined; DC_08: Payment declined: Card declined
    ref_2 of 1000: done
    ref_3 of 1000: never_happened; not_processed: the processor has no trace of this operation: it did not take place
    ref_4 of 1000: declined; DC_08: Payment declined: Card declined
    ");
}

/// Nothing can be learned any more, but the worker comes once more to delete them.
#[test]
fn credentials_that_are_no_longer_needed_are_deleted_by_the_worker() {
    let mut story = brought();
    story.credentials = given("mine");
    story.refund(Some(1000));
    story.answer(1, never_happened());
    let why = |story: &Refunds, seconds: i64| {
        let now = story.now.plus_seconds(seconds).expect("a moment");
        let question = story.refunds[0].question(now, 40);
        question.map(|question| question.why.as_str())
    };
    assert_eq!(why(&story, 3_599), Some("may_still_arrive"));
    assert_eq!(why(&story, 3_600), Some("keeps_credentials"));
    story.wait(3_600);
    story.sync(1);
    assert_eq!(why(&story, 0), None);
}
