//! One request to a processor and its result.

mod follow_up;

use serde::{Deserialize, Serialize};

use multirail_kernel::currency::Currency;
use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use multirail_kernel::words::words;
use multirail_sdk::connector::{Approval, Decline, Outcome, UnknownReason};

/// The error code of an operation that never reached the processor.
pub const NEVER_HAPPENED_CODE: &str = "not_processed";

/// The error code of an operation that was given up without an answer.
pub const GIVEN_UP_CODE: &str = "not_answered";

/// One request to the processor and its result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Operation {
    /// Random, and stored before the call: the reference under which the processor knows this request.
    pub key: ProcessorKey,
    /// The requested amount, in minor units of the payment's currency.
    pub amount: i64,
    /// The amount that was done, in the same units. It is 0 if the processor names another currency, because amounts are never
    /// converted.
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
    /// True if the operation never happened because the processor couldn't be reached or accepted no requests.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_turned_away: bool,
    /// True for a capture that leaves nothing of the authorization at the processor.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub leaves_nothing: bool,
    /// True if the operation counts as never happened because the server stopped waiting. The processor may have done it
    /// nevertheless.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_given_up: bool,
    /// True if the operation was done directly at the processor: in its back office, or by another program.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_of_others: bool,
    pub started_at: Timestamp,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

words! {
    /// The progress of an operation.
    pub enum Progress {
        /// Recorded; the call is under way or was interrupted.
        Started = "started",
        /// The payer is at the processor's page.
        AwaitingCustomer = "awaiting_customer",
        /// The processor will send the result later.
        Pending = "pending",
        /// Sent, without an answer that can be trusted.
        Unknown = "unknown",
        /// The processor has no record of it. Not final: a late approval still counts.
        NeverHappened = "never_happened",
        /// Money was moved or released. The processor can still reverse it.
        Done = "done",
        /// Refused, or reversed after it was done. A refused operation can still be reported as done.
        Declined = "declined",
    }
}

impl Progress {
    /// Returns whether the operation may still take or release money. Its amount stays reserved, and the server asks the
    /// processor about it.
    pub fn is_open(self) -> bool {
        match self {
            Progress::Started
            | Progress::AwaitingCustomer
            | Progress::Pending
            | Progress::Unknown => true,
            Progress::NeverHappened | Progress::Done | Progress::Declined => false,
        }
    }

    /// Returns whether an answer adds to the known progress, apart from reversals. Only done overrides a refusal. An unknown
    /// outcome overrides no answer of the processor, except "no record": a call that was still under way may have arrived
    /// since.
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

    /// Creates an operation that was done directly at the processor.
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

    /// Starts the operation again, under the same key.
    pub(crate) fn start_again(&mut self, now: Timestamp) {
        self.progress = Progress::Started;
        self.decline = None;
        self.started_at = now;
    }

    /// Returns the outcome to record after the processor was asked about the operation; `None` if the answer adds nothing.
    /// An answer without a result adds nothing, except that an interrupted call is recorded as unknown.
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

    /// Returns the amount that was certainly taken or released, in minor units.
    pub(crate) fn amount_done(&self) -> i64 {
        if self.is_done() {
            self.done_amount.unwrap_or(self.amount)
        } else {
            0
        }
    }

    /// Returns whether the processor reversed it: its last answer is that the operation isn't done, whatever it said before.
    pub(crate) fn is_taken_back(&self) -> bool {
        let takes_back = |decline: &Decline| decline.takes_back;
        self.progress == Progress::Declined && self.decline.as_ref().is_some_and(takes_back)
    }

    /// Returns whether an outcome contradicts the known one. The known one stays, and the operator should look at the case.
    /// Late news that says less than the known outcome is no contradiction.
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
    /// The order of outcomes doesn't matter. A refusal is overridden only by done, and done only by a reversal. Any outcome
    /// fills in members that are missing.
    pub(crate) fn apply(&mut self, outcome: &Outcome, currency: Currency) -> Applied {
        let next = self.after(outcome, currency);
        let goes_on = if self.is_taken_back() {
            false
        } else {
            next.is_taken_back() || self.progress.may_become(next.progress)
        };
        if goes_on {
            let is_news = next != *self;
            *self = next;
            return if is_news {
                Applied::News
            } else {
                Applied::Nothing
            };
        }
        let left_nothing = self.leaves_nothing;
        if !self.fill(outcome) {
            Applied::Nothing
        } else if self.leaves_nothing == left_nothing {
            Applied::Filled
        } else {
            // The status depends on the remaining amount.
            Applied::News
        }
    }

    /// Returns the operation as this outcome alone describes it.
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
            // The outcome repeats the known one in other words.
            next.decline.clone_from(&self.decline);
            next.is_turned_away = self.is_turned_away;
            next.is_given_up = self.is_given_up;
        }
        next
    }

    /// Fills in only the members that are missing; returns whether there were any.
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

/// The effect of an outcome on the record of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Applied {
    /// The outcome adds nothing.
    Nothing,
    /// The outcome fills in members that were missing.
    Filled,
    /// The outcome changes the progress or the remaining amount.
    News,
}

/// Returns the amount that the processor says it did, in minor units of `currency`.
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
