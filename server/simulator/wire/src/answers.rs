//! How things stand, and why something was refused.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

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
    /// The scheme's reference, once it is approved, of a payment that others may follow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network_transaction_id: Option<String>,
    /// What it keeps of the card, once it is approved, where others may follow without their payer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept_as: Option<String>,
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
