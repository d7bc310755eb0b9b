//! The connector of Stripe's PaymentIntents API. The card is part of the request, and Stripe
//! answers at once with the outcome. Other methods (`payer_methods.rs`) begin with a step of the payer
//! (`shown.rs`).
//!
//! `requests.rs` builds requests, with an instrument of `instrument.rs` and an order of `order.rs`.
//! `map.rs`, `approval.rs`, `refunds.rs` and `errors.rs` interpret answers, `notices.rs` reads
//! events, and `look_up.rs` looks operations up, in lists by `pages.rs`. `peer.yaml` describes the
//! used part of the API, and `means.yaml` gives the meanings of Stripe's words.

mod address;
mod approval;
mod bank_debits;
mod cards;
mod customers;
mod description;
mod disputes;
mod errors;
mod evidence;
#[rustfmt::skip]
mod generated;
mod instrument;
mod look_up;
mod map;
mod notes;
mod notices;
mod order;
mod pages;
mod payer_methods;
mod refunds;
mod requests;
mod shown;
mod test_mode;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use async_trait::async_trait;
use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::{
    Access, AccountCheck, AuthorizeRequest, CUSTOMER_GONE, CaptureRequest, Connector, Description,
    Finding, IncrementRequest, Increments, LookUpRequest, Notice, NoticePart, Notices,
    OperationKind, Outcome, Payments, RawNotice, RefundRequest, Unreadable, VoidRequest,
    WebhookSecrets,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use self::description::{DESCRIPTION, MULTICAPTURE, SHOWN, STRIPE_ACCOUNT};
use self::generated::wire::ListPaymentsQuery;
use self::map::NotCancelled;
use self::notes::{OUR_KEY, OUR_VOID_KEY};
use self::test_mode::TEST_MODE;
use crate::Registered;
use crate::account::{credential, setting};
use crate::amounts::NotWritable;
use crate::client::{Answer, Client, NotSent, TransportError};
use crate::outcome::{of_check, of_operation, without_reference};
use crate::wire::{Body, WireRequest, path};

/// The API version of requests and answers.
const VERSION: &str = "2026-06-24.dahlia";
/// The base URL. Test and live payments differ only in the key.
const URL: &str = "https://api.stripe.com";
/// The base URL of uploads.
const FILES_URL: &str = "https://files.stripe.com";
/// The Stripe connector.
pub struct Stripe {
    client: Arc<Client>,
}

pub(crate) const REGISTERED: Registered = Registered {
    make: |client| Arc::new(Stripe::new(client)),
    description: &DESCRIPTION,
    test_mode: &TEST_MODE,
};

/// A request about a payment, without its body.
struct Asked<'a> {
    kind: OperationKind,
    access: &'a Access,
    key: &'a ProcessorKey,
    /// Stripe's id of the payment.
    payment: Option<&'a str>,
}

impl Stripe {
    pub fn new(client: Arc<Client>) -> Self {
        Stripe { client }
    }

    /// Sends a request and reads the object that it created or changed.
    async fn ask<T: DeserializeOwned>(
        &self,
        kind: OperationKind,
        access: &Access,
        segments: &[&str],
        key: &str,
        body: Body,
        read: impl FnOnce(T) -> Option<Outcome> + Send,
    ) -> Outcome {
        let answer = self.post(access, segments, key, body).await;
        of_operation(answer, |answer| map::operation(kind, answer, read))
    }

    /// Sends a request about a payment, whose id Stripe needs. `body` builds its body.
    async fn ask_of<T: DeserializeOwned>(
        &self,
        asked: Asked<'_>,
        segments: impl FnOnce(&str) -> Vec<&str> + Send,
        body: impl FnOnce(&str) -> Result<Body, NotWritable> + Send,
        read: impl FnOnce(T) -> Option<Outcome> + Send,
    ) -> Outcome {
        let Asked {
            kind,
            access,
            key,
            payment,
        } = asked;
        let Some(payment) = payment else {
            return without_reference("Stripe");
        };
        match body(payment) {
            Ok(body) => {
                self.ask(kind, access, &segments(payment), key.as_str(), body, read)
                    .await
            }
            Err(error) => Outcome::never_happened(error),
        }
    }

