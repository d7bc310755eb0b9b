//! The connector of the built-in processor simulator, and an example of a connector's structure.
//! Its processor is the crate `multirail_simulator`, which only tests of this crate use. The two
//! communicate only by the requests of [`multirail_simulator_wire`].

mod description;
mod disputes;
mod errors;
mod map;
pub mod notice_endpoint;
mod notices;
pub mod remote;
mod shown;

#[cfg(test)]
pub(crate) mod fixture;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::bank_account::BankAccount;
use multirail_sdk::card::Card;
use multirail_sdk::connector::{
    Access, AccountCheck, AuthorizeRequest, CaptureRequest, CapturedVoids,
    CompleteAuthorizationRequest, Connector, Description, DeviceData, Finding, IncrementRequest,
    Increments, LookUpRequest, Notice, NoticePart, Notices, OpenSessionRequest, OperationKind,
    Outcome, Payments, RawNotice, RefundRequest, SessionOpening, UnknownReason, Unreadable,
    VoidRequest, WalletSessions, WebhookSecrets,
};
use multirail_sdk::instrument::{NetworkToken, PaymentMethodData};
use multirail_sdk::payer_method::PayerSecret;
use multirail_simulator_wire::{
    AuthorizeBody, CaptureBody, CardBody, DebitBody, DeviceDataBody, IncrementBody, PayerBody,
    RefundBody, SessionBody, TokenBody, TransportError, VoidBody, WireRequest,
};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::account::credential;
use crate::amounts::NotWritable;
use crate::client::Answer;
use crate::outcome::{check_without_credentials, no_credentials};

pub use description::DESCRIPTIONS;
pub use multirail_simulator_wire::Transport;

/// A connector to one simulated processor.
pub struct Simulator {
    description: &'static Description,
    transport: Arc<dyn Transport>,
    deadline: Duration,
}

impl Simulator {
    /// Creates the connector of one of [`DESCRIPTIONS`], reached through `transport`. Calls wait
    /// until `deadline` at most.
    pub fn new(
        description: &'static Description,
        transport: Arc<dyn Transport>,
        deadline: Duration,
    ) -> Self {
        Simulator {
            description,
            transport,
            deadline,
        }
    }

    /// Replaces the deadline.
    #[cfg(test)]
    fn with_deadline(self, deadline: Duration) -> Self {
        Simulator { deadline, ..self }
    }

    fn path(&self, kind: OperationKind) -> String {
        let collection = match kind {
            OperationKind::Authorize => "authorizations",
            OperationKind::Increment => "increments",
            OperationKind::Capture => "captures",
            OperationKind::Void => "voids",
            OperationKind::Refund => "refunds",
        };
        format!("/{}/{collection}", self.description.name)
    }

    async fn send_void(&self, request: VoidRequest, captured: bool) -> Outcome {
        let body = VoidBody {
            authorization: request.authorization_key.to_string(),
            captured,
            reason: request.reason,
        };
        self.ask(OperationKind::Void, &request.access, &request.key, &body)
            .await
    }

    /// Sends a request without card data.
    async fn ask(
        &self,
        kind: OperationKind,
        access: &Access,
        key: &ProcessorKey,
        body: &(impl Serialize + Sync),
    ) -> Outcome {
        let Some(api_key) = credential(access, "api_key") else {
            return no_credentials();
        };
        let key = key.as_str();
        let sent = WireRequest::post(self.path(kind), api_key, key, body);
        map::operation(kind, key, self.send(sent).await)
    }

    async fn send(&self, request: WireRequest) -> Answer {
        let sent = tokio::time::timeout(self.deadline, self.transport.send(request));
        map::answer(sent.await.unwrap_or(Err(TransportError::TimedOut)))
    }
}

#[async_trait]
impl Connector for Simulator {
    fn description(&self) -> &'static Description {
        self.description
    }

    async fn check(&self, access: Access) -> AccountCheck {
        let Some(api_key) = credential(&access, "api_key") else {
            return check_without_credentials();
        };
        let path = format!("/{}/account", self.description.name);
        map::account(self.send(WireRequest::get(path, api_key)).await)
    }
}

#[async_trait]
impl Payments for Simulator {
    async fn authorize(&self, request: AuthorizeRequest) -> Outcome {
        let Some(api_key) = credential(&request.access, "api_key") else {
            return no_credentials();
        };
        let mut payer = None;
        let mut debit = None;
        let paying = match &request.data {
            PaymentMethodData::Card(paying) => Some(card(paying)),
            PaymentMethodData::NetworkToken(token) => Some(network_token(token)),
            PaymentMethodData::Kept(_) => None,
            PaymentMethodData::BankDebit(account) => {
                debit = Some(debited(account));
                None
            }
            PaymentMethodData::Sealed(token) => {
                return Outcome::never_happened(NotWritable::instrument_of(token.wallet));
            }
            PaymentMethodData::Payer(data) => {
                let method = &data.method;
                payer = Some(PayerBody {
                    method: method.kind.as_str().to_owned(),
                    bank: method.bank_name.map(|bank| bank.as_str().to_owned()),
                    country: method.country.map(|country| country.as_str().to_owned()),
                    text: match &data.secret {
                        Some(PayerSecret::Text(text)) => Some(text.clone()),
                        Some(PayerSecret::Card(_)) | None => None,
                    },
                });
                match &data.secret {
                    Some(PayerSecret::Card(paying)) => Some(card(paying)),
                    Some(PayerSecret::Text(_)) | None => None,
                }
            }
        };
        let body = AuthorizeBody {
            amount: request.money.amount_minor,
            currency: request.money.currency.as_str().to_owned(),
            capture: request.capture,
            card: paying,
            payer,
            debit,
            return_url: request.return_url,
            details: said(&request.details),
        };
        let kind = OperationKind::Authorize;
        let key = request.key.as_str();
        let sent = WireRequest::post(self.path(kind), api_key, key, &body);
        // Drop number and code before the wait.
        drop((body, request.data));
        map::operation(kind, key, self.send(sent).await)
    }

