//! The members of Stripe's answers and events that are read.

use serde::Deserialize;

use super::Metadata;

/// A payment.
#[derive(Debug, Deserialize)]
pub struct PaymentIntent {
    pub id: String,
    pub status: IntentStatus,
    pub amount: i64,
    pub amount_received: i64,
    /// Seconds since 1970.
    pub created: Option<i64>,
    /// The amount that can still be captured.
    #[serde(default)]
    pub amount_capturable: Option<i64>,
    pub capture_method: String,
    pub currency: String,
    pub metadata: Metadata,
    pub next_action: Option<NextAction>,
    pub last_payment_error: Option<ErrorBody>,
    pub cancellation_reason: Option<String>,
    pub latest_charge: Option<Expandable<Charge>>,
    /// The ids of the instrument and of its owner.
    #[serde(default)]
    pub payment_method: Option<String>,
    #[serde(default)]
    pub customer: Option<String>,
    /// The purpose of storing it.
    #[serde(default)]
    pub setup_future_usage: Option<String>,
}

/// A customer for whom cards are stored.
#[derive(Debug, Deserialize)]
pub struct Customer {
    pub id: String,
    #[serde(default)]
    pub metadata: Metadata,
}

/// A card check.
#[derive(Debug, Deserialize)]
pub struct SetupIntent {
    pub id: String,
    pub status: IntentStatus,
    #[serde(default)]
    pub metadata: Metadata,
    pub next_action: Option<NextAction>,
    pub last_setup_error: Option<ErrorBody>,
    pub cancellation_reason: Option<String>,
    /// The ids of the checked instrument and of its owner.
    #[serde(default)]
    pub payment_method: Option<String>,
    #[serde(default)]
    pub customer: Option<String>,
    /// The purpose of storing it.
    #[serde(default)]
    pub usage: Option<String>,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum IntentStatus {
    RequiresPaymentMethod,
    RequiresConfirmation,
    RequiresAction,
    Processing,
    RequiresCapture,
    Canceled,
    Succeeded,
    /// A word of a later version.
    #[serde(other)]
    New,
}

/// The payer's step. Exactly one member is set.
#[derive(Debug, Deserialize)]
pub struct NextAction {
    pub redirect_to_url: Option<RedirectToUrl>,
    pub alipay_handle_redirect: Option<RedirectToUrl>,
    pub blik_authorize: Option<BlikAuthorize>,
    pub boleto_display_details: Option<Voucher>,
    pub cashapp_handle_redirect_or_display_qr_code: Option<HostedQrCode>,
    pub multibanco_display_details: Option<Multibanco>,
    pub oxxo_display_details: Option<Voucher>,
    pub pix_display_qr_code: Option<QrCode>,
    pub swish_handle_redirect_or_display_qr_code: Option<SwishQrCode>,
    pub upi_handle_redirect_or_display_qr_code: Option<HostedQrCode>,
    pub wechat_pay_display_qr_code: Option<QrCode>,
}

#[derive(Debug, Deserialize)]
pub struct RedirectToUrl {
    pub url: Option<String>,
}

/// The payer agrees in an app of their bank. Stripe gives no details.
#[derive(Debug, Deserialize)]
pub struct BlikAuthorize {}

#[derive(Debug, Deserialize)]
pub struct Voucher {
    pub number: Option<String>,
    pub hosted_voucher_url: Option<String>,
    /// Seconds since 1970.
    #[serde(alias = "expires_after")]
    pub expires_at: Option<i64>,
}

#[derive(Debug, Deserialize)]
pub struct Multibanco {
    pub entity: Option<String>,
    pub reference: Option<String>,
    pub hosted_voucher_url: Option<String>,
    /// Seconds since 1970.
    pub expires_at: Option<i64>,
}

#[derive(Debug, Deserialize)]
pub struct QrCode {
    pub data: Option<String>,
    pub hosted_instructions_url: Option<String>,
    /// Seconds since 1970.
    pub expires_at: Option<i64>,
}

#[derive(Debug, Deserialize)]
pub struct SwishQrCode {
    pub hosted_instructions_url: Option<String>,
    pub qr_code: QrCode,
}

/// A page with a QR code, which Stripe draws anew when it expires.
#[derive(Debug, Deserialize)]
pub struct HostedQrCode {
    pub hosted_instructions_url: Option<String>,
}

/// An object, or its id where the request didn't ask for the object.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum Expandable<T> {
    Id(#[expect(dead_code, reason = "what is read tells it from a whole object")] String),
    Whole(Box<T>),
}

impl<T> Expandable<T> {
    pub fn whole(&self) -> Option<&T> {
        match self {
            Expandable::Id(_) => None,
            Expandable::Whole(object) => Some(object),
        }
    }
}

/// One try to charge a payment.
#[derive(Debug, Deserialize)]
pub struct Charge {
    pub payment_method_details: Option<MethodDetails>,
    /// The assessment by Stripe and the issuer.
    pub outcome: Option<serde_json::Map<String, serde_json::Value>>,
}

#[derive(Debug, Deserialize)]
pub struct MethodDetails {
    pub card: Option<CardFacts>,
}

#[derive(Debug, Deserialize)]
pub struct CardFacts {
    pub network_transaction_id: Option<String>,
    pub checks: Option<Checks>,
    pub authorization_code: Option<String>,
    pub three_d_secure: Option<serde_json::Map<String, serde_json::Value>>,
    /// For uncaptured payments, in seconds since 1970.
    pub capture_before: Option<i64>,
    /// `enabled` or `disabled`, requested or not.
    pub extended_authorization: Option<Feature>,
    pub incremental_authorization: Option<Feature>,
    pub overcapture: Option<Overcapture>,
}

/// Whether a capture may exceed the authorized amount, and by how much.
#[derive(Debug, Deserialize)]
pub struct Overcapture {
    #[serde(flatten)]
    pub feature: Feature,
    pub maximum_amount_capturable: Option<i64>,
}

/// The result of a request for a card feature.
#[derive(Debug, Deserialize)]
pub struct Feature {
    pub status: String,
}

/// Each member is `pass`, `fail`, `unavailable` or `unchecked`.
#[derive(Debug, Default, Deserialize)]
pub struct Checks {
    pub address_line1_check: Option<String>,
    pub address_postal_code_check: Option<String>,
    pub cvc_check: Option<String>,
}

/// A refund.
#[derive(Debug, Deserialize)]
pub struct Refund {
    pub id: String,
    pub amount: i64,
    pub currency: String,
    pub status: Option<RefundStatus>,
    pub payment_intent: Option<String>,
    pub failure_reason: Option<String>,
    #[serde(default)]
    pub metadata: Option<Metadata>,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum RefundStatus {
    Pending,
    RequiresAction,
    Succeeded,
    Failed,
    Canceled,
    /// A word of a later version.
    #[serde(other)]
    New,
}

/// A page of a list or of search results.
#[derive(Debug, Deserialize)]
pub struct Page<T> {
    pub data: Vec<T>,
    pub has_more: bool,
}

/// The body of every 4xx and 5xx.
#[derive(Debug, Deserialize)]
pub struct ErrorAnswer {
    pub error: ErrorBody,
}

/// An error.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct ErrorBody {
    #[serde(rename = "type")]
    pub kind: ErrorKind,
    pub code: Option<String>,
    pub decline_code: Option<String>,
    pub message: Option<String>,
    pub param: Option<String>,
    /// Stripe's advice on another try.
    pub advice_code: Option<String>,
    /// The scheme's advice.
    pub network_advice_code: Option<String>,
    /// The issuer's own code.
    pub network_decline_code: Option<String>,
    /// The payment after the refused request.
    pub payment_intent: Option<IntentGlance>,
    pub setup_intent: Option<IntentGlance>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum ErrorKind {
    CardError,
    IdempotencyError,
    InvalidRequestError,
    #[default]
    ApiError,
    /// A word of a later version.
    #[serde(other)]
    New,
}

/// The members of an intent that decide about a refusal.
#[derive(Clone, Debug, Deserialize)]
pub struct IntentGlance {
    pub status: IntentStatus,
}

/// The members of a canceled intent that are read.
#[derive(Debug, Deserialize)]
pub struct Cancelled {
    pub id: String,
    pub status: IntentStatus,
}

/// The id of an object.
#[derive(Debug, Deserialize)]
pub struct Found {
    pub id: String,
}

/// An event.
#[derive(Debug, Deserialize)]
pub struct Event {
    pub id: String,
    #[serde(rename = "type")]
    pub kind: String,
    /// Seconds since 1970.
    pub created: i64,
    /// The connected account of the event.
    pub account: Option<String>,
    pub data: EventData,
}

#[derive(Debug, Deserialize)]
pub struct EventData {
    pub object: serde_json::Value,
}

/// A dispute.
#[derive(Debug, Deserialize)]
pub struct Dispute {
    pub id: String,
    pub amount: i64,
    pub currency: String,
    pub status: String,
    pub payment_intent: Option<String>,
    pub reason: Option<String>,
    pub network_reason_code: Option<String>,
    /// Seconds since 1970.
    pub created: i64,
    pub evidence_details: Option<EvidenceDetails>,
}

#[derive(Debug, Deserialize)]
pub struct EvidenceDetails {
    /// Seconds since 1970.
    pub due_by: Option<i64>,
}

/// The members of a charge that name its payment.
#[derive(Debug, Deserialize)]
pub struct ChargeGlance {
    pub payment_intent: Option<String>,
    #[serde(default)]
    pub metadata: Metadata,
}
