//! The refunds of one payment: a sequence of commands and facts, and a page that records the steps.

use std::fmt::Write;

use multirail_domain::payments::payment::{AtHand, CaptureMethod, Payment};
use multirail_domain::payments::refund::{
    Command, Create, Effect, Input, Refund, RefundType, Step, transition,
};
use multirail_kernel::announcement::Announcement;
use multirail_kernel::context::Context;
use multirail_kernel::ids::RefundId;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::{Fact, Outcome};

use crate::support;
use crate::support::outcomes::words;
use crate::support::story::{KeysOfStep, Story, refused};

/// A payment and its refunds, `ref_1`, `ref_2` and so on.
pub struct Refunds {
    pub payment: Payment,
    pub refunds: Vec<Refund>,
    pub now: Timestamp,
    /// The credentials of the next refund.
    pub credentials: AtHand,
    /// All announcements so far.
    pub announced: Vec<Announcement>,
    keys: u32,
    page: String,
}

impl Refunds {
    /// Begins with a payment of 65.40 USD with automatic capture.
    pub fn of_a_purchase() -> Self {
        Refunds::with_payment(Story::approved(CaptureMethod::Automatic).payment)
    }

    pub fn with_payment(payment: Payment) -> Self {
        Refunds {
            payment,
            refunds: Vec::new(),
            now: support::start(),
            credentials: AtHand::default(),
            announced: Vec::new(),
            // Keys after those of the payment.
            keys: 100,
            page: String::new(),
        }
    }

    /// Begins with a payment whose first refund, of this amount, has this outcome.
    pub fn with_one(amount: i64, outcome: Outcome) -> Self {
        let mut story = Refunds::of_a_purchase();
        story.refund(Some(amount));
        story.answer(1, outcome);
        story
    }

    /// Returns the default input: an instant refund of this amount, or of everything if `None`.
    pub fn wish(&self, amount: Option<i64>) -> Create {
        let id = format!("ref_{}", self.refunds.len() + 1);
        Create {
            refund_id: RefundId::parse(&id).expect("an id"),
            named_merchant_id: None,
            amount,
            reason: None,
            refund_type: RefundType::Instant,
            metadata: None,
            credentials: self.credentials.clone(),
        }
    }

    pub fn refund(&mut self, amount: Option<i64>) {
        let name = match amount {
            Some(amount) => format!("refund {amount}"),
            None => "refund all".to_owned(),
        };
        self.create(&name, self.wish(amount));
    }

    pub fn schedule(&mut self, amount: i64) {
        let create = Create {
            refund_type: RefundType::Scheduled,
            ..self.wish(Some(amount))
        };
        self.create(&format!("schedule {amount}"), create);
    }

    pub fn create(&mut self, name: &str, create: Create) {
        match self.try_create(create) {
            Ok(step) => {
                self.refunds.push(step.refund.clone());
                let nth = self.refunds.len();
                self.take(name, nth, step);
            }
            Err(refusal) => {
                let _ = writeln!(self.page, "{name:<28} refused, {}", refused(&refusal));
            }
        }
    }

    /// Creates a refund without recording it on the page.
    pub fn try_create(&mut self, create: Create) -> Result<Step, Refusal> {
        self.keys += 1;
        let keys = KeysOfStep::new(self.keys);
        let context = self.context(&keys);
        let (brought, named) = (&create.credentials, &create.named_merchant_id);
        let is_plain = brought.given.is_none() && !brought.are_held && named.is_none();
        let made = Refund::create(&self.payment, create, &context);
        if is_plain {
            self.check_most(&made, Refund::most(&self.payment, context.now));
        }
        made
    }

    /// Checks that the largest refundable amount agrees with the refusals.
    fn check_most(&self, made: &Result<Step, Refusal>, most: i64) {
        match made {
            Ok(step) => assert!(step.refund.amount() <= most, "{most}"),
            Err(Refusal::RefundTooLarge { refundable, .. }) => assert_eq!(*refundable, most),
            Err(Refusal::Duplicate { .. }) => {}
            Err(Refusal::InvalidFormat { member, .. }) if member == "amount" => {}
            Err(refused) => assert_eq!(most, 0, "{refused}"),
        }
    }

