//! Answers: the state of objects, and errors.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The status of an authorization. Captures, voids and refunds are separate objects. After the
/// decision only expiry changes the status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AuthorizationStatus {
    Approved,
    Declined,
    /// The payer has to decide at `redirect_url`.
    AwaitingCustomer,
    /// Device data have to be collected at `redirect_url`.
    AwaitingDeviceData,
    /// The decision comes later.
    Pending,
    /// Voided before the decision; it can't be approved any more.
    Cancelled,
    /// Approved once, and expired: the uncaptured rest is released.
    Lapsed,
}

/// The status of a capture, void or refund.
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
    /// The processor's reference.
    pub reference: String,
    pub status: AuthorizationStatus,
    /// The requested amount.
    pub amount: i64,
    /// The approved amount, which may be less; unset before the approval.
    pub approved_amount: Option<i64>,
    pub currency: String,
    /// The page for the payer's decision or for device data.
    pub redirect_url: Option<String>,
    /// The step that the merchant shows to the payer, in place of a page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shows: Option<ShowBody>,
    /// The part of a transfer that was sent back, because its payment ended without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sent_back: Option<i64>,
    /// The part of a transfer above the amount. A refund returns it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub excess: Option<i64>,
    /// The end of the payer's time to decide. RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<String>,
    /// The expiry of an approved authorization without capture. RFC 3339.
    #[serde(default)]
    pub capture_before: Option<String>,
    /// True if a requested extension was granted.
    #[serde(default)]
    pub extended: Option<bool>,
    /// The maximum of all captures, if it may exceed the approved amount.
    #[serde(default)]
    pub most_capturable: Option<i64>,
    /// The reason of a decline or an end.
    pub error: Option<ErrorBody>,
    /// The issuer's approval code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auth_code: Option<String>,
    /// The scheme's reference of an approved payment that can start a series.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network_transaction_id: Option<String>,
    /// The id of the stored card, if later charges may come without the payer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept_as: Option<String>,
    /// Results of 3-D Secure of a payer who approved.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub authentication: Map<String, Value>,
    /// The screening of an approved and held payment. The money is only reserved, even if the
    /// request asked for a capture. A capture accepts the payment, a void ends it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review: Option<ReviewBody>,
}

/// A step that the merchant shows to the payer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "form", rename_all = "snake_case")]
pub enum ShowBody {
    /// A code with this text.
    QrCode {
        text: String,
        page: String,
    },
    /// A wait for the payer's app, which began at this RFC 3339 time.
    WaitScreen {
        from: String,
    },
    Voucher {
        reference: String,
        page: String,
    },
    Transfer(TransferBody),
}

/// The way of a transfer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TransferBody {
    /// The reference that the payer quotes.
    pub reference: String,
    pub page: String,
    /// The part that has arrived.
    pub received: i64,
    /// The entity of a Multibanco payment, which has no account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entity: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<TransferAccount>,
}

/// The bank account of a transfer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TransferAccount {
    pub iban: String,
    pub bic: String,
    pub holder: String,
    pub country: String,
}

/// The result of a fraud screening.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewBody {
    /// The service that screened.
    pub service: String,
    /// The service's reference.
    pub reference: String,
    /// From 0 (no risk) to 100.
    pub score: i32,
    pub code: String,
    pub message: String,
}

/// A capture or an increment.
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
    /// The released or returned amount; 0 if there was nothing.
    pub amount: i64,
    /// The part of a transfer that had come, and was sent back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sent_back: Option<i64>,
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

/// The account of an API key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountAnswer {
    /// The processor's name of the account.
    pub account: String,
}

/// A wallet's session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionAnswer {
    pub id: String,
    /// The token that starts the wallet's client library.
    pub token: String,
}

/// The body of every refusal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorAnswer {
    pub error: ErrorBody,
}

/// An error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorBody {
    /// `DC_…`
    pub code: String,
    pub message: String,
    /// The payer failed or refused authentication.
    #[serde(default)]
    pub in_authentication: bool,
    /// The issuer's answer, if the issuer declined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issuer: Option<Box<IssuerBody>>,
}

/// The answer of an issuer, and the advice of its scheme.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IssuerBody {
    pub code: String,
    pub message: String,
    pub advice_code: String,
    pub advice_message: String,
}
