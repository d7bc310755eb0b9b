//! Scripted faults of calls to the simulated processor and of its notices. They serve tests and
//! show how multirail reacts.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The kinds of call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Call {
    Authorize,
    /// Complete an authorization after the collection of device data.
    CompleteAuthorization,
    Increment,
    Capture,
    Void,
    Refund,
    AcceptDispute,
    ChallengeDispute,
    LookUp,
    /// Open a wallet's session.
    Session,
    /// Check an API key.
    Account,
}

/// The fault of one call. The last four decide an operation's outcome and don't affect look-ups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Not executed; the connection breaks.
    LosesRequest,
    /// Executed; the connection breaks during the answer.
    LosesAnswer,
    /// Not executed; no answer within the deadline.
    TimesOut,
    /// Executed; the answer comes after the deadline.
    AnswersLate,
    /// Not executed yet, and no answer within the deadline: the request waits until
    /// [`Processor::deliver_held`](crate::processor::Processor::deliver_held).
    HeldOnTheWay,
    /// Executed; the answer is unreadable.
    AnswersNonsense,
    /// Not executed; answered with this 5xx status.
    FailsBefore(u16),
    /// Executed; answered with this 5xx status.
    FailsAfter(u16),
    /// Not executed; answered with 429.
    Throttles,
    /// Declined with this code and message, whatever the card. A capture that is declined with
    /// `DC_13` finds the authorization expired: its rest is released.
    Declines { code: String, message: String },
    /// Pending, and completed by a look-up.
    Pends,
    /// Pending, and declined with this code and message by a look-up.
    PendsThenDeclines { code: String, message: String },
    /// The authorization is approved for this amount only, in minor units.
    ApprovesOnly(i64),
}

/// The fault of one notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeFault {
    /// The notice is lost, and the processor doesn't notice.
    Lost,
    /// The notice arrives twice.
    SentTwice,
    /// The notice waits until
    /// [`Processor::deliver_held_notices`](crate::processor::Processor::deliver_held_notices), and
    /// arrives after later notices.
    HeldOnTheWay,
    /// The notice is signed with another secret, in all tries.
    SignedWrongly,
}

/// Scripted faults, first in, first out for each kind of call. Calls without a fault succeed.
#[derive(Debug, Default)]
pub struct Script {
    faults: Mutex<HashMap<Call, VecDeque<Fault>>>,
    notice_faults: Mutex<VecDeque<NoticeFault>>,
    waiting: AtomicUsize,
    delay_micros: AtomicU64,
}

impl Script {
    /// Adds a fault for the next call of this kind without one.
    pub fn next(&self, call: Call, fault: Fault) {
        let mut faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        faults.entry(call).or_default().push_back(fault);
        self.waiting.fetch_add(1, Ordering::Release);
    }

    /// Adds the same fault for the next `times` calls of this kind.
    pub fn next_times(&self, times: usize, call: Call, fault: &Fault) {
        for _ in 0..times {
            self.next(call, fault.clone());
        }
    }

    /// Adds a fault for the next notice without one.
    pub fn next_notice(&self, fault: NoticeFault) {
        let mut faults = self.lock_notice_faults();
        faults.push_back(fault);
        self.waiting.fetch_add(1, Ordering::Release);
    }

    /// Returns the number of unused faults. A test that leaves some hasn't tested what it meant to.
    pub fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Acquire)
    }

    /// Removes the unused faults.
    pub fn clear(&self) {
        let mut faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        faults.clear();
        self.lock_notice_faults().clear();
        self.waiting.store(0, Ordering::Release);
    }

    /// Sets the delay of every answer, 0 at first.
    pub fn set_delay(&self, delay: Duration) {
        let micros = u64::try_from(delay.as_micros()).unwrap_or(u64::MAX);
        self.delay_micros.store(micros, Ordering::Release);
    }

    /// Returns the delay of every answer.
    pub fn delay(&self) -> Duration {
        Duration::from_micros(self.delay_micros.load(Ordering::Acquire))
    }

    /// Takes the fault of the next call of this kind.
    pub(crate) fn take(&self, call: Call) -> Option<Fault> {
        if self.waiting() == 0 {
            return None;
        }
        let mut faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        let fault = faults.get_mut(&call)?.pop_front()?;
        self.waiting.fetch_sub(1, Ordering::Release);
        Some(fault)
    }

    /// Takes the fault of a notice's first try.
    pub(crate) fn take_of_notice(&self) -> Option<NoticeFault> {
        if self.waiting() == 0 {
            return None;
        }
        let fault = self.lock_notice_faults().pop_front()?;
        self.waiting.fetch_sub(1, Ordering::Release);
        Some(fault)
    }

    fn lock_notice_faults(&self) -> MutexGuard<'_, VecDeque<NoticeFault>> {
        self.notice_faults
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
