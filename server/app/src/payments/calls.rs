//! The calls to the processor that a stored step asks for.

use multirail_domain::connector::{
    AuthorizeRequest, CaptureDescriptor, CaptureRequest, LookUpRequest, OperationKind, Outcome,
    UnknownReason, VoidRequest,
};
use multirail_domain::ids::ProcessorKey;
use multirail_domain::money::Money;
use multirail_domain::payment::{Attempt, Operation, Payment, PaymentMethodData, ProcessorCall};

use super::super::{App, AppError};
use super::CallCredentials;

/// What the calls of one step need beyond the payment, and must not be stored.
#[derive(Default)]
pub(crate) struct CallInputs {
    /// What the authorization is paid with.
    pub data: Option<PaymentMethodData>,
    /// A capture's own words for the payer's statement.
    pub capture_descriptor: CaptureDescriptor,
    pub credentials: CallCredentials,
}

impl App {
    pub(super) async fn perform(
        &self,
        payment: &Payment,
        call: &ProcessorCall,
        inputs: &mut CallInputs,
    ) -> Result<Outcome, AppError> {
        let (attempt, operation) = find(payment, call)?;
        let name = attempt.connector.as_deref().unwrap_or_default();
        let connector = self.connector(name)?;
        let Some(access) = self
            .access_of(payment, attempt, &inputs.credentials)
            .await?
        else {
            return Ok(Outcome::NeverHappened {
                reason: "the credentials that were brought for it are no longer kept".to_owned(),
            });
        };
        let money = Money {
            amount_minor: operation.amount,
            currency: payment.terms.currency,
        };
        let answer: futures::future::BoxFuture<'_, Outcome> = match call.kind {
            OperationKind::Authorize => {
                let data = inputs.data.take().ok_or_else(|| {
                    AppError::Broken(
                        "an authorization is due without anything to pay with".to_owned(),
                    )
                })?;
                let request = AuthorizeRequest {
                    key: call.key.clone(),
                    access,
                    money,
                    capture: attempt.captures_at_once,
                    data,
                    return_url: self.payer_return_address(payment, attempt),
                    details: payment.details(attempt),
                };
                Box::pin(connector.authorize(request))
            }
            OperationKind::Capture => {
                let (authorization_key, authorization_reference) = authorization(attempt)?;
                let request = CaptureRequest {
                    key: call.key.clone(),
                    access,
                    authorization_key,
                    authorization_reference,
                    money,
                    is_final: payment.is_final_capture(attempt, &call.key),
                    descriptor: payment
                        .descriptor()
                        .with(std::mem::take(&mut inputs.capture_descriptor)),
                };
                Box::pin(connector.capture(request))
            }
            OperationKind::Void => {
                let (authorization_key, authorization_reference) = authorization(attempt)?;
                let request = VoidRequest {
                    key: call.key.clone(),
                    access,
                    authorization_key,
                    authorization_reference,
                    captured_at_once: attempt.captures_at_once,
                    reason: payment.cancellation_reason.clone(),
                };
                Box::pin(connector.void(request))
            }
            OperationKind::Refund => {
                let message = "a payment has asked for a refund, which is an object of its own";
                return Err(AppError::Broken(message.to_owned()));
            }
        };
        Ok(self.in_time(name, call.kind.as_str(), answer).await)
    }

    pub(super) async fn look_up(
        &self,
        payment: &Payment,
        call: &ProcessorCall,
        inputs: &CallInputs,
    ) -> Result<Outcome, AppError> {
        let (attempt, operation) = find(payment, call)?;
        let name = attempt.connector.as_deref().unwrap_or_default();
        let connector = self.connector(name)?;
        let Some(access) = self
            .access_of(payment, attempt, &inputs.credentials)
            .await?
        else {
            return Ok(Outcome::Unknown(UnknownReason::CredentialsGone));
        };
        let (authorization_key, authorization_reference) = authorization(attempt)?;
        let request = LookUpRequest {
            kind: call.kind,
            key: call.key.clone(),
            access,
            authorization_key,
            authorization_reference,
            reference: operation.reference.clone(),
            money: Money::new(operation.amount, payment.terms.currency),
            started_at: operation.started_at,
            returned_with: None,
        };
        Ok(self.find_out(connector.as_ref(), request).await)
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
        .ok_or_else(|| AppError::Broken("a call is due for an operation that is gone".to_owned()))
}

fn authorization(attempt: &Attempt) -> Result<(ProcessorKey, Option<String>), AppError> {
    let authorization = attempt
        .authorization
        .as_ref()
        .ok_or_else(|| AppError::Broken("the attempt was never authorized".to_owned()))?;
    Ok((authorization.key.clone(), authorization.reference.clone()))
}
