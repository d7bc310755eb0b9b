//! The calls to the processor that a stored step needs.

use std::sync::Arc;
use std::time::{Duration, Instant};

use multirail_domain::customers::customer::Customer;
use multirail_domain::payments::payment::{
    Attempt, AutoRetry, Operation, Payment, PaymentMethodData, ProcessorCall,
};
use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::money::Money;
use multirail_kernel::secret::SecretText;
use multirail_sdk::connector::Connector;
use multirail_sdk::connector::{
    Access, CaptureDescriptor, CaptureRequest, FollowUp, IncrementRequest, LookUpRequest,
    OperationKind, Outcome, UnknownReason, VoidRequest,
};

use super::super::AppError;
use super::counting::Counting;
use super::{CallCredentials, Payments};
use crate::customers::ports::saved_methods::CardToSave;
use crate::operations::processors::{NOBODY_ASKED, unable};

/// Inputs of a step's calls that are no part of the payment and must not be stored.
#[derive(Default)]
pub(crate) struct CallInputs {
    /// The payment method data for the authorization.
    pub data: Option<PaymentMethodData>,
    /// The card of the authorization, where it is to be saved.
    pub to_save: Option<Box<CardToSave>>,
    /// The descriptor of one capture for the payer's statement.
    pub capture_descriptor: CaptureDescriptor,
    /// The part that is equal in every copy of a wallet's sealed token. It may pay no other payment.
    pub wallet_token: Option<SecretText>,
    pub credentials: CallCredentials,
    pub returned: Option<Returned>,
    /// The options for another attempt where the confirm is refused. With it, `data` stays available for them.
    pub onward: Option<Arc<AutoRetry>>,
    /// The counters of a processor's answer for dynamic routing, where the profile uses them.
    pub counting: Counting,
    /// The customer to store with the payment, unless another request stored them first.
    pub new_customer: Option<Box<Customer>>,
    /// True if the payment's owner made the call and reads the outcome in its answer.
    pub by_owner: bool,
}

/// A payer who came back from the processor.
pub(crate) struct Returned {
    pub attempt: u32,
    /// The query with which the processor sent the payer back.
    pub query: String,
}

impl CallInputs {
    /// Returns the inputs for storing a call's answer. Only the owner of the outcome stays.
    pub(super) fn of_their_answer(&self) -> Self {
        CallInputs {
            by_owner: self.by_owner,
            ..CallInputs::default()
        }
    }

    /// Returns the payer's query, if it belongs to this operation.
    fn returned_with(&self, call: &ProcessorCall) -> Option<&str> {
        let is_his = |returned: &&Returned| {
            call.kind == OperationKind::Authorize && call.attempt == returned.attempt
        };
        let returned = self.returned.as_ref().filter(is_his);
        returned.map(|returned| returned.query.as_str())
    }
}

/// One operation, and the account through which the processor is called.
#[derive(Clone)]
pub(super) struct Addressed<'a> {
    pub(super) payment: &'a Payment,
    pub(super) attempt: &'a Attempt,
    pub(super) operation: &'a Operation,
    pub(super) access: Access,
}

impl Payments {
    pub(super) async fn perform(
        &self,
        payment: &Payment,
        call: &ProcessorCall,
        inputs: &mut CallInputs,
    ) -> Result<Outcome, AppError> {
        let (attempt, operation) = find(payment, call)?;
        let connector = self.connector_of(attempt)?;
        let Some(access) = self
            .access_of(payment, attempt, &inputs.credentials)
            .await?
        else {
            return Ok(Outcome::never_happened(
                "the credentials that were brought for it are no longer kept",
            ));
        };
        let addressed = Addressed {
            payment,
            attempt,
            operation,
            access,
        };
        if call.kind == OperationKind::Authorize && attempt.is_being_completed() {
            return Ok(self.complete(connector.as_ref(), addressed).await);
        }
        if call.kind == OperationKind::Authorize {
            let data = match &inputs.onward {
                Some(_) => inputs.data.clone(),
                None => inputs.data.take(),
            };
            let data = data.ok_or_else(|| {
                AppError::Broken("an authorization is due without anything to pay with".to_owned())
            })?;
            return Ok(self.authorize(connector.as_ref(), addressed, data).await);
        }
        let descriptor = std::mem::take(&mut inputs.capture_descriptor);
        let connector = connector.as_ref();
        self.send(connector, call.kind, addressed, descriptor).await
    }

