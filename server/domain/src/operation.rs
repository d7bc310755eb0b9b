//! One request to a processor and what became of it.

use serde::{Deserialize, Serialize};

use crate::connector::{Approval, Decline, Outcome, UnknownReason};
use crate::currency::Currency;
use crate::ids::ProcessorKey;
use crate::timestamp::Timestamp;
use crate::unread::UnreadMembers;
use crate::words::words;

/// The code under which an operation is reported that never reached the processor.
pub const NEVER_HAPPENED_CODE: &str = "not_processed";

/// One request to the processor and what became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Operation {
    /// Random, stored before the call: the name under which the processor knows this request.
    pub key: ProcessorKey,
    /// What was asked for, in minor units of the payment's currency.
    pub amount: i64,
    /// What was really done, in the same units, once it is done: 0 where the processor names another currency, because
    /// amounts are never converted.
    pub done_amount: Option<i64>,
    pub progress: Progress,
    /// The processor's own reference.
    pub reference: Option<String>,
    pub decline: Option<Decline>,
    pub unknown: Option<UnknownReason>,
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
        /// The last word: money moved, or was set free.
        Done = "done",
        /// Refused. Only the news that it was done after all can follow.
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

    /// Whether an answer tells more than what is known. Done is never taken back, a refusal only by done; and not
    /// knowing takes nothing back that the processor did say, except that it had no trace of an operation: a call that
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
            started_at: now,
            unread: UnreadMembers::default(),
        }
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

    /// Records an outcome; false when it tells nothing new.
    pub(crate) fn apply(&mut self, outcome: &Outcome, currency: Currency) -> bool {
        let mut next = self.clone();
        next.decline = None;
        next.unknown = None;
        let reference = match outcome {
            Outcome::Done(approval) => {
                next.progress = Progress::Done;
                next.done_amount = Some(amount_of(approval, self.amount, currency));
                &approval.reference
            }
            Outcome::CustomerMustAct { reference, .. } => {
                next.progress = Progress::AwaitingCustomer;
                reference
            }
            Outcome::Declined(decline) => {
                next.progress = Progress::Declined;
                next.decline = Some(decline.clone());
                &None
            }
            Outcome::Pending { reference } => {
                next.progress = Progress::Pending;
                reference
            }
            Outcome::NeverHappened { reason } => {
                next.progress = Progress::NeverHappened;
                next.decline = Some(never_happened(reason.clone()));
                &None
            }
            Outcome::Unknown(reason) => {
                next.progress = Progress::Unknown;
                next.unknown = Some(*reason);
                &None
            }
        };
        if !self.progress.may_become(next.progress) {
            return false;
        }
        if let Some(reference) = reference {
            next.reference = Some(reference.clone());
        }
        if next.progress == Progress::NeverHappened && self.progress == next.progress {
            // The same news in other words.
            next.decline.clone_from(&self.decline);
        }
        let is_news = next != *self;
        *self = next;
        is_news
    }
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

fn never_happened(reason: String) -> Decline {
    let message = "the processor has no trace of this operation: it did not take place";
    Decline {
        reason: Some(reason),
        ..Decline::of_ours(NEVER_HAPPENED_CODE, message)
    }
}
