//! A correct processor behind a connection that loses and delays requests and answers. After all questions, the refunds agree
//! exactly with the processor's ledger.

use std::collections::BTreeMap;

use multirail_domain::payments::refund::{
    Command, Create, Effect, Input, RefundStatus, RefundType, Step,
};
use multirail_kernel::ids::ProcessorKey;
use multirail_sdk::connector::{Fact, Outcome};
use proptest::prelude::*;

use crate::money::{is_storable, the_sums_agree};
use crate::story::Refunds;
use crate::support::AMOUNT;
use crate::support::outcomes::*;

/// The fate of one request on its way and at the processor.
#[derive(Clone, Copy, Debug, Default)]
struct Fate {
    /// The request is lost, and the connection reports it.
    unsent: bool,
    /// The answer is lost.
    unheard: bool,
    /// The request arrives a minute late; its answer is lost.
    delayed: bool,
    /// The processor answers later.
    slow: bool,
    declined: bool,
}

#[derive(Clone, Copy, Debug)]
enum Ask {
    Refund(i64, RefundType),
    Sync(usize),
    /// A delayed request arrives.
    Arrive,
}

/// The processor's books.
#[derive(Default)]
struct Ledger {
    given_back: i64,
    /// By key: the processor's present answer, and its answer after it is asked again.
    answers: BTreeMap<String, (Outcome, Outcome)>,
    on_its_way: Vec<(ProcessorKey, i64)>,
}

impl Ledger {
    fn perform(&mut self, key: &ProcessorKey, amount: i64, fate: Fate) -> Outcome {
        if fate.unsent {
            return never_happened();
        }
        if fate.delayed {
            self.on_its_way.push((key.clone(), amount));
            return unknown();
        }
        let said = self.arrive(key, amount, fate);
        if fate.unheard { unknown() } else { said }
    }

    /// Performs a refund; a repeated key is the same refund.
    fn arrive(&mut self, key: &ProcessorKey, amount: i64, fate: Fate) -> Outcome {
        if let Some((now, _)) = self.answers.get(key.as_str()) {
            return now.clone();
        }
        let is_done = !fate.declined && self.given_back + amount <= AMOUNT;
        let truth = if is_done {
            self.given_back += amount;
            done_for(amount)
        } else {
            declined()
        };
        let now = if fate.slow { pending() } else { truth.clone() };
        self.answers.insert(key.to_string(), (now.clone(), truth));
        now
    }

    fn look_up(&mut self, key: &ProcessorKey) -> Outcome {
        let Some((now, later)) = self.answers.get_mut(key.as_str()) else {
            return never_happened();
        };
        now.clone_from(later);
        now.clone()
    }
}

fn fate() -> impl Strategy<Value = Fate> {
    let rarely = || prop::bool::weighted(0.2);
    let flags = (rarely(), rarely(), rarely(), rarely(), rarely());
    flags.prop_map(|(unsent, unheard, delayed, slow, declined)| Fate {
        unsent,
        unheard,
        delayed,
        slow,
        declined,
    })
}

fn ask() -> impl Strategy<Value = Ask> {
    let amount = prop::sample::select(&[1000, 2540, 4000, AMOUNT]);
    let kind = prop::sample::select(RefundType::ALL);
    prop_oneof![
        4 => (amount, kind).prop_map(|(amount, kind)| Ask::Refund(amount, kind)),
        2 => (0..8_usize).prop_map(Ask::Sync),
        1 => Just(Ask::Arrive),
    ]
}

/// Carries out the effects of a step, like the server.
fn carry_out(
    story: &mut Refunds,
    ledger: &mut Ledger,
    nth: usize,
    step: Step,
    fates: &mut dyn Iterator<Item = Fate>,
) {
    let effects = step.effects.clone();
    story.take("step", nth, step);
    for effect in effects {
        let refund = &story.refunds[nth - 1];
        let (about, outcome) = match effect {
            Effect::Call(key) => {
                let fate = fates.next().expect("fates don't end");
                let outcome = ledger.perform(&key, refund.amount(), fate);
                (key, Some(outcome))
            }
            Effect::LookUp(key) => {
                let outcome = ledger.look_up(&key);
                (key, refund.operation.answered(outcome))
            }
            Effect::Announce(_) | Effect::DeleteCredentials => continue,
        };
        if let Some(outcome) = outcome {
            let told = story.try_input(nth, Input::Fact(Fact { about, outcome }));
            carry_out(story, ledger, nth, told, fates);
        }
    }
}

fn sync(
    story: &mut Refunds,
    ledger: &mut Ledger,
    nth: usize,
    fates: &mut dyn Iterator<Item = Fate>,
) {
    let step = story.try_input(nth, Input::Command(Command::Sync));
    carry_out(story, ledger, nth, step, fates);
}

fn arrive(ledger: &mut Ledger) {
    for (key, amount) in std::mem::take(&mut ledger.on_its_way) {
        ledger.arrive(&key, amount, Fate::default());
    }
}

fn is_in(story: &Refunds, status: RefundStatus) -> bool {
    let mut refunds = story.refunds.iter();
    refunds.any(|refund| refund.status == status)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_books_agree(
        asks in prop::collection::vec(ask(), 1..16),
        fates in prop::collection::vec(fate(), 12),
    ) {
        let mut story = Refunds::of_a_purchase();
        let mut ledger = Ledger::default();
        let was_delayed = fates.iter().any(|fate| fate.delayed);
        let mut fates = fates.into_iter().chain(std::iter::repeat(Fate::default()));
        for ask in asks {
            match ask {
                Ask::Refund(amount, refund_type) => {
                    let wish = Create { refund_type, ..story.wish(Some(amount)) };
                    if let Ok(step) = story.try_create(wish) {
                        story.refunds.push(step.refund.clone());
                        let nth = story.refunds.len();
                        carry_out(&mut story, &mut ledger, nth, step, &mut fates);
                    }
                }
                Ask::Sync(which) if !story.refunds.is_empty() => {
                    story.wait(10);
                    let nth = which % story.refunds.len() + 1;
                    sync(&mut story, &mut ledger, nth, &mut fates);
                }
                Ask::Sync(_) => {}
                Ask::Arrive => arrive(&mut ledger),
            }
            is_storable(&story);
            the_sums_agree(&story);
        }
        arrive(&mut ledger);
        for _ in 0..3 {
            story.wait(60);
            for nth in 1..=story.refunds.len() {
                sync(&mut story, &mut ledger, nth, &mut fates);
            }
        }
        prop_assert!(!is_in(&story, RefundStatus::Pending), "{}", story.page());
        let in_review = story.refunds.iter().filter(|refund| refund.status == RefundStatus::Review);
        let in_review: i64 = in_review.map(|refund| refund.operation.done_amount.unwrap_or(0)).sum();
        let given_back = story.payment.refunded_amount() + in_review;
        prop_assert_eq!(given_back, ledger.given_back, "{}", story.page());
        prop_assert!(was_delayed || in_review == 0, "{}", story.page());
    }
}