    /// Makes any other call; repeats it within the call where the outcome is unknown.
    async fn send(
        &self,
        connector: &dyn Connector,
        kind: OperationKind,
        addressed: Addressed<'_>,
        descriptor: CaptureDescriptor,
    ) -> Result<Outcome, AppError> {
        let began = Instant::now();
        let patience = self.base.leases.processor_deadline;
        let again = (addressed.clone(), descriptor.clone());
        let first = self.send_once(connector, kind, addressed, descriptor, patience);
        let first = first.await?;
        let Some(left) = self.processors.time_to_repeat(connector, &first, began) else {
            return Ok(first);
        };
        let (addressed, descriptor) = again;
        let again = self.send_once(connector, kind, addressed, descriptor, left);
        Ok(match again.await?.of_a_repeat() {
            Outcome::Unknown(_) => first,
            known => known,
        })
    }

    async fn send_once(
        &self,
        connector: &dyn Connector,
        kind: OperationKind,
        addressed: Addressed<'_>,
        descriptor: CaptureDescriptor,
        patience: Duration,
    ) -> Result<Outcome, AppError> {
        let money = addressed.money();
        let Addressed {
            payment,
            attempt,
            operation,
            access,
        } = addressed;
        let (authorization_key, authorization_reference) = authorization(attempt)?;
        let key = operation.key.clone();
        let answer: futures::future::BoxFuture<'_, Outcome> = match kind {
            OperationKind::Increment => {
                let increment = attempt
                    .increment(&key)
                    .ok_or_else(|| AppError::Broken("a raise is due that is gone".to_owned()))?;
                let request = IncrementRequest {
                    key,
                    access,
                    authorization_key,
                    authorization_reference,
                    money,
                    reason: increment.reason.clone(),
                };
                let Some(increments) = connector.able(|able| able.raises_authorizations) else {
                    return Ok(unable("raise authorizations"));
                };
                Box::pin(increments.increment(request))
            }
            OperationKind::Capture => {
                let request = CaptureRequest {
                    is_final: payment.is_final_capture(attempt, &key),
                    key,
                    access,
                    authorization_key,
                    authorization_reference,
                    money,
                    descriptor: payment.descriptor().with(descriptor),
                };
                Box::pin(connector.capture(request))
            }
            OperationKind::Void => {
                let mut after_capture = attempt.post_capture_voids.iter();
                let after_capture = after_capture.find(|void| void.operation.key == key);
                let reason = match after_capture {
                    Some(void) => void.reason.clone(),
                    None => payment.cancellation_reason.clone(),
                };
                let request = VoidRequest {
                    key,
                    access,
                    authorization_key,
                    authorization_reference,
                    captured_at_once: attempt.captures_at_once,
                    reason,
                };
                if after_capture.is_some() {
                    let Some(voids) = connector.able(|able| able.voids_captured) else {
                        return Ok(unable("void what was captured"));
                    };
                    Box::pin(voids.void_captured(request))
                } else {
                    Box::pin(connector.void(request))
                }
            }
            OperationKind::Authorize => {
                let message = "an authorization is asked for with what it is paid with";
                return Err(AppError::Broken(message.to_owned()));
            }
            OperationKind::Refund => {
                let message = "a payment has asked for a refund, which is an object of its own";
                return Err(AppError::Broken(message.to_owned()));
            }
        };
        let name = connector.description().name;
        Ok(self
            .processors
            .within(patience, name, kind.as_str(), answer)
            .await)
    }

    /// Asks for the outcome of an operation, in the way that its processor supports.
    pub(super) async fn look_up(
        &self,
        payment: &Payment,
        call: &ProcessorCall,
        inputs: &CallInputs,
    ) -> Result<Outcome, AppError> {
        let (attempt, operation) = find(payment, call)?;
        let connector = self.connector_of(attempt)?;
        let connector = connector.as_ref();
        let kept = attempt.returned_with.as_deref();
        let kept = kept.filter(|_| call.kind == OperationKind::Authorize);
        let returned_with = inputs.returned_with(call).or(kept);
        let follow_up = match returned_with {
            Some(_) => FollowUp::LookUp,
            None => self.processors.follow_up(connector, call.kind, operation),
        };
        match follow_up {
            FollowUp::Nothing => return Ok(NOBODY_ASKED),
            FollowUp::GiveUp => return Ok(Outcome::given_up()),
            FollowUp::LookUp | FollowUp::Repeat => {}
        }
        let Some(access) = self
            .access_of(payment, attempt, &inputs.credentials)
            .await?
        else {
            return Ok(Outcome::Unknown(UnknownReason::CredentialsGone));
        };
        let addressed = Addressed {
            payment,
            attempt,
            operation,
            access,
        };
        if follow_up == FollowUp::LookUp {
            let began = Instant::now();
            let request = addressed.clone().question(call.kind, returned_with)?;
            let mut found = self.processors.find_out(connector, request).await;
            // The payer waits for the answer.
            let is_unknown = matches!(found.outcome, Outcome::Unknown(_));
            let is_in_time = began.elapsed() < self.base.leases.processor_deadline;
            if returned_with.is_some() && is_unknown && is_in_time {
                let request = addressed.clone().question(call.kind, returned_with)?;
                found = self.processors.find_out(connector, request).await;
            }
            if !found.is_absent
                || !self
                    .processors
                    .repeats_absent(connector, call.kind, operation)
            {
                return Ok(found.outcome);
            }
        }
        let Some(_place) = self.processors.place_to_ask(&addressed.access).await else {
            return Ok(NOBODY_ASKED);
        };
        let descriptor = CaptureDescriptor::default();
        let repeated = self.send(connector, call.kind, addressed, descriptor);
        Ok(repeated.await?.of_a_repeat())
    }

    fn connector_of(&self, attempt: &Attempt) -> Result<Arc<dyn Connector>, AppError> {
        self.processors
            .connector(attempt.connector.as_deref().unwrap_or_default())
    }
}

