//! The capture of a payment with `capture_method` `scheduled`: a worker asks for it when its time has come.

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

/// A capture that is asked for at its time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScheduledCapture {
    /// Drawn with the authorization, so that the processor does it once, whoever asks for it and however often.
    pub key: ProcessorKey,
    pub due_at: Timestamp,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

impl Payment {
    /// The capture that the terms of a confirm schedule. What the merchant notes as `capture_on` with another capture method
    /// schedules nothing.
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

    /// Begins the scheduled capture if its time has come, or once more if it came to nothing. A question that is only
    /// `about` another operation leaves it alone.
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

    /// Returns what the scheduled capture takes: the payment's `amount_to_capture`, else what was authorized. It never takes
    /// what overcapture allows beyond that, since nobody asked for it.
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
    /// The scheduled capture while it waits for its time. A capture by hand takes its place; a cancel ends it, also one that
    /// came to nothing: the merchant doesn't want the money.
    pub(crate) fn scheduled_and_awaited(&self) -> Option<&ScheduledCapture> {
        let is_awaited =
            self.status.phase() == Phase::Held && self.captures.is_empty() && self.voids.is_empty();
        self.scheduled_capture.as_deref().filter(|_| is_awaited)
    }

    /// The scheduled capture of which the processor has no trace: nobody else asks for it, so it is asked for again, under
    /// the same key.
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
