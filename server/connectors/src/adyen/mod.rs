//! The connector of Adyen's Checkout API. Payments are answered at once. Captures, voids and
//! refunds are acknowledged, and a notice brings their outcome. Adyen has no look-up of payments:
//! an unknown outcome is learned from a notice, or by a repetition under the same key.

mod actions;
mod address;
mod defense;
mod description;
mod disputes;
mod errors;
mod lines;
mod map;
mod notices;
mod payer_methods;
mod request;
mod wire;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use async_trait::async_trait;
use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::money::Money;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::{
    AcceptDisputeRequest, Access, AccountCheck, AuthorizeRequest, CaptureRequest,
    ChallengeDisputeRequest, Connector, DeleteKeptRequest, Deletions, Description,
    DisputeAcceptance, DisputeChallenges, EvidenceInFull, Finding, IncrementRequest, Increments,
    KeptAtProcessor, LookUpRequest, NoPlace, Notice, NoticePart, Notices, OperationKind, Outcome,
    Payments, RawNotice, RefundRequest, UnknownReason, Unreadable, VoidRequest, WebhookSecrets,
};
use multirail_sdk::evidence::Evidence;
use serde::Serialize;

use self::description::{DESCRIPTION, ENDPOINT_PREFIX, SHOWN};
use crate::account::{credential, setting};
use crate::client::{Answer, Client};
use crate::outcome::{check_without_credentials, no_credentials, of_check};
use crate::wire::{Body, WireRequest, path};
use wire::{
    CompletionDetails, DetailsRequest, ModificationRequest, PaymentMethodsRequest,
    StoredMethodQuery, VERSION,
};

const TEST_ADDRESS: &str = "https://checkout-test.adyen.com";

/// The Adyen connector.
pub struct Adyen {
    client: Arc<Client>,
}

/// The settings of an account at Adyen.
struct Account<'a> {
    access: &'a Access,
    api_key: SecretText,
    merchant_account: SecretText,
    address: String,
}

impl<'a> Account<'a> {
    fn from_access(access: &'a Access) -> Option<Self> {
        Some(Account {
            access,
            api_key: credential(access, "api_key")?,
            merchant_account: credential(access, "key1")?,
            address: address_of(access)?,
        })
    }

    fn merchant(&self) -> &str {
        self.merchant_account.expose()
    }

    /// Returns the members that every change of a payment has.
    fn asks<'b>(&'b self, key: &'b ProcessorKey) -> ModificationRequest<'b> {
        ModificationRequest {
            merchant_account: self.merchant(),
            reference: key.as_str(),
            ..ModificationRequest::default()
        }
    }

    /// Returns a request that Adyen executes once under this key.
    fn post(&self, segments: &[&str], key: &str, body: &impl Serialize) -> WireRequest {
        let request = self.write(segments, body);
        request.header("idempotency-key", SecretText::new(key))
    }

    fn write(&self, segments: &[&str], body: &impl Serialize) -> WireRequest {
        self.write_below(&[VERSION], segments, body)
    }

    fn write_below(&self, base: &[&str], segments: &[&str], body: &impl Serialize) -> WireRequest {
        let segments: Vec<&str> = base.iter().chain(segments).copied().collect();
        WireRequest::post(path(&segments), Body::json(body))
            .header("x-api-key", self.api_key.clone())
            .showing(SHOWN)
    }
}

/// Returns the base URL of the account. Live accounts use the company's own host.
fn address_of(access: &Access) -> Option<String> {
    if access.test_mode {
        return Some(TEST_ADDRESS.to_owned());
    }
    let prefix = setting(access, &ENDPOINT_PREFIX)?;
    Some(format!(
        "https://{prefix}-checkout-live.adyenpayments.com/checkout"
    ))
}

impl Adyen {
    pub fn new(client: Arc<Client>) -> Self {
        Adyen { client }
    }

    async fn send(&self, account: &Account<'_>, request: WireRequest) -> Answer {
        let Account {
            access, address, ..
        } = account;
        self.client.send(access, address, request).await
    }

