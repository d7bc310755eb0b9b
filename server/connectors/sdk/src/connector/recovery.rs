//! How the outcome of a request is learned that had no answer which can be trusted. Processors differ in it, and nothing is
//! reported as failed on weaker ground than they give.

use multirail_kernel::words::words;

use super::{DeclineCategory, OperationKind, Outcome, UnknownReason};

/// What tells what became of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recovery {
    /// The processor can be asked about it.
    LookUp(Absence),
    /// The processor can't be asked, but the same request under the same key is answered with what became of the first one,
    /// for so many seconds after that.
    Repeat { within_seconds: i64 },
    /// Nothing that we could send: the processor tells it unasked.
    Notice,
    /// As [`Recovery::Notice`], but only for so many seconds. Then it is given up, and undone by our own name for it, so that nobody
    /// waits for what never arrived.
    GiveUp { after_seconds: i64 },
}

/// The answers of a processor to the same request under the same key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeptAnswers {
    /// For so many seconds it answers as it did the first time.
    pub seconds: i64,
    /// Also where it answered with trouble of its own. Otherwise it carries the request out once more, and what a first one did
    /// may be done twice.
    pub failures_too: bool,
}

impl KeptAnswers {
    /// Returns whether the same request is safe after one of which this is known.
    pub fn cover(&self, reason: UnknownReason) -> bool {
        match reason {
            UnknownReason::Timeout | UnknownReason::ConnectionLost | UnknownReason::Interrupted => {
                true
            }
            UnknownReason::ProcessorError | UnknownReason::UnreadableAnswer => self.failures_too,
            UnknownReason::CredentialsGone => false,
        }
    }
}

/// What it proves that a processor finds nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absence {
    /// The request never took effect.
    Proves,
    /// The same, of a request that is as old as this: the processor's search lags behind.
    ProvesAfter { seconds: i64 },
}

/// The recovery of each kind of operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recoveries {
    pub authorize: Recovery,
    pub increment: Recovery,
    pub capture: Recovery,
    pub void: Recovery,
    pub refund: Recovery,
}

impl Recoveries {
    /// All kinds alike.
    pub const fn all(recovery: Recovery) -> Self {
        Recoveries {
            authorize: recovery,
            increment: recovery,
            capture: recovery,
            void: recovery,
            refund: recovery,
        }
    }

    pub fn of(&self, kind: OperationKind) -> Recovery {
        match kind {
            OperationKind::Authorize => self.authorize,
            OperationKind::Increment => self.increment,
            OperationKind::Capture => self.capture,
            OperationKind::Void => self.void,
            OperationKind::Refund => self.refund,
        }
    }
}

/// What is sent to learn what became of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FollowUp {
    /// A question.
    LookUp,
    /// The same request once more, under the same key.
    Repeat,
    /// Nothing any more: it is given up.
    GiveUp,
    /// Nothing: the processor tells it unasked.
    Nothing,
}

words! {
    /// What tells next how it goes on with an operation that has no final answer.
    pub enum WaitsFor {
        /// The processor is asked about it.
        LookUp = "look_up",
        /// The same request is sent once more.
        Repeat = "repeat",
        /// The processor has to tell it unasked.
        Notice = "notice",
        /// The payer has to act at the processor's page.
        Payer = "payer",
        /// The processor is asked for it: the first time, or because it came to nothing.
        Call = "call",
    }
}

impl Outcome {
    /// What the answer to a repeated request says of the operation. That the repeat wasn't taken says nothing about the
    /// request before it, which may have been.
    pub fn of_a_repeat(self) -> Outcome {
        let is_not_taken = match &self {
            Outcome::NeverHappened { .. } => true,
            Outcome::Declined(decline) => match decline.category {
                Some(DeclineCategory::InvalidCredentials | DeclineCategory::RateLimit) => true,
                Some(_) | None => false,
            },
            Outcome::Done(_)
            | Outcome::CustomerMustAct { .. }
            | Outcome::DeviceDataNeeded { .. }
            | Outcome::Pending { .. }
            | Outcome::Unknown(_) => false,
        };
        if is_not_taken {
            Outcome::Unknown(UnknownReason::ProcessorError)
        } else {
            self
        }
    }
}

/// What a look-up came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// What became of the operation; unknown where the look-up itself failed.
    Outcome(Outcome),
    /// The processor found nothing.
    Absent { reason: String },
}

impl Finding {
    /// What it says about an operation that was sent `age_seconds` ago.
    pub fn judge(self, recovery: Recovery, age_seconds: i64) -> Outcome {
        match self {
            Finding::Outcome(outcome) => outcome,
            Finding::Absent { reason } => match recovery {
                Recovery::LookUp(Absence::Proves) => Outcome::never_happened(reason),
                Recovery::LookUp(Absence::ProvesAfter { seconds }) if age_seconds >= seconds => {
                    Outcome::never_happened(reason)
                }
                Recovery::LookUp(Absence::ProvesAfter { .. })
                | Recovery::Repeat { .. }
                | Recovery::Notice
                | Recovery::GiveUp { .. } => Outcome::Unknown(UnknownReason::ProcessorError),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connector::{Approval, Decline};

    #[test]
    fn absence_proves_no_more_than_the_processor_says() {
        let judged = |recovery, age| {
            let absent = Finding::Absent {
                reason: "nothing".to_owned(),
            };
            matches!(absent.judge(recovery, age), Outcome::NeverHappened { .. })
        };
        let lagging = Recovery::LookUp(Absence::ProvesAfter { seconds: 3_600 });
        assert!(judged(Recovery::LookUp(Absence::Proves), 0));
        assert!(!judged(lagging, 3_599));
        assert!(judged(lagging, 3_600));
        assert!(!judged(Recovery::Notice, i64::MAX));
        let repeat = Recovery::Repeat { within_seconds: 60 };
        assert!(!judged(repeat, i64::MAX));
    }

    #[test]
    fn a_repeat_that_was_not_taken_says_nothing() {
        let refused = |category| {
            Outcome::Declined(Decline {
                category,
                ..Decline::default()
            })
        };
        let unknown = Outcome::Unknown(UnknownReason::ProcessorError);
        let reason = "no connection".to_owned();
        for nothing in [
            Outcome::never_happened(reason),
            refused(Some(DeclineCategory::InvalidCredentials)),
            refused(Some(DeclineCategory::RateLimit)),
        ] {
            assert_eq!(nothing.of_a_repeat(), unknown);
        }
        for told in [
            refused(None),
            refused(Some(DeclineCategory::DoNotHonor)),
            Outcome::Done(Approval::default()),
            Outcome::Pending { reference: None },
        ] {
            assert_eq!(told.clone().of_a_repeat(), told);
        }
    }
}
