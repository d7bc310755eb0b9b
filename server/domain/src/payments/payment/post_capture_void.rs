//! Voiding what was captured: the processor takes a capture off its books before it is settled, as if nothing had been
//! taken. (`POST /payments/{payment_id}/cancel_post_capture`)
//!
//! - It takes everything: all that was captured goes back, and what was still reserved is free. So it is only asked for
//!   while nothing of it was refunded, is being refunded or is held by a dispute: else the same money would go back twice.
//! - While it is under way the payment stays as it was, and is neither captured further nor refunded.
//! - Refused, it changes nothing, and the payment can be refunded as before.

use multirail_kernel::event::EventType;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use multirail_kernel::words::words;
use multirail_sdk::connector::OperationKind;
use serde::{Deserialize, Serialize};

use crate::operations::operation::{Operation, Progress};
use crate::payments::payment::news::{Before, Said, news_is_about};
use crate::payments::payment::settle::Conflict;
use crate::payments::payment::{
    AtHand, Attempt, AttemptStatus, Context, Effect, Payment, PaymentStatus, ProcessorCall, Step,
};

/// One void of everything that an attempt captured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PostCaptureVoid {
    /// Its amount is all that was captured when it was asked for.
    pub operation: Operation,
    /// The merchant's.
    pub reason: Option<String>,
    /// When what is known of it last changed.
    pub modified_at: Timestamp,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

words! {
    /// The public status of a void after capture. Not knowing is shown as pending.
    pub enum PostCaptureVoidStatus {
        Pending = "pending",
        Succeeded = "succeeded",
        Failed = "failed",
    }
}

impl PostCaptureVoid {
    pub fn status(&self) -> PostCaptureVoidStatus {
        match self.operation.progress {
            Progress::Started
            | Progress::AwaitingCustomer
            | Progress::Pending
            | Progress::Unknown => PostCaptureVoidStatus::Pending,
            Progress::Done => PostCaptureVoidStatus::Succeeded,
            Progress::Declined | Progress::NeverHappened => PostCaptureVoidStatus::Failed,
        }
    }

    /// Why it failed, in the processor's words or ours.
    pub fn description(&self) -> Option<String> {
        let decline = self.operation.decline.as_ref()?;
        Some(format!("{}: {}", decline.code, decline.message))
    }
}

impl Payment {
    /// The void after capture that was asked for last.
    pub fn post_capture_void(&self) -> Option<&PostCaptureVoid> {
        self.active().post_capture_voids.last()
    }

    /// Asks the processor to void all that was captured.
    pub(crate) fn cancel_post_capture(
        &self,
        reason: Option<String>,
        credentials: AtHand,
        context: &Context,
    ) -> Result<Step, Refusal> {
        self.check_post_capture_void()?;
        self.active().check_credentials(&credentials)?;
        let mut payment = self.clone();
        payment.modified_at = context.now;
        let attempt = payment.active_mut();
        attempt.modified_at = context.now;
        attempt.bring(credentials.given);
        let key = context.fresh_key();
        let amount = attempt.captured_amount();
        attempt.post_capture_voids.push(PostCaptureVoid {
            operation: Operation::start(key.clone(), amount, context.now),
            reason,
            modified_at: context.now,
            unread: UnreadMembers::default(),
        });
        let call = ProcessorCall {
            kind: OperationKind::Void,
            attempt: attempt.number,
            key,
        };
        Ok(Step {
            payment,
            effects: vec![Effect::Call(call)],
            data: None,
        })
    }

    fn check_post_capture_void(&self) -> Result<(), Refusal> {
        let refuse = |why: &str| {
            Err(Refusal::precondition(format!(
                "the captures of the payment can't be voided: {why}"
            )))
        };
        match self.status {
            PaymentStatus::Succeeded
            | PaymentStatus::PartiallyCaptured
            | PaymentStatus::PartiallyCapturedAndCapturable => {}
            PaymentStatus::RequiresPaymentMethod
            | PaymentStatus::RequiresConfirmation
            | PaymentStatus::RequiresCustomerAction
            | PaymentStatus::RequiresMerchantAction
            | PaymentStatus::Processing
            | PaymentStatus::RequiresCapture
            | PaymentStatus::PartiallyAuthorizedAndRequiresCapture
            | PaymentStatus::PartiallyCapturedAndProcessing
            | PaymentStatus::Failed
            | PaymentStatus::Cancelled
            | PaymentStatus::CancelledPostCapture
            | PaymentStatus::Conflicted
            | PaymentStatus::Expired => {
                return refuse(&format!("its status is {}", self.status));
            }
        }
        let attempt = self.active();
        let mut operations = attempt.operations();
        if attempt.captured_amount() == 0 {
            refuse("nothing was captured")
        } else if attempt.is_being_voided_after_capture() {
            refuse("the processor has not said yet what became of the void before")
        } else if operations.any(|(_, operation)| operation.is_open()) {
            refuse("the processor has not said yet what became of a capture or a void")
        } else if self.refunds_amount() > 0 || self.has_open_refund() {
            refuse("some of what was captured is refunded or being refunded")
        } else if self.held_by_disputes() > 0 {
            refuse("a dispute holds some of what was captured")
        } else {
            Ok(())
        }
    }

