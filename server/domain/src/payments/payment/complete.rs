//! Continuing an authorization after the payer's device data was collected for the processor. (Specification 3)

use std::sync::Arc;

use multirail_kernel::address::Address;
use multirail_kernel::refusal::Refusal;
use multirail_sdk::charge::DeviceDataCollected;
use multirail_sdk::connector::OperationKind;

use crate::payments::payment::attempt::OperationIndex;
use crate::payments::payment::{
    AtHand, Attempt, AttemptStatus, Context, Effect, Payment, ProcessorCall, Step,
};

/// The result of collecting the device data, as the payer's client reports it.
#[derive(Clone, Debug)]
pub struct CompleteAuthorization {
    pub device_data_collected: Option<DeviceDataCollected>,
    /// Replaces the payment's shipping address.
    pub shipping: Option<Address>,
    pub credentials: AtHand,
}

impl Payment {
    /// Lets the processor continue. The authorization stays the same and ends like any other.
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
        // The result for another attempt's device doesn't apply to this one.
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
    /// Returns whether the processor waits for the data of the payer's device.
    pub fn awaits_device_data(&self) -> bool {
        self.status == AttemptStatus::DeviceDataCollectionPending
    }

    /// Returns whether the call is under way that tells the processor to continue.
    pub fn is_being_completed(&self) -> bool {
        self.status == AttemptStatus::Authorizing
    }
}
