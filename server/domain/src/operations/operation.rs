//! One request to a processor and what became of it.

mod follow_up;

use serde::{Deserialize, Serialize};

use multirail_kernel::currency::Currency;
use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use multirail_kernel::words::words;
use multirail_sdk::connector::{Approval, Decline, Outcome, UnknownReason};

/// The code under which an operation is reported that never reached the processor.
pub const NEVER_HAPPENED_CODE: &str = "not_processed";

/// The code under which an operation is reported that was given up without an answer.
pub const GIVEN_UP_CODE: &str = "not_answered";

/// One request to the processor and what became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Operation {
    /// Random, stored before the call: the name under which the processor knows this request.
    pub key: ProcessorKey,
    /// What was asked for, in minor units of the payment's currency.
    pub amount: i64,
    /// What was really done, in the same units, once it is done: 0 where the processor names another currency, because
    /// amounts are never converted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub done_amount: Option<i64>,
    pub progress: Progress,
    /// The processor's own reference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decline: Option<Decline>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unknown: Option<UnknownReason>,
    /// It never happened because the processor couldn't be reached or took no requests, not for a reason of ours.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_turned_away: bool,
    /// A capture after which nothing of the authorization is left at the processor.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub leaves_nothing: bool,
    /// It is told as never happened because nobody waits for it any more. It may have been done all the same.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_given_up: bool,
    /// It was done at the processor by somebody else than this service: in its back office, or by another program.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_of_others: bool,
    pub started_at: Timestamp,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

words! {
    /// How far an operation has come.
    pub enum Progress {
        /// Recorded; the call is under way or was cut off.
        Started = "started",
        /// The payer is at the processor's page.
        AwaitingCustomer = "awaiting_customer",
        /// The processor will tell later.
        Pending = "pending",
        /// Sent, and no answer that can be trusted.
        Unknown = "unknown",
        /// The processor has no trace of it. Not final: a late approval still counts as what it is.
        NeverHappened = "never_happened",
        /// Money moved, or was set free. Only that the processor takes it back can follow.
        Done = "done",
        /// Refused, or taken back after it was done. Of what was only refused, the news that it was done after all can follow.
        Declined = "declined",
    }
}

impl Progress {
    /// It may still take or free money, so its amount stays reserved and the processor is asked about it.
    pub fn is_open(self) -> bool {
        match self {
            Progress::Started
            | Progress::AwaitingCustomer
            | Progress::Pending
            | Progress::Unknown => true,
            Progress::NeverHappened | Progress::Done | Progress::Declined => false,
        }
    }

    /// Whether an answer tells more than what is known, where nothing is taken back. A refusal is overcome only by done; and
    /// not knowing takes nothing back that the processor did say, except that it had no trace of an operation: a call that
    /// was still under way may have reached it since.
    fn may_become(self, next: Progress) -> bool {
        match self {
            Progress::Done => false,
            Progress::Declined => next == Progress::Done,
            Progress::AwaitingCustomer | Progress::Pending => next != Progress::Unknown,
            Progress::Started | Progress::Unknown | Progress::NeverHappened => true,
        }
    }
}

impl Operation {
    pub(crate) fn start(key: ProcessorKey, amount: i64, now: Timestamp) -> Self {
        Operation {
            key,
            amount,
            done_amount: None,
            progress: Progress::Started,
            reference: None,
            decline: None,
            unknown: None,
            is_turned_away: false,
            leaves_nothing: false,
            is_given_up: false,
            is_of_others: false,
            started_at: now,
            unread: UnreadMembers::default(),
        }
    }

    /// One that the processor tells of and nobody has asked for here.
    pub(crate) fn of_others(
        key: ProcessorKey,
        reference: &str,
        amount: i64,
        now: Timestamp,
    ) -> Self {
        Operation {
            reference: Some(reference.to_owned()),
            is_of_others: true,
            ..Operation::start(key, amount, now)
        }
    }

    /// Asked for once more, under the same key.
    pub(crate) fn start_again(&mut self, now: Timestamp) {
        self.progress = Progress::Started;
        self.decline = None;
        self.started_at = now;
    }

    /// What a question about it adds to what is known, if anything. A question that came to nothing adds nothing; but of a
    /// call that was cut off nothing was known so far, and that is recorded.
    pub fn answered(&self, outcome: Outcome) -> Option<Outcome> {
        match (outcome, self.progress) {
            (
                gone @ Outcome::Unknown(UnknownReason::CredentialsGone),
                Progress::Started | Progress::Unknown,
            ) => Some(gone),
            (Outcome::Unknown(_), Progress::Started) => {
                Some(Outcome::Unknown(UnknownReason::Interrupted))
            }
            (
                Outcome::Unknown(_),
                Progress::AwaitingCustomer
                | Progress::Pending
                | Progress::Unknown
                | Progress::NeverHappened
                | Progress::Done
                | Progress::Declined,
            ) => None,
            (outcome, _) => Some(outcome),
        }
    }

    pub(crate) fn is_open(&self) -> bool {
        self.progress.is_open()
    }

    pub(crate) fn is_done(&self) -> bool {
        self.progress == Progress::Done
    }

    /// What it took or freed for certain, in minor units.
    pub(crate) fn amount_done(&self) -> i64 {
        if self.is_done() {
            self.done_amount.unwrap_or(self.amount)
        } else {
            0
        }
    }

