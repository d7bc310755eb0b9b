//! A payment's story: a sequence of commands and facts, and a page that records the steps.

use std::fmt::Write;
use std::sync::atomic::{AtomicUsize, Ordering};

use multirail_domain::accounts::connector_account::Candidate;
use multirail_domain::payments::payment::complete::CompleteAuthorization;
use multirail_domain::payments::payment::confirm::Confirm;
use multirail_domain::payments::payment::recurring::FoundMandate;
use multirail_domain::payments::payment::{
    Announcement, AtHand, CaptureMethod, Changes, Command, Context, Effect, Fact, Input,
    MandateEffect, MethodEffect, Payment, ProcessorCall, ProfileWishes, RaiseAuthorization, Step,
    transition,
};
use multirail_domain::routing::RoutingStrategy;
use multirail_kernel::context::FreshKeys;
use multirail_kernel::ids::{IncrementId, ProcessorKey};
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::charge::DeviceDataCollected;
use multirail_sdk::connector::{OperationKind, Outcome};
use serde_json::json;

use super::outcomes::words;
use super::routing::InOrder;

/// The keys of one step of a story: `mrk_7`, then `mrk_7_1` and so on.
pub struct KeysOfStep {
    step: u32,
    given: AtomicUsize,
}

impl KeysOfStep {
    pub fn new(step: u32) -> Self {
        KeysOfStep {
            step,
            given: AtomicUsize::new(0),
        }
    }
}

impl FreshKeys for KeysOfStep {
    fn next(&self) -> ProcessorKey {
        let step = self.step;
        let name = match self.given.fetch_add(1, Ordering::Relaxed) {
            0 => format!("mrk_{step}"),
            before => format!("mrk_{step}_{before}"),
        };
        ProcessorKey::parse(&name).expect("a key")
    }
}

/// One operation of a payment: the newest of its kind, or the `nth`, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct About {
    pub kind: OperationKind,
    /// The attempt's number; 0 for the newest.
    pub attempt: u32,
    pub nth: usize,
}

pub const AUTHORIZE: About = About::newest(OperationKind::Authorize);
pub const CAPTURE: About = About::newest(OperationKind::Capture);
pub const RAISE: About = About::newest(OperationKind::Increment);
pub const VOID: About = About::newest(OperationKind::Void);

impl About {
    const fn newest(kind: OperationKind) -> Self {
        About {
            kind,
            attempt: 0,
            nth: 0,
        }
    }

    /// Selects the operation with this number, counted from 1.
    pub const fn nth(self, nth: usize) -> Self {
        About { nth, ..self }
    }

    /// Selects this attempt.
    pub const fn of_attempt(self, attempt: u32) -> Self {
        About { attempt, ..self }
    }

    /// Returns the key under which the processor knows it.
    pub fn key(self, payment: &Payment) -> Option<ProcessorKey> {
        let attempt = match self.attempt {
            0 => Some(payment.active()),
            number => payment.attempts.iter().find(|a| a.number == number),
        }?;
        let of_kind = attempt.operations().filter(|(kind, _)| *kind == self.kind);
        let mut keys = of_kind.map(|(_, operation)| operation.key.clone());
        match self.nth {
            0 => keys.last(),
            nth => keys.nth(nth - 1),
        }
    }

    fn name(self) -> String {
        let mut name = self.kind.to_string();
        if self.nth > 0 {
            let _ = write!(name, " {}", self.nth);
        }
        if self.attempt > 0 {
            let _ = write!(name, " of attempt {}", self.attempt);
        }
        name
    }
}

/// A payment with its history.
pub struct Story {
    pub payment: Payment,
    pub now: Timestamp,
    /// The profile's `is_manual_retry_enabled`.
    pub manual_retry_enabled: bool,
    /// The profile's default settings.
    pub wishes: ProfileWishes,
    pub candidates: Vec<Candidate>,
    /// The rules of routing.
    pub routing: &'static dyn RoutingStrategy,
    /// True if the card given at create is still held.
    pub card_is_held: bool,
    /// True if that card's code is still held.
    pub card_code_is_held: bool,
    /// True if the next confirm repeats a failed request.
    pub resumes: bool,
    /// The credentials of the next command. A confirm has their name among its changes.
    pub credentials: AtHand,
    /// All announcements so far.
    pub announced: Vec<Announcement>,
    keys: u32,
    page: String,
}

impl Story {
    /// Begins with a create.
    pub fn create(changes: Changes) -> Self {
        let created = super::create(changes).expect("a payment");
        let mut story = Story {
            card_is_held: created.data.is_some(),
            card_code_is_held: created.data.is_some(),
            resumes: false,
            credentials: AtHand::default(),
            payment: created.payment,
            now: super::start(),
            manual_retry_enabled: false,
            wishes: ProfileWishes::default(),
            candidates: vec![super::candidate("stripe_test", "mca_1", json!({}))],
            routing: &InOrder,
            announced: Vec::new(),
            keys: 0,
            page: String::new(),
        };
        story.tell("create", &[]);
        story
    }

