//! The language of the simulated processor: a small HTTP interface with JSON bodies.
//!
//! | Request | Body | Answer (200) |
//! |---|---|---|
//! | `POST /{connector}/authorizations` | [`AuthorizeBody`] | [`AuthorizationAnswer`] |
//! | `POST /{connector}/authorizations/{key}/device_data` | [`DeviceDataBody`] | [`AuthorizationAnswer`] |
//! | `POST /{connector}/increments` | [`IncrementBody`] | [`CaptureAnswer`] |
//! | `POST /{connector}/captures` | [`CaptureBody`] | [`CaptureAnswer`] |
//! | `POST /{connector}/voids` | [`VoidBody`] | [`VoidAnswer`] |
//! | `POST /{connector}/refunds` | [`RefundBody`] | [`RefundAnswer`] |
//! | `GET /{connector}/{authorizations,increments,captures,voids,refunds}/{key}` | none | the same |
//! | `GET /{connector}/disputes/{reference}` | none | [`DisputeAnswer`] |
//! | `POST /{connector}/disputes` | [`DisputeListBody`] | [`DisputeListAnswer`] |
//! | `POST /{connector}/disputes/{reference}/accept` | none | the same |
//! | `POST /{connector}/disputes/{reference}/challenge` | [`ChallengeBody`] | the same |
//! | `POST /{connector}/sessions` | [`SessionBody`] | [`SessionAnswer`] |
//! | `GET /{connector}/account` | none | [`AccountAnswer`] |
//! | `POST /{connector}/account/notices` | [`NoticeEndpointBody`] | [`AccountAnswer`] |
//!
//! `{connector}` is one of [`NAMES`]. Every request carries an `api-key`, every POST of an operation an
//! `idempotency-key`: the key under which the processor files it. The same key again gets the answer that the operation has
//! now and does nothing; with other terms it is refused (409). A refusal has a status of 400 to 409 and an
//! [`ErrorAnswer`]; it is filed too, so a look-up finds it as `declined`. Amounts are in minor units.

pub mod errors;
mod transport;

pub use transport::{Transport, TransportError};

use std::collections::BTreeMap;
use std::fmt;

use multirail_domain::secret::{SecretText, sealed, sealed_option};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The simulated processors: one simulator under several names, so that routing has a choice.
pub const NAMES: [&str; 7] = [
    "stripe_test",
    "adyen_test",
    "checkout_test",
    "paypal_test",
    "fauxpay",
    "pretendpay",
    "phonypay",
];

/// The key that the processor doesn't know. Any other opens an account of its own.
pub const REFUSED_API_KEY: &str = "refused_key";

/// The header with the merchant's key.
pub const API_KEY_HEADER: &str = "api-key";
/// The header with the key of the operation.
pub const KEY_HEADER: &str = "idempotency-key";
/// The header of a notice with the HMAC-SHA256 of its body in hex, by the secret that the merchant was given.
pub const NOTICE_SIGNATURE_HEADER: &str = "simulator-signature";

/// What the processor tells unasked: an answer that came later than its request's.
#[derive(Debug, Serialize, Deserialize)]
pub struct NoticeBody {
    /// The same whenever it is sent again.
    pub id: String,
    /// `authorize`, `increment`, `capture`, `void` or `refund`.
    pub operation: String,
    /// The answer's status.
    pub word: String,
    /// The key of the operation.
    pub key: String,
    /// RFC 3339.
    pub happened_at: String,
    /// The reference of the authorization that it belongs to.
    #[serde(default)]
    pub authorization: Option<String>,
    /// What a look-up would be answered.
    pub answer: Value,
}

/// Where the account's notices go from now on.
#[derive(Debug, Serialize, Deserialize)]
pub struct NoticeEndpointBody {
    /// An `http` address of this machine: a simulated processor calls nobody else.
    pub address: String,
    /// What they are signed with.
    #[serde(with = "sealed")]
    pub secret: SecretText,
}

/// How a dispute stands, told unasked.
#[derive(Debug, Serialize, Deserialize)]
pub struct DisputeNoticeBody {
    /// The same whenever it is sent again.
    pub id: String,
    /// RFC 3339.
    pub happened_at: String,
    pub dispute: DisputeAnswer,
}

/// What is handed in against a dispute.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct ChallengeBody {
    /// By their names.
    pub texts: BTreeMap<String, String>,
    pub files: Vec<FileBody>,
}

/// A file of evidence. A simulated processor has no use for its bytes.
#[derive(Debug, Serialize, Deserialize)]
pub struct FileBody {
    pub name: String,
    /// `application/pdf` and the like.
    pub file_type: String,
    pub bytes: i64,
}

