//! Stories about refunding a cancelled subscription's credit to its payments.

use multirail_billing_domain::charge::ReturnOption;
use multirail_billing_domain::dunning::RetryAdvice;
use multirail_billing_domain::subscription::*;
use multirail_domain::payments::refund::RefundStatus;

use crate::cancel::{refunded, refunds};
use crate::given::*;
use crate::story::*;

/// The newest payment is refunded first, each at most by its remaining amount.
#[test]
fn credit_goes_back_to_the_payments_with_room() {
    let mut story = Story::active();
    story.passes(28 + 14);
    story.does(Command::Pause(When::Now));
    story.does(Command::Resume(resume(None)));
    let now = story.now;
    story.until(now, |_| paid());
    // 17 of 31 days were unused.
    assert_eq!(story.invoices[2].amount, 452);
    refunded(&mut story, ReturnOption::Full);
    assert_eq!(story.standing.subscription.credit, 1_000);
    assert_eq!(refunds(&story), []);
    story.until(now, |_| paid());
    assert_eq!(
        refunds(&story),
        [("pay_5", 452, "pending"), ("pay_3", 548, "pending")]
    );
    assert_eq!(story.standing.subscription.credit, 0);
    story.passes(1);
    assert_eq!(story.standing.subscription.refunded(), 1_000);
    assert_eq!(
        refunds(&story),
        [("pay_5", 452, "succeeded"), ("pay_3", 548, "succeeded")]
    );
    story.passes(60);
    assert_eq!(story.standing.due(), None, "nothing is looked at any more");
}

/// A failed refund isn't repeated, because the processor may still carry it out.
#[test]
fn a_failed_refund_becomes_credit_again() {
    let mut story = Story::active();
    story.refunds_end = RefundStatus::Failed;
    refunded(&mut story, ReturnOption::Full);
    story.passes(2);
    assert_eq!(refunds(&story), [("pay_1", 1_000, "failed")]);
    let subscription = &story.standing.subscription;
    assert_eq!((subscription.credit, subscription.refunded()), (1_000, 0));
    assert_eq!(
        subscription.refunds[0].why.as_deref(),
        Some("closed account")
    );
    assert_eq!(subscription.credit_to_refund(), 0);
    story.refunds_end = RefundStatus::Succeeded;
    story.passes(2);
    let subscription = &story.standing.subscription;
    assert_eq!((subscription.credit, subscription.refunded()), (0, 1_000));
}

/// The merchant also asks for a refund while one that seems lost may still arrive. No second one is sent.
#[test]
fn a_refund_that_may_still_arrive_is_waited_for_whoever_asks() {
    let mut story = Story::active();
    story.refunds_lost = 2;
    refunded(&mut story, ReturnOption::Full);
    let known = story.now.plus_seconds(60).expect("in range");
    story.until(known, |_| paid());
    assert_eq!(refunds(&story), [("pay_1", 1_000, "failed")]);
    story.does(Command::RefundCredit);
    let later = story.now.plus_seconds(1_800).expect("in range");
    story.until(later, |_| paid());
    assert_eq!(refunds(&story), [("pay_1", 1_000, "failed")]);
    story.passes(1);
    assert_eq!(
        refunds(&story),
        [("pay_1", 1_000, "failed"), ("pay_1", 1_000, "succeeded")]
    );
}

/// The repetitions are used up. The merchant asks for another refund while the last one may still arrive, and it does.
#[test]
fn the_last_one_that_was_lost_is_waited_for_as_well() {
    let mut story = Story::active();
    story.refunds_lost = u32::MAX;
    refunded(&mut story, ReturnOption::Full);
    while refunds(&story) != [("pay_1", 1_000, "failed"); 11] {
        let (at, _) = story.standing.due().expect("another is made");
        story.until(at, |_| paid());
    }
    story.does(Command::RefundCredit);
    let soon = story.now.plus_seconds(1_800).expect("in range");
    story.until(soon, |_| paid());
    assert_eq!(refunds(&story).len(), 11, "none is made");
    let last = &story.standing.subscription.refunds[10];
    let arrived = story.of_refund(last.refund_id.clone(), RefundStatus::Succeeded);
    story
        .takes(Input::RefundTold(arrived))
        .expect("never refused");
    let later = story.now.plus_seconds(7_200).expect("in range");
    story.until(later, |_| paid());
    let subscription = &story.standing.subscription;
    assert_eq!((subscription.credit, subscription.refunded()), (0, 1_000));
    assert_eq!(subscription.refunds.len(), 11);
}

