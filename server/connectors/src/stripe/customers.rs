//! Customers at Stripe, for whom it keeps cards: one for each customer of a merchant, with their name and e-mail.

use multirail_domain::connector::{
    DeleteKeptRequest, KeepCustomerRequest, KeptAtProcessor, UnknownReason,
};
use sha2::{Digest, Sha256};

use super::{Stripe, requests, wire};
use crate::client::Answer;
use crate::outcome::{reason, thing, why_unknown};
use crate::wire::{Body, WireRequest, path};

/// The number of times that a customer is asked for, within the time of one call.
const TRIES: usize = 3;

impl Stripe {
    /// Makes a customer. What was lost is asked for again under its key, which Stripe answers with the customer that it made; its
    /// own trouble Stripe stores under the key, so that another one follows.
    pub(super) async fn make_customer(
        &self,
        request: KeepCustomerRequest,
    ) -> Result<String, UnknownReason> {
        let key = key_of(&request);
        let mut failures = 0;
        let mut last = UnknownReason::Interrupted;
        for _ in 0..TRIES {
            let body = Body::form(&requests::customer(&request));
            let key = format!("{key}_{failures}");
            let answer = self.post(&request.access, &["v1", "customers"], &key, body);
            let answer = answer.await;
            if let Ok(answer) = &answer {
                match answer.status {
                    500..=599 => failures += 1,
                    400..=499 => return Err(UnknownReason::ProcessorError),
                    _ => {}
                }
            }
            match thing::<wire::Customer>(answer) {
                Ok(made) => return Ok(made.id),
                Err(failed) => last = why_unknown(failed),
            }
        }
        Err(last)
    }

    /// Deletes a customer with all of their cards, or one card. Any refusal that isn't of the key says that it isn't there.
    pub(super) async fn delete(&self, request: DeleteKeptRequest) -> Result<(), UnknownReason> {
        let access = &request.access;
        let answer: Answer = match &request.kept {
            KeptAtProcessor::Customer { id } => {
                let path = path(&["v1", "customers", id]);
                self.send(access, WireRequest::delete(path)).await
            }
            KeptAtProcessor::Method { id, .. } => {
                let path = path(&["v1", "payment_methods", id, "detach"]);
                self.send(access, WireRequest::post(path, Body::Empty))
                    .await
            }
        };
        match answer {
            Ok(answer) => match answer.status {
                200..=299 | 400 | 404 => Ok(()),
                _ => Err(UnknownReason::ProcessorError),
            },
            Err(error) => Err(reason(error)),
        }
    }
}

/// The same of all requests that say the same of one customer.
fn key_of(request: &KeepCustomerRequest) -> String {
    let said = [
        Some(request.account.as_str()),
        Some(request.customer_id.as_str()),
        request.name.as_deref(),
        request.email.as_deref(),
        request.phone.as_deref(),
        request.instead_of.as_deref(),
    ];
    let mut digest = Sha256::new();
    for text in said {
        let text = text.unwrap_or_default();
        digest.update(text.len().to_be_bytes());
        digest.update(text);
    }
    format!("customer_{}", hex::encode(&digest.finalize()[..16]))
}
