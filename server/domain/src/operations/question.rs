//! The schedule of questions to processors about operations without a final answer.

use multirail_kernel::context::Context;
use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::words::words;

use crate::operations::operation::{Operation, Progress};

/// The first pauses between two questions about an unknown outcome, in seconds.
const FIRST_PAUSES: [i64; 4] = [2, 5, 15, 60];
/// The first pause if the processor has said that it, or the payer, needs time.
const PENDING_PAUSE: i64 = 60;
/// The longest pause: a day. The questions never stop.
const LONGEST_PAUSE: i64 = 86_400;

/// The seconds in which a slow request may still arrive at a processor that had no record of it: an hour.
pub const LATE_ARRIVAL: i64 = 3_600;

words! {
    /// The reason why the server asks a processor about an operation.
    pub enum Why {
        /// The call is under way or was interrupted.
        Started = "started",
        /// The payer is at the processor's page.
        AwaitingCustomer = "awaiting_customer",
        /// The processor will send the result later.
        Pending = "pending",
        /// The operation was sent, and there was no answer that can be trusted.
        Unknown = "unknown",
        /// The processor has no record of it, but a slow request may still arrive.
        MayStillArrive = "may_still_arrive",
        /// The operation failed and is requested again.
        AskedForAgain = "asked_for_again",
        /// The operation waits for the worker to make the first call.
        Scheduled = "scheduled",
        /// A scheduled capture isn't due yet.
        AwaitsItsTime = "awaits_its_time",
        /// An authorization may have expired, unless the processor still holds it.
        MayExpire = "may_expire",
        /// Credentials that came with the request are still stored and no longer needed.
        KeepsCredentials = "keeps_credentials",
    }
}

impl Why {
    /// Returns whether the operation has no final answer.
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
    /// Returns when and why the server asks about the operation next, if it can still learn anything. The first question
    /// follows soon after an outcome becomes unknown. Pauses grow with `silence`, the seconds since the last news. A call may
    /// be under way for up to `in_flight_seconds`.
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
                // After that moment the processor was asked and had no answer.
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

    /// Returns whether the processor may still have news about it.
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

    /// Returns whether the operation is due for a question: it awaits an answer, and no call of it can be under way.
    pub(crate) fn is_to_be_asked_about(&self, context: &Context) -> bool {
        let may_be_under_way =
            self.progress == Progress::Started && self.started_at > context.calls_over_until;
        self.awaits_an_answer(context.now) && !may_be_under_way
    }

    /// Returns whether a slow request may still arrive after the processor said that it has no record of it. The server asks
    /// for a while longer, and so finds a late approval.
    fn may_still_arrive(&self, now: Timestamp) -> bool {
        now.seconds_since(self.started_at) < LATE_ARRIVAL
    }
}

/// Returns the pause before the next question after this many seconds without news. The first pauses come one after the other;
/// then the pause is as long as the silence.
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
