//! Customers at Stripe, for whom it stores cards: one per customer of a merchant, with name and
//! e-mail.

use async_trait::async_trait;
use multirail_sdk::connector::{
    Access, Customers, DeleteKeptRequest, Deletions, KeepCustomerRequest, KeptAtProcessor,
    UnknownReason,
};
use sha2::{Digest, Sha256};

use super::generated::wire::{Customer, ErrorAnswer, ErrorType, ListCustomersQuery, Since};
use super::look_up::{CLOCKS, PAGE};
use super::notes::OUR_KEY;
use super::{Stripe, requests};
use crate::client::Answer;
use crate::outcome::{reason, thing, why_unknown};
use crate::text::{Text, said};
use crate::wire::{Body, WireAnswer, WireRequest, path};

/// The path segment of customers.
const CUSTOMERS: &str = "customers";
/// The maximum number of tries to create a customer, within one call's time.
const TRIES: usize = 6;
/// Seconds for which Stripe remembers a key. It promises a day.
const KEYS_KEPT: i64 = 2 * 24 * 60 * 60;

/// A failure after which the customer may exist.
enum Failed {
    /// Stripe's own failure.
    Now,
    /// Stripe's own failure, repeated from its store: this key will never create a customer.
    Before,
    /// The key was used before, for the same customer with another name, e-mail or phone.
    WithOtherDetails,
}

impl Failed {
    fn read(answer: &WireAnswer) -> Option<Self> {
        match answer.status {
            500..=599 => match answer.header("idempotent-replayed") {
                Some("true") => Some(Failed::Before),
                _ => Some(Failed::Now),
            },
            400 => {
                let refused: ErrorAnswer = answer.json()?;
                let is_used = refused.error.kind == ErrorType::IdempotencyError;
                is_used.then_some(Failed::WithOtherDetails)
            }
            _ => None,
        }
    }
}

#[async_trait]
impl Customers for Stripe {
    /// Creates a customer. A request without an answer is repeated under its key; Stripe then
    /// returns the customer that it created.
    ///
    /// After a failure of Stripe's own the customer may exist, and Stripe stores the failure under
    /// the key. The customer is therefore searched first, by the mark in their metadata. If they
    /// don't exist the request is repeated, and gets another key once the failure is known to be
    /// stored.
    async fn keep_customer(&self, request: KeepCustomerRequest) -> Result<String, UnknownReason> {
        let access = &request.access;
        let mark = mark_of(&request);
        let asked = requests::customer(&request, &mark);
        let (mut keys, mut failures) = (0, 0);
        let mut last = UnknownReason::Interrupted;
        for _ in 0..TRIES {
            let key = format!("{mark}_{keys}");
            let body = Body::form(&asked);
            let answer = self.post(access, &["v1", CUSTOMERS], &key, body).await;
            let failed = answer.as_ref().ok().and_then(Failed::read);
            if let Some(failed) = failed {
                let list = Listed::new(&failed, &request);
                if let Some(made) = self.marked_customer(access, &list, &mark).await? {
                    return Ok(made);
                }
                failures += 1;
                let is_stored = match failed {
                    Failed::Now => failures > 1,
                    Failed::Before | Failed::WithOtherDetails => true,
                };
                if is_stored {
                    (keys, failures) = (keys + 1, 0);
                }
            } else if let Ok(answer) = &answer
                && (400..=499).contains(&answer.status)
            {
                return Err(UnknownReason::ProcessorError);
            }
            match thing::<Customer>(answer) {
                Ok(made) => return Ok(made.id),
                Err(failed) => last = why_unknown(failed),
            }
        }
        Err(last)
    }
}

impl Stripe {
    /// Returns the customer in this list who has this mark.
    async fn marked_customer(
        &self,
        access: &Access,
        list: &Listed<'_>,
        mark: &str,
    ) -> Result<Option<String>, UnknownReason> {
        let query = |after| list.query(after);
        let found = self.in_list::<Customer, _>(access, CUSTOMERS, query, (OUR_KEY, mark));
        let found = found.await.map_err(why_unknown)?;
        Ok(found.map(|customer| customer.id))
    }
}

#[async_trait]
impl Deletions for Stripe {
    /// Deletes a customer with all of their cards, or one card. Every refusal counts as "doesn't
    /// exist", except refusals of the API key.
    async fn delete_stored(&self, request: DeleteKeptRequest) -> Result<(), UnknownReason> {
        let access = &request.access;
        let answer: Answer = match &request.kept {
            KeptAtProcessor::Customer { id } => {
                let path = path(&["v1", CUSTOMERS, id]);
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

/// The list that contains the customer, if a failed request created them.
enum Listed<'a> {
    OfEmail(&'a str),
    /// Seconds since 1970.
    Since(i64),
}

impl<'a> Listed<'a> {
    fn new(failed: &Failed, request: &'a KeepCustomerRequest) -> Self {
        let age = match (failed, said(&request.email)) {
            (Failed::Now | Failed::Before, Some(email)) => return Listed::OfEmail(email),
            (Failed::Now, None) => CLOCKS,
            (Failed::Before, None) | (Failed::WithOtherDetails, _) => KEYS_KEPT,
        };
        Listed::Since(request.now.unix_seconds().saturating_sub(age))
    }

    /// Returns the query of the page after this customer.
    fn query(&self, after: Option<String>) -> ListCustomersQuery<'a> {
        let page = ListCustomersQuery {
            limit: Some(PAGE),
            starting_after: after.map(Text::from),
            ..ListCustomersQuery::empty()
        };
        match self {
            Listed::OfEmail(email) => ListCustomersQuery {
                email: Some(Text::cut(*email)),
                ..page
            },
            Listed::Since(gte) => ListCustomersQuery {
                created: Some(Since {
                    gte: Some(*gte),
                    lte: None,
                }),
                ..page
            },
        }
    }
}

/// Returns the mark by which a customer is found again. It stays the same when name, e-mail or
/// phone changes.
fn mark_of(request: &KeepCustomerRequest) -> String {
    let said = [
        request.account.as_str(),
        request.customer_id.as_str(),
        request.instead_of.as_deref().unwrap_or_default(),
    ];
    let mut digest = Sha256::new();
    for text in said {
        digest.update(text.len().to_be_bytes());
        digest.update(text);
    }
    format!("customer_{}", hex::encode(&digest.finalize()[..16]))
}
