//! Voiding a captured payment before settlement: the processor cancels the capture as if it had never been made.
//! (`POST /payments/{payment_id}/cancel_post_capture`)
//!
//! - It reverses the whole captured amount and releases the uncaptured rest. No refund of it may exist or be under way and no
//!   dispute may hold any of it, because the payer would get the money twice. The excess of a transfer is no part of it.
//! - While it is open the payment keeps its status, and can neither be captured further nor refunded.
//! - If the processor refuses, nothing changes, and the payment can be refunded as before.

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

/// One void of an attempt's whole captured amount.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PostCaptureVoid {
    /// The operation; its amount is the amount captured at the time of the request.
    pub operation: Operation,
    /// The merchant's reason.
    pub reason: Option<String>,
    /// Time of the last news about it.
    pub modified_at: Timestamp,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

words! {
    /// The public status of a void after capture. An unknown outcome is shown as pending.
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

    /// Returns why it failed, in the processor's words or the server's.
    pub fn description(&self) -> Option<String> {
        let decline = self.operation.decline.as_ref()?;
        Some(format!("{}: {}", decline.code, decline.message))
    }
}

impl Payment {
    /// Returns the newest void after capture.
    pub fn post_capture_void(&self) -> Option<&PostCaptureVoid> {
        self.active().post_capture_voids.last()
    }

    /// Asks the processor to void the whole captured amount.
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
        self.check_money_goes_back("a void after capture")?;
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
        } else if self.has_refund_of_captured() {
            refuse("some of what was captured is refunded or being refunded")
        } else if self.held_by_disputes() > 0 {
            refuse("a dispute holds some of what was captured")
        } else {
            Ok(())
        }
    }

    /// Refuses an action while a void after capture is open.
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

    /// Records news of a void after capture, and returns its effects.
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
            // The merchant expected the money to be returned and now has to refund it. No status announces that.
            return vec![self.announce(EventType::ActionRequired, about)];
        }
        effects
    }
}

impl Attempt {
    /// Returns whether a void of the captured amount is open.
    pub(crate) fn is_being_voided_after_capture(&self) -> bool {
        let mut voids = self.post_capture_voids.iter();
        voids.any(|void| void.operation.is_open())
    }

    /// Returns whether the captured amount was voided.
    pub(crate) fn is_voided_after_capture(&self) -> bool {
        let mut voids = self.post_capture_voids.iter();
        voids.any(|void| void.operation.is_done())
    }

    /// Returns the amount that voids after capture have reversed, in minor units.
    pub(crate) fn voided_after_capture(&self) -> i64 {
        let voids = self.post_capture_voids.iter();
        voids.fold(0, |sum, void| {
            sum.saturating_add(void.operation.amount_done())
        })
    }

    /// Returns the status of an attempt whose captured amount was voided.
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

    /// Returns the status of an attempt with automatic capture whose void after capture was reversed.
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
