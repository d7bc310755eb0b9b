//! What is asked with the operations of a payment.

use multirail_kernel::secret::{SecretText, sealed, sealed_option};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What is asked with an authorization.
#[derive(Debug, Serialize, Deserialize)]
pub struct AuthorizeBody {
    /// 0 only checks the card.
    pub amount: i64,
    pub currency: String,
    /// Take the money in the same step.
    pub capture: bool,
    /// None where a card that is kept is charged by `initiation.mandate` of the details.
    #[serde(default)]
    pub card: Option<CardBody>,
    /// Where the payer's browser goes after the processor's page.
    pub return_url: String,
    /// Everything else that the merchant said, in groups. It is filed; `authentication.wanted` counts for
    /// the card that is declined without authentication.
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
    /// What makes it the number that stands for a card at its network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<TokenBody>,
}

/// What comes with the number of a network.
#[derive(Debug, Serialize, Deserialize)]
pub struct TokenBody {
    #[serde(
        with = "sealed_option",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub cryptogram: Option<SecretText>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eci: Option<String>,
    /// The wallet that it comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wallet: Option<String>,
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
