//! The capture of a payment with `capture_method` `scheduled`, which a worker makes when it is due.

use multirail_kernel::context::Context;
use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::connector::OperationKind;
use serde::{Deserialize, Serialize};

use crate::payments::payment::status::Phase;
use crate::payments::payment::{
    Attempt, AttemptStatus, CaptureMethod, Effect, Operation, Payment, ProcessorCall, Progress,
};

/// A capture with a due time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScheduledCapture {
    /// Generated with the authorization, so that the processor captures once, whoever repeats the request.
    pub key: ProcessorKey,
    pub due_at: Timestamp,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

impl Payment {
    /// Returns the capture that a confirm's terms schedule. With other capture methods `capture_on` is only a note.
    pub(crate) fn schedule_capture(&self, context: &Context) -> Option<ScheduledCapture> {
        if self.terms.capture_method != CaptureMethod::Scheduled {
            return None;
        }
        let capture_on = self.particulars.capture_on.as_deref()?;
        let due_at = Timestamp::parse_rfc3339(capture_on).ok()?;
        Some(ScheduledCapture {
            key: context.fresh_key(),
            due_at,
            unread: UnreadMembers::default(),
        })
    }

    /// Begins the scheduled capture when it is due, or again after it failed. A question `about` another operation doesn't
    /// begin it.
    pub(crate) fn begin_scheduled_capture(
        &mut self,
        about: Option<&ProcessorKey>,
        context: &Context,
    ) -> Option<Effect> {
        let attempt = self.active();
        let is_asked_for = |key: &ProcessorKey| about.is_none_or(|about| about == key);
        let call = |key: &ProcessorKey| {
            Effect::Call(ProcessorCall {
                kind: OperationKind::Capture,
                attempt: attempt.number,
                key: key.clone(),
            })
        };
        if let Some(lost) = attempt.capture_to_repeat() {
            let effect = Some(&lost.key).filter(|key| is_asked_for(key)).map(call)?;
            let attempt = self.active_mut();
            let capture = attempt.captures.last_mut()?;
            capture.operation.start_again(context.now);
            self.capture_is_under_way(context);
            return Some(effect);
        }
        let scheduled = attempt.scheduled_and_awaited()?;
        if scheduled.due_at > context.now || !is_asked_for(&scheduled.key) {
            return None;
        }
        let key = scheduled.key.clone();
        let effect = call(&key);
        let amount = self.scheduled_amount();
        self.active_mut().push_capture(key, amount, context);
        self.capture_is_under_way(context);
        Some(effect)
    }

    /// Returns the amount of the scheduled capture: `amount_to_capture`, or else the authorized amount. It never uses
    /// overcapture, because the merchant didn't request that.
    fn scheduled_amount(&self) -> i64 {
        let authorized = self.active().uncaptured_amount();
        let wished = self.terms.amount_to_capture;
        wished.map_or(authorized, |wished| wished.min(authorized))
    }

    fn capture_is_under_way(&mut self, context: &Context) {
        self.modified_at = context.now;
        let attempt = self.active_mut();
        attempt.modified_at = context.now;
        attempt.decline = None;
        self.follow(AttemptStatus::CaptureInitiated);
    }
}

impl Attempt {
    /// Returns the scheduled capture while it waits for its time. A capture by the merchant replaces it. A cancel ends it, even
    /// one that failed: the merchant doesn't want the money.
    pub(crate) fn scheduled_and_awaited(&self) -> Option<&ScheduledCapture> {
        let is_awaited =
            self.status.phase() == Phase::Held && self.captures.is_empty() && self.voids.is_empty();
        self.scheduled_capture.as_deref().filter(|_| is_awaited)
    }

    /// Returns the scheduled capture if the processor has no record of it. The server repeats it under the same key, because
    /// nobody else would.
    pub(crate) fn capture_to_repeat(&self) -> Option<&Operation> {
        let scheduled = self.scheduled_capture.as_deref()?;
        let is_held = self.status.phase() == Phase::Held && self.voids.is_empty();
        match self.captures.as_slice() {
            [only] if is_held && only.operation.key == scheduled.key => Some(&only.operation)
                .filter(|operation| operation.progress == Progress::NeverHappened),
            [] | [_] | [_, _, ..] => None,
        }
    }
}
