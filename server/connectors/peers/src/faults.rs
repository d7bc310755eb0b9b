//! Scripted faults between a processor and us.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// The fault of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Not executed; the connection breaks.
    LosesRequest,
    /// Executed; the connection breaks during the answer.
    LosesAnswer,
    /// Not executed, and never answered.
    StaysSilent,
    /// Executed, and never answered.
    AnswersNever,
    /// Executed; the answer starts and never ends.
    AnswersHalf,
    /// Executed; the answer is 200 with an unreadable body.
    AnswersNonsense,
    /// Executed; the answer is 200 with far too much JSON.
    AnswersHuge,
    /// Not executed; a gateway answers with this status.
    Gateway(u16),
    /// Executed; a gateway answers with this status.
    GatewayAfter(u16),
    /// Executed; the answer is a failure with the headers that ask for the same request again.
    AsksForRepeat,
    /// Not executed; 429 with a `Retry-After` of one second.
    Throttles,
    /// Not executed; 429 with a `Retry-After` of one hour.
    ThrottlesForLong,
    /// Executed and answered; then the connection takes no further requests, as before a restart.
    AnswersAndLeaves,
}

impl Fault {
    /// Checks whether the processor executes the request.
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

/// Scripted faults, first in, first out. Requests without a fault succeed.
#[derive(Default)]
pub struct Faults(Mutex<VecDeque<Fault>>);

impl Faults {
    /// Adds a fault for the next request without one.
    pub fn next(&self, fault: Fault) {
        self.lock().push_back(fault);
    }

    /// Returns the number of unused faults.
    pub fn waiting(&self) -> usize {
        self.lock().len()
    }

    /// Removes the unused faults.
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
