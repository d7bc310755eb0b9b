//! The news of a refund may come in any order, repeatedly, or not at all: the refund and its payment's sums end the same.

use std::fmt::Write;

use insta::assert_snapshot;
use multirail_domain::payments::payment::{Announcement, Context, Operation, Payment};
use multirail_domain::payments::refund::{Effect, Input, Refund, transition};
use multirail_sdk::connector::{Fact, Outcome};

use crate::story::Refunds;
use crate::support::orders::{
    Decides, Hearer, News, ends_alike, is_declined, is_done, is_taken_back, never_was,
};
use crate::support::outcomes::*;
use crate::support::start;
use crate::support::story::KeysOfStep;

#[derive(Clone, Debug, PartialEq)]
struct OfRefund {
    payment: Payment,
    refund: Refund,
}

impl OfRefund {
    fn new(amount: Option<i64>) -> Self {
        let mut story = Refunds::of_a_purchase();
        story.refund(amount);
        OfRefund {
            payment: story.payment,
            refund: story.refunds.remove(0),
        }
    }
}

impl Hearer for OfRefund {
    fn operation(&self) -> &Operation {
        &self.refund.operation
    }

    fn hear(&mut self, outcome: Outcome) -> Vec<Announcement> {
        let about = self.refund.operation.key.clone();
        let context = Context {
            now: start().plus_seconds(60).expect("a moment"),
            keys: &KeysOfStep::new(1000),
            calls_over_until: start(),
        };
        let fact = Input::Fact(Fact { about, outcome });
        let step = transition(&self.payment, &self.refund, fact, &context);
        (self.payment, self.refund) = (step.payment, step.refund);
        let announced = step.effects.into_iter().filter_map(|effect| match effect {
            Effect::Announce(announcement) => Some(announcement),
            Effect::DeleteCredentials => None,
            Effect::Call(key) | Effect::LookUp(key) => panic!("{key}"),
        });
        announced.collect()
    }

    fn stands(&self) -> String {
        let (refund, payment) = (&self.refund, &self.payment);
        let trouble = refund.trouble().map(|trouble| trouble.code.as_str());
        format!(
            "{} of {}, {} refunded, {} taken, {} left, {}, payment {}",
            refund.status,
            refund.amount(),
            payment.refunded_amount(),
            payment.refunds_amount(),
            payment.refundable_amount(),
            trouble.unwrap_or("no trouble"),
            payment.status
        )
    }
}

#[test]
fn news_of_a_refund_in_every_order() {
    use News::{Answer, Finding, Notice};
    let unnamed = || Outcome::Done(Default::default());
    let stories: [(&str, Decides, Vec<News>); 7] = [
        (
            "done at once",
            is_done,
            vec![Answer(unnamed()), Finding(done()), Notice(done())],
        ),
        (
            "done later",
            is_done,
            vec![
                Answer(pending()),
                Finding(unknown()),
                Notice(done()),
                Notice(pending()),
            ],
        ),
        (
            "refused",
            is_declined,
            vec![Answer(pending()), Finding(pending()), Notice(declined())],
        ),
        (
            "refused and heard late",
            is_declined,
            vec![Answer(unknown()), Finding(declined()), Notice(declined())],
        ),
        (
            "never happened",
            never_was,
            vec![Answer(never_happened()), Finding(never_happened())],
        ),
        (
            "sent back",
            is_taken_back,
            vec![
                Answer(pending()),
                Finding(done()),
                Notice(done()),
                Notice(taken_back()),
            ],
        ),
        (
            "refused, done, sent back",
            is_taken_back,
            vec![Answer(done()), Notice(declined()), Notice(taken_back())],
        ),
    ];
    let mut page = String::new();
    for (name, decides, news) in &stories {
        for amount in [None, Some(4000)] {
            let end = ends_alike(&OfRefund::new(amount), news, *decides);
            let _ = writeln!(page, "{name}: {end}");
        }
    }
    assert_snapshot!(page, @"
    done at once: succeeded of 6540, 6540 refunded, 6540 taken, 0 left, no trouble, payment succeeded +refund_succeeded
    done at once: succeeded of 4000, 4000 refunded, 4000 taken, 2540 left, no trouble, payment succeeded +refund_succeeded
    done later: succeeded of 6540, 6540 refunded, 6540 taken, 0 left, no trouble, payment succeeded +refund_succeeded
    done later: succeeded of 4000, 4000 refunded, 4000 taken, 2540 left, no trouble, payment succeeded +refund_succeeded
    refused: failed of 6540, 0 refunded, 0 taken, 6540 left, DC_08, payment succeeded +refund_failed
    refused: failed of 4000, 0 refunded, 0 taken, 6540 left, DC_08, payment succeeded +refund_failed
    refused and heard late: failed of 6540, 0 refunded, 0 taken, 6540 left, DC_08, payment succeeded +refund_failed
    refused and heard late: failed of 4000, 0 refunded, 0 taken, 6540 left, DC_08, payment succeeded +refund_failed
    never happened: failed of 6540, 0 refunded, 0 taken, 6540 left, not_processed, payment succeeded +refund_failed
    never happened: failed of 4000, 0 refunded, 0 taken, 6540 left, not_processed, payment succeeded +refund_failed
    sent back: failed of 6540, 0 refunded, 0 taken, 6540 left, returned, payment succeeded +refund_failed
    sent back: failed of 4000, 0 refunded, 0 taken, 6540 left, returned, payment succeeded +refund_failed
    refused, done, sent back: failed of 6540, 0 refunded, 0 taken, 6540 left, returned, payment succeeded +refund_failed
    refused, done, sent back: failed of 4000, 0 refunded, 0 taken, 6540 left, returned, payment succeeded +refund_failed
    ");
}
