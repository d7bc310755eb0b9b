//! Captures, refunds and disputes of one payment in any order: the amounts agree, and no refund is granted or sent without
//! enough captured money.

use multirail_domain::payments::dispute::{Command, DisputeStage, DisputeStatus, Effect, Input};
use multirail_domain::payments::payment::{
    CaptureMethod, Payment, PaymentStatus, PostCaptureVoid, PostCaptureVoidStatus,
};
use multirail_domain::payments::refund::{RefundStatus, RefundType};
use multirail_kernel::currency::Currency;
use multirail_kernel::money::Money;
use multirail_sdk::connector::{DisputeNews, Outcome};
use proptest::prelude::*;

use crate::story::{Disputes, news};
use crate::support::AMOUNT;
use crate::support::outcomes::*;
use crate::support::story::Story;

#[derive(Clone, Debug)]
enum Move {
    Capture(i64),
    AnswerCapture(usize, Outcome),
    Refund(RefundType, i64),
    /// The worker sends a scheduled refund, or asks for its result.
    TakeUp(usize),
    AnswerRefund(usize, Outcome),
    Raise(DisputeNews),
    Hear(usize, DisputeNews),
    Accept(usize),
    Challenge(usize),
    AnswerAction(usize, Outcome),
    CancelPostCapture,
    AnswerVoid(Outcome),
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

/// Generates a dispute's state, sometimes in another currency than the payment's.
fn any_news() -> impl Strategy<Value = DisputeNews> {
    let stage = prop::sample::select(DisputeStage::ALL);
    let status = prop::sample::select(DisputeStatus::ALL);
    let currency = prop_oneof![9 => Just(Currency::USD), 1 => Just(Currency::EUR)];
    (stage, status, amount(), currency).prop_map(|(stage, status, amount, currency)| DisputeNews {
        money: Money::new(amount, currency),
        ..news(stage, status, amount)
    })
}

fn amount() -> impl Strategy<Value = i64> {
    prop::sample::select(&[1, 1000, 2540, 4000, AMOUNT])
}

fn a_move() -> impl Strategy<Value = Move> {
    let refund_type = prop_oneof![2 => Just(RefundType::Instant), 1 => Just(RefundType::Scheduled)];
    let which = || 0..4_usize;
    let of_capture = prop_oneof![4 => outcome(), 1 => Just(taken_back())];
    prop_oneof![
        2 => amount().prop_map(Move::Capture),
        3 => (which(), of_capture).prop_map(|(nth, outcome)| Move::AnswerCapture(nth, outcome)),
        3 => (refund_type, amount()).prop_map(|(of_type, amount)| Move::Refund(of_type, amount)),
        2 => which().prop_map(Move::TakeUp),
        4 => (which(), outcome()).prop_map(|(nth, outcome)| Move::AnswerRefund(nth, outcome)),
        2 => any_news().prop_map(Move::Raise),
        5 => (which(), any_news()).prop_map(|(nth, news)| Move::Hear(nth, news)),
        2 => which().prop_map(Move::Accept),
        1 => which().prop_map(Move::Challenge),
        3 => (which(), outcome()).prop_map(|(nth, outcome)| Move::AnswerAction(nth, outcome)),
        1 => Just(Move::CancelPostCapture),
        1 => outcome().prop_map(Move::AnswerVoid),
    ]
}

fn take(story: &mut Disputes, next: &Move) {
    let nth = |which: usize, count: usize| (count > 0).then(|| which % count.max(1) + 1);
    let (refunds, disputes) = (story.refunds.len(), story.disputes.len());
    match next {
        Move::Capture(amount) => story.capture(*amount),
        Move::AnswerCapture(which, outcome) => {
            if let Some(nth) = nth(*which, story.payment.active().captures.len()) {
                story.answer_capture(nth, outcome.clone());
            }
        }
        Move::TakeUp(which) => {
            if let Some(nth) = nth(*which, refunds) {
                take_up(story, nth);
            }
        }
        Move::Refund(refund_type, amount) => {
            let left = story.payment.refundable_amount();
            let granted = story.try_refund_of(*refund_type, *amount).is_ok();
            // A payment with more than ten refunds accepts no further one.
            assert!(!granted || *amount <= left, "{}", story.page());
            // A payment in conflict, or with a void after capture, accepts none either.
            let may_be = payment_may_be_refunded(&story.payment);
            assert!(granted <= may_be, "{}", story.page());
            assert!(
                granted || *amount > left || refunds > 10 || !may_be,
                "{}",
                story.page()
            );
        }
        Move::AnswerRefund(which, outcome) => {
            if let Some(nth) = nth(*which, refunds) {
                story.answer_refund(nth, outcome.clone());
            }
        }
        Move::Raise(news) => story.raise(news.clone()),
        Move::Hear(which, news) => {
            if let Some(nth) = nth(*which, disputes) {
                hear(story, nth, news);
            }
        }
        Move::Accept(which) => {
            if let Some(nth) = nth(*which, disputes) {
                story.accept(nth);
            }
        }
        Move::Challenge(which) => {
            if let Some(nth) = nth(*which, disputes) {
                story.challenge(nth, &[("customer_name", "Ada")]);
            }
        }
        Move::AnswerAction(which, outcome) => {
            let nth = nth(*which, disputes);
            let asked = nth.filter(|nth| !story.disputes[nth - 1].actions.is_empty());
            if let Some(nth) = asked {
                story.answer(nth, outcome.clone());
            }
        }
        Move::CancelPostCapture => void(story),
        Move::AnswerVoid(outcome) => story.answer_void(outcome.clone()),
    }
}

/// A scheduled refund is sent as long as its amount is neither refunded, nor disputed, nor reversed.
fn take_up(story: &mut Disputes, nth: usize) {
    let refund = story.refunds[nth - 1].clone();
    // The rest is already without the refund's own amount.
    let others = story.payment.refunds_amount() - refund.amount();
    let captured = story.payment.active().captured_amount();
    let is_there = refund.amount() <= captured - others - story.payment.held_by_disputes();
    let is_sent = story.take_up(nth);
    assert_eq!(
        is_sent,
        refund.is_to_be_sent() && is_there,
        "{}",
        story.page()
    );
    if refund.is_to_be_sent() && !is_there {
        assert_eq!(story.refunds[nth - 1].status, RefundStatus::Failed);
    }
}

fn payment_may_be_refunded(payment: &Payment) -> bool {
    let void = payment.post_capture_void().map(PostCaptureVoid::status);
    let took_money = [PaymentStatus::Succeeded, PaymentStatus::PartiallyCaptured];
    took_money.contains(&payment.status) && void != Some(PostCaptureVoidStatus::Pending)
}

/// Refunds and held amounts prevent a void after capture. If both happen nevertheless, the payment is in conflict.
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

/// A dispute never goes back, and repeated news changes nothing.
fn hear(story: &mut Disputes, nth: usize, news: &DisputeNews) {
    let before = story.disputes[nth - 1].clone();
    story.hear(nth, news.clone());
    let after = story.disputes[nth - 1].clone();
    assert!(before.stage.may_become(after.stage), "{}", story.page());
    if before.stage == after.stage {
        assert!(before.status.may_become(after.status), "{}", story.page());
    }
    let again = Input::News(Box::new(news.clone()));
    let repeated = story.try_input(nth, again).expect("never refused");
    assert_eq!(repeated.dispute, after, "{}", story.page());
    assert_eq!(repeated.payment, story.payment, "{}", story.page());
    assert!(repeated.effects.is_empty(), "{}", story.page());
}

/// The sums equal those computed from the objects themselves.
fn the_money_adds_up(story: &Disputes) {
    use DisputeStage::{Arbitration, Dispute, PreArbitration};
    use DisputeStatus::{Accepted, Challenged, Expired, Lost, Opened};
    let payment = &story.payment;
    let captured = payment.active().captured_amount();
    let of = |currency: Currency, counts: &dyn Fn(DisputeStage, DisputeStatus) -> bool| -> i64 {
        let disputes = story.disputes.iter();
        let counted = disputes.filter(|dispute| {
            dispute.currency == currency && counts(dispute.stage, dispute.status)
        });
        counted.map(|dispute| dispute.amount).sum()
    };
    let is_for_good = |_, status| [Accepted, Lost].contains(&status);
    let is_for_now = |stage, status| {
        [Dispute, PreArbitration, Arbitration].contains(&stage)
            && [Opened, Challenged, Expired].contains(&status)
    };
    let is_lost = |_, status| status == Lost;
    let for_good = of(Currency::USD, &is_for_good);
    let mut held = for_good + of(Currency::USD, &is_for_now);
    // Amounts are never converted, so a dispute in another currency may concern the whole captured amount.
    if of(Currency::EUR, &|stage, status| {
        is_for_good(stage, status) || is_for_now(stage, status)
    }) > 0
    {
        held = held.max(captured);
    }
    let lost = of(Currency::USD, &is_lost) + of(Currency::EUR, &is_lost).min(1);
    let with = |status: RefundStatus| -> i64 {
        let refunds = story
            .refunds
            .iter()
            .filter(|refund| refund.status == status);
        refunds
            .map(multirail_domain::payments::refund::Refund::amount)
            .sum()
    };
    let refunded = with(RefundStatus::Succeeded);
    let under_way = with(RefundStatus::Pending) + with(RefundStatus::Review);
    assert_eq!(payment.disputed_amount(), for_good, "{}", story.page());
    assert_eq!(payment.held_by_disputes(), held, "{}", story.page());
    let left = captured - refunded - under_way - held;
    assert_eq!(payment.refundable_amount(), left.max(0), "{}", story.page());
    assert_eq!(payment.is_already_refunded(), lost + refunded > captured);
    assert!(payment.agrees_with(&story.refunds));
    assert!(payment.agrees_with_disputes(&story.disputes));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_captured_refunded_and_disputed(in_parts in prop::bool::ANY, moves in prop::collection::vec(a_move(), 1..40)) {
        let method = if in_parts { CaptureMethod::ManualMultiple } else { CaptureMethod::Automatic };
        let mut story = Disputes::with_payment(Story::approved(method).payment);
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

    /// Accepting a dispute makes exactly one call to the processor, unless it is refused.
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