    /// Sends a POST request. Stripe files it under `key` and repeats its first answer to a repeated
    /// request.
    async fn post(&self, access: &Access, segments: &[&str], key: &str, body: Body) -> Answer {
        let request = WireRequest::post(path(segments), body);
        let request = request.header("idempotency-key", SecretText::new(key));
        self.send(access, request).await
    }

    async fn get(&self, access: &Access, segments: &[&str], query: &impl Serialize) -> Answer {
        let request = WireRequest::get_by(path(segments), query);
        self.send(access, request).await
    }

    async fn send(&self, access: &Access, request: WireRequest) -> Answer {
        self.send_to(URL, access, request).await
    }

    async fn send_to(&self, own: &str, access: &Access, request: WireRequest) -> Answer {
        let Some(key) = credential(access, "api_key") else {
            return Err(TransportError::NotSent(NotSent::NoCredentials));
        };
        let mut request = request
            .bearer(&key)
            .header("stripe-version", SecretText::new(VERSION))
            .showing(SHOWN);
        if let Some(account) = setting(access, &STRIPE_ACCOUNT) {
            request = request.header("stripe-account", SecretText::new(account));
        }
        self.client.send(access, own, request).await
    }

    /// Cancels the payment, or refunds everything that was captured.
    async fn void_in_steps(&self, request: VoidRequest) -> Outcome {
        let found = match request.authorization_reference.clone() {
            Some(id) => Some(id),
            // A payment without an answer may exist.
            None => self
                .search(&request.access, &request.authorization_key)
                .await
                .unwrap_or_default(),
        };
        let Some(id) = found else {
            return without_reference("Stripe");
        };
        let collection = collection_of(&id);
        let segments = ["v1", collection, id.as_str(), "cancel"];
        let key = request.key.as_str();
        let body = Body::form(&requests::cancel(request.reason.as_deref()));
        let answer = self.post(&request.access, &segments, key, body).await;
        let refused = answer.as_ref().ok().and_then(map::not_cancelled);
        match refused {
            Some(NotCancelled::CancelledBefore) => map::void_done(Some(id)),
            // A check reserves nothing, so there is nothing to release.
            Some(NotCancelled::Succeeded) if collection == CHECKS => map::void_done(Some(id)),
            Some(NotCancelled::Succeeded) if request.captured_at_once => {
                self.give_back(&request, &id).await
            }
            Some(NotCancelled::Succeeded | NotCancelled::Otherwise) | None => {
                of_operation(answer, |answer| match collection {
                    CHECKS => map::operation(OperationKind::Void, answer, map::cancelled_check),
                    _ => map::operation(OperationKind::Void, answer, map::cancelled),
                })
            }
        }
    }

    /// Refunds the money that was captured together with the authorization.
    async fn give_back(&self, request: &VoidRequest, payment: &str) -> Outcome {
        let key = format!("{}_refund", request.key);
        let body = Body::form(&requests::whole_refund(&request.key, payment));
        let (kind, access) = (OperationKind::Void, &request.access);
        self.ask(kind, access, &["v1", "refunds"], &key, body, |refund| {
            refunds::named(OUR_VOID_KEY, &request.key, refund)
        })
        .await
    }
}

#[async_trait]
impl Connector for Stripe {
    fn description(&self) -> &'static Description {
        &DESCRIPTION
    }

    /// Checks that the key can read the account's payments, which every operation needs.
    async fn check(&self, access: Access) -> AccountCheck {
        let segments = ["v1", PAYMENTS];
        let query = ListPaymentsQuery {
            limit: Some(1),
            ..ListPaymentsQuery::empty()
        };
        let answer = self.get(&access, &segments, &query).await;
        of_check(answer, map::refusal)
    }
}