impl Addressed<'_> {
    pub(super) fn money(&self) -> Money {
        Money::new(self.operation.amount, self.payment.terms.currency)
    }

    fn question(
        self,
        kind: OperationKind,
        returned_with: Option<&str>,
    ) -> Result<LookUpRequest, AppError> {
        let (authorization_key, authorization_reference) = authorization(self.attempt)?;
        Ok(LookUpRequest {
            kind,
            key: self.operation.key.clone(),
            authorization_key,
            authorization_reference,
            reference: self.operation.reference.clone(),
            money: self.money(),
            started_at: self.operation.started_at,
            returned_with: returned_with.map(str::to_owned),
            access: self.access,
        })
    }
}

fn find<'a>(
    payment: &'a Payment,
    call: &ProcessorCall,
) -> Result<(&'a Attempt, &'a Operation), AppError> {
    payment
        .attempts
        .iter()
        .filter(|attempt| attempt.number == call.attempt)
        .find_map(|attempt| {
            let (_, operation) = attempt.operations().find(|(_, o)| o.key == call.key)?;
            Some((attempt, operation))
        })
        .ok_or_else(|| {
            AppError::Broken(
                "a call is due, but the payment has no operation with its key".to_owned(),
            )
        })
}

fn authorization(attempt: &Attempt) -> Result<(ProcessorKey, Option<String>), AppError> {
    let authorization = attempt
        .authorization
        .as_ref()
        .ok_or_else(|| AppError::Broken("the attempt was never authorized".to_owned()))?;
    Ok((authorization.key.clone(), authorization.reference.clone()))
}
