//! Refunds and disputes of one payment in any order: the money adds up, and no refund is granted out of money that is gone.

use multirail_domain::connector::Outcome;
use multirail_domain::dispute::{Command, DisputeStage, DisputeStatus, Effect, Input};
use multirail_domain::payment::{Payment, PaymentStatus, PostCaptureVoid, PostCaptureVoidStatus};
use multirail_domain::refund::RefundStatus;
use proptest::prelude::*;

use crate::story::{Disputes, news};
use crate::support::AMOUNT;
use crate::support::outcomes::*;

#[derive(Clone, Debug)]
enum Move {
    Refund(i64),
    ToldOfRefund(usize, Outcome),
    Raise(DisputeStage, DisputeStatus, i64),
    Hear(usize, DisputeStage, DisputeStatus, i64),
    Accept(usize),
    ToldOfAccept(usize, Outcome),
    CancelPostCapture,
    ToldOfVoid(Outcome),
}

fn outcome() -> impl Strategy<Value = Outcome> {
    prop::sample::select(vec![
        done(),
        declined(),
        pending(),
        never_happened(),
        unknown(),
    ])
}

fn a_move() -> impl Strategy<Value = Move> {
    let amount = || prop::sample::select(&[1, 1000, 2540, 4000, AMOUNT]);
    let stage = || prop::sample::select(DisputeStage::ALL);
    let status = || prop::sample::select(DisputeStatus::ALL);
    let which = || 0..4_usize;
    prop_oneof![
        3 => amount().prop_map(Move::Refund),
        4 => (which(), outcome()).prop_map(|(nth, outcome)| Move::ToldOfRefund(nth, outcome)),
        2 => (stage(), status(), amount()).prop_map(|(stage, status, amount)| Move::Raise(stage, status, amount)),
        5 => (which(), stage(), status(), amount())
            .prop_map(|(nth, stage, status, amount)| Move::Hear(nth, stage, status, amount)),
        2 => which().prop_map(Move::Accept),
        3 => (which(), outcome()).prop_map(|(nth, outcome)| Move::ToldOfAccept(nth, outcome)),
        1 => Just(Move::CancelPostCapture),
        1 => outcome().prop_map(Move::ToldOfVoid),
    ]
}

fn take(story: &mut Disputes, next: &Move) {
    let nth = |which: usize, count: usize| (count > 0).then(|| which % count.max(1) + 1);
    let (refunds, disputes) = (story.refunds.len(), story.disputes.len());
    match next {
        Move::Refund(amount) => {
            let left = story.payment.refundable_amount();
            let granted = story.try_refund(*amount).is_ok();
            // More than ten refunds are refused for their number.
            assert!(!granted || *amount <= left, "{}", story.page());
            // Neither is what is being voided, is back already, or has to be looked at.
            let may_be = payment_may_be_refunded(&story.payment);
            assert!(granted <= may_be, "{}", story.page());
            assert!(
                granted || *amount > left || refunds > 10 || !may_be,
                "{}",
                story.page()
            );
        }
        Move::ToldOfRefund(which, outcome) => {
            if let Some(nth) = nth(*which, refunds) {
                story.told_of_refund(nth, outcome.clone());
            }
        }
        Move::Raise(stage, status, amount) => story.raise(news(*stage, *status, *amount)),
        Move::Hear(which, stage, status, amount) => {
            if let Some(nth) = nth(*which, disputes) {
                hear(story, nth, *stage, *status, *amount);
            }
        }
        Move::Accept(which) => {
            if let Some(nth) = nth(*which, disputes) {
                story.accept(nth);
            }
        }
        Move::ToldOfAccept(which, outcome) => {
            let nth = nth(*which, disputes);
            let asked = nth.filter(|nth| !story.disputes[nth - 1].actions.is_empty());
            if let Some(nth) = asked {
                story.told(nth, outcome.clone());
            }
        }
        Move::CancelPostCapture => void(story),
        Move::ToldOfVoid(outcome) => story.told_of_void(outcome.clone()),
    }
}

fn payment_may_be_refunded(payment: &Payment) -> bool {
    let void = payment.post_capture_void().map(PostCaptureVoid::status);
    payment.status == PaymentStatus::Succeeded && void != Some(PostCaptureVoidStatus::Pending)
}

/// What was refunded, may be, or is held isn't voided too; and where both happened all the same, somebody has to look.
fn void(story: &mut Disputes) {
    let free = story.payment.refunds_amount() == 0 && story.payment.held_by_disputes() == 0;
    if story.try_cancel_post_capture().is_ok() {
        assert!(free, "{}", story.page());
    }
}