#[async_trait]
impl Payments for Stripe {
    async fn authorize(&self, request: AuthorizeRequest) -> Outcome {
        let is_check = request.money.amount_minor == 0;
        let body = if is_check {
            match requests::check(&request) {
                Ok(check) => Body::form(&check),
                Err(error) => return Outcome::never_happened(error),
            }
        } else {
            let in_parts = may_capture_in_parts(&request.access);
            match requests::payment(&request, in_parts) {
                Ok(payment) => Body::form(&payment),
                Err(error) => return Outcome::never_happened(error),
            }
        };
        let is_kept = request.keeper().is_some();
        // Drop number and code before the wait.
        let AuthorizeRequest { key, access, .. } = request;
        let kind = OperationKind::Authorize;
        let outcome = if is_check {
            let read = |check| map::check(&key, check);
            let segments = ["v1", CHECKS];
            self.ask(kind, &access, &segments, key.as_str(), body, read)
                .await
        } else {
            let read = |payment| map::payment(&key, payment);
            let segments = ["v1", PAYMENTS];
            self.ask(kind, &access, &segments, key.as_str(), body, read)
                .await
        };
        match outcome {
            Outcome::Declined(decline) if is_kept && errors::says_no_customer(&decline) => {
                Outcome::never_happened(CUSTOMER_GONE)
            }
            outcome => outcome,
        }
    }

    async fn capture(&self, request: CaptureRequest) -> Outcome {
        if !request.is_final && !may_capture_in_parts(&request.access) {
            return Outcome::never_happened(NOT_IN_PARTS);
        }
        let asked = Asked {
            kind: OperationKind::Capture,
            access: &request.access,
            key: &request.key,
            payment: request.authorization_reference.as_deref(),
        };
        let body = |_: &str| Ok(Body::form(&requests::capture(&request)?));
        let read = |payment| map::capture(&request.key, &payment);
        self.ask_of(asked, |id| of_payment(id, "capture"), body, read)
            .await
    }

    async fn void(&self, request: VoidRequest) -> Outcome {
        self.client.in_time(self.void_in_steps(request)).await
    }

    async fn refund(&self, request: RefundRequest) -> Outcome {
        let asked = Asked {
            kind: OperationKind::Refund,
            access: &request.access,
            key: &request.key,
            payment: request.authorization_reference.as_deref(),
        };
        let body = |payment: &str| Ok(Body::form(&requests::refund(&request, payment)?));
        let read = |refund| refunds::named(OUR_KEY, &request.key, refund);
        self.ask_of(asked, |_| vec!["v1", "refunds"], body, read)
            .await
    }

    async fn look_up(&self, request: LookUpRequest) -> Finding {
        self.client.in_time(self.find(request)).await
    }
}

impl Notices for Stripe {
    fn verify_notice(
        &self,
        raw: &RawNotice,
        secrets: Option<&WebhookSecrets>,
        wall: Timestamp,
    ) -> bool {
        notices::verify(raw, secrets, wall)
    }

    fn read_notices(&self, raw: &RawNotice, access: &Access) -> Result<Vec<Notice>, Unreadable> {
        notices::read(raw, setting(access, &STRIPE_ACCOUNT))
    }

    fn notice_parts(&self, raw: RawNotice) -> Vec<NoticePart> {
        vec![NoticePart::whole(raw)]
    }
}

#[async_trait]
impl Increments for Stripe {
    async fn increment(&self, request: IncrementRequest) -> Outcome {
        let asked = Asked {
            kind: OperationKind::Increment,
            access: &request.access,
            key: &request.key,
            payment: request.authorization_reference.as_deref(),
        };
        let body = |_: &str| Ok(Body::form(&requests::raise(&request)?));
        let read = |payment| map::raise(&request.key, &payment);
        self.ask_of(
            asked,
            |id| of_payment(id, "increment_authorization"),
            body,
            read,
        )
        .await
    }
}

/// The path segment of payments.
const PAYMENTS: &str = "payment_intents";
/// The path segment of card checks.
const CHECKS: &str = "setup_intents";

/// The reason why a capture that isn't final is not sent.
const NOT_IN_PARTS: &str = "the account at Stripe can't capture a payment in several parts: its setting metadata.multicapture isn't true";

fn may_capture_in_parts(access: &Access) -> bool {
    access.metadata.get(MULTICAPTURE.name) == Some(&Value::Bool(true))
}

fn of_payment<'a>(id: &'a str, operation: &'a str) -> Vec<&'a str> {
    vec!["v1", PAYMENTS, id, operation]
}

/// Returns the path segment for an object with this id.
fn collection_of(id: &str) -> &'static str {
    if id.starts_with("seti_") {
        CHECKS
    } else {
        PAYMENTS
    }
}