    /// Requests a change of a payment by an amount; `say` adds further members.
    async fn modify_by(
        &self,
        asked: Asked<'_>,
        change: &str,
        say: impl FnOnce(&mut ModificationRequest<'_>) + Send,
    ) -> Outcome {
        let Some(account) = Account::from_access(asked.access) else {
            return no_credentials();
        };
        let Some(payment) = asked.payment else {
            return without_reference();
        };
        match request::amount(asked.money) {
            Ok(amount) => {
                let mut body = ModificationRequest {
                    amount: Some(amount),
                    ..account.asks(asked.key)
                };
                say(&mut body);
                self.modify(&account, payment, change, &body).await
            }
            Err(error) => Outcome::never_happened(error),
        }
    }

    /// Requests a change of a payment.
    async fn modify(
        &self,
        account: &Account<'_>,
        payment: &str,
        change: &str,
        body: &ModificationRequest<'_>,
    ) -> Outcome {
        let key = body.reference;
        let segments = ["payments", payment, change];
        let answer = self.send(account, account.post(&segments, key, body)).await;
        map::modification(key, Some(payment), answer)
    }
}

/// A change of a payment by an amount.
struct Asked<'a> {
    access: &'a Access,
    key: &'a ProcessorKey,
    /// Adyen's reference of the payment.
    payment: Option<&'a str>,
    money: Money,
}

#[async_trait]
impl Connector for Adyen {
    fn description(&self) -> &'static Description {
        &DESCRIPTION
    }

    /// Requests the payment methods of the account.
    async fn check(&self, access: Access) -> AccountCheck {
        let Some(account) = Account::from_access(&access) else {
            return check_without_credentials();
        };
        let body = PaymentMethodsRequest {
            merchant_account: account.merchant(),
        };
        let sent = account.write(&["paymentMethods"], &body);
        of_check(self.send(&account, sent).await, errors::of_request)
    }
}

#[async_trait]
impl Payments for Adyen {
    async fn authorize(&self, request: AuthorizeRequest) -> Outcome {
        let Some(account) = Account::from_access(&request.access) else {
            return no_credentials();
        };
        let key = request.key.as_str();
        let sent = match request::payment(&request, account.merchant()) {
            Ok(body) => account.post(&["payments"], key, &body),
            Err(error) => return Outcome::never_happened(error),
        };
        // Drop number and code before the wait.
        drop(request.data);
        map::payment(key, self.send(&account, sent).await)
    }

    async fn capture(&self, request: CaptureRequest) -> Outcome {
        let asked = Asked {
            access: &request.access,
            key: &request.key,
            payment: request.authorization_reference.as_deref(),
            money: request.money,
        };
        self.modify_by(asked, "captures", |body| body.add_line("Capture"))
            .await
    }

    async fn void(&self, request: VoidRequest) -> Outcome {
        let Some(account) = Account::from_access(&request.access) else {
            return no_credentials();
        };
        let mut body = account.asks(&request.key);
        // A reversal refunds everything captured. It is used only for payments that were captured
        // at once.
        let change = if request.captured_at_once {
            "reversals"
        } else {
            "cancels"
        };
        if let Some(payment) = &request.authorization_reference {
            return self.modify(&account, payment, change, &body).await;
        }
        body.payment_reference = Some(request.authorization_key.as_str());
        let key = body.reference;
        let sent = account.post(&["cancels"], key, &body);
        let answer = self.send(&account, sent).await;
        map::modification(key, None, answer)
    }

    async fn refund(&self, request: RefundRequest) -> Outcome {
        let asked = Asked {
            access: &request.access,
            key: &request.key,
            payment: request.authorization_reference.as_deref(),
            money: request.money,
        };
        let reason = request.reason.as_deref().and_then(request::refund_reason);
        let say = |body: &mut ModificationRequest<'_>| {
            body.merchant_refund_reason = reason;
            body.add_line("Refund");
        };
        self.modify_by(asked, "refunds", say).await
    }

    /// Sends the query that the payer returned with. Without it no request is made.
    async fn look_up(&self, request: LookUpRequest) -> Finding {
        let returned_with = request.returned_with.as_deref();
        let result = returned_with.and_then(request::redirect_result);
        let is_payment = request.kind == OperationKind::Authorize;
        let (Some(account), Some(redirect_result)) = (
            Account::from_access(&request.access),
            result.filter(|_| is_payment),
        ) else {
            return map::nothing_to_ask();
        };
        let key = request.key.as_str();
        let details_key = request::details_key(key, &redirect_result);
        let body = DetailsRequest {
            details: CompletionDetails {
                redirect_result: &redirect_result,
            },
        };
        let sent = account.post(&["payments", "details"], &details_key, &body);
        let answer = self.send(&account, sent).await;
        map::details(key, request.reference.as_deref(), answer)
    }
}

