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
use tokio::time::timeout;

use self::description::{DESCRIPTION, ENDPOINT_PREFIX, PROCESSING_CHANNEL, SHOWN};
use self::disputes::DISPUTES;
use self::generated::wire::{Action, ListPaymentsQuery};
use self::keys::reference_of;
use self::map::Sought;
use crate::account::{credential, setting};
use crate::amounts::NotWritable;
use crate::client::{Answer, Client};
use crate::outcome::{
    absent, check_without_credentials, learned, no_credentials, not_learned, of_check, thing,
};
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

/// The settings of an account at Checkout.com.
struct Account<'a> {
    access: &'a Access,
    key: SecretText,
    address: String,
}

impl<'a> Account<'a> {
    fn from_access(access: &'a Access) -> Option<Self> {
        let prefix = setting(access, &ENDPOINT_PREFIX)?;
        let environment = if access.test_mode { ".sandbox" } else { "" };
        Some(Account {
            access,
            key: credential(access, "api_key")?,
            address: format!("https://{prefix}.api{environment}.checkout.com"),
        })
    }

    fn channel(&self) -> Option<&'a str> {
        setting(self.access, &PROCESSING_CHANNEL)
    }
}

impl Checkout {
    pub fn new(client: Arc<Client>) -> Self {
        Checkout { client }
    }

    async fn send(&self, account: &Account<'_>, request: WireRequest) -> Answer {
        let request = request.bearer(&account.key).showing(SHOWN);
        let answer = self.client.send(account.access, &account.address, request);
        answer.await
    }

    /// Sends a request that Checkout.com executes once under this key.
    async fn post(
        &self,
        account: &Account<'_>,
        segments: &[&str],
        key: &ProcessorKey,
        body: Body,
    ) -> Answer {
        let request = WireRequest::post(path(segments), body);
        let key = SecretText::new(key.as_str());
        self.send(account, request.header("cko-idempotency-key", key))
            .await
    }

    /// Requests a change of a payment.
    async fn act(
        &self,
        account: &Account<'_>,
        change: Change,
        key: &ProcessorKey,
        payment: &str,
        body: &impl Serialize,
    ) -> Outcome {
        let segments = [PAYMENTS, payment, change.word];
        let answer = self.post(account, &segments, key, Body::json(body)).await;
        map::accepted(change.kind, key, answer)
    }

    /// Captures or refunds all or part of a payment.
    async fn move_money(
        &self,
        access: &Access,
        change: Change,
        key: &ProcessorKey,
        payment: Option<&str>,
        body: Result<impl Serialize, NotWritable>,
    ) -> Outcome {
        let Some(account) = Account::from_access(access) else {
            return no_credentials();
        };
        match (payment, body) {
            (Some(payment), Ok(body)) => self.act(&account, change, key, payment, &body).await,
            (None, _) => without_reference(),
            (_, Err(error)) => Outcome::never_happened(error),
        }
    }

    /// Returns the id of the payment that was made under this key, if Checkout.com finds it.
    async fn search(
        &self,
        account: &Account<'_>,
        key: &ProcessorKey,
    ) -> Result<Option<String>, Finding> {
        let query = ListPaymentsQuery {
            limit: Some(10),
            reference: Text::cut(reference_of(key)),
        };
        let request = WireRequest::get_by(path(&[PAYMENTS]), &query);
        let payments = thing(self.send(account, request).await)?;
        Ok(map::named(key, payments))
    }

    async fn void_in_steps(&self, request: &VoidRequest, account: &Account<'_>) -> Outcome {
        let found = match request.authorization_reference.clone() {
            Some(id) => Some(id),
            // A payment without an answer may exist.
            None => self
                .search(account, &request.authorization_key)
                .await
                .unwrap_or_default(),
        };
        let Some(payment) = found else {
            return without_reference();
        };
        // A reversal refunds everything captured. It is used only for payments that were captured
        // at once.
        let change = if request.captured_at_once {
            REVERSAL
        } else {
            VOID
        };
        let body = requests::whole(&request.key, request.reason.as_deref());
        self.act(account, change, &request.key, &payment, &body)
            .await
    }

    async fn find(
        &self,
        request: &LookUpRequest,
        account: &Account<'_>,
    ) -> Result<Finding, Finding> {
        let is_payment = request.kind == OperationKind::Authorize;
        let own = request.reference.as_ref().filter(|_| is_payment);
        let known = own.or(request.authorization_reference.as_ref());
        let payment = match known {
            Some(id) => id.clone(),
            None => match self.search(account, &request.authorization_key).await? {
                Some(id) => id,
                None => return Ok(absent("no payment has this reference, so far")),
            },
        };
        if is_payment {
            let asked = WireRequest::get(path(&[PAYMENTS, &payment]));
            let payment = thing(self.send(account, asked).await)?;
            return Ok(learned(map::payment(&request.key, payment)));
        }
        let asked = WireRequest::get(path(&[PAYMENTS, &payment, "actions"]));
        let actions: Vec<Action> = thing(self.send(account, asked).await)?;
        let sought = Sought {
            kind: request.kind,
            key: &request.key,
            reference: request.reference.as_deref(),
            money: request.money,
        };
        Ok(map::among(&sought, &actions).unwrap_or_else(|| learned(None)))
    }
}

