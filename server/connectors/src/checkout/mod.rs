//! The connector of Checkout.com's payments API. Payments are answered at once. Captures, voids and
//! refunds are accepted first; an event or a look-up brings their outcome.
//!
//! `peer.yaml` describes the used part of the API, and `means.yaml` what its words mean; the types of
//! both are generated. `requests.rs` builds requests, `map.rs` and `errors.rs` interpret answers, and
//! `notices.rs` reads events.

mod description;
mod disputes;
mod errors;
mod evidence;
#[rustfmt::skip]
mod generated;
mod keys;
mod map;
mod notices;
mod requests;
mod test_mode;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use async_trait::async_trait;
use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::{
    AcceptDisputeRequest, Access, AccountCheck, AuthorizeRequest, CaptureRequest,
    ChallengeDisputeRequest, Connector, Description, DisputeAcceptance, DisputeAt,
    DisputeChallenges, DisputeLookUps, DisputeNews, Finding, LookUpRequest, News, NoPlace, Notice,
    NoticePart, Notices, OperationKind, Outcome, PaymentAt, PaymentHistory, Payments, RawNotice,
    RefundRequest, UnknownReason, Unreadable, VoidRequest, WebhookSecrets,
};
use multirail_sdk::evidence::Evidence;
use serde::Serialize;

use self::description::{DESCRIPTION, ENDPOINT_PREFIX, PROCESSING_CHANNEL, SHOWN};
use self::disputes::DISPUTES;
use self::generated::wire::{Action, ListPaymentsQuery};
use self::keys::reference_of;
use self::map::FORM;
use self::notices::SIGNATURE;
use self::test_mode::TEST_MODE;
use crate::Registered;
use crate::account::{credential, setting};
use crate::amounts::NotWritable;
use crate::changes::Change as Listed;
use crate::client::{Answer, Client, NotSent, TransportError};
use crate::notices::is_body_signed;
use crate::outcome::{absent, learned, of_check, thing, without_reference};
use crate::text::Text;
use crate::wire::{Body, WireRequest, path};

/// The path segment of payments.
const PAYMENTS: &str = "payments";

/// A change of a payment: our kind of operation, and its path segment.
#[derive(Clone, Copy)]
struct Change {
    kind: OperationKind,
    word: &'static str,
}

const CAPTURE: Change = Change {
    kind: OperationKind::Capture,
    word: "captures",
};
const REFUND: Change = Change {
    kind: OperationKind::Refund,
    word: "refunds",
};
/// Releases the authorization.
const VOID: Change = Change {
    kind: OperationKind::Void,
    word: "voids",
};
/// Releases the authorization and refunds captured money.
const REVERSAL: Change = Change {
    kind: OperationKind::Void,
    word: "reversals",
};

/// The Checkout.com connector.
pub struct Checkout {
    client: Arc<Client>,
}

pub(crate) const REGISTERED: Registered = Registered {
    make: |client| Arc::new(Checkout::new(client)),
    description: &DESCRIPTION,
    test_mode: &TEST_MODE,
};

/// Returns the base URL of the account.
fn address(access: &Access) -> Option<String> {
    let prefix = setting(access, &ENDPOINT_PREFIX)?;
    let environment = if access.test_mode { ".sandbox" } else { "" };
    Some(format!("https://{prefix}.api{environment}.checkout.com"))
}

impl Checkout {
    pub fn new(client: Arc<Client>) -> Self {
        Checkout { client }
    }

    async fn send(&self, access: &Access, request: WireRequest) -> Answer {
        let (Some(address), Some(key)) = (address(access), credential(access, "api_key")) else {
            return Err(TransportError::NotSent(NotSent::NoCredentials));
        };
        let request = request.bearer(&key).showing(SHOWN);
        self.client.send(access, &address, request).await
    }

    /// Sends a request that Checkout.com executes once under this key.
    async fn post(
        &self,
        access: &Access,
        segments: &[&str],
        key: &ProcessorKey,
        body: Body,
    ) -> Answer {
        let request = WireRequest::post(path(segments), body);
        let key = SecretText::new(key.as_str());
        self.send(access, request.header("cko-idempotency-key", key))
            .await
    }

    /// Requests a change of a payment.
    async fn change(
        &self,
        access: &Access,
        change: Change,
        key: &ProcessorKey,
        payment: Option<&str>,
        body: Result<impl Serialize, NotWritable>,
    ) -> Outcome {
        let Some(payment) = payment else {
            return without_reference("Checkout.com");
        };
        let body = match body {
            Ok(body) => Body::json(&body),
            Err(error) => return Outcome::never_happened(error),
        };
        let segments = [PAYMENTS, payment, change.word];
        let answer = self.post(access, &segments, key, body).await;
        map::accepted(change.kind, key, answer)
    }

    /// Returns the id of the payment that was made under this key, if Checkout.com finds it.
    async fn search(&self, access: &Access, key: &ProcessorKey) -> Result<Option<String>, Finding> {
        let query = ListPaymentsQuery {
            limit: Some(10),
            reference: Text::cut(reference_of(key)),
        };
        let request = WireRequest::get_by(path(&[PAYMENTS]), &query);
        let payments = thing(self.send(access, request).await)?;
        Ok(map::named(key, payments))
    }

    /// Lists the changes of a payment.
    async fn changes(&self, access: &Access, payment: &str) -> Result<Vec<Listed>, Finding> {
        let asked = WireRequest::get(path(&[PAYMENTS, payment, "actions"]));
        let actions: Vec<Action> = thing(self.send(access, asked).await)?;
        Ok(actions.into_iter().filter_map(map::listed).collect())
    }

