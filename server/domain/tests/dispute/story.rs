//! One payment with its disputes and refunds: a sequence of commands and news, and a page that records the steps.

use std::collections::BTreeMap;
use std::fmt::Write;

use multirail_domain::payments::dispute::{
    Command, Dispute, DisputeStage, DisputeStatus, Effect, Input, Raise, Step, transition,
};
use multirail_domain::payments::payment;
use multirail_domain::payments::payment::{AtHand, CaptureMethod, Payment};
use multirail_domain::payments::refund;
use multirail_domain::payments::refund::{Refund, RefundType};
use multirail_kernel::announcement::Announcement;
use multirail_kernel::context::Context;
use multirail_kernel::currency::Currency;
use multirail_kernel::ids::{ConnectorAccountId, DisputeId, RefundId};
use multirail_kernel::money::Money;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::{DisputeNews, Fact, Outcome};

use crate::support::outcomes::words;
use crate::support::story::{KeysOfStep, Story, refused};
use crate::support::{self, AMOUNT};

/// A payment with its disputes, `dp_1`, `dp_2` and so on, and its refunds, `ref_1` and so on.
#[derive(Clone)]
pub struct Disputes {
    pub payment: Payment,
    pub disputes: Vec<Dispute>,
    pub refunds: Vec<Refund>,
    pub now: Timestamp,
    /// All announcements about disputes so far.
    pub announced: Vec<Announcement>,
    keys: u32,
    page: String,
}

/// Returns news of a dispute of `amount`.
pub fn news(stage: DisputeStage, status: DisputeStatus, amount: i64) -> DisputeNews {
    DisputeNews {
        reference: "dis_1".to_owned(),
        authorization_reference: Some("ref_1".to_owned()),
        authorization_key: None,
        stage,
        status,
        processor_status: format!("{stage}/{status}"),
        rank: 0,
        money: Money::new(amount, Currency::USD),
        reason: Some("not received".to_owned()),
        reason_code: Some("13.1".to_owned()),
        challenge_required_by: None,
        opened_at: Some(support::start()),
        updated_at: None,
    }
}

impl Disputes {
    /// Begins with a payment of 65.40 USD with automatic capture.
    pub fn of_a_purchase() -> Self {
        Disputes::with_payment(Story::approved(CaptureMethod::Automatic).payment)
    }

    pub fn with_payment(payment: Payment) -> Self {
        Disputes {
            payment,
            disputes: Vec::new(),
            refunds: Vec::new(),
            now: support::start(),
            announced: Vec::new(),
            // Keys after those of the payment.
            keys: 100,
            page: String::new(),
        }
    }

    /// Begins with a payment whose whole amount is disputed, in this stage and status.
    pub fn with_one(stage: DisputeStage, status: DisputeStatus) -> Self {
        let mut story = Disputes::of_a_purchase();
        story.raise(news(stage, status, AMOUNT));
        story
    }

    /// The processor reports a new dispute.
    pub fn raise(&mut self, news: DisputeNews) {
        let name = format!("raised {}", shown(&news));
        let number = self.disputes.len() + 1;
        let raise = Raise {
            dispute_id: DisputeId::parse(&format!("dp_{number}")).expect("an id"),
            account: ConnectorAccountId::parse("mca_1").expect("an id"),
            attempt: 1,
        };
        let keys = self.keys();
        let step = Dispute::raise(&self.payment, raise, news, &self.context(&keys));
        let step = step.expect("the payment was sent");
        self.disputes.push(step.dispute.clone());
        self.take(&name, number, step);
    }

    /// The processor reports the state of the `nth` dispute, counted from 1.
    pub fn hear(&mut self, nth: usize, news: DisputeNews) {
        let name = format!("dp_{nth}: {}", shown(&news));
        self.input(&name, nth, Input::News(Box::new(news)));
    }

    pub fn accept(&mut self, nth: usize) {
        self.input(
            &format!("accept dp_{nth}"),
            nth,
            Input::Command(Command::Accept),
        );
    }

    pub fn challenge(&mut self, nth: usize, texts: &[(&str, &str)]) {
        let texts: BTreeMap<_, _> = texts
            .iter()
            .map(|(item, text)| (item.parse().expect("an item"), (*text).to_owned()))
            .collect();
        let challenge = Command::Challenge { given: texts };
        self.input(
            &format!("challenge dp_{nth}"),
            nth,
            Input::Command(challenge),
        );
    }