    /// Creates a payment of 65.40 USD by card.
    pub fn created(capture_method: CaptureMethod) -> Self {
        Story::create(super::purchase(capture_method))
    }

    /// Approves a payment of 65.40 USD by card whose authorization may be raised.
    pub fn to_be_raised(capture_method: CaptureMethod) -> Self {
        let mut story = Story::create(Changes {
            particulars: super::may_be_raised(),
            ..super::purchase(capture_method)
        });
        story.confirm();
        story.answer(AUTHORIZE, super::outcomes::done());
        story
    }

    /// Approves a payment of 65.40 USD by card.
    pub fn approved(capture_method: CaptureMethod) -> Self {
        let mut story = Story::created(capture_method);
        story.confirm();
        story.answer(AUTHORIZE, super::outcomes::done());
        story
    }

    pub fn confirm(&mut self) {
        self.confirm_with(Changes::default());
    }

    pub fn confirm_with(&mut self, changes: Changes) {
        let confirm = self.confirm_command(changes);
        self.command("confirm", confirm);
    }

    pub fn confirm_command(&self, changes: Changes) -> Command {
        Command::Confirm(Box::new(Confirm {
            changes,
            candidates: self.candidates.clone(),
            connectors: Default::default(),
            active: None,
            three_ds: None,
            dynamic: None,
            routing: self.routing,
            manual_retry_enabled: self.manual_retry_enabled,
            wishes: self.wishes.clone(),
            card_is_held: self.card_is_held && self.payment.holds_card,
            card_code_is_held: self.card_code_is_held,
            card_is_kept: false,
            credentials_are_held: self.credentials.are_held,
            by_client: false,
            by_owner: false,
            resumes: self.resumes,
            draw: 0,
        }))
    }

    pub fn update(&mut self, changes: Changes) {
        self.command("update", Command::Update(Box::new(changes)));
    }

    pub fn capture(&mut self, amount_to_capture: Option<i64>) {
        let name = match amount_to_capture {
            Some(amount) => format!("capture {amount}"),
            None => "capture all".to_owned(),
        };
        let command = Command::Capture {
            amount_to_capture,
            credentials: self.credentials.clone(),
        };
        self.command(&name, command);
    }

    /// Requests a new total.
    pub fn raise(&mut self, amount: i64) {
        let command = self.raise_command(amount);
        self.command(&format!("raise to {amount}"), command);
    }

    pub fn raise_command(&self, amount: i64) -> Command {
        let number = self.payment.active().increments.len() + 1;
        Command::RaiseAuthorization(Box::new(RaiseAuthorization {
            amount,
            reason: Some("a longer stay".to_owned()),
            increment_id: IncrementId::parse(&format!("auth_{number}")).expect("an id"),
            mandate: FoundMandate::default(),
            credentials: self.credentials.clone(),
        }))
    }

    pub fn cancel(&mut self) {
        let reason = Some("duplicate".to_owned());
        let command = Command::Cancel {
            reason,
            credentials: self.credentials.clone(),
        };
        self.command("cancel", command);
    }

    /// The payer's device data was collected.
    pub fn complete(&mut self) {
        let command = self.complete_command();
        self.command("complete", command);
    }

    pub fn complete_command(&self) -> Command {
        Command::CompleteAuthorization(Box::new(CompleteAuthorization {
            device_data_collected: Some(DeviceDataCollected::Yes),
            shipping: None,
            credentials: self.credentials.clone(),
        }))
    }

    pub fn approve(&mut self) {
        let credentials = self.credentials.clone();
        self.command("approve", Command::Approve { credentials });
    }

    pub fn reject(&mut self) {
        let credentials = self.credentials.clone();
        self.command("reject", Command::Reject { credentials });
    }

    pub fn cancel_post_capture(&mut self) {
        let command = Command::CancelPostCapture {
            reason: Some("charged twice".to_owned()),
            credentials: self.credentials.clone(),
        };
        self.command("cancel post capture", command);
    }

    pub fn void_the_rest(&mut self) {
        let reason = "merchant account deleted".to_owned();
        self.command("void the rest", Command::VoidTheRest { reason });
    }

    /// Asks for news, a minute later.
    pub fn sync(&mut self) {
        self.now = self.now.plus_seconds(60).expect("a moment");
        self.command("sync", Command::Sync { about: None });
    }

    /// Deletes data that waits for a confirm, if its time is over.
    pub fn lapse(&mut self) {
        self.command("lapse", Command::Lapse);
    }

    /// Deletes the held card of a redacted customer.
    pub fn forget_card(&mut self) {
        self.command("forget the card", Command::ForgetCard);
    }

    /// The processor answers about one operation.
    pub fn answer(&mut self, about: About, outcome: Outcome) {
        let name = format!("{}: {}", about.name(), words(&outcome));
        let key = about
            .key(&self.payment)
            .expect("an operation to be told about");
        let fact = Fact {
            about: key,
            outcome,
        };
        self.input(&name, Input::Fact(fact));
    }