#[async_trait]
impl Connector for Checkout {
    fn description(&self) -> &'static Description {
        &DESCRIPTION
    }

    /// Lists payments, to check that the API key may.
    async fn check(&self, access: Access) -> AccountCheck {
        let Some(account) = Account::from_access(&access) else {
            return check_without_credentials();
        };
        let query = ListPaymentsQuery {
            limit: Some(1),
            reference: Text::cut("multirail"),
        };
        let asked = WireRequest::get_by(path(&[PAYMENTS]), &query);
        of_check(self.send(&account, asked).await, errors::refusal)
    }
}

#[async_trait]
impl Payments for Checkout {
    async fn authorize(&self, request: AuthorizeRequest) -> Outcome {
        let Some(account) = Account::from_access(&request.access) else {
            return no_credentials();
        };
        let body = match requests::payment(&request, account.channel()) {
            Ok(payment) => Body::json(&payment),
            Err(error) => return Outcome::never_happened(error),
        };
        // Drop number and code before the wait.
        drop(request.data);
        let answer = self.post(&account, &[PAYMENTS], &request.key, body).await;
        map::paid(&request.key, answer)
    }

    async fn capture(&self, request: CaptureRequest) -> Outcome {
        let payment = request.authorization_reference.as_deref();
        let body = requests::capture(&request);
        self.move_money(&request.access, CAPTURE, &request.key, payment, body)
            .await
    }

    async fn void(&self, request: VoidRequest) -> Outcome {
        let Some(account) = Account::from_access(&request.access) else {
            return no_credentials();
        };
        let steps = self.void_in_steps(&request, &account);
        let ended = timeout(self.client.deadline(), steps).await;
        ended.unwrap_or(Outcome::Unknown(UnknownReason::Timeout))
    }

    async fn refund(&self, request: RefundRequest) -> Outcome {
        let payment = request.authorization_reference.as_deref();
        let body = requests::refund(&request);
        self.move_money(&request.access, REFUND, &request.key, payment, body)
            .await
    }

    async fn look_up(&self, request: LookUpRequest) -> Finding {
        let Some(account) = Account::from_access(&request.access) else {
            return not_learned(UnknownReason::ConnectionLost);
        };
        let asked = timeout(self.client.deadline(), self.find(&request, &account));
        match asked.await {
            Ok(Ok(finding) | Err(finding)) => finding,
            Err(_) => not_learned(UnknownReason::Timeout),
        }
    }
}

impl Notices for Checkout {
    fn verify_notice(
        &self,
        raw: &RawNotice,
        secrets: Option<&WebhookSecrets>,
        _wall: Timestamp,
    ) -> bool {
        notices::verify(raw, secrets)
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
        let Some(account) = Account::from_access(&payment.access) else {
            return Vec::new();
        };
        let segments = [PAYMENTS, &payment.authorization_reference, "actions"];
        let asked = WireRequest::get(path(&segments));
        let actions = thing::<Vec<Action>>(self.send(&account, asked).await);
        map::by_others(&payment, actions.unwrap_or_default())
    }
}

#[async_trait]
impl DisputeAcceptance for Checkout {
    async fn accept_dispute(&self, request: AcceptDisputeRequest) -> Outcome {
        let dispute = &request.dispute;
        let Some(account) = Account::from_access(&dispute.access) else {
            return no_credentials();
        };
        let segments = [DISPUTES, &dispute.reference, "accept"];
        // A second acceptance has no effect, so no key is needed.
        let sent = WireRequest::post(path(&segments), Body::Empty);
        disputes::accepted(self.send(&account, sent).await)
    }
}

#[async_trait]
impl DisputeChallenges for Checkout {
    fn has_places(&self, given: &Evidence) -> Result<(), NoPlace> {
        evidence::texts(&given.texts)?;
        let files = given.files.iter();
        evidence::check_files(files.map(|file| (file.item, file.bytes)))
    }

    async fn challenge_dispute(&self, request: ChallengeDisputeRequest) -> Outcome {
        let Some(account) = Account::from_access(&request.dispute.access) else {
            return no_credentials();
        };
        self.challenge(&account, &request.dispute, request.evidence)
            .await
    }
}

#[async_trait]
impl DisputeLookUps for Checkout {
    async fn find_dispute(&self, dispute: DisputeAt) -> Result<DisputeNews, UnknownReason> {
        let account = Account::from_access(&dispute.access).ok_or(UnknownReason::ConnectionLost)?;
        let asked = WireRequest::get(path(&[DISPUTES, &dispute.reference]));
        disputes::found(&dispute.reference, self.send(&account, asked).await)
    }
}

/// Returns the outcome where the payment's id is missing: nothing was sent.
fn without_reference() -> Outcome {
    Outcome::never_happened("Checkout.com's id of the payment isn't known yet")
}
