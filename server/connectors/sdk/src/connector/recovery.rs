//! Recovery: ways to learn the outcome of a request when no answer can be trusted. Processors
//! differ here, and nothing is reported as failed without the proof that they give.

use multirail_kernel::words::words;

use super::{DeclineCategory, OperationKind, Outcome, UnknownReason};

/// The way to learn an operation's outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recovery {
    /// Look the operation up at the processor.
    LookUp(Absence),
    /// Repeat the request under the same key. Within this time the processor answers with the
    /// result of the first one. Look-ups are impossible.
    Repeat { within_seconds: i64 },
    /// Wait for a notice from the processor; no request can help.
    Notice,
    /// Wait as with [`Recovery::Notice`], but only this long. Then the operation is given up and
    /// undone by our key, so that nobody waits for a request that never arrived.
    GiveUp { after_seconds: i64 },
}

/// A processor's answers to repeated requests under the same key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeptAnswers {
    /// For this many seconds it repeats its first answer.
    pub seconds: i64,
    /// True if the processor also repeats its own failures. If false, it executes a repeat after a
    /// failure again, so the effect may happen twice.
    pub failures_too: bool,
}

impl KeptAnswers {
    /// Checks whether the same request is safe after an unknown outcome of this reason.
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

/// The meaning of a "not found" from a processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absence {
    /// The request never took effect.
    Proves,
    /// The request never took effect, if it is at least this old: the processor's search lags
    /// behind.
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
    /// Returns the same recovery for all kinds.
    pub const fn all(recovery: Recovery) -> Self {
        Recoveries {
            authorize: recovery,
            increment: recovery,
            capture: recovery,
            void: recovery,
            refund: recovery,
        }
    }

    pub fn for_operation(&self, kind: OperationKind) -> Recovery {
        match kind {
            OperationKind::Authorize => self.authorize,
            OperationKind::Increment => self.increment,
            OperationKind::Capture => self.capture,
            OperationKind::Void => self.void,
            OperationKind::Refund => self.refund,
        }
    }
}

/// The next request to learn an operation's outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FollowUp {
    /// A look-up.
    LookUp,
    /// The same request again, under the same key.
    Repeat,
    /// No request: the operation is given up.
    GiveUp,
    /// No request: the processor will send a notice.
    Nothing,
}

words! {
    /// The event that an unfinished operation waits for.
    pub enum WaitsFor {
        /// A look-up at the processor.
        LookUp = "look_up",
        /// A repetition of the request.
        Repeat = "repeat",
        /// A notice from the processor.
        Notice = "notice",
        /// The payer's action on the processor's page.
        Payer = "payer",
        /// The request itself: the first one, or another one after one without effect.
        Call = "call",
    }
}

impl Outcome {
    /// Interprets the answer to a repeated request. A repeat that is turned away says nothing about
    /// the first request, which may have succeeded.
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

/// The result of a look-up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// The operation's outcome; unknown if the look-up itself failed.
    Outcome(Outcome),
    /// The processor found nothing.
    Absent { reason: String },
}

/// A failed look-up.
impl From<UnknownReason> for Finding {
    fn from(reason: UnknownReason) -> Self {
        Finding::Outcome(Outcome::Unknown(reason))
    }
}

impl Finding {
    /// Returns the outcome of an operation that was sent `age_seconds` ago.
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
