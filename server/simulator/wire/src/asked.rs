//! Request bodies of payment operations.

use multirail_kernel::secret::{SecretText, sealed, sealed_option};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::debits::DebitBody;

/// The body of an authorization.
#[derive(Debug, Serialize, Deserialize)]
pub struct AuthorizeBody {
    /// 0 only checks the card.
    pub amount: i64,
    pub currency: String,
    /// Capture in the same step.
    pub capture: bool,
    /// Unset with `payer` or `debit`, or if `initiation.mandate` of the details charges a stored card.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub card: Option<CardBody>,
    /// The method that the payer finishes elsewhere, in place of a card.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payer: Option<PayerBody>,
    /// The bank account to debit, in place of a card.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub debit: Option<DebitBody>,
    /// The page to which the payer's browser goes after the processor's page.
    pub return_url: String,
    /// All other details from the merchant, in groups. They are filed. `authentication.wanted`
    /// matters for the card that is declined without authentication.
    #[serde(default)]
    pub details: Map<String, Value>,
}

/// A method that the payer finishes elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PayerBody {
    /// The word of one of [`PAYER_METHODS`](crate::PAYER_METHODS).
    pub method: String,
    /// The bank that the payer chose. The page shows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bank: Option<String>,
    /// The bank's country. It is filed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
    /// The payer's code, UPI address or tax number. It is never filed.
    #[serde(
        with = "sealed_option",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub text: Option<SecretText>,
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
    /// Makes the number a network token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<TokenBody>,
}

/// The data of a network token.
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
    /// The token's wallet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wallet: Option<String>,
}

/// The body with the result of device data collection.
#[derive(Debug, Serialize, Deserialize)]
pub struct DeviceDataBody {
    /// `Y`, `N` or `U`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collected: Option<String>,
    /// The shipping address, which has no effect here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shipping: Option<Value>,
}

/// The body of an increment.
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

/// The body of a capture.
#[derive(Debug, Serialize, Deserialize)]
pub struct CaptureBody {
    /// Key of the authorization.
    pub authorization: String,
    pub amount: i64,
    pub currency: String,
    /// No further capture follows: the rest is released.
    #[serde(rename = "final")]
    pub is_final: bool,
    /// The statement descriptor, in parts.
    #[serde(default)]
    pub descriptor: Map<String, Value>,
}

/// The body of a void.
#[derive(Debug, Serialize, Deserialize)]
pub struct VoidBody {
    /// Key of the authorization.
    pub authorization: String,
    /// Also void everything that was captured.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub captured: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The body of a refund.
#[derive(Debug, Serialize, Deserialize)]
pub struct RefundBody {
    /// Key of the refunded authorization.
    pub authorization: String,
    pub amount: i64,
    pub currency: String,
    /// True if it returns the part of a transfer above the amount, and not captured money.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub of_excess: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The body of a wallet session. Nothing is filed: equal requests get equal sessions.
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
