//! The connector of Adyen's Checkout API. Payments are answered at once. Captures, voids and
//! refunds are acknowledged, and a notice brings their outcome. Adyen has no look-up of payments:
//! an unknown outcome is learned from a notice, or by a repetition under the same key.

mod actions;
mod address;
mod bank_debits;
mod changes;
mod defense;
mod description;
mod disputes;
mod errors;
#[rustfmt::skip]
#[expect(
    clippy::enum_variant_names,
    reason = "the variants have the names of Adyen's objects"
)]
mod generated;
mod lines;
mod map;
mod notices;
mod payer_methods;
mod request;
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
    ChallengeDisputeRequest, Connector, DeleteKeptRequest, Deletions, Description,
    DisputeAcceptance, DisputeChallenges, EvidenceInFull, Finding, IncrementRequest, Increments,
    KeptAtProcessor, LookUpRequest, NoPlace, Notice, NoticePart, Notices, OperationKind, Outcome,
    Payments, RawNotice, RefundRequest, UnknownReason, Unreadable, VoidRequest, WebhookSecrets,
};
use multirail_sdk::evidence::Evidence;
use serde::Serialize;

use self::description::{DESCRIPTION, ENDPOINT_PREFIX, SHOWN, VERSION};
use self::generated::wire::{
    CompletionDetails, DeleteStoredPaymentMethodQuery, PaymentDetailsRequest, PaymentMethodsRequest,
};
use self::test_mode::TEST_MODE;
use crate::Registered;
use crate::account::{credential, setting};
use crate::amounts::NotWritable;
use crate::client::{Answer, Client};
use crate::outcome::{check_without_credentials, no_credentials, of_check};
use crate::text::{Secret, Text};
use crate::wire::{Body, WireRequest, path};

const TEST_ADDRESS: &str = "https://checkout-test.adyen.com";

/// The Adyen connector.
pub struct Adyen {
    client: Arc<Client>,
}

pub(crate) const REGISTERED: Registered = Registered {
    make: |client| Arc::new(Adyen::new(client)),
    description: &DESCRIPTION,
    test_mode: &TEST_MODE,
};

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

    /// Requests a change of a payment.
    async fn change<B: Serialize + Send + Sync>(
        &self,
        account: &Account<'_>,
        (key, payment): (&ProcessorKey, Option<&str>),
        change: &str,
        body: Result<B, NotWritable>,
    ) -> Outcome {
        let key = key.as_str();
        let Some(payment) = payment else {
            return without_reference();
        };
        let sent = match &body {
            Ok(body) => account.post(&["payments", payment, change], key, body),
            Err(error) => return Outcome::never_happened(error),
        };
        map::modification(key, Some(payment), self.send(account, sent).await)
    }
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
            merchant_account: account.merchant().into(),
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
        let Some(account) = Account::from_access(&request.access) else {
            return no_credentials();
        };
        let body = changes::capture(&request, account.merchant());
        let of = (&request.key, request.authorization_reference.as_deref());
        self.change(&account, of, "captures", body).await
    }

    async fn void(&self, request: VoidRequest) -> Outcome {
        let Some(account) = Account::from_access(&request.access) else {
            return no_credentials();
        };
        let (key, merchant) = (&request.key, account.merchant());
        let payment = request.authorization_reference.as_deref();
        // A reversal refunds everything captured. It is used only for payments that were captured
        // at once.
        match payment {
            Some(_) if request.captured_at_once => {
                let body = Ok(changes::reverse(key, merchant));
                self.change(&account, (key, payment), "reversals", body)
                    .await
            }
            Some(_) => {
                let body = Ok(changes::cancel(key, merchant));
                self.change(&account, (key, payment), "cancels", body).await
            }
            None => {
                let body = changes::cancel_unknown(key, &request.authorization_key, merchant);
                let sent = account.post(&["cancels"], key.as_str(), &body);
                map::modification(key.as_str(), None, self.send(&account, sent).await)
            }
        }
    }

    async fn refund(&self, request: RefundRequest) -> Outcome {
        let Some(account) = Account::from_access(&request.access) else {
            return no_credentials();
        };
        let body = changes::refund(&request, account.merchant());
        let of = (&request.key, request.authorization_reference.as_deref());
        self.change(&account, of, "refunds", body).await
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
        let body = PaymentDetailsRequest {
            details: CompletionDetails {
                redirect_result: Secret::new(&redirect_result),
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
        let Some(account) = Account::from_access(&request.access) else {
            return no_credentials();
        };
        let body = changes::increment(&request, account.merchant());
        let of = (&request.key, request.authorization_reference.as_deref());
        self.change(&account, of, "amountUpdates", body).await
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
        let Some(shopper_reference) = Text::whole(shopper.as_str()) else {
            return Ok(());
        };
        let query = DeleteStoredPaymentMethodQuery {
            shopper_reference,
            merchant_account: account.merchant().into(),
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
