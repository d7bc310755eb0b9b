//! Faults by script: what the next calls that reach the simulated processor shall meet, and the next notices that it
//! sends. For tests and for trying out how multirail takes it.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The kinds of call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Call {
    Authorize,
    /// The data of the payer's device were collected.
    CompleteAuthorization,
    Increment,
    Capture,
    Void,
    Refund,
    AcceptDispute,
    ChallengeDispute,
    LookUp,
    /// A wallet's session is opened.
    Session,
    /// The question whether an API key is taken.
    Account,
}

/// What one call meets. The last four say how the processor decides; a question takes no notice of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Not done; the connection breaks.
    LosesRequest,
    /// Done; the connection breaks before the answer is through.
    LosesAnswer,
    /// Not done; no answer within the deadline.
    TimesOut,
    /// Done; the answer comes after the deadline.
    AnswersLate,
    /// Not done yet and no answer within the deadline: it waits on the way until the script lets it arrive, with
    /// [`Processor::deliver_held`](crate::processor::Processor::deliver_held).
    HeldOnTheWay,
    /// Done; the answer can't be read.
    AnswersNonsense,
    /// Not done; answered with this 5xx status.
    FailsBefore(u16),
    /// Done; answered with this 5xx status.
    FailsAfter(u16),
    /// Not done; answered with 429.
    Throttles,
    /// Refused with these words, whatever else holds. A capture that is refused with `DC_13` finds that the authorization
    /// has lapsed: what is left of it is free.
    Declines { code: String, message: String },
    /// Taken; done when it is asked about.
    Pends,
    /// Taken; refused with these words when it is asked about.
    PendsThenDeclines { code: String, message: String },
    /// An authorization is approved for this much only, in minor units.
    ApprovesOnly(i64),
}

/// What becomes of one notice on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeFault {
    /// It never arrives, and the processor doesn't find out.
    Lost,
    /// It arrives twice.
    SentTwice,
    /// It waits on the way until the script lets it arrive, with
    /// [`Processor::deliver_held_notices`](crate::processor::Processor::deliver_held_notices): late, and after what
    /// was sent meanwhile.
    HeldOnTheWay,
    /// It is signed with another secret than the account's, once and for all.
    SignedWrongly,
}

/// Faults in waiting: first in, first out for each kind of call. Calls that find none go well.
#[derive(Debug, Default)]
pub struct Script {
    faults: Mutex<HashMap<Call, VecDeque<Fault>>>,
    notice_faults: Mutex<VecDeque<NoticeFault>>,
    waiting: AtomicUsize,
    delay_micros: AtomicU64,
}

impl Script {
    /// The next call of this kind that has no fault yet meets this one.
    pub fn next(&self, call: Call, fault: Fault) {
        let mut faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        faults.entry(call).or_default().push_back(fault);
        self.waiting.fetch_add(1, Ordering::Release);
    }

    /// The next `times` calls of this kind meet the same fault.
    pub fn next_times(&self, times: usize, call: Call, fault: &Fault) {
        for _ in 0..times {
            self.next(call, fault.clone());
        }
    }

    /// The next notice that has no fault yet meets this one.
    pub fn next_notice(&self, fault: NoticeFault) {
        let mut faults = self.lock_notice_faults();
        faults.push_back(fault);
        self.waiting.fetch_add(1, Ordering::Release);
    }

    /// How many faults nobody has met yet. A test that leaves some didn't test what it meant to.
    pub fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Acquire)
    }

    /// Forgets the faults in waiting.
    pub fn clear(&self) {
        let mut faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        faults.clear();
        self.lock_notice_faults().clear();
        self.waiting.store(0, Ordering::Release);
    }

    /// How long every answer takes from now on. 0 at first.
    pub fn set_delay(&self, delay: Duration) {
        let micros = u64::try_from(delay.as_micros()).unwrap_or(u64::MAX);
        self.delay_micros.store(micros, Ordering::Release);
    }

    /// How long every answer takes.
    pub fn delay(&self) -> Duration {
        Duration::from_micros(self.delay_micros.load(Ordering::Acquire))
    }

    /// The fault that a call of this kind meets now.
    pub(crate) fn take(&self, call: Call) -> Option<Fault> {
        if self.waiting() == 0 {
            return None;
        }
        let mut faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        let fault = faults.get_mut(&call)?.pop_front()?;
        self.waiting.fetch_sub(1, Ordering::Release);
        Some(fault)
    }

    /// The fault that a notice meets when it is sent for the first time.
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