impl Notices for Adyen {
    fn verify_notice(
        &self,
        raw: &RawNotice,
        secrets: Option<&WebhookSecrets>,
        _wall: Timestamp,
    ) -> bool {
        notices::verify(raw, secrets)
    }

    fn read_notices(&self, raw: &RawNotice, access: &Access) -> Result<Vec<Notice>, Unreadable> {
        let merchant_account = credential(access, "key1").ok_or(Unreadable)?;
        notices::read(raw, merchant_account.expose()).ok_or(Unreadable)
    }

    fn notice_parts(&self, raw: RawNotice) -> Vec<NoticePart> {
        notices::parts(&raw)
    }
}

#[async_trait]
impl Increments for Adyen {
    async fn increment(&self, request: IncrementRequest) -> Outcome {
        let asked = Asked {
            access: &request.access,
            key: &request.key,
            payment: request.authorization_reference.as_deref(),
            money: request.money,
        };
        let reason = request.reason.as_deref().and_then(request::industry_usage);
        let say = |body: &mut ModificationRequest<'_>| body.industry_usage = reason;
        self.modify_by(asked, "amountUpdates", say).await
    }
}

#[async_trait]
impl Deletions for Adyen {
    async fn delete_stored(&self, request: DeleteKeptRequest) -> Result<(), UnknownReason> {
        let KeptAtProcessor::Method {
            id,
            customer_id: Some(shopper),
        } = &request.kept
        else {
            return Ok(());
        };
        let Some(account) = Account::from_access(&request.access) else {
            return Err(UnknownReason::ProcessorError);
        };
        let query = StoredMethodQuery {
            shopper_reference: shopper,
            merchant_account: account.merchant(),
        };
        let path = path(&[VERSION, "storedPaymentMethods", id]);
        let sent = WireRequest::delete_by(path, &query)
            .header("x-api-key", account.api_key.clone())
            .showing(SHOWN);
        map::deleted(self.send(&account, sent).await)
    }
}

#[async_trait]
impl DisputeAcceptance for Adyen {
    async fn accept_dispute(&self, request: AcceptDisputeRequest) -> Outcome {
        let Some(account) = Account::from_access(&request.dispute.access) else {
            return no_credentials();
        };
        let body = account.about(&request.dispute);
        let answer = self.ask_of_dispute(&account, "acceptDispute", &body);
        disputes::answered(answer.await)
    }
}

#[async_trait]
impl DisputeChallenges for Adyen {
    fn has_places(&self, evidence: &Evidence) -> Result<(), NoPlace> {
        let files = evidence.files.iter();
        defense::check(
            evidence.texts.iter().map(|text| text.item),
            files.map(|file| (file.item, file.file_type, file.bytes)),
        )
    }

    async fn challenge_dispute(&self, request: ChallengeDisputeRequest) -> Outcome {
        let Some(account) = Account::from_access(&request.dispute.access) else {
            return no_credentials();
        };
        let EvidenceInFull { texts, files } = request.evidence;
        let brought = files.iter();
        let placed = defense::check(
            texts.iter().map(|text| text.item),
            brought.map(|file| (file.item, file.file_type, file.size())),
        );
        match placed {
            Ok(()) => self.defend(&account, &request.dispute, files).await,
            Err(no_place) => Outcome::never_happened(no_place),
        }
    }
}

/// Returns the outcome for a payment whose reference Adyen never returned: this request can't name
/// it otherwise.
fn without_reference() -> Outcome {
    Outcome::never_happened("Adyen's reference of the payment isn't known yet")
}
