//! News about refunds that is late, repeated, or unexpected.

use insta::assert_snapshot;
use multirail_domain::payments::refund::RefundStatus;
use multirail_sdk::connector::Outcome;

use crate::story::Refunds;
use crate::support::outcomes::*;

#[test]
fn a_failed_refund_that_was_done_after_all_has_succeeded() {
    let mut story = Refunds::with_one(4000, declined());
    story.refund(Some(2000));
    story.answer(1, done_for(4000));
    story.answer(2, done_for(2000));
    assert_snapshot!(story.page(), @"
    refund 4000                  ref_1 pending      0 refunded 4000 taken 2540 left  [ask to refund]
    ref_1: declined              ref_1 failed       0 refunded    0 taken 6540 left  refund_failed about ref_1
    refund 2000                  ref_2 pending      0 refunded 2000 taken 4540 left  [ask to refund]
    ref_1: done 4000             ref_1 succeeded 4000 refunded 6000 taken  540 left  refund_succeeded about ref_1
    ref_2: done 2000             ref_2 succeeded 6000 refunded 6000 taken  540 left  refund_succeeded about ref_2
    ref_1 of 4000: done
    ref_2 of 2000: done
    ");
}

#[test]
fn a_failed_refund_that_was_done_after_another_one_is_in_review() {
    let mut story = Refunds::with_one(4000, never_happened());
    story.refund(Some(4000));
    story.answer(2, done_for(4000));
    story.answer(1, done_for(4000));
    assert_eq!(
        (
            story.payment.refunds_amount(),
            story.payment.refunds_limit()
        ),
        (8000, 8000)
    );
    story.refund(Some(1));
    assert_snapshot!(story.page(), @"
    refund 4000                  ref_1 pending      0 refunded 4000 taken 2540 left  [ask to refund]
    ref_1: never happened        ref_1 failed       0 refunded    0 taken 6540 left  refund_failed about ref_1
    refund 4000                  ref_2 pending      0 refunded 4000 taken 2540 left  [ask to refund]
    ref_2: done 4000             ref_2 succeeded 4000 refunded 4000 taken 2540 left  refund_succeeded about ref_2
    ref_1: done 4000             ref_1 review    4000 refunded 8000 taken    0 left
    refund 1                     refused, RefundTooLarge: amount 1 is above what was captured and not refunded yet, 0
    ref_1 of 4000: done; integrity_failure: the processor carried out a refund that had failed, after its amount was refunded otherwise or disputed
    ref_2 of 4000: done
    ");
}

/// A slow request: the processor had no record of it, and then works on it.
#[test]
fn a_failed_refund_that_is_under_way_after_all_takes_its_amount_again() {
    let mut story = Refunds::with_one(4000, never_happened());
    story.answer(1, pending());
    story.refund(Some(4000));
    story.answer(1, done_for(4000));
    assert_snapshot!(story.page(), @"
    refund 4000                  ref_1 pending      0 refunded 4000 taken 2540 left  [ask to refund]
    ref_1: never happened        ref_1 failed       0 refunded    0 taken 6540 left  refund_failed about ref_1
    ref_1: pending               ref_1 pending      0 refunded 4000 taken 2540 left
    refund 4000                  refused, RefundTooLarge: amount 4000 is above what was captured and not refunded yet, 2540
    ref_1: done 4000             ref_1 succeeded 4000 refunded 4000 taken 2540 left  refund_succeeded about ref_1
    ref_1 of 4000: done
    ");
}

#[test]
fn a_failed_refund_that_is_open_after_another_one_is_in_review() {
    let mut story = Refunds::with_one(4000, never_happened());
    story.refund(Some(4000));
    story.answer(2, done_for(4000));
    let mut story = story.afresh();
    story.answer(1, pending());
    let (taken, limit) = (
        story.payment.refunds_amount(),
        story.payment.refunds_limit(),
    );
    assert!(taken <= limit, "the database refuses {taken} above {limit}");
    story.sync(1);
    story.refund(Some(1));
    story.answer(1, declined());
    story.refund(Some(1));
    assert_snapshot!(story.page(), @"
    ref_1: pending               ref_1 review    4000 refunded 8000 taken    0 left
    sync ref_1                   ref_1 review    4000 refunded 8000 taken    0 left  [look up]
    refund 1                     refused, RefundTooLarge: amount 1 is above what was captured and not refunded yet, 0
    ref_1: declined              ref_1 failed    4000 refunded 4000 taken 2540 left  refund_failed about ref_1
    refund 1                     ref_3 pending   4000 refunded 4001 taken 2539 left  [ask to refund]
    ref_1 of 4000: declined; DC_08: Payment declined: Card declined
    ref_2 of 4000: done
    ref_3 of 1: started
    ");
}

#[test]
fn a_refund_that_was_in_review_while_it_was_under_way_succeeds_where_there_is_room() {
    let in_review = || {
        let mut story = Refunds::with_one(4000, never_happened());
        story.refund(Some(4000));
        story.answer(1, unknown());
        story.afresh()
    };
    let mut story = in_review();
    story.answer(2, declined());
    story.answer(1, done_for(4000));
    assert_snapshot!(story.page(), @"
    ref_2: declined              ref_2 failed       0 refunded 4000 taken 2540 left  refund_failed about ref_2
    ref_1: done 4000             ref_1 succeeded 4000 refunded 4000 taken 2540 left  refund_succeeded about ref_1
    ref_1 of 4000: done
    ref_2 of 4000: declined; DC_08: Payment declined: Card declined
    ");
    let mut story = in_review();
    story.answer(1, done_for(4000));
    story.answer(2, done_for(4000));
    assert_snapshot!(story.page(), @"
    ref_1: done 4000             ref_1 review       0 refunded 8000 taken    0 left
    ref_2: done 4000             ref_2 succeeded 4000 refunded 8000 taken    0 left  refund_succeeded about ref_2
    ref_1 of 4000: done; integrity_failure: the processor carried out a refund that had failed, after its amount was refunded otherwise or disputed
    ref_2 of 4000: done
    ");
}

#[test]
fn another_amount_or_currency_is_in_review() {
    for (outcome, taken) in [
        (done_for(1999), 2000),
        (done_for(2001), 2001),
        (done_for(0), 2000),
        (done_for(-5), 2000),
        (done_for(i64::MAX), i64::MAX),
        (done_in(2000, "EUR"), 2000),
    ] {
        let story = Refunds::with_one(2000, outcome.clone());
        let refund = &story.refunds[0];
        let trouble = refund.trouble().expect("a conflict").message.as_str();
        assert_eq!(refund.status, RefundStatus::Review, "{outcome:?}");
        assert_eq!(
            trouble,
            "the processor confirmed another amount or currency than was asked for"
        );
        assert_eq!(story.payment.refunds_amount(), taken, "{outcome:?}");
        assert!(taken <= story.payment.refunds_limit(), "{outcome:?}");
        assert!(story.announced.is_empty(), "nobody is told of a review");
    }
    for fitting in [done(), done_for(2000), done_in(2000, "usd")] {
        let story = Refunds::with_one(2000, fitting);
        assert_eq!(story.refunds[0].status, RefundStatus::Succeeded);
    }
}

#[test]
fn done_stays_done() {
    let mut story = Refunds::with_one(2000, done_for(2000)).afresh();
    for outcome in [
        declined(),
        pending(),
        never_happened(),
        unknown(),
        redirect(),
        done_for(1),
    ] {
        story.answer(1, outcome);
    }
    assert_snapshot!(story.page(), @"
    ref_1: declined              ref_1 succeeded 2000 refunded 2000 taken 4540 left
    ref_1: pending               ref_1 succeeded 2000 refunded 2000 taken 4540 left
    ref_1: never happened        ref_1 succeeded 2000 refunded 2000 taken 4540 left
    ref_1: unknown (timeout)     ref_1 succeeded 2000 refunded 2000 taken 4540 left
    ref_1: customer must act     ref_1 succeeded 2000 refunded 2000 taken 4540 left
    ref_1: done 1                ref_1 succeeded 2000 refunded 2000 taken 4540 left
    ref_1 of 2000: done
    ");
}

#[test]
fn repeated_news_are_announced_once() {
    let answers: [fn() -> Outcome; 6] = [done, declined, pending, never_happened, unknown, || {
        done_for(1)
    }];
    for answer in answers {
        let mut story = Refunds::with_one(2000, answer());
        let (payment, refunds) = (story.payment.clone(), story.refunds.clone());
        let announced = story.announced.len();
        story.wait(10);
        story.answer(1, answer());
        assert_eq!((&story.payment, &story.refunds), (&payment, &refunds));
        assert_eq!(story.announced.len(), announced);
    }
}

#[test]
fn news_of_another_operation_are_none() {
    let mut story = Refunds::of_a_purchase();
    story.refund(Some(1000));
    story.refund(Some(2000));
    let fact = story.fact(2, done());
    let step = story.try_input(1, multirail_domain::payments::refund::Input::Fact(fact));
    assert_eq!(
        (&step.refund, &step.payment),
        (&story.refunds[0], &story.payment)
    );
    assert!(step.effects.is_empty());
}