    pub fn command(&mut self, name: &str, nth: usize, command: Command) {
        self.input(name, nth, Input::Command(command));
    }

    /// The processor answers the last action of the `nth` dispute.
    pub fn answer(&mut self, nth: usize, outcome: Outcome) {
        let name = format!("dp_{nth}: {}", words(&outcome));
        let input = Input::Fact(self.fact(nth, outcome));
        self.input(&name, nth, input);
    }

    pub fn fact(&self, nth: usize, outcome: Outcome) -> Fact {
        let action = self.disputes[nth - 1].actions.last().expect("an action");
        Fact {
            about: action.operation.key.clone(),
            outcome,
        }
    }

    /// Creates a refund with this answer of the processor.
    pub fn refund(&mut self, amount: i64, outcome: Outcome) {
        match self.try_refund(amount) {
            Ok(nth) => self.answer_refund(nth, outcome),
            Err(refusal) => {
                let _ = writeln!(
                    self.page,
                    "{:<38} refused, {}",
                    format!("refund {amount}"),
                    refused(&refusal)
                );
            }
        }
    }

    pub fn try_refund(&mut self, amount: i64) -> Result<usize, Refusal> {
        self.try_refund_of(RefundType::Instant, amount)
    }

    /// Creates a scheduled refund.
    pub fn schedule(&mut self, amount: i64) {
        let nth = self.try_refund_of(RefundType::Scheduled, amount);
        let nth = nth.expect("so much is left");
        self.line(&format!("schedule ref_{nth} {amount}"), "pending");
    }

    /// The worker sends the `nth` refund, counted from 1. Returns whether the processor is asked.
    pub fn take_up(&mut self, nth: usize) -> bool {
        let keys = self.keys();
        let sync = refund::Input::Command(refund::Command::Sync);
        let before = &self.refunds[nth - 1];
        let step = refund::transition(&self.payment, before, sync, &self.context(&keys));
        self.payment = step.payment;
        let mut said = step.refund.status.to_string();
        for effect in &step.effects {
            let _ = match effect {
                refund::Effect::Call(_) => write!(said, " !ask"),
                refund::Effect::LookUp(_) => write!(said, " !look up"),
                refund::Effect::Announce(event) => write!(said, " +{}", event.event_type),
                refund::Effect::DeleteCredentials => write!(said, " -credentials"),
            };
        }
        if let Some(trouble) = step.refund.trouble() {
            let _ = write!(said, ", {}: {}", trouble.code, trouble.message);
        }
        self.refunds[nth - 1] = step.refund;
        self.line(&format!("ref_{nth}: taken up"), &said);
        let mut effects = step.effects.iter();
        effects.any(|effect| matches!(effect, refund::Effect::Call(_)))
    }

    pub fn try_refund_of(
        &mut self,
        refund_type: RefundType,
        amount: i64,
    ) -> Result<usize, Refusal> {
        let id = format!("ref_{}", self.refunds.len() + 1);
        let create = refund::Create {
            refund_id: RefundId::parse(&id).expect("an id"),
            named_merchant_id: None,
            amount: Some(amount),
            reason: None,
            refund_type,
            metadata: None,
            credentials: AtHand::default(),
        };
        let keys = self.keys();
        let step = Refund::create(&self.payment, create, &self.context(&keys))?;
        self.payment = step.payment;
        self.refunds.push(step.refund);
        Ok(self.refunds.len())
    }

    /// Captures this amount, if the payment permits it.
    pub fn capture(&mut self, amount: i64) {
        let keys = self.keys();
        let command = payment::Command::Capture {
            amount_to_capture: Some(amount),
            credentials: AtHand::default(),
        };
        let input = payment::Input::Command(command);
        if let Ok(step) = payment::transition(&self.payment, input, &self.context(&keys)) {
            self.payment = step.payment;
            self.line(&format!("capture {amount}"), "asked for");
        }
    }

    /// The processor answers the `nth` capture, counted from 1.
    pub fn answer_capture(&mut self, nth: usize, outcome: Outcome) {
        let name = format!("capture {nth}: {}", words(&outcome));
        let about = &self.payment.active().captures[nth - 1].operation.key;
        let about = about.clone();
        self.answer_payment(&name, Fact { about, outcome });
    }

    /// Requests a void after capture.
    pub fn try_cancel_post_capture(&mut self) -> Result<(), Refusal> {
        let keys = self.keys();
        let command = payment::Command::CancelPostCapture {
            reason: None,
            credentials: AtHand::default(),
        };
        let input = payment::Input::Command(command);
        let step = payment::transition(&self.payment, input, &self.context(&keys))?;
        self.payment = step.payment;
        Ok(())
    }

