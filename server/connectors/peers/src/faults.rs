//! What goes wrong between a processor and us, by script.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// What the next request meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Not done; the connection breaks.
    LosesRequest,
    /// Done; the connection breaks before the answer is through.
    LosesAnswer,
    /// Not done, and no answer ever.
    StaysSilent,
    /// Done, and no answer ever.
    AnswersNever,
    /// Done; the answer begins and never ends.
    AnswersHalf,
    /// Done; the answer is 200 and no word of the processor's language.
    AnswersNonsense,
    /// Done; the answer is 200, JSON, and far too long.
    AnswersHuge,
    /// Not done; answered with this status by something on the way that isn't the processor.
    Gateway(u16),
    /// Done; answered with this status by something on the way.
    GatewayAfter(u16),
    /// Done; answered with a failure and the processors' headers that ask for the same request once more.
    AsksForRepeat,
    /// Not done; 429 with a `Retry-After` of one second.
    Throttles,
    /// The same of an hour.
    ThrottlesForLong,
    /// Done and answered; the processor takes no more requests on this connection, as before a restart.
    AnswersAndLeaves,
}

impl Fault {
    /// Whether the processor did what was asked of it.
    pub fn is_done(self) -> bool {
        match self {
            Fault::LosesAnswer
            | Fault::AnswersNever
            | Fault::AnswersHalf
            | Fault::AnswersNonsense
            | Fault::AnswersHuge
            | Fault::GatewayAfter(_)
            | Fault::AsksForRepeat
            | Fault::AnswersAndLeaves => true,
            Fault::LosesRequest
            | Fault::StaysSilent
            | Fault::Gateway(_)
            | Fault::Throttles
            | Fault::ThrottlesForLong => false,
        }
    }
}

/// Faults in waiting, first in, first out. A request that finds none goes well.
#[derive(Default)]
pub struct Faults(Mutex<VecDeque<Fault>>);

impl Faults {
    /// The next request that has no fault yet meets this one.
    pub fn next(&self, fault: Fault) {
        self.lock().push_back(fault);
    }

    /// How many nobody has met yet.
    pub fn waiting(&self) -> usize {
        self.lock().len()
    }

    /// Those that nobody has met yet are met by nobody.
    pub fn forget(&self) {
        self.lock().clear();
    }

    pub(super) fn take(&self) -> Option<Fault> {
        self.lock().pop_front()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, VecDeque<Fault>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
