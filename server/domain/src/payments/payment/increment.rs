//! Incremental authorization: raising an authorization before any of it is captured. (Specification 2.10)

use multirail_kernel::ids::{IncrementId, ProcessorKey};
use multirail_kernel::money::MAX_AMOUNT_MINOR;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::unread::UnreadMembers;
use multirail_kernel::words::words;
use multirail_sdk::connector::OperationKind;
use serde::{Deserialize, Serialize};

use crate::customers::mandate::charge::above;
use crate::payments::payment::recurring::FoundMandate;
use crate::payments::payment::settle::Conflict;
use crate::payments::payment::status::Phase;
use crate::payments::payment::{
    AtHand, Attempt, Context, Effect, Operation, Payment, PaymentStatus, ProcessorCall, Progress,
    Step,
};

/// One raise of an authorization. The processor's back office may also lower it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Increment {
    pub increment_id: IncrementId,
    /// The total that was authorized before the raise, in minor units.
    pub previously_authorized: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The operation; its amount is the new total.
    pub operation: Operation,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

words! {
    /// Public status of an increment.
    pub enum IncrementStatus {
        Success = "success",
        Failure = "failure",
        Processing = "processing",
        /// The processor's result is unknown.
        Unresolved = "unresolved",
    }
}

/// The input of a raise.
#[derive(Clone, Debug)]
pub struct RaiseAuthorization {
    /// The new total.
    pub amount: i64,
    pub reason: Option<String>,
    /// The id of the new increment.
    pub increment_id: IncrementId,
    /// The mandate under which the payment charges, in its present state.
    pub mandate: FoundMandate,
    pub credentials: AtHand,
}

impl Increment {
    pub fn status(&self) -> IncrementStatus {
        match self.operation.progress {
            Progress::Started | Progress::AwaitingCustomer | Progress::Pending => {
                IncrementStatus::Processing
            }
            Progress::Unknown => IncrementStatus::Unresolved,
            Progress::Done => IncrementStatus::Success,
            Progress::Declined | Progress::NeverHappened => IncrementStatus::Failure,
        }
    }
}

impl Payment {
    pub(crate) fn raise_authorization(
        &self,
        raise: RaiseAuthorization,
        context: &Context,
    ) -> Result<Step, Refusal> {
        self.check_can_be_raised()?;
        self.check_raised_amount(raise.amount)?;
        let charged = self.raise_under(raise.mandate, raise.amount, context.now)?;
        self.active().check_credentials(&raise.credentials)?;
        let mut payment = self.clone();
        payment.modified_at = context.now;
        let attempt = payment.active_mut();
        attempt.modified_at = context.now;
        attempt.bring(raise.credentials.given);
        let key = context.fresh_key();
        attempt.increments.push(Increment {
            increment_id: raise.increment_id,
            previously_authorized: attempt.authorized(),
            reason: raise.reason,
            operation: Operation::start(key.clone(), raise.amount, context.now),
            unread: UnreadMembers::default(),
        });
        let call = ProcessorCall {
            kind: OperationKind::Increment,
            attempt: attempt.number,
            key,
        };
        let charged = charged.map(Effect::Mandate);
        Ok(Step {
            payment,
            effects: charged.into_iter().chain([Effect::Call(call)]).collect(),
            data: None,
        })
    }