    /// The processor's last word is that it isn't done, whatever it said before.
    pub(crate) fn is_taken_back(&self) -> bool {
        let takes_back = |decline: &Decline| decline.takes_back;
        self.progress == Progress::Declined && self.decline.as_ref().is_some_and(takes_back)
    }

    /// Whether an outcome can't be true beside what is known, which stays: it is of no consequence, and somebody may want to
    /// look. News that come late, after others that go further, contradict nothing.
    pub fn contradicts(&self, outcome: &Outcome, currency: Currency) -> bool {
        match (self.progress, outcome) {
            (Progress::Done, Outcome::Done(approval)) => {
                Some(amount_of(approval, self.amount_done(), currency)) != self.done_amount
            }
            (Progress::Done, Outcome::Declined(_) | Outcome::NeverHappened { .. }) => true,
            (
                Progress::Done,
                Outcome::CustomerMustAct { .. }
                | Outcome::DeviceDataNeeded { .. }
                | Outcome::Pending { .. }
                | Outcome::Unknown(_),
            )
            | (
                Progress::Started
                | Progress::AwaitingCustomer
                | Progress::Pending
                | Progress::Unknown
                | Progress::NeverHappened
                | Progress::Declined,
                _,
            ) => false,
        }
    }

    /// Records an outcome.
    ///
    /// The same outcomes lead to the same end in whatever order they come: each is overcome only by what goes further (a
    /// refusal by done, done by being taken back), and what it has that is missing is kept.
    pub(crate) fn apply(&mut self, outcome: &Outcome, currency: Currency) -> Told {
        let next = self.after(outcome, currency);
        let goes_on = if self.is_taken_back() {
            false
        } else {
            next.is_taken_back() || self.progress.may_become(next.progress)
        };
        if goes_on {
            let is_news = next != *self;
            *self = next;
            return if is_news { Told::News } else { Told::Nothing };
        }
        let left_nothing = self.leaves_nothing;
        if !self.fill(outcome) {
            Told::Nothing
        } else if self.leaves_nothing == left_nothing {
            Told::Missing
        } else {
            // The amount that is left decides the status.
            Told::News
        }
    }

    /// As it is if the outcome goes further than what is known.
    fn after(&self, outcome: &Outcome, currency: Currency) -> Operation {
        let mut next = self.clone();
        next.decline = None;
        next.unknown = None;
        next.is_turned_away = false;
        next.is_given_up = false;
        match outcome {
            Outcome::Done(approval) => {
                next.progress = Progress::Done;
                next.done_amount = Some(amount_of(approval, self.amount, currency));
                next.leaves_nothing = approval.leaves_nothing;
            }
            Outcome::CustomerMustAct { .. } | Outcome::DeviceDataNeeded { .. } => {
                next.progress = Progress::AwaitingCustomer
            }
            Outcome::Declined(decline) => {
                next.progress = Progress::Declined;
                next.done_amount = None;
                next.decline = Some(decline.clone());
            }
            Outcome::Pending { .. } => next.progress = Progress::Pending,
            Outcome::NeverHappened {
                reason,
                is_turned_away,
                is_given_up,
            } => {
                next.progress = Progress::NeverHappened;
                next.is_turned_away = *is_turned_away;
                next.is_given_up = *is_given_up;
                next.decline = Some(if *is_given_up {
                    given_up(reason.clone())
                } else {
                    never_happened(reason.clone())
                });
            }
            Outcome::Unknown(reason) => {
                next.progress = Progress::Unknown;
                next.unknown = Some(*reason);
            }
        };
        if let Some(reference) = outcome.reference() {
            next.reference = Some(reference.to_owned());
        }
        if next.progress == Progress::NeverHappened && self.progress == next.progress {
            // The same news in other words.
            next.decline.clone_from(&self.decline);
            next.is_turned_away = self.is_turned_away;
            next.is_given_up = self.is_given_up;
        }
        next
    }

    /// Keeps what is missing, and nothing else of it; false where nothing was.
    fn fill(&mut self, outcome: &Outcome) -> bool {
        let before = self.clone();
        if self.reference.is_none() {
            self.reference = outcome.reference().map(str::to_owned);
        }
        if let (Progress::Done, Outcome::Done(approval)) = (self.progress, outcome) {
            self.leaves_nothing |= approval.leaves_nothing;
        }
        if let (Progress::Declined, Some(known), Outcome::Declined(told)) =
            (self.progress, &mut self.decline, outcome)
        {
            known.fill(told);
        }
        *self != before
    }
}

/// What an outcome tells of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// What is known.
    Nothing,
    /// What is known, and something of it that was missing.
    Missing,
    /// That it stands otherwise.
    News,
}

/// What the processor says it did, in minor units of `currency`.
fn amount_of(approval: &Approval, asked: i64, currency: Currency) -> i64 {
    let is_ours = |named: &str| named.eq_ignore_ascii_case(currency.as_str());
    if approval.currency.as_deref().is_none_or(is_ours) {
        approval.amount_minor.unwrap_or(asked).max(0)
    } else {
        0
    }
}

fn given_up(reason: String) -> Decline {
    let message = "the processor did not say what became of this operation, which was given up; \
                   if it is done all the same, it is undone";
    Decline {
        reason: Some(reason),
        ..Decline::of_ours(GIVEN_UP_CODE, message)
    }
}

fn never_happened(reason: String) -> Decline {
    let message = "the processor has no trace of this operation: it did not take place";
    Decline {
        reason: Some(reason),
        ..Decline::of_ours(NEVER_HAPPENED_CODE, message)
    }
}