fn no_money_goes_back_twice(story: &Disputes) {
    let payment = &story.payment;
    let is_voided = payment.status == PaymentStatus::CancelledPostCapture;
    let mut refunds = payment.refunds.iter();
    let is_looked_at = refunds.any(|refund| refund.status == RefundStatus::Review);
    if is_voided && !is_looked_at {
        assert_eq!(payment.refunds_amount(), 0, "{}", story.page());
    }
    assert!(payment.refunds_amount() <= payment.refunds_limit());
}

/// A dispute never goes back, and the same word again changes nothing.
fn hear(story: &mut Disputes, nth: usize, stage: DisputeStage, status: DisputeStatus, amount: i64) {
    let before = story.disputes[nth - 1].clone();
    story.hear(nth, news(stage, status, amount));
    let after = story.disputes[nth - 1].clone();
    assert!(before.stage.may_become(after.stage), "{}", story.page());
    if before.stage == after.stage {
        assert!(before.status.may_become(after.status), "{}", story.page());
    }
    let again = Input::News(Box::new(news(stage, status, amount)));
    let repeated = story.try_input(nth, again).expect("never refused");
    assert_eq!(repeated.dispute, after, "{}", story.page());
    assert_eq!(repeated.payment, story.payment, "{}", story.page());
    assert!(repeated.effects.is_empty(), "{}", story.page());
}

/// The sums, taken anew from the objects themselves.
fn the_money_adds_up(story: &Disputes) {
    use DisputeStage::{Arbitration, Dispute, PreArbitration};
    use DisputeStatus::{Accepted, Challenged, Expired, Lost, Opened};
    let payment = &story.payment;
    let captured = payment.active().captured_amount();
    let of = |counts: &dyn Fn(DisputeStage, DisputeStatus) -> bool| -> i64 {
        let disputes = story.disputes.iter();
        let counted = disputes.filter(|dispute| counts(dispute.stage, dispute.status));
        counted.map(|dispute| dispute.amount).sum()
    };
    let for_good = of(&|_, status| [Accepted, Lost].contains(&status));
    let for_now = of(&|stage, status| {
        [Dispute, PreArbitration, Arbitration].contains(&stage)
            && [Opened, Challenged, Expired].contains(&status)
    });
    let lost = of(&|_, status| status == Lost);
    let with = |status: RefundStatus| -> i64 {
        let refunds = story
            .refunds
            .iter()
            .filter(|refund| refund.status == status);
        refunds.map(multirail_domain::refund::Refund::amount).sum()
    };
    let refunded = with(RefundStatus::Succeeded);
    let under_way = with(RefundStatus::Pending) + with(RefundStatus::Review);
    assert_eq!(payment.disputed_amount(), for_good, "{}", story.page());
    assert_eq!(
        payment.held_by_disputes(),
        for_good + for_now,
        "{}",
        story.page()
    );
    let left = captured - refunded - under_way - for_good - for_now;
    assert_eq!(payment.refundable_amount(), left.max(0), "{}", story.page());
    assert_eq!(payment.is_already_refunded(), lost + refunded > captured);
    assert!(payment.agrees_with(&story.refunds));
    assert!(payment.agrees_with_disputes(&story.disputes));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_refunded_and_disputed(moves in prop::collection::vec(a_move(), 1..40)) {
        let mut story = Disputes::of_a_purchase();
        for next in &moves {
            let announced = story.announced.len();
            let before: Vec<_> = story.disputes.iter().map(|one| (one.stage, one.status)).collect();
            take(&mut story, next);
            the_money_adds_up(&story);
            no_money_goes_back_twice(&story);
            let after: Vec<_> = story.disputes.iter().map(|one| (one.stage, one.status)).collect();
            let told = story.announced.len() - announced;
            prop_assert_eq!(told, usize::from(before != after), "{:?}: {}", next, story.page());
        }
    }

    /// Whoever accepts is never told that nothing is asked of the processor.
    #[test]
    fn an_accept_that_is_granted_is_asked_for(stage in prop::sample::select(DisputeStage::ALL), status in prop::sample::select(DisputeStatus::ALL)) {
        let mut story = Disputes::with_one(stage, status);
        if let Ok(step) = story.try_input(1, Input::Command(Command::Accept)) {
            let calls = step.effects.iter().filter(|effect| matches!(effect, Effect::Call(_)));
            prop_assert_eq!(calls.count(), 1);
            prop_assert!(step.dispute.open_action().is_some());
        }
    }
}