    /// The processor answers the last void after capture.
    pub fn answer_void(&mut self, outcome: Outcome) {
        let Some(void) = self.payment.post_capture_void() else {
            return;
        };
        let about = void.operation.key.clone();
        let name = format!("void: {}", words(&outcome));
        self.answer_payment(&name, Fact { about, outcome });
    }

    fn answer_payment(&mut self, name: &str, fact: Fact) {
        let keys = self.keys();
        let input = payment::Input::Fact(fact);
        let step = payment::transition(&self.payment, input, &self.context(&keys));
        self.payment = step.expect("a fact is never refused").payment;
        let status = self.payment.status;
        self.line(name, &format!("{status}"));
    }

    /// The processor answers the `nth` refund, counted from 1.
    pub fn answer_refund(&mut self, nth: usize, outcome: Outcome) {
        let name = format!("ref_{nth}: {}", words(&outcome));
        let keys = self.keys();
        let before = &self.refunds[nth - 1];
        let fact = refund::Input::Fact(Fact {
            about: before.operation.key.clone(),
            outcome,
        });
        let step = refund::transition(&self.payment, before, fact, &self.context(&keys));
        self.payment = step.payment;
        let status = step.refund.status;
        self.refunds[nth - 1] = step.refund;
        self.line(&name, &format!("{status}"));
    }

    pub fn wait(&mut self, seconds: i64) {
        self.now = self.now.plus_seconds(seconds).expect("a moment");
        let _ = writeln!(self.page, "... {seconds} seconds later");
    }

    /// Makes a step without recording it on the page.
    pub fn try_input(&mut self, nth: usize, input: Input) -> Result<Step, Refusal> {
        let keys = self.keys();
        let dispute = &self.disputes[nth - 1];
        transition(&self.payment, dispute, input, &self.context(&keys))
    }

    pub fn input(&mut self, name: &str, nth: usize, input: Input) {
        match self.try_input(nth, input) {
            Ok(step) => self.take(name, nth, step),
            Err(refusal) => {
                let _ = writeln!(self.page, "{name:<38} refused, {}", refused(&refusal));
            }
        }
    }

    /// Stores a step, and records it on the page.
    pub fn take(&mut self, name: &str, nth: usize, step: Step) {
        self.payment = step.payment;
        self.disputes[nth - 1] = step.dispute;
        let announced = step.effects.iter().filter_map(|effect| match effect {
            Effect::Announce(announcement) => Some(announcement.clone()),
            Effect::Call(_) | Effect::LookUp(_) | Effect::DeleteFile(_) => None,
        });
        self.announced.extend(announced);
        let dispute = &self.disputes[nth - 1];
        let mut said = format!("{} {}", dispute.stage, dispute.status);
        for effect in &step.effects {
            let _ = write!(said, " {}", effect_words(effect));
        }
        self.line(name, &said);
    }

    fn line(&mut self, name: &str, said: &str) {
        let payment = &self.payment;
        let again = if payment.is_already_refunded() {
            ", already refunded"
        } else {
            ""
        };
        let _ = writeln!(
            self.page,
            "{name:<38} {said}; {} disputed, {} held, {} refunded, {} left{again}",
            payment.disputed_amount(),
            payment.held_by_disputes(),
            payment.refunded_amount(),
            payment.refundable_amount(),
        );
    }

    /// Builds the context; calls last a minute at most.
    fn context<'a>(&self, keys: &'a KeysOfStep) -> Context<'a> {
        Context {
            now: self.now,
            keys,
            calls_over_until: self.now.plus_seconds(-60).expect("a moment"),
        }
    }

    fn keys(&mut self) -> KeysOfStep {
        self.keys += 1;
        KeysOfStep::new(self.keys)
    }

    pub fn page(&self) -> String {
        self.page.clone()
    }
}

pub fn effect_words(effect: &Effect) -> String {
    match effect {
        Effect::Call(_) => "!ask".to_owned(),
        Effect::LookUp(_) => "!look up".to_owned(),
        Effect::DeleteFile(file_id) => format!("-{file_id}"),
        Effect::Announce(announcement) => format!("+{}", announcement.event_type),
    }
}

fn shown(news: &DisputeNews) -> String {
    let status = news.status.as_str().trim_start_matches("dispute_");
    format!("{} {status} {}", news.stage, news.money.amount_minor)
}