/// Other credit must wait while a refund that seems lost may still arrive, and it does.
#[test]
fn no_other_refund_takes_the_place_of_one_that_may_arrive() {
    let mut story = Story::active();
    let end = story.now.plus_seconds(28 * DAY).expect("in range");
    story.until(end, |_| failed(RetryAdvice::MayRetry));
    story.passes(1);
    story.refunds_lost = 1;
    refunded(&mut story, ReturnOption::Full);
    let known = story.now.plus_seconds(60).expect("in range");
    story.until(known, |_| paid());
    assert_eq!(story.standing.subscription.credit, 1_000);
    // A failed payment has taken money after all.
    let told = story.of_nth_former(1, paid());
    story.hears_late(told);
    assert_eq!(story.standing.subscription.credit, 2_000);
    let soon = story.now.plus_seconds(1_800).expect("in range");
    story.until(soon, |_| paid());
    assert_eq!(story.standing.subscription.refunds.len(), 1, "none is made");
    story.passes(2);
    let subscription = &story.standing.subscription;
    assert_eq!((subscription.credit, subscription.refunded()), (0, 2_000));
}

/// The refund never took place and never will. Others are made, each after a longer wait, until the limit.
#[test]
fn a_refund_that_never_took_place_is_made_again() {
    let mut story = Story::active();
    // Each refund is checked twice before the next one is made.
    story.refunds_lost = 4;
    refunded(&mut story, ReturnOption::Full);
    let end = story.now.plus_seconds(20_000).expect("in range");
    story.until(end, |_| paid());
    assert_eq!(
        refunds(&story),
        [
            ("pay_1", 1_000, "failed"),
            ("pay_1", 1_000, "failed"),
            ("pay_1", 1_000, "succeeded")
        ]
    );
    let made = story.standing.subscription.refunds.iter();
    let made: Vec<_> = made.map(|refund| refund.created_at).collect();
    // After ten seconds the loss is known. The refund may still arrive within the next hour.
    assert_eq!(made[1].seconds_since(made[0]), 10 + 3_660);
    assert_eq!(made[2].seconds_since(made[1]), 10 + 3 * 3_600);
    let subscription = &story.standing.subscription;
    assert_eq!((subscription.credit, subscription.refunded()), (0, 1_000));

    // The first refund arrives after all, before another one is made.
    let mut story = Story::active();
    story.refunds_lost = 1;
    refunded(&mut story, ReturnOption::Full);
    story.passes(2);
    assert_eq!(refunds(&story), [("pay_1", 1_000, "succeeded")]);
    assert_eq!(story.standing.subscription.credit, 0);
    let refunding = story.standing.subscription.refunding.as_ref();
    assert_eq!(refunding.and_then(|it| it.due_at), None);

    let mut story = Story::active();
    story.refunds_lost = u32::MAX;
    refunded(&mut story, ReturnOption::Full);
    story.passes(60);
    assert_eq!(refunds(&story), [("pay_1", 1_000, "failed"); 11]);
    let subscription = &story.standing.subscription;
    assert_eq!((subscription.credit, subscription.refunded()), (1_000, 0));
    assert_eq!(subscription.credit_to_refund(), 0);
}

#[test]
fn no_refund_takes_more_than_there_is() {
    let mut story = Story::active();
    refunded(&mut story, ReturnOption::Full);
    let refund = |amount| {
        Input::Refund(ToRefund {
            refund_id: multirail_kernel::ids::RefundId::parse("ref_1").expect("an id"),
            payment_id: multirail_kernel::ids::PaymentId::parse("pay_1").expect("an id"),
            amount,
        })
    };
    for amount in [0, -1, 1_001] {
        story.decide(refund(amount)).expect_err("not as much");
    }
    story.takes(refund(1_000)).expect("as much");
    story.decide(refund(1)).expect_err("nothing is left");
}