/// A dispute.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DisputeAnswer {
    /// The processor's own name for it.
    pub reference: String,
    /// The reference of the authorization whose money is disputed.
    pub authorization: String,
    /// `pre_dispute`, `dispute`, `pre_arbitration`, `arbitration` or `dispute_reversal`.
    pub stage: String,
    /// `dispute_opened` and the like.
    pub status: String,
    pub amount: i64,
    pub currency: String,
    #[serde(default)]
    pub reason: Option<String>,
    #[serde(default)]
    pub reason_code: Option<String>,
    /// RFC 3339.
    #[serde(default)]
    pub challenge_required_by: Option<String>,
    /// RFC 3339.
    #[serde(default)]
    pub opened_at: Option<String>,
    /// When it came to stand so. RFC 3339.
    #[serde(default)]
    pub updated_at: Option<String>,
}

/// Which disputes are asked for: those that were raised in this time.
#[derive(Debug, Serialize, Deserialize)]
pub struct DisputeListBody {
    /// RFC 3339.
    pub from: String,
    /// RFC 3339.
    pub until: String,
    /// [`DisputeListAnswer::next`] of the answer before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

/// Some of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DisputeListAnswer {
    pub disputes: Vec<DisputeAnswer>,
    /// Set where there may be more.
    pub next: Option<String>,
}

/// The two methods in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    Get,
    Post,
}

/// A request as it goes over the wire. It doesn't print what is secret in it.
pub struct WireRequest {
    pub method: Method,
    pub path: String,
    /// [`API_KEY_HEADER`]
    pub api_key: SecretText,
    /// [`KEY_HEADER`]
    pub key: Option<String>,
    /// JSON; empty with a GET. Secret because an authorization's has a card number in it.
    pub body: SecretText,
}

impl fmt::Debug for WireRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WireRequest")
            .field("method", &self.method)
            .field("path", &self.path)
            .field("key", &self.key)
            .finish_non_exhaustive()
    }
}

impl WireRequest {
    /// A POST that is filed under `key`.
    pub fn post(path: String, api_key: SecretText, key: &str, body: &impl Serialize) -> Self {
        WireRequest {
            method: Method::Post,
            path,
            api_key,
            key: Some(key.to_owned()),
            body: SecretText::of_json(body),
        }
    }

    /// A POST that asks for something and has nothing filed.
    pub fn question(path: String, api_key: SecretText, body: &impl Serialize) -> Self {
        WireRequest {
            key: None,
            ..WireRequest::post(path, api_key, "", body)
        }
    }

    /// A GET.
    pub fn get(path: String, api_key: SecretText) -> Self {
        WireRequest {
            method: Method::Get,
            path,
            api_key,
            key: None,
            body: SecretText::default(),
        }
    }
}

/// An answer as it comes over the wire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WireResponse {
    pub status: u16,
    pub body: String,
}

impl WireResponse {
    /// An answer with a JSON body.
    pub fn json(status: u16, body: &impl Serialize) -> Self {
        let body = serde_json::to_string(body).expect("our own bodies are plain JSON");
        WireResponse { status, body }
    }
}

/// What is asked with an authorization.
#[derive(Debug, Serialize, Deserialize)]
pub struct AuthorizeBody {
    /// 0 only checks the card.
    pub amount: i64,
    pub currency: String,
    /// Take the money in the same step.
    pub capture: bool,
    pub card: CardBody,
    /// Where the payer's browser goes after the processor's page.
    pub return_url: String,
    /// Everything else that the merchant said, in groups. It decides nothing here: it is filed.
    #[serde(default)]
    pub details: Map<String, Value>,
}

/// A card.
#[derive(Debug, Serialize, Deserialize)]
pub struct CardBody {
    #[serde(with = "sealed")]
    pub number: SecretText,
    /// Two digits.
    pub exp_month: String,
    /// Four digits.
    pub exp_year: String,
    #[serde(
        with = "sealed_option",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub code: Option<SecretText>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holder_name: Option<String>,
}

/// What is said of the data of the payer's device.
#[derive(Debug, Serialize, Deserialize)]
pub struct DeviceDataBody {
    /// `Y`, `N` or `U`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collected: Option<String>,
    /// Where the goods go. It decides nothing here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shipping: Option<Value>,
}

