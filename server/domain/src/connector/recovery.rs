//! How the outcome of a request is learned that had no answer which can be trusted. Processors differ in it, and nothing is
//! reported as failed on weaker ground than they give.

use super::{OperationKind, Outcome, UnknownReason};

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
    pub capture: Recovery,
    pub void: Recovery,
    pub refund: Recovery,
}

impl Recoveries {
    /// All kinds alike.
    pub const fn all(recovery: Recovery) -> Self {
        Recoveries {
            authorize: recovery,
            capture: recovery,
            void: recovery,
            refund: recovery,
        }
    }

    pub fn of(&self, kind: OperationKind) -> Recovery {
        match kind {
            OperationKind::Authorize => self.authorize,
            OperationKind::Capture => self.capture,
            OperationKind::Void => self.void,
            OperationKind::Refund => self.refund,
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
                Recovery::LookUp(Absence::Proves) => Outcome::NeverHappened { reason },
                Recovery::LookUp(Absence::ProvesAfter { seconds }) if age_seconds >= seconds => {
                    Outcome::NeverHappened { reason }
                }
                Recovery::LookUp(Absence::ProvesAfter { .. })
                | Recovery::Repeat { .. }
                | Recovery::Notice => Outcome::Unknown(UnknownReason::ProcessorError),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
