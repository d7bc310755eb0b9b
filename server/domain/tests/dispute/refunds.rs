//! The interaction of a refund and a dispute of the same payment.

use multirail_domain::payments::dispute::DisputeStage::{Dispute, DisputeReversal, PreDispute};
use multirail_domain::payments::dispute::DisputeStatus::{Accepted, Cancelled, Lost, Opened, Won};
use multirail_kernel::currency::Currency;
use multirail_kernel::money::Money;
use multirail_sdk::connector::DisputeNews;

use crate::story::{Disputes, news};
use crate::support::AMOUNT;
use crate::support::outcomes::*;

#[test]
fn what_a_chargeback_holds_is_not_refunded() {
    let mut story = Disputes::of_a_purchase();
    story.raise(news(Dispute, Opened, 4000));
    story.refund(2541, done());
    story.refund(2540, done());
    story.hear(1, news(DisputeReversal, Won, 4000));
    story.refund(4000, done());
    insta::assert_snapshot!(story.page(), @"
    raised dispute opened 4000             dispute dispute_opened +dispute_opened; 0 disputed, 4000 held, 0 refunded, 2540 left
    refund 2541                            refused, RefundTooLarge: amount 2541 is above what was captured and not refunded yet, 2540; disputes hold 4000
    ref_1: done                            succeeded; 0 disputed, 4000 held, 2540 refunded, 0 left
    dp_1: dispute_reversal won 4000        dispute_reversal dispute_won +dispute_won; 0 disputed, 0 held, 2540 refunded, 4000 left
    ref_2: done                            succeeded; 0 disputed, 0 held, 6540 refunded, 0 left
    ");
}

#[test]
fn an_inquiry_is_settled_by_a_refund() {
    let mut story = Disputes::of_a_purchase();
    story.raise(news(PreDispute, Opened, AMOUNT));
    story.refund(AMOUNT, done());
    story.hear(1, news(PreDispute, Cancelled, AMOUNT));
    insta::assert_snapshot!(story.page(), @"
    raised pre_dispute opened 6540         pre_dispute dispute_opened +dispute_opened; 0 disputed, 0 held, 0 refunded, 6540 left
    ref_1: done                            succeeded; 0 disputed, 0 held, 6540 refunded, 0 left
    dp_1: pre_dispute cancelled 6540       pre_dispute dispute_cancelled +dispute_cancelled; 0 disputed, 0 held, 6540 refunded, 0 left
    ");
}

#[test]
fn a_lost_dispute_and_a_refund_took_more_than_there_was() {
    let mut story = Disputes::of_a_purchase();
    story.refund(2000, done());
    story.raise(news(Dispute, Opened, AMOUNT));
    story.hear(1, news(Dispute, Lost, AMOUNT));
    story.refund(1, done());
    insta::assert_snapshot!(story.page(), @"
    ref_1: done                            succeeded; 0 disputed, 0 held, 2000 refunded, 4540 left
    raised dispute opened 6540             dispute dispute_opened +dispute_opened; 0 disputed, 6540 held, 2000 refunded, 0 left
    dp_1: dispute lost 6540                dispute dispute_lost +dispute_lost; 6540 disputed, 6540 held, 2000 refunded, 0 left, already refunded
    refund 1                               refused, RefundTooLarge: amount 1 is above what was captured and not refunded yet, 0; disputes hold 6540
    ");
}

#[test]
fn one_that_was_accepted_is_not_one_that_was_lost() {
    let mut story = Disputes::of_a_purchase();
    story.refund(2000, done());
    story.raise(news(Dispute, Accepted, AMOUNT));
    insta::assert_snapshot!(story.page(), @"
    ref_1: done                            succeeded; 0 disputed, 0 held, 2000 refunded, 4540 left
    raised dispute accepted 6540           dispute dispute_accepted +dispute_accepted; 6540 disputed, 6540 held, 2000 refunded, 0 left
    ");
}

#[test]
fn a_refund_under_way_goes_on_and_a_failed_one_waits_for_a_person() {
    let mut story = Disputes::of_a_purchase();
    story.refund(2000, pending());
    story.refund(1000, never_happened());
    story.raise(news(Dispute, Opened, AMOUNT));
    story.answer_refund(1, done());
    story.answer_refund(2, done());
    insta::assert_snapshot!(story.page(), @"
    ref_1: pending                         pending; 0 disputed, 0 held, 0 refunded, 4540 left
    ref_2: never happened                  failed; 0 disputed, 0 held, 0 refunded, 4540 left
    raised dispute opened 6540             dispute dispute_opened +dispute_opened; 0 disputed, 6540 held, 0 refunded, 0 left
    ref_1: done                            succeeded; 0 disputed, 6540 held, 2000 refunded, 0 left
    ref_2: done                            review; 0 disputed, 6540 held, 2000 refunded, 0 left
    ");
}

#[test]
fn a_scheduled_refund_is_not_sent_out_of_what_is_disputed_meanwhile() {
    let mut story = Disputes::of_a_purchase();
    story.schedule(2000);
    story.schedule(2500);
    story.raise(news(Dispute, Opened, 4000));
    story.take_up(1);
    story.take_up(2);
    story.answer_refund(2, done());
    story.hear(1, news(Dispute, Won, 4000));
    story.take_up(1);
    story.refund(2000, done());
    insta::assert_snapshot!(story.page(), @"
    schedule ref_1 2000                    pending; 0 disputed, 0 held, 0 refunded, 4540 left
    schedule ref_2 2500                    pending; 0 disputed, 0 held, 0 refunded, 2040 left
    raised dispute opened 4000             dispute dispute_opened +dispute_opened; 0 disputed, 4000 held, 0 refunded, 0 left
    ref_1: taken up                        failed +refund_failed, refund_not_covered: the refund was not sent: 40 of what was captured is left for it, and disputes hold 4000; 0 disputed, 4000 held, 0 refunded, 40 left
    ref_2: taken up                        pending !ask; 0 disputed, 4000 held, 0 refunded, 40 left
    ref_2: done                            succeeded; 0 disputed, 4000 held, 2500 refunded, 40 left
    dp_1: dispute won 4000                 dispute dispute_won +dispute_won; 0 disputed, 0 held, 2500 refunded, 4040 left
    ref_1: taken up                        failed, refund_not_covered: the refund was not sent: 40 of what was captured is left for it, and disputes hold 4000; 0 disputed, 0 held, 2500 refunded, 4040 left
    ref_3: done                            succeeded; 0 disputed, 0 held, 4500 refunded, 2040 left
    ");
}

#[test]
fn a_scheduled_refund_settles_an_inquiry() {
    let mut story = Disputes::of_a_purchase();
    story.schedule(AMOUNT);
    story.raise(news(PreDispute, Opened, AMOUNT));
    story.take_up(1);
    insta::assert_snapshot!(story.page(), @"
    schedule ref_1 6540                    pending; 0 disputed, 0 held, 0 refunded, 0 left
    raised pre_dispute opened 6540         pre_dispute dispute_opened +dispute_opened; 0 disputed, 0 held, 0 refunded, 0 left
    ref_1: taken up                        pending !ask; 0 disputed, 0 held, 0 refunded, 0 left
    ");
}

/// The payment is stored with the refund, so a dispute that is stored in between makes the decision start again.
#[test]
fn a_scheduled_refund_is_sent_under_the_version_of_its_payment() {
    let mut story = Disputes::of_a_purchase();
    story.schedule(2000);
    story.wait(2);
    let before = story.payment.clone();
    assert!(story.take_up(1));
    assert_ne!(story.payment, before);
    assert_eq!(story.payment.modified_at, story.now);
}

#[test]
fn other_money_holds_all_that_was_captured() {
    let abroad = |stage, status| DisputeNews {
        money: Money::new(1, Currency::EUR),
        ..news(stage, status, 0)
    };
    let mut story = Disputes::of_a_purchase();
    story.schedule(2000);
    story.raise(abroad(PreDispute, Opened));
    story.refund(1000, done());
    story.hear(1, abroad(Dispute, Opened));
    story.refund(1, done());
    story.take_up(1);
    story.hear(1, abroad(Dispute, Won));
    story.refund(5540, done());
    story.hear(1, abroad(DisputeReversal, Lost));
    insta::assert_snapshot!(story.page(), @"
    schedule ref_1 2000                    pending; 0 disputed, 0 held, 0 refunded, 4540 left
    raised pre_dispute opened 1            pre_dispute dispute_opened +dispute_opened; 0 disputed, 0 held, 0 refunded, 4540 left
    ref_2: done                            succeeded; 0 disputed, 0 held, 1000 refunded, 3540 left
    dp_1: dispute opened 1                 dispute dispute_opened +dispute_opened; 0 disputed, 6540 held, 1000 refunded, 0 left
    refund 1                               refused, RefundTooLarge: amount 1 is above what was captured and not refunded yet, 0; disputes hold 6540
    ref_1: taken up                        failed +refund_failed, refund_not_covered: the refund was not sent: 0 of what was captured is left for it, and disputes hold 6540; 0 disputed, 6540 held, 1000 refunded, 0 left
    dp_1: dispute won 1                    dispute dispute_won +dispute_won; 0 disputed, 0 held, 1000 refunded, 5540 left
    ref_3: done                            succeeded; 0 disputed, 0 held, 6540 refunded, 0 left
    dp_1: dispute_reversal lost 1          dispute_reversal dispute_lost +dispute_lost; 0 disputed, 6540 held, 6540 refunded, 0 left, already refunded
    ");
}
