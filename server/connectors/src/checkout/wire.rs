//! The used part of Checkout.com's payments API: requests, and the members of answers that are
//! read. Names are Checkout.com's, as described in `peer.yaml`. Texts are borrowed, so that card
//! data isn't copied.

use std::collections::BTreeMap;

use multirail_kernel::ids::ProcessorKey;
use multirail_sdk::connector::OperationKind;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The maximum length of a reference, set by American Express.
const LONGEST_REFERENCE: usize = 30;

/// Returns our key as `reference`: its last characters, which are random. The whole key is in
/// `metadata`.
pub fn reference_of(key: &ProcessorKey) -> &str {
    let key = key.as_str();
    let start = key.len().saturating_sub(LONGEST_REFERENCE);
    key.get(start..).unwrap_or(key)
}

/// Returns the `metadata` member with our key. Each kind of operation has its own, so that a change
/// of a payment can't be mistaken for the payment, whichever metadata an event contains.
pub fn key_member(kind: OperationKind) -> &'static str {
    match kind {
        OperationKind::Authorize => "multirail_key",
        OperationKind::Increment => "multirail_increment",
        OperationKind::Capture => "multirail_capture",
        OperationKind::Void => "multirail_void",
        OperationKind::Refund => "multirail_refund",
    }
}

/// Metadata that Checkout.com returns.
pub type Notes<'a> = BTreeMap<&'a str, &'a str>;

/// `POST /payments`. Unset members are not written.
#[derive(Serialize)]
pub struct PaymentRequest<'a> {
    pub source: Source<'a>,
    /// 0 requests a card check.
    pub amount: i64,
    pub currency: &'static str,
    pub payment_type: PaymentType,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub merchant_initiated: Option<bool>,
    /// The scheme's reference of the initial payment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous_payment_id: Option<&'a str>,
    pub reference: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capture: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partial_authorization: Option<Enabled>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub customer: Option<Customer<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub billing_descriptor: Option<BillingDescriptor>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shipping: Option<Shipping<'a>>,
    #[serde(rename = "3ds", skip_serializing_if = "Option::is_none")]
    pub three_ds: Option<ThreeDs>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub processing_channel_id: Option<&'a str>,
    pub success_url: &'a str,
    pub failure_url: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payment_ip: Option<&'a str>,
    pub metadata: Notes<'a>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<Item<'a>>,
}

/// A line of an order. The price is the price of one piece.
#[derive(Serialize)]
pub struct Item<'a> {
    pub name: String,
    pub quantity: i32,
    pub unit_price: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<&'a str>,
}

/// The instrument.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Source<'a> {
    Card(Box<CardSource<'a>>),
    NetworkToken(Box<NetworkTokenSource<'a>>),
}

/// A network token.
#[derive(Serialize)]
pub struct NetworkTokenSource<'a> {
    #[serde(rename = "type")]
    pub kind: &'static str,
    pub token: &'a str,
    pub expiry_month: u8,
    pub expiry_year: u16,
    /// The issuer of the token.
    pub token_type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cryptogram: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub eci: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stored: Option<bool>,
    /// As for a card.
    pub store_for_future_use: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub billing_address: Option<Address<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phone: Option<Phone<'a>>,
}

/// An unencrypted card.
#[derive(Serialize)]
pub struct CardSource<'a> {
    #[serde(rename = "type")]
    pub kind: &'static str,
    pub number: &'a str,
    pub expiry_month: u8,
    pub expiry_year: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cvv: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<&'a str>,
    /// The card comes from the merchant's own storage.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stored: Option<bool>,
    /// Always written, because the default is true.
    pub store_for_future_use: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub billing_address: Option<Address<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phone: Option<Phone<'a>>,
}

/// The initiator and the setting of the charge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum PaymentType {
    Regular,
    #[serde(rename = "MOTO")]
    Moto,
    Recurring,
    Installment,
    Unscheduled,
}

#[derive(Serialize)]
pub struct Enabled {
    pub enabled: bool,
}

#[derive(Serialize)]
pub struct Customer<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<&'a str>,
}

/// Complete or left out.
#[derive(Serialize)]
pub struct BillingDescriptor {
    pub name: String,
    pub city: String,
}

#[derive(Serialize)]
pub struct Shipping<'a> {
    pub address: Address<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phone: Option<Phone<'a>>,
}

#[derive(Default, PartialEq, Eq, Serialize)]
pub struct Address<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address_line1: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address_line2: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub city: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zip: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub country: Option<&'static str>,
}

#[derive(Serialize)]
pub struct Phone<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub country_code: Option<&'a str>,
    pub number: &'a str,
}

#[derive(Serialize)]
pub struct ThreeDs {
    pub enabled: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub challenge_indicator: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exemption: Option<&'static str>,
}

/// A change of a payment: capture, void, reversal or refund.
#[derive(Serialize)]
pub struct ActionRequest<'a> {
    /// For captures and refunds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount: Option<i64>,
    /// For captures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capture_type: Option<CaptureType>,
    pub reference: &'a str,
    pub metadata: Notes<'a>,
}

/// Says if captures may follow; otherwise the rest is released.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum CaptureType {
    Final,
    NonFinal,
}

/// `GET /payments`
#[derive(Serialize)]
pub struct PaymentsQuery<'a> {
    pub limit: u8,
    pub reference: &'a str,
}