    async fn capture(&self, request: CaptureRequest) -> Outcome {
        let body = CaptureBody {
            authorization: request.authorization_key.to_string(),
            amount: request.money.amount_minor,
            currency: request.money.currency.as_str().to_owned(),
            is_final: request.is_final,
            descriptor: said(&request.descriptor),
        };
        self.ask(OperationKind::Capture, &request.access, &request.key, &body)
            .await
    }

    async fn void(&self, request: VoidRequest) -> Outcome {
        self.send_void(request, false).await
    }

    async fn refund(&self, request: RefundRequest) -> Outcome {
        let body = RefundBody {
            authorization: request.authorization_key.to_string(),
            amount: request.money.amount_minor,
            currency: request.money.currency.as_str().to_owned(),
            of_excess: request.of_excess,
            reason: request.reason,
        };
        self.ask(OperationKind::Refund, &request.access, &request.key, &body)
            .await
    }

    async fn look_up(&self, request: LookUpRequest) -> Finding {
        let Some(api_key) = credential(&request.access, "api_key") else {
            // No request was made, so the outcome stays unknown.
            return Finding::Outcome(Outcome::Unknown(UnknownReason::ConnectionLost));
        };
        let key = request.key.as_str();
        let path = format!("{}/{key}", self.path(request.kind));
        let answer = self.send(WireRequest::get(path, api_key)).await;
        map::look_up(request.kind, key, answer)
    }
}

impl Notices for Simulator {
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
impl DeviceData for Simulator {
    async fn complete_authorization(&self, request: CompleteAuthorizationRequest) -> Outcome {
        let Some(api_key) = credential(&request.access, "api_key") else {
            return no_credentials();
        };
        let kind = OperationKind::Authorize;
        let key = request.key.as_str();
        let collected = request.device_data_collected;
        let body = DeviceDataBody {
            collected: collected.map(|word| word.as_str().to_owned()),
            shipping: request
                .shipping
                .and_then(|address| serde_json::to_value(address).ok())
                .map(without_gaps),
        };
        let path = format!("{}/{key}/device_data", self.path(kind));
        let sent = WireRequest::post(path, api_key, key, &body);
        map::operation(kind, key, self.send(sent).await)
    }
}

#[async_trait]
impl Increments for Simulator {
    async fn increment(&self, request: IncrementRequest) -> Outcome {
        let body = IncrementBody {
            authorization: request.authorization_key.to_string(),
            amount: request.money.amount_minor,
            currency: request.money.currency.as_str().to_owned(),
            reason: request.reason,
        };
        self.ask(
            OperationKind::Increment,
            &request.access,
            &request.key,
            &body,
        )
        .await
    }
}

#[async_trait]
impl CapturedVoids for Simulator {
    async fn void_captured(&self, request: VoidRequest) -> Outcome {
        self.send_void(request, true).await
    }
}

#[async_trait]
impl WalletSessions for Simulator {
    async fn open_session(&self, request: OpenSessionRequest) -> SessionOpening {
        let Some(api_key) = credential(&request.access, "api_key") else {
            return SessionOpening::Refused {
                message: "the account has no credentials".to_owned(),
            };
        };
        let body = SessionBody {
            wallet: request.wallet.as_str().to_owned(),
            payment: request.payment_id.to_string(),
            amount: request.money.amount_minor,
            currency: request.money.currency.as_str().to_owned(),
            country: request.country.map(|country| country.as_str().to_owned()),
        };
        let path = format!("/{}/sessions", self.description.name);
        map::session(self.send(WireRequest::question(path, api_key, &body)).await)
    }
}

/// Returns the groups of details that have content.
fn said(groups: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(groups).map(without_gaps) {
        Ok(Value::Object(groups)) => groups,
        Ok(_) | Err(_) => Map::new(),
    }
}

/// Removes nulls, and objects and lists that become empty.
fn without_gaps(value: Value) -> Value {
    let is_gap = |value: &Value| match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    };
    match value {
        Value::Array(items) => items.into_iter().map(without_gaps).collect(),
        Value::Object(members) => members
            .into_iter()
            .map(|(name, value)| (name, without_gaps(value)))
            .filter(|(_, value)| !is_gap(value))
            .collect(),
        plain @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) => plain,
    }
}

fn card(card: &Card) -> CardBody {
    CardBody {
        number: SecretText::new(card.number.expose()),
        exp_month: card.expiry.month_text(),
        exp_year: card.expiry.year_text(),
        code: card
            .code
            .as_ref()
            .map(|code| SecretText::new(code.expose())),
        holder_name: card.holder.name.clone(),
        token: None,
    }
}

fn debited(account: &BankAccount) -> DebitBody {
    DebitBody {
        scheme: account.scheme.as_str().to_owned(),
        number: account.number.clone(),
        bank_code: account.bank_code.clone(),
        holder: account.holder_name.clone().unwrap_or_default(),
    }
}

fn network_token(token: &NetworkToken) -> CardBody {
    CardBody {
        token: Some(TokenBody {
            cryptogram: token.cryptogram.clone(),
            eci: token.eci.clone(),
            wallet: token.wallet.map(|wallet| wallet.to_string()),
        }),
        ..card(&token.card)
    }
}