    async fn void_in_steps(&self, request: &VoidRequest) -> Outcome {
        let access = &request.access;
        let payment = match request.authorization_reference.clone() {
            Some(id) => Some(id),
            // A payment without an answer may exist.
            None => self
                .search(access, &request.authorization_key)
                .await
                .unwrap_or_default(),
        };
        // A reversal refunds everything captured. It is used only for payments that were captured
        // at once.
        let change = if request.captured_at_once {
            REVERSAL
        } else {
            VOID
        };
        let body = requests::whole(&request.key, request.reason.as_deref());
        self.change(access, change, &request.key, payment.as_deref(), Ok(body))
            .await
    }

    async fn find(&self, request: &LookUpRequest) -> Result<Finding, Finding> {
        let access = &request.access;
        let is_payment = request.kind == OperationKind::Authorize;
        let own = request.reference.as_ref().filter(|_| is_payment);
        let known = own.or(request.authorization_reference.as_ref());
        let payment = match known {
            Some(id) => id.clone(),
            None => match self.search(access, &request.authorization_key).await? {
                Some(id) => id,
                None => return Ok(absent("no payment has this reference, so far")),
            },
        };
        if is_payment {
            let asked = WireRequest::get(path(&[PAYMENTS, &payment]));
            let payment = thing(self.send(access, asked).await)?;
            return Ok(learned(map::payment(&request.key, payment)));
        }
        let listed = self.changes(access, &payment).await?;
        Ok(FORM.find(request, &listed).unwrap_or_else(|| learned(None)))
    }
}

#[async_trait]
impl Connector for Checkout {
    fn description(&self) -> &'static Description {
        &DESCRIPTION
    }

    /// Lists payments, to check that the API key may.
    async fn check(&self, access: Access) -> AccountCheck {
        let query = ListPaymentsQuery {
            limit: Some(1),
            reference: Text::cut("multirail"),
        };
        let asked = WireRequest::get_by(path(&[PAYMENTS]), &query);
        of_check(self.send(&access, asked).await, errors::refusal)
    }
}

#[async_trait]
impl Payments for Checkout {
    async fn authorize(&self, request: AuthorizeRequest) -> Outcome {
        let channel = setting(&request.access, &PROCESSING_CHANNEL);
        let body = match requests::payment(&request, channel) {
            Ok(payment) => Body::json(&payment),
            Err(error) => return Outcome::never_happened(error),
        };
        // Drop number and code before the wait.
        drop(request.data);
        let answer = self
            .post(&request.access, &[PAYMENTS], &request.key, body)
            .await;
        map::paid(&request.key, answer)
    }

    async fn capture(&self, request: CaptureRequest) -> Outcome {
        let payment = request.authorization_reference.as_deref();
        let body = requests::capture(&request);
        self.change(&request.access, CAPTURE, &request.key, payment, body)
            .await
    }

    async fn void(&self, request: VoidRequest) -> Outcome {
        self.client.in_time(self.void_in_steps(&request)).await
    }

    async fn refund(&self, request: RefundRequest) -> Outcome {
        let payment = request.authorization_reference.as_deref();
        let body = requests::refund(&request);
        self.change(&request.access, REFUND, &request.key, payment, body)
            .await
    }

    async fn look_up(&self, request: LookUpRequest) -> Finding {
        let found = async { self.find(&request).await.unwrap_or_else(|failed| failed) };
        self.client.in_time(found).await
    }
}

impl Notices for Checkout {
    fn verify_notice(
        &self,
        raw: &RawNotice,
        secrets: Option<&WebhookSecrets>,
        _wall: Timestamp,
    ) -> bool {
        is_body_signed(raw, SIGNATURE, secrets)
    }

    fn read_notices(&self, raw: &RawNotice, _access: &Access) -> Result<Vec<Notice>, Unreadable> {
        notices::read(raw)
    }

    fn notice_parts(&self, raw: RawNotice) -> Vec<NoticePart> {
        vec![NoticePart::whole(raw)]
    }
}

#[async_trait]
impl PaymentHistory for Checkout {
    async fn look_over(&self, payment: PaymentAt) -> Vec<News> {
        let listed = self.changes(&payment.access, &payment.authorization_reference);
        FORM.by_others(&payment, &listed.await.unwrap_or_default())
    }
}

#[async_trait]
impl DisputeAcceptance for Checkout {
    async fn accept_dispute(&self, request: AcceptDisputeRequest) -> Outcome {
        let dispute = &request.dispute;
        let segments = [DISPUTES, &dispute.reference, "accept"];
        // A second acceptance has no effect, so no key is needed.
        let sent = WireRequest::post(path(&segments), Body::Empty);
        disputes::accepted(self.send(&dispute.access, sent).await)
    }
}

#[async_trait]
impl DisputeChallenges for Checkout {
    fn has_places(&self, given: &Evidence) -> Result<(), NoPlace> {
        evidence::texts(&given.texts)?;
        let files = given.files.iter();
        evidence::check(files.map(|file| (file.item, file.bytes)))
    }

    async fn challenge_dispute(&self, request: ChallengeDisputeRequest) -> Outcome {
        let handed_in = self.challenge(&request.dispute, request.evidence).await;
        handed_in.unwrap_or_else(|refused| refused)
    }
}

#[async_trait]
impl DisputeLookUps for Checkout {
    async fn find_dispute(&self, dispute: DisputeAt) -> Result<DisputeNews, UnknownReason> {
        let asked = WireRequest::get(path(&[DISPUTES, &dispute.reference]));
        disputes::found(&dispute.reference, self.send(&dispute.access, asked).await)
    }
}