/// A payment, in answers to its request and to look-ups.
#[derive(Debug, Deserialize)]
pub struct Payment {
    pub id: String,
    pub status: PaymentStatus,
    #[serde(flatten)]
    pub said: Said,
    /// The payment's actions in a look-up; the latest first.
    pub actions: Option<Vec<ActionGlance>>,
    #[serde(rename = "_links")]
    pub links: Option<Links>,
}

/// The result of an operation, in an answer or an event.
#[derive(Debug, Deserialize)]
pub struct Said {
    pub amount: Option<i64>,
    pub currency: Option<String>,
    pub reference: Option<String>,
    pub response_code: Option<String>,
    pub response_summary: Option<String>,
    pub source: Option<CardFindings>,
    pub processing: Option<Processing>,
    pub scheme_id: Option<String>,
    pub auth_code: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum PaymentStatus {
    Active,
    Requested,
    Pending,
    #[serde(rename = "Authentication Requested")]
    AuthenticationRequested,
    #[serde(rename = "Retry Scheduled")]
    RetryScheduled,
    Authorized,
    #[serde(rename = "Card Verified")]
    CardVerified,
    #[serde(rename = "Partially Captured")]
    PartiallyCaptured,
    Captured,
    #[serde(rename = "Partially Refunded")]
    PartiallyRefunded,
    Refunded,
    Paid,
    Declined,
    Voided,
    Canceled,
    Expired,
    /// A word of a later version.
    #[serde(other)]
    New,
}

/// The issuer's checks.
#[derive(Debug, Deserialize)]
pub struct CardFindings {
    pub avs_check: Option<String>,
    pub cvv_check: Option<String>,
}

/// The answers of issuer and scheme, for accounts that receive them.
#[derive(Debug, Deserialize)]
pub struct Processing {
    pub partner_response_code: Option<String>,
    pub partner_merchant_advice_code: Option<String>,
}

#[derive(Debug, Deserialize)]
pub struct Links {
    pub redirect: Option<Link>,
}

#[derive(Debug, Deserialize)]
pub struct Link {
    pub href: String,
}

/// An action in a payment's answer.
#[derive(Debug, Deserialize)]
pub struct ActionGlance {
    #[serde(rename = "type")]
    pub kind: ActionKind,
    pub response_code: Option<String>,
    pub response_summary: Option<String>,
}

/// An action of `GET /payments/{id}/actions`.
#[derive(Debug, Deserialize)]
pub struct Action {
    pub id: String,
    #[serde(rename = "type")]
    pub kind: ActionKind,
    pub amount: Option<i64>,
    /// Unset while it is pending.
    pub approved: Option<bool>,
    pub response_code: Option<String>,
    pub response_summary: Option<String>,
    pub reference: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum ActionKind {
    Authorization,
    #[serde(rename = "Card Verification")]
    CardVerification,
    Capture,
    Void,
    Refund,
    /// A word of a later version, or of a feature that requests never use.
    #[serde(other)]
    Other,
}

/// A page of payments.
#[derive(Debug, Deserialize)]
pub struct Payments {
    pub data: Vec<PaymentGlance>,
}

#[derive(Debug, Deserialize)]
pub struct PaymentGlance {
    pub id: String,
    pub reference: Option<String>,
}

/// The acknowledgement of a capture, void, reversal or refund.
#[derive(Debug, Deserialize)]
pub struct Accepted {
    pub action_id: String,
    pub reference: Option<String>,
}

/// The body of a refused request.
#[derive(Debug, Deserialize)]
pub struct Refused {
    pub error_type: String,
    pub error_codes: Option<Vec<String>>,
}

/// `PUT /disputes/{dispute_id}/evidence`: texts and the ids of uploaded files, by member.
pub type Evidence = BTreeMap<String, String>;

/// The id of an uploaded file.
#[derive(Debug, Deserialize)]
pub struct Uploaded {
    pub id: String,
}

/// An event, as a workflow sends it.
#[derive(Debug, Deserialize)]
pub struct Event {
    #[serde(rename = "type")]
    pub kind: String,
    pub id: String,
    pub created_on: Option<String>,
    /// Some events have their time here.
    pub timestamp: Option<String>,
    pub data: Value,
}

/// The data of an event about a dispute.
#[derive(Debug, Deserialize)]
pub struct DisputeEvent {
    pub id: String,
    pub category: Option<String>,
    pub amount: i64,
    pub currency: String,
    pub reason_code: Option<String>,
    pub payment_id: String,
    pub evidence_required_by: Option<String>,
}

/// A dispute in an answer.
#[derive(Debug, Deserialize)]
pub struct Dispute {
    pub id: String,
    pub category: Option<String>,
    pub amount: i64,
    pub currency: String,
    pub reason_code: Option<String>,
    pub status: String,
    pub evidence_required_by: Option<String>,
    pub received_on: Option<String>,
    pub last_update: Option<String>,
    pub payment: DisputedPayment,
}

#[derive(Debug, Deserialize)]
pub struct DisputedPayment {
    pub id: String,
}

/// The data of an event about a payment.
#[derive(Debug, Deserialize)]
pub struct EventData {
    /// The payment's id.
    pub id: String,
    pub action_id: Option<String>,
    #[serde(flatten)]
    pub said: Said,
    pub metadata: Option<Map<String, Value>>,
}