    /// Refuses what has to wait until the processor has said what became of a void after capture.
    pub(crate) fn check_not_being_voided(&self, action: &'static str) -> Result<(), Refusal> {
        if self.active().is_being_voided_after_capture() {
            return Err(Refusal::NotInState {
                action,
                field: "state_metadata.post_capture_void.status",
                actual: PostCaptureVoidStatus::Pending.to_string(),
                expected: PostCaptureVoidStatus::Failed.to_string(),
            });
        }
        Ok(())
    }

    /// What follows from news of a void after capture, which are recorded.
    pub(crate) fn apply_post_capture_void(
        &mut self,
        index: usize,
        void: usize,
        before: Before,
        now: Timestamp,
    ) -> Vec<Effect> {
        let attempt = &mut self.attempts[index];
        attempt.post_capture_voids[void].modified_at = now;
        let PostCaptureVoid {
            operation, reason, ..
        } = attempt.post_capture_voids[void].clone();
        let name = format!(
            "{}_post_capture_void_{}",
            self.attempt_id(self.attempts[index].number),
            void + 1
        );
        let about = news_is_about(name, &operation);
        let said = Said {
            taken: false,
            first_word: false,
            refused: false,
            lost: false,
            about: about.clone(),
        };
        let effects = self.settle(index, before, said);
        if !self.is_active(index) || self.status == PaymentStatus::Conflicted {
            return effects;
        }
        if operation.is_done() && reason.is_some() {
            self.cancellation_reason = reason;
        } else if before.is_taken_back() {
            self.cancellation_reason = None;
        }
        let came_to_nothing = match operation.progress {
            Progress::Declined => before.progress != Progress::Declined,
            Progress::NeverHappened => before.progress != Progress::Started,
            Progress::Started
            | Progress::AwaitingCustomer
            | Progress::Pending
            | Progress::Unknown
            | Progress::Done => false,
        };
        if came_to_nothing {
            // Somebody waits for the money to be gone, and has to refund it instead: no status tells that.
            return vec![self.announce(EventType::ActionRequired, about)];
        }
        effects
    }
}

impl Attempt {
    /// A void of what was captured is under way.
    pub(crate) fn is_being_voided_after_capture(&self) -> bool {
        let mut voids = self.post_capture_voids.iter();
        voids.any(|void| void.operation.is_open())
    }

    /// What was captured was voided.
    pub(crate) fn is_voided_after_capture(&self) -> bool {
        let mut voids = self.post_capture_voids.iter();
        voids.any(|void| void.operation.is_done())
    }

    /// What voids after capture have given back, in minor units.
    pub(crate) fn voided_after_capture(&self) -> i64 {
        let voids = self.post_capture_voids.iter();
        voids.fold(0, |sum, void| {
            sum.saturating_add(void.operation.amount_done())
        })
    }

    /// The status of an attempt of which everything was voided after capture.
    pub(crate) fn voided_status(&self) -> Result<AttemptStatus, Conflict> {
        let mut voids = self.post_capture_voids.iter().map(|void| &void.operation);
        let is_other = |void: &Operation| void.is_done() && void.amount_done() != void.amount;
        if voids.any(is_other) {
            Err(Conflict::OtherAmount)
        } else if self.captured_amount() > 0 {
            Err(Conflict::CapturedAfterTheEnd)
        } else {
            Ok(AttemptStatus::VoidedPostCharge)
        }
    }

    /// The status of an attempt that is no longer voided after capture, where the authorization took the money.
    pub(crate) fn taken_at_once_status(&self) -> AttemptStatus {
        if self.captured_amount() == 0 {
            AttemptStatus::CaptureFailed
        } else if self.authorized() < self.amount {
            AttemptStatus::PartialCharged
        } else {
            AttemptStatus::Charged
        }
    }
}