    fn check_can_be_raised(&self) -> Result<(), Refusal> {
        match self.status {
            PaymentStatus::RequiresCapture => {}
            PaymentStatus::RequiresPaymentMethod
            | PaymentStatus::RequiresConfirmation
            | PaymentStatus::RequiresCustomerAction
            | PaymentStatus::RequiresMerchantAction
            | PaymentStatus::Processing
            | PaymentStatus::PartiallyAuthorizedAndRequiresCapture
            | PaymentStatus::PartiallyCapturedAndCapturable
            | PaymentStatus::PartiallyCapturedAndProcessing
            | PaymentStatus::Succeeded
            | PaymentStatus::PartiallyCaptured
            | PaymentStatus::Failed
            | PaymentStatus::Cancelled
            | PaymentStatus::CancelledPostCapture
            | PaymentStatus::Conflicted
            | PaymentStatus::Expired => {
                return Err(Refusal::precondition(format!(
                    "the authorization of a payment whose status is {} can't be raised",
                    self.status
                )));
            }
        }
        let attempt = self.active();
        match attempt.may_be_raised {
            Some(true) if attempt.allows_raises() => {}
            Some(true) => {
                return Err(Refusal::precondition(
                    "the authorization can't be raised: the processor has said so when it approved it",
                ));
            }
            None => {
                return Err(Refusal::precondition(
                    "the authorization can't be raised: request_incremental_authorization was not set",
                ));
            }
            Some(false) => {
                let connector = attempt.connector.as_deref().unwrap_or_default();
                return Err(Refusal::FlowNotSupported {
                    flow: format!("raising an authorization through {connector}"),
                });
            }
        }
        let mut increments = attempt.increments.iter();
        if increments.any(|increment| increment.operation.is_open()) {
            return Err(Refusal::precondition(
                "the authorization can't be raised: the processor hasn't decided on the raise before",
            ));
        }
        Ok(())
    }

    fn check_raised_amount(&self, amount: i64) -> Result<(), Refusal> {
        let total = self.terms.total();
        if amount <= total {
            return Err(Refusal::precondition(format!(
                "amount {amount} is not above the total of {total} that is authorized: it is the new total"
            )));
        }
        if let Some(most) = self.most_permitted().filter(|most| amount > *most) {
            return Err(above(amount, most));
        }
        if amount > MAX_AMOUNT_MINOR {
            return Err(Refusal::precondition(format!(
                "amount {amount} is above {MAX_AMOUNT_MINOR}, the largest amount that is accepted"
            )));
        }
        Ok(())
    }

    /// Applies news of an increment. It announces nothing: an authorization is announced only once.
    pub(crate) fn apply_increment(&mut self, index: usize, increment: usize) -> Vec<Effect> {
        let attempt = &self.attempts[index];
        let operation = &attempt.increments[increment].operation;
        let is_other_amount = operation.is_done() && operation.amount_done() != operation.amount;
        if is_other_amount && attempt.status.phase() != Phase::Conflicted {
            let conflict = self.set_status(index, Err(Conflict::OtherAmount));
            return conflict.into_iter().collect();
        }
        self.count_increments(index);
        Vec::new()
    }

    /// Sets the payment's authorized amount to the highest total that was granted since the processor's back office lowered it.
    /// Once there is a capture, raises no longer count: the capture was decided on the former total, and the processor releases
    /// the rest.
    pub(crate) fn count_increments(&mut self, index: usize) {
        let attempt = &mut self.attempts[index];
        if attempt.may_be_captured_from() {
            return;
        }
        let granted = attempt.increments.iter().filter(|increment| {
            let operation = &increment.operation;
            operation.is_done() && operation.amount_done() == operation.amount
        });
        let total = granted.fold(None, |total: Option<i64>, increment| {
            let amount = increment.operation.amount;
            let is_lower = amount < increment.previously_authorized;
            Some(
                total
                    .filter(|_| !is_lower)
                    .map_or(amount, |total| total.max(amount)),
            )
        });
        let Some(total) = total else {
            return;
        };
        let more = total - attempt.authorized();
        attempt.authorized_amount = Some(total);
        attempt.amount = total;
        if index + 1 == self.attempts.len() {
            self.terms.amount += more;
        }
    }
}

impl Attempt {
    /// Returns whether the authorization can be raised: the request asked for it, the connector supports it, and the processor
    /// didn't exclude it for this card.
    pub fn allows_raises(&self) -> bool {
        let said = self.hold.as_ref().and_then(|hold| hold.may_be_raised);
        self.may_be_raised == Some(true) && said != Some(false)
    }

    /// Returns the increment whose operation has this key.
    pub fn increment(&self, key: &ProcessorKey) -> Option<&Increment> {
        let mut increments = self.increments.iter();
        increments.find(|increment| increment.operation.key == *key)
    }
}
