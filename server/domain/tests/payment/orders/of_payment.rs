//! A payment with news of one of its operations, for each kind of operation.

use std::fmt::Write;

use multirail_domain::payments::payment::CaptureMethod::{Automatic, Manual, ManualMultiple};
use multirail_domain::payments::payment::{
    Announcement, Context, Effect, Fact, Input, Operation, Payment, transition,
};
use multirail_kernel::ids::ProcessorKey;
use multirail_sdk::connector::Outcome;

use crate::support::orders::Hearer;
use crate::support::outcomes::*;
use crate::support::story::{AUTHORIZE, About, CAPTURE, KeysOfStep, RAISE, Story, VOID};
use crate::support::{AMOUNT, start};

/// A payment and one of its operations.
#[derive(Clone, Debug, PartialEq)]
pub struct OfPayment {
    pub payment: Payment,
    key: ProcessorKey,
}

impl OfPayment {
    pub fn new(story: Story, about: About) -> Self {
        let key = about.key(&story.payment).expect("an operation");
        OfPayment {
            payment: story.payment,
            key,
        }
    }
}

impl Hearer for OfPayment {
    fn operation(&self) -> &Operation {
        let attempts = self.payment.attempts.iter();
        let mut operations = attempts.flat_map(|attempt| attempt.operations());
        let own = operations.find(|(_, operation)| operation.key == self.key);
        own.expect("an operation").1
    }

    fn hear(&mut self, outcome: Outcome) -> Vec<Announcement> {
        let fact = Fact {
            about: self.key.clone(),
            outcome,
        };
        let context = Context {
            now: start().plus_seconds(60).expect("a moment"),
            keys: &KeysOfStep::new(1000),
            calls_over_until: start(),
        };
        let step = transition(&self.payment, Input::Fact(fact), &context).expect("a fact");
        self.payment = step.payment;
        let announced = step.effects.into_iter().filter_map(|effect| match effect {
            Effect::Announce(announcement) => Some(announcement),
            Effect::Method(_)
            | Effect::Mandate(_)
            | Effect::DeleteCard
            | Effect::ReturnExcess(_)
            | Effect::DeleteCredentials { .. } => None,
            Effect::Call(call) | Effect::LookUp(call) => panic!("{call:?}"),
        });
        announced.collect()
    }

    fn stands(&self) -> String {
        let (payment, attempt) = (&self.payment, self.payment.active());
        let amounts = payment.amounts();
        let mut words = format!(
            "{} ({}), {} left, {} received, {} voided",
            payment.status,
            attempt.status,
            amounts.capturable,
            amounts.received.unwrap_or_default(),
            attempt.voided_amount()
        );
        for increment in &attempt.increments {
            let _ = write!(words, ", raise {}", increment.status());
        }
        for capture in &attempt.captures {
            let _ = write!(words, ", capture {}", capture.status());
        }
        if let Some(decline) = &attempt.decline {
            let _ = write!(words, ", {}", decline.code);
        }
        words
    }
}

/// Returns every kind of operation, requested and without news.
pub fn asked() -> Vec<(&'static str, OfPayment)> {
    let confirmed = |method| {
        let mut story = Story::created(method);
        story.confirm();
        OfPayment::new(story, AUTHORIZE)
    };
    let capturing = |method, amount| {
        let mut story = Story::approved(method);
        story.capture(amount);
        OfPayment::new(story, CAPTURE)
    };
    let capturing_the_rest = |rest| {
        let mut story = Story::approved(ManualMultiple);
        story.capture(Some(1000));
        story.answer(CAPTURE, done());
        story.capture(Some(rest));
        OfPayment::new(story, CAPTURE)
    };
    let raising = || {
        let mut story = Story::to_be_raised(Manual);
        story.raise(7000);
        OfPayment::new(story, RAISE)
    };
    let voiding = || {
        let mut story = Story::approved(Manual);
        story.cancel();
        OfPayment::new(story, VOID)
    };
    let voiding_the_rest = || {
        let mut story = Story::approved(ManualMultiple);
        story.capture(Some(1000));
        story.answer(CAPTURE, done());
        story.void_the_rest();
        OfPayment::new(story, VOID)
    };
    let giving_back = || {
        let mut story = Story::created(Automatic);
        story.confirm();
        story.answer(AUTHORIZE, redirect());
        story.cancel();
        story.answer(VOID, declined());
        story.answer(AUTHORIZE, done());
        OfPayment::new(story, VOID)
    };
    let voiding_after_capture = |method, amount| {
        let mut story = Story::approved(method);
        if method != Automatic {
            story.capture(Some(amount));
            story.answer(CAPTURE, done());
        }
        story.cancel_post_capture();
        OfPayment::new(story, VOID)
    };
    vec![
        ("authorize, automatic", confirmed(Automatic)),
        ("authorize, manual", confirmed(Manual)),
        ("authorize, several captures", confirmed(ManualMultiple)),
        ("capture all", capturing(Manual, None)),
        ("capture a part", capturing(Manual, Some(4000))),
        (
            "capture one of several",
            capturing(ManualMultiple, Some(4000)),
        ),
        ("capture a further part", capturing_the_rest(540)),
        ("capture all the rest", capturing_the_rest(5540)),
        ("raise", raising()),
        ("void all", voiding()),
        ("void the rest", voiding_the_rest()),
        ("void what came too late", giving_back()),
        (
            "void what was taken at once",
            voiding_after_capture(Automatic, AMOUNT),
        ),
        (
            "void what was captured",
            voiding_after_capture(Manual, AMOUNT),
        ),
        (
            "void a part that was captured",
            voiding_after_capture(Manual, 4000),
        ),
        (
            "void one of several captures",
            voiding_after_capture(ManualMultiple, 4000),
        ),
    ]
}
