//! Going on with an authorization whose processor wants to know the payer's device first. (Specification 3)

use std::sync::Arc;

use multirail_kernel::address::Address;
use multirail_kernel::refusal::Refusal;
use multirail_sdk::charge::DeviceDataCollected;
use multirail_sdk::connector::OperationKind;

use crate::payments::payment::attempt::OperationIndex;
use crate::payments::payment::{
    AtHand, Attempt, AttemptStatus, Context, Effect, Payment, ProcessorCall, Step,
};

/// What the payer's side says once the data of the device were collected, or could not be.
#[derive(Clone, Debug)]
pub struct CompleteAuthorization {
    pub device_data_collected: Option<DeviceDataCollected>,
    /// Takes the place of the payment's.
    pub shipping: Option<Address>,
    pub credentials: AtHand,
}

impl Payment {
    /// Has the processor go on. The authorization is the same: what becomes of it is learned as of any.
    pub(crate) fn complete_authorization(
        &self,
        given: CompleteAuthorization,
        context: &Context,
    ) -> Result<Step, Refusal> {
        if !self.active().awaits_device_data() {
            return Err(Refusal::precondition(format!(
                "the authorization of a payment whose status is {} can't be completed: its processor waits for no device data",
                self.status
            )));
        }
        self.active().check_credentials(&given.credentials)?;
        let mut payment = self.clone();
        payment.modified_at = context.now;
        if let Some(shipping) = given.shipping {
            Arc::make_mut(&mut payment.payer).shipping = Some(Box::new(shipping));
        }
        // Another attempt's device says nothing about this one's.
        Arc::make_mut(&mut payment.particulars).device_data_collected = given.device_data_collected;
        let attempt = payment.active_mut();
        attempt.modified_at = context.now;
        let authorization = attempt.operation_mut(OperationIndex::Authorization);
        authorization.start_again(context.now);
        let key = authorization.key.clone();
        let call = ProcessorCall {
            kind: OperationKind::Authorize,
            attempt: attempt.number,
            key,
        };
        payment.follow(AttemptStatus::Authorizing);
        Ok(Step {
            payment,
            effects: vec![Effect::Call(call)],
            data: None,
        })
    }
}

impl Attempt {
    /// The processor waits for the data of the payer's device.
    pub fn awaits_device_data(&self) -> bool {
        self.status == AttemptStatus::DeviceDataCollectionPending
    }

    /// The processor is being told that it has them.
    pub fn is_being_completed(&self) -> bool {
        self.status == AttemptStatus::Authorizing
    }
}
