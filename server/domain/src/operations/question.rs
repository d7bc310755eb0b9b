//! What a processor is to be asked about, and when.

use multirail_kernel::context::Context;
use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::words::words;

use crate::operations::operation::{Operation, Progress};

/// The first pauses between two questions about an outcome that isn't known, in seconds.
const FIRST_PAUSES: [i64; 4] = [2, 5, 15, 60];
/// The first pause where the processor has said that it, or the payer, needs time.
const PENDING_PAUSE: i64 = 60;
/// The longest pause: a day. Nobody stops asking.
const LONGEST_PAUSE: i64 = 86_400;

/// How long after its start a request may still reach a processor that had no trace of it, in seconds: an hour.
pub const LATE_ARRIVAL: i64 = 3_600;

words! {
    /// Why a processor is asked about an operation.
    pub enum Why {
        /// Its call is under way or was cut off.
        Started = "started",
        /// The payer is at the processor's page.
        AwaitingCustomer = "awaiting_customer",
        /// The processor will tell later.
        Pending = "pending",
        /// It was sent, and there was no answer that can be trusted.
        Unknown = "unknown",
        /// The processor has no trace of it, which a request that is slow on its way may change.
        MayStillArrive = "may_still_arrive",
        /// It came to nothing and is asked for once more.
        AskedForAgain = "asked_for_again",
        /// It waits for the worker that asks for it the first time.
        Scheduled = "scheduled",
        /// It is a capture whose time hasn't come yet.
        AwaitsItsTime = "awaits_its_time",
        /// It is an authorization whose hold is over from then on, unless the processor still keeps it.
        MayExpire = "may_expire",
        /// Credentials that were brought for it are still kept, and nothing is left to do with them.
        KeepsCredentials = "keeps_credentials",
    }
}

impl Why {
    /// The operation has no final answer.
    pub fn is_unresolved(self) -> bool {
        match self {
            Why::Started
            | Why::AwaitingCustomer
            | Why::Pending
            | Why::Unknown
            | Why::AskedForAgain
            | Why::Scheduled => true,
            Why::MayStillArrive | Why::AwaitsItsTime | Why::MayExpire | Why::KeepsCredentials => {
                false
            }
        }
    }
}

/// The next question about one operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question<'a> {
    pub about: &'a ProcessorKey,
    pub due_at: Timestamp,
    pub why: Why,
}

impl Operation {
    /// When it is asked about next, and why, if anything can still be learned: soon after an outcome has become unknown, then
    /// with pauses that grow with the `silence`, the seconds since anything new was heard. A call may be under way for up to
    /// `in_flight_seconds`.
    pub fn next_question(
        &self,
        now: Timestamp,
        silence: i64,
        in_flight_seconds: i64,
    ) -> Option<(Timestamp, Why)> {
        let pause = pause_after(silence);
        let in_pause = |seconds: i64| now.plus_seconds(seconds).unwrap_or(now);
        match self.progress {
            Progress::Started => {
                let over = self.started_at.plus_seconds(in_flight_seconds);
                let over = over.unwrap_or(self.started_at);
                // Where that has passed, it was asked about and nobody knew.
                let due_at = if over > now { over } else { in_pause(pause) };
                Some((due_at, Why::Started))
            }
            Progress::Unknown => Some((in_pause(pause), Why::Unknown)),
            Progress::AwaitingCustomer => {
                Some((in_pause(pause.max(PENDING_PAUSE)), Why::AwaitingCustomer))
            }
            Progress::Pending => Some((in_pause(pause.max(PENDING_PAUSE)), Why::Pending)),
            Progress::NeverHappened => {
                Some((in_pause(pause), Why::MayStillArrive)).filter(|_| self.may_still_arrive(now))
            }
            Progress::Done | Progress::Declined => None,
        }
    }

    /// The processor may still say something new about it.
    pub(crate) fn awaits_an_answer(&self, now: Timestamp) -> bool {
        match self.progress {
            Progress::Started
            | Progress::AwaitingCustomer
            | Progress::Pending
            | Progress::Unknown => true,
            Progress::NeverHappened => self.may_still_arrive(now),
            Progress::Done | Progress::Declined => false,
        }
    }

    /// Somebody is to ask about it now: it awaits an answer, and no call of it may be under way.
    pub(crate) fn is_to_be_asked_about(&self, context: &Context) -> bool {
        let may_be_under_way =
            self.progress == Progress::Started && self.started_at > context.calls_over_until;
        self.awaits_an_answer(context.now) && !may_be_under_way
    }

    /// A processor that has no trace of a request may not have got it yet: what is slow on its way can arrive after the
    /// question about it. So it is asked about for a while longer, and a late approval is found.
    fn may_still_arrive(&self, now: Timestamp) -> bool {
        now.seconds_since(self.started_at) < LATE_ARRIVAL
    }
}

/// How long to wait with the next question when nothing new was heard for so long: the first pauses one after the other,
/// then as long again as the silence has lasted.
pub(crate) fn pause_after(silence: i64) -> i64 {
    let mut begins = 0;
    for pause in FIRST_PAUSES {
        begins += pause;
        if silence < begins {
            return pause;
        }
    }
    silence.min(LONGEST_PAUSE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_are_short_at_first_and_never_longer_than_a_day() {
        let mut silence = 0;
        let mut pauses = Vec::new();
        while pauses.last() != Some(&LONGEST_PAUSE) {
            let pause = pause_after(silence);
            pauses.push(pause);
            silence += pause;
        }
        assert_eq!(pauses[..7], [2, 5, 15, 60, 82, 164, 328]);
        assert!(pauses.windows(2).all(|two| two[0] <= two[1]), "{pauses:?}");
        assert_eq!(pauses.len(), 16);
        assert_eq!(pause_after(i64::MAX), LONGEST_PAUSE);
    }
}