/// What is asked with a raise.
#[derive(Debug, Serialize, Deserialize)]
pub struct IncrementBody {
    /// Key of the authorization.
    pub authorization: String,
    /// The new total.
    pub amount: i64,
    pub currency: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// What is asked with a capture.
#[derive(Debug, Serialize, Deserialize)]
pub struct CaptureBody {
    /// Key of the authorization.
    pub authorization: String,
    pub amount: i64,
    pub currency: String,
    /// No further one follows: what is left is released.
    #[serde(rename = "final")]
    pub is_final: bool,
    /// The line on the payer's statement, in parts.
    #[serde(default)]
    pub descriptor: Map<String, Value>,
}

/// What is asked with a void.
#[derive(Debug, Serialize, Deserialize)]
pub struct VoidBody {
    /// Key of the authorization.
    pub authorization: String,
    /// Void what was captured too, all of it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub captured: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// What is asked with a refund.
#[derive(Debug, Serialize, Deserialize)]
pub struct RefundBody {
    /// Key of the authorization whose money is given back.
    pub authorization: String,
    pub amount: i64,
    pub currency: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// How an authorization stands. Captures, voids and refunds are things of their own and don't change it once it is decided;
/// its time does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AuthorizationStatus {
    Approved,
    Declined,
    /// The payer has to decide at `redirect_url`.
    AwaitingCustomer,
    /// The data of the payer's device have to be collected at `redirect_url`.
    AwaitingDeviceData,
    /// It will be known later.
    Pending,
    /// Voided before it was decided: it can't be approved any more.
    Cancelled,
    /// It was approved, and is over: what was not captured in time is free.
    Lapsed,
}

/// How a capture, a void or a refund stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OperationStatus {
    Done,
    Declined,
    Pending,
}

/// An authorization.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuthorizationAnswer {
    pub key: String,
    /// The processor's own name for it.
    pub reference: String,
    pub status: AuthorizationStatus,
    /// What was asked.
    pub amount: i64,
    /// What was approved, once it is; it may be less.
    pub approved_amount: Option<i64>,
    pub currency: String,
    /// While the payer has to decide, or the data of his device are collected.
    pub redirect_url: Option<String>,
    /// Of one that only reserves, once it is approved: when it lapses. RFC 3339.
    #[serde(default)]
    pub capture_before: Option<String>,
    /// Where a longer time was asked for, whether it stands longer.
    #[serde(default)]
    pub extended: Option<bool>,
    /// Where captures may take more than was approved, what they may take in all.
    #[serde(default)]
    pub most_capturable: Option<i64>,
    /// Why it was declined, or is over.
    pub error: Option<ErrorBody>,
    /// The issuer's code, once it approved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auth_code: Option<String>,
    /// Results of 3-D Secure, where the payer went through it and approved.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub authentication: Map<String, Value>,
    /// What was found where it is approved and held: it is only reserved then, also where it was asked to be taken in the same
    /// step. A capture lets it go on, a void ends it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review: Option<ReviewBody>,
}

/// What a screening for fraud found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewBody {
    /// Who screened.
    pub service: String,
    /// The service's own name for it.
    pub reference: String,
    /// From 0, no risk, to 100.
    pub score: i32,
    pub code: String,
    pub message: String,
}

/// A capture or a raise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaptureAnswer {
    pub key: String,
    pub reference: String,
    pub status: OperationStatus,
    pub amount: i64,
    pub currency: String,
    pub error: Option<ErrorBody>,
}

/// A void.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VoidAnswer {
    pub key: String,
    pub reference: String,
    pub status: OperationStatus,
    /// What it set free or gave back; 0 when there was nothing any more.
    pub amount: i64,
    pub error: Option<ErrorBody>,
}

/// A refund.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefundAnswer {
    pub key: String,
    pub reference: String,
    pub status: OperationStatus,
    pub amount: i64,
    pub currency: String,
    pub error: Option<ErrorBody>,
}

/// Whose account an API key opens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountAnswer {
    /// The processor's own name for it.
    pub account: String,
}

/// For what a wallet's session is opened. Nothing is filed: the same again gets the same session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionBody {
    /// The wallet's word in the contract.
    pub wallet: String,
    /// The merchant's id of the payment.
    pub payment: String,
    pub amount: i64,
    pub currency: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
}

/// A wallet's session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionAnswer {
    pub id: String,
    /// What opens the wallet's kit.
    pub token: String,
}

/// The body of every refusal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorAnswer {
    pub error: ErrorBody,
}

/// Why something was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorBody {
    /// `DC_…`
    pub code: String,
    pub message: String,
    /// The payer failed or refused authentication.
    #[serde(default)]
    pub in_authentication: bool,
    /// Where the issuer declined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issuer: Option<Box<IssuerBody>>,
}

/// What an issuer said, and what its scheme advises.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IssuerBody {
    pub code: String,
    pub message: String,
    pub advice_code: String,
    pub advice_message: String,
}