    /// Makes any step.
    pub fn step(&mut self, name: &str, input: Input) {
        self.input(name, input);
    }

    fn command(&mut self, name: &str, command: Command) {
        self.input(name, Input::Command(command));
    }

    /// Makes a step without recording it, and returns the transition's result.
    pub fn try_input(&mut self, input: Input) -> Result<Step, Refusal> {
        self.keys += 1;
        let context = Context {
            now: self.now,
            keys: &KeysOfStep::new(self.keys),
            calls_over_until: self.now.plus_seconds(-60).expect("a moment"),
        };
        transition(&self.payment, input, &context)
    }

    fn input(&mut self, name: &str, input: Input) {
        match self.try_input(input) {
            Ok(step) => {
                self.payment = step.payment;
                let announced = step.effects.iter().filter_map(|effect| match effect {
                    Effect::Announce(announcement) => Some(announcement.clone()),
                    Effect::Call(_)
                    | Effect::LookUp(_)
                    | Effect::Method(_)
                    | Effect::Mandate(_)
                    | Effect::DeleteCard
                    | Effect::ReturnExcess(_)
                    | Effect::DeleteCredentials { .. } => None,
                });
                self.announced.extend(announced);
                self.tell(name, &step.effects);
            }
            Err(refusal) => {
                let _ = writeln!(self.page, "{name:<34} refused, {}", refused(&refusal));
            }
        }
    }

    fn tell(&mut self, name: &str, effects: &[Effect]) {
        let amounts = self.payment.amounts();
        let received = amounts.received.map_or("-".to_owned(), |a| a.to_string());
        let mut line = format!(
            "{name:<34} {:<41} {:>4} left {received:>4} received",
            self.payment.status.to_string(),
            amounts.capturable
        );
        for effect in effects {
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

    /// Returns the page, and the attempts' state at its end.
    pub fn page(&self) -> String {
        let mut page = self.page.clone();
        for attempt in &self.payment.attempts {
            let _ = write!(page, "attempt {}: {}", attempt.number, attempt.status);
            for (kind, operation) in attempt.operations() {
                let _ = write!(page, ", {kind} {}", operation.progress);
                if kind == OperationKind::Capture || kind == OperationKind::Increment {
                    let _ = write!(page, " {}", operation.amount);
                }
            }
            if let Some(decline) = &attempt.decline {
                let _ = write!(page, "; {}: {}", decline.code, decline.message);
                if let Some(reason) = &decline.reason {
                    let _ = write!(page, " ({reason})");
                }
            }
            page.push('\n');
        }
        page
    }
}

/// Returns a short text for an effect.
pub fn effect_words(effect: &Effect) -> String {
    let call = |word: &str, call: &ProcessorCall| format!("[{word} {}]", call.kind);
    match effect {
        Effect::Call(due) => call("ask to", due),
        Effect::LookUp(due) => call("look up", due),
        Effect::Announce(Announcement {
            event_type, about, ..
        }) => {
            format!("{event_type} about {about}")
        }
        Effect::Method(MethodEffect::Save { .. }) => "[save the card]".to_owned(),
        Effect::Method(MethodEffect::Learned { .. }) => "[note how it is known]".to_owned(),
        Effect::Method(MethodEffect::Forget { .. }) => "[save nothing]".to_owned(),
        Effect::Method(MethodEffect::Used { agreed: None, .. }) => "[note the use]".to_owned(),
        Effect::Method(MethodEffect::Used {
            agreed: Some(_), ..
        }) => "[note the use and the consent]".to_owned(),
        Effect::Method(MethodEffect::ClaimToken(_)) => "[claim the token]".to_owned(),
        Effect::Method(MethodEffect::FreeToken(_)) => "[free the token]".to_owned(),
        Effect::Method(MethodEffect::UseUpToken(_)) => "[forget the token]".to_owned(),
        Effect::Mandate(MandateEffect::Make(_)) => "[make the mandate]".to_owned(),
        Effect::Mandate(MandateEffect::Change { .. }) => "[change the mandate]".to_owned(),
        Effect::Mandate(MandateEffect::Use { .. }) => "[charge the mandate]".to_owned(),
        Effect::Mandate(MandateEffect::GiveBack { .. }) => "[give the mandate back]".to_owned(),
        Effect::DeleteCard => "[forget the card]".to_owned(),
        Effect::DeleteCredentials { .. } => "[forget the credentials]".to_owned(),
        Effect::ReturnExcess(excess) => format!("[return {} too much]", excess.amount),
    }
}

/// Returns a refusal's kind and message.
pub fn refused(refusal: &Refusal) -> String {
    let shown = format!("{refusal:?}");
    let kind = shown.split([' ', '{', '(']).next().unwrap_or_default();
    format!("{kind}: {refusal}")
}
