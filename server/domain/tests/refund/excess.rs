//! The refund of what a transfer brought above its amount.

use insta::assert_snapshot;
use multirail_domain::payments::payment::CaptureMethod;
use multirail_domain::payments::payment::excess::Excess;
use multirail_domain::payments::refund::{Refund, RefundStatus};
use multirail_kernel::ids::{ProcessorKey, RefundId};

use crate::money::is_storable;
use crate::story::Refunds;
use crate::support::outcomes::*;
use crate::support::story::{Story, refused};

/// Returns a payment of 65.40 and the refund of an excess of 34.60, which was sent.
fn sent() -> Refunds {
    let mut story = Refunds::with_payment(Story::approved(CaptureMethod::Automatic).payment);
    let excess = Excess {
        attempt: 1,
        amount: 3460,
        key: ProcessorKey::parse("mrk_excess").expect("a key"),
        known_at: story.now,
    };
    let refund_id = RefundId::parse("ref_1").expect("an id");
    let made = Refund::of_excess(&story.payment, refund_id, &excess).expect("a refund");
    story.refunds.push(made.refund.clone());
    story.take("return 3460", 1, made);
    story.sync(1);
    story.afresh()
}

#[test]
fn more_than_the_excess_is_in_review_and_comes_from_the_captured_amount() {
    let mut story = sent();
    story.answer(1, done_for(5000));
    is_storable(&story);
    story.refund(Some(5001));
    story.refund(Some(5000));
    story.answer(2, done_for(5000));
    is_storable(&story);
    assert!(story.payment.agrees_with(&story.refunds));
    assert_snapshot!(story.page(), @"
    ref_1: done 5000             ref_1 review       0 refunded 1540 taken 5000 left
    refund 5001                  refused, RefundTooLarge: amount 5001 is above what was captured and not refunded yet, 5000
    refund 5000                  ref_2 pending      0 refunded 6540 taken    0 left  [ask to refund]
    ref_2: done 5000             ref_2 succeeded 5000 refunded 6540 taken    0 left  refund_succeeded about ref_2
    ref_1 of 3460: done; integrity_failure: the processor confirmed another amount or currency than was asked for
    ref_2 of 5000: done
    ");
}

#[test]
fn another_amount_than_the_excess_counts_only_as_far_as_it_is_above() {
    for (outcome, status, taken) in [
        (done_for(3460), RefundStatus::Succeeded, 0),
        (done_for(3459), RefundStatus::Review, 0),
        (done_for(3461), RefundStatus::Review, 1),
        (done_for(10_001), RefundStatus::Review, 6541),
        (done_in(5000, "EUR"), RefundStatus::Review, 0),
        (declined(), RefundStatus::Failed, 0),
    ] {
        let mut story = sent();
        story.answer(1, outcome);
        assert_eq!(story.refunds[0].status, status, "{}", story.page());
        assert_eq!(story.payment.refunds_amount(), taken, "{}", story.page());
        is_storable(&story);
    }
}

/// The payer's bank sent the money back.
#[test]
fn a_refund_above_the_excess_that_comes_back_gives_its_amount_up() {
    let mut story = sent();
    story.answer(1, done_for(5000));
    assert_eq!(story.payment.refundable_amount(), 5000);
    story.answer(1, taken_back());
    assert_eq!(story.refunds[0].status, RefundStatus::Failed);
    assert_eq!(story.payment.refundable_amount(), 6540);
    assert!(story.payment.agrees_with(&story.refunds));
}

#[test]
fn the_reason_of_an_excess_is_fixed() {
    let of_excess = sent().refunds.remove(0);
    let own = of_excess.reason.as_deref();
    assert_eq!(own, Some("The transfer brought more than the amount"));
    for kept in [None, own] {
        assert_eq!(of_excess.check_reason(kept), Ok(()));
    }
    let refusal = of_excess
        .check_reason(Some("Damaged"))
        .expect_err("a refusal");
    assert_snapshot!(
        refused(&refusal),
        @"Precondition: reason can't be replaced: the refund returns the excess of a transfer"
    );
    // An ordinary refund may have any reason, also this one.
    let mut ordinary = Refunds::of_a_purchase();
    ordinary.refund(Some(1000));
    assert_eq!(ordinary.refunds[0].check_reason(own), Ok(()));
}