    /// The processor answers about the `nth` refund, counted from 1.
    pub fn answer(&mut self, nth: usize, outcome: Outcome) {
        let name = format!("ref_{nth}: {}", words(&outcome));
        let input = Input::Fact(self.fact(nth, outcome));
        self.input(&name, nth, input);
    }

    pub fn fact(&self, nth: usize, outcome: Outcome) -> Fact {
        Fact {
            about: self.refunds[nth - 1].operation.key.clone(),
            outcome,
        }
    }

    pub fn sync(&mut self, nth: usize) {
        self.input(
            &format!("sync ref_{nth}"),
            nth,
            Input::Command(Command::Sync),
        );
    }

    pub fn update(&mut self, nth: usize, reason: Option<&str>) {
        let command = Command::Update {
            reason: reason.map(str::to_owned),
            metadata: None,
        };
        self.input(&format!("update ref_{nth}"), nth, Input::Command(command));
    }

    pub fn wait(&mut self, seconds: i64) {
        self.now = self.now.plus_seconds(seconds).expect("a moment");
        let _ = writeln!(self.page, "... {seconds} seconds later");
    }

    /// Makes a step without recording it, and returns the transition's result.
    pub fn try_input(&mut self, nth: usize, input: Input) -> Step {
        self.keys += 1;
        let keys = KeysOfStep::new(self.keys);
        let refund = &self.refunds[nth - 1];
        transition(&self.payment, refund, input, &self.context(&keys))
    }

    /// Builds the context; calls last a minute at most.
    fn context<'a>(&self, keys: &'a KeysOfStep) -> Context<'a> {
        Context {
            now: self.now,
            keys,
            calls_over_until: self.now.plus_seconds(-60).expect("a moment"),
        }
    }

    fn input(&mut self, name: &str, nth: usize, input: Input) {
        let step = self.try_input(nth, input);
        self.take(name, nth, step);
    }

    /// Stores a step, and records it on the page.
    pub fn take(&mut self, name: &str, nth: usize, step: Step) {
        self.payment = step.payment;
        self.refunds[nth - 1] = step.refund;
        let announced = step.effects.iter().filter_map(|effect| match effect {
            Effect::Announce(announcement) => Some(announcement.clone()),
            Effect::Call(_) | Effect::LookUp(_) | Effect::DeleteCredentials => None,
        });
        self.announced.extend(announced);
        let refund = &self.refunds[nth - 1];
        let payment = &self.payment;
        let mut line = format!(
            "{name:<28} {} {:<9} {:>4} refunded {:>4} taken {:>4} left",
            refund.refund_id,
            refund.status.as_str(),
            payment.refunded_amount(),
            payment.refunds_amount(),
            payment.refundable_amount(),
        );
        for effect in &step.effects {
            let _ = write!(line, "  {}", effect_words(effect));
        }
        self.page.push_str(line.trim_end());
        self.page.push('\n');
    }

    /// Clears the page: the story begins here.
    pub fn afresh(mut self) -> Self {
        self.page.clear();
        self
    }

    /// Returns the page, and the refunds' state at its end.
    pub fn page(&self) -> String {
        let mut page = self.page.clone();
        for refund in &self.refunds {
            let (id, progress) = (&refund.refund_id, refund.operation.progress);
            let _ = write!(page, "{id} of {}: {progress}", refund.amount());
            if let Some(trouble) = refund.trouble() {
                let _ = write!(page, "; {}: {}", trouble.code, trouble.message);
            }
            page.push('\n');
        }
        page
    }
}

/// Returns a short text for an effect.
pub fn effect_words(effect: &Effect) -> String {
    match effect {
        Effect::Call(_) => "[ask to refund]".to_owned(),
        Effect::LookUp(_) => "[look up]".to_owned(),
        Effect::Announce(Announcement {
            event_type, about, ..
        }) => format!("{event_type} about {about}"),
        Effect::DeleteCredentials => "[forget the credentials]".to_owned(),
    }
}
