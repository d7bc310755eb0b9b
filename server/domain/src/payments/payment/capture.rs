//! Capturing an authorization. (Specification 3, 4.11)

use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::refusal::Refusal;
use multirail_sdk::connector::OperationKind;

use crate::payments::payment::{
    AtHand, Attempt, AttemptStatus, CaptureMethod, Context, Effect, Operation, Payment,
    PaymentStatus, ProcessorCall, Step,
};

impl Payment {
    pub(crate) fn capture(
        &self,
        amount_to_capture: Option<i64>,
        credentials: AtHand,
        context: &Context,
    ) -> Result<Step, Refusal> {
        let multiple = self.terms.capture_method == CaptureMethod::ManualMultiple;
        self.check_capturable(multiple)?;
        self.check_not_being_voided("captured")?;
        self.active().check_credentials(&credentials)?;
        let most = self.amounts().capturable;
        let amount = match amount_to_capture {
            Some(amount) if amount <= 0 => {
                return Err(Refusal::invalid_format(
                    "amount_to_capture",
                    "a positive integer",
                ));
            }
            Some(amount) if amount > most => {
                return Err(Refusal::invalid_value(format!(
                    "amount_to_capture {amount} is above amount_capturable {most}"
                )));
            }
            Some(amount) => amount,
            None if most == 0 => {
                return Err(Refusal::invalid_value(
                    "nothing can be captured: amount_capturable is 0",
                ));
            }
            None => most,
        };
        let mut payment = self.clone();
        payment.modified_at = context.now;
        let status = self.status_while_capturing(multiple);
        let attempt = payment.active_mut();
        attempt.modified_at = context.now;
        attempt.decline = None;
        attempt.bring(credentials.given);
        let key = context.fresh_key();
        attempt.push_capture(key.clone(), amount, context);
        let call = ProcessorCall {
            kind: OperationKind::Capture,
            attempt: attempt.number,
            key,
        };
        payment.follow(status);
        Ok(Step {
            payment,
            effects: vec![Effect::Call(call)],
            data: None,
        })
    }

    /// Returns whether no capture can follow the one with this key, so that the processor may release the rest. With several
    /// captures, the final one takes the whole rest while no other is open: if an open one were refused, its amount would be
    /// needed for another capture.
    pub fn is_final_capture(&self, attempt: &Attempt, key: &ProcessorKey) -> bool {
        let mut others = attempt
            .captures
            .iter()
            .map(|capture| &capture.operation)
            .filter(|operation| operation.key != *key);
        self.terms.capture_method != CaptureMethod::ManualMultiple
            || (attempt.uncaptured_amount() == 0 && !others.any(Operation::is_open))
    }

    /// Checks that the payment's status permits captures, before the amount is checked.
    fn check_capturable(&self, multiple: bool) -> Result<(), Refusal> {
        match self.status {
            PaymentStatus::RequiresCapture
            | PaymentStatus::PartiallyCapturedAndCapturable
            | PaymentStatus::PartiallyAuthorizedAndRequiresCapture => Ok(()),
            PaymentStatus::Processing if multiple => Ok(()),
            PaymentStatus::Processing => Err(Refusal::NotInState {
                action: "captured",
                field: "capture_method",
                actual: self.terms.capture_method.to_string(),
                expected: CaptureMethod::ManualMultiple.to_string(),
            }),
            PaymentStatus::RequiresPaymentMethod
            | PaymentStatus::RequiresConfirmation
            | PaymentStatus::RequiresCustomerAction
            | PaymentStatus::RequiresMerchantAction
            // Open captures already take the whole rest.
            | PaymentStatus::PartiallyCapturedAndProcessing
            | PaymentStatus::Succeeded
            | PaymentStatus::PartiallyCaptured
            | PaymentStatus::Failed
            | PaymentStatus::Cancelled
            | PaymentStatus::CancelledPostCapture
            | PaymentStatus::Conflicted
            | PaymentStatus::Expired => Err(Refusal::NotInState {
                action: "captured",
                field: "status",
                actual: self.status.to_string(),
                expected: "requires_capture, partially_captured_and_capturable or processing"
                    .to_owned(),
            }),
        }
    }

    /// Returns the attempt's status during a capture. A single capture is exclusive, so its attempt is `capture_initiated`.
    /// With several captures, an attempt that has some charged keeps its status; the payment's status shows whether anything is
    /// left to capture.
    fn status_while_capturing(&self, multiple: bool) -> AttemptStatus {
        if multiple && self.active().captured_amount() > 0 {
            AttemptStatus::PartialChargedAndChargeable
        } else {
            AttemptStatus::CaptureInitiated
        }
    }
}
