//! Checkout.com's payments API as far as it is used: what is sent, and of what comes back the part that is read. Names are
//! Checkout.com's, `peer.yaml` describes them. Texts are borrowed, so that a card has no further copy.

use std::collections::BTreeMap;

use multirail_kernel::ids::ProcessorKey;
use multirail_sdk::connector::OperationKind;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Of an American Express card a reference may not be longer.
const LONGEST_REFERENCE: usize = 30;

/// Our key as `reference`: its last characters, which are the random ones. The whole key stands in `metadata`.
pub fn reference_of(key: &ProcessorKey) -> &str {
    let key = key.as_str();
    let start = key.len().saturating_sub(LONGEST_REFERENCE);
    key.get(start..).unwrap_or(key)
}

/// The member of `metadata` that has our key. Each kind of operation has its own: what is done to a payment can't be taken for
/// the payment then, whichever metadata an event comes with.
pub fn key_member(kind: OperationKind) -> &'static str {
    match kind {
        OperationKind::Authorize => "multirail_key",
        OperationKind::Increment => "multirail_increment",
        OperationKind::Capture => "multirail_capture",
        OperationKind::Void => "multirail_void",
        OperationKind::Refund => "multirail_refund",
    }
}

/// Notes of ours, which are handed back.
pub type Notes<'a> = BTreeMap<&'a str, &'a str>;

/// `POST /payments`. What is unset is not written.
#[derive(Serialize)]
pub struct PaymentRequest<'a> {
    pub source: Source<'a>,
    /// Nought asks for a check of the card.
    pub amount: i64,
    pub currency: &'static str,
    pub payment_type: PaymentType,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub merchant_initiated: Option<bool>,
    /// The scheme's reference of the payment that this one follows.
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

/// A line of an order. The price is that of one.
#[derive(Serialize)]
pub struct Item<'a> {
    pub name: String,
    pub quantity: i32,
    pub unit_price: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<&'a str>,
}

/// What pays.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Source<'a> {
    Card(Box<CardSource<'a>>),
    NetworkToken(Box<NetworkTokenSource<'a>>),
}

/// A number that stands for a card at its network.
#[derive(Serialize)]
pub struct NetworkTokenSource<'a> {
    #[serde(rename = "type")]
    pub kind: &'static str,
    pub token: &'a str,
    pub expiry_month: u8,
    pub expiry_year: u16,
    /// Who gave the number out.
    pub token_type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cryptogram: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub eci: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stored: Option<bool>,
    /// As of a card.
    pub store_for_future_use: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub billing_address: Option<Address<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phone: Option<Phone<'a>>,
}

/// A card, in clear.
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
    /// It comes from the merchant's own store.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stored: Option<bool>,
    /// Always said: unsaid it would be true.
    pub store_for_future_use: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub billing_address: Option<Address<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phone: Option<Phone<'a>>,
}

/// Who starts the charge, and in which setting.
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

/// Whole or not at all.
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

/// What asks for a change of a payment: captures, voids, reversals and refunds.
#[derive(Serialize)]
pub struct ActionRequest<'a> {
    /// Of captures and refunds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount: Option<i64>,
    /// Of captures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capture_type: Option<CaptureType>,
    pub reference: &'a str,
    pub metadata: Notes<'a>,
}

/// Whether the rest of what was reserved is released.
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

/// A payment, as it is answered to whoever makes it or asks for it.
#[derive(Debug, Deserialize)]
pub struct Payment {
    pub id: String,
    pub status: PaymentStatus,
    #[serde(flatten)]
    pub said: Said,
    /// What was done to it, where it was asked for; the latest first.
    pub actions: Option<Vec<ActionGlance>>,
    #[serde(rename = "_links")]
    pub links: Option<Links>,
}

/// What an answer or an event says of how it went.
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
    /// A word of a later time.
    #[serde(other)]
    New,
}

/// What the issuer compared.
#[derive(Debug, Deserialize)]
pub struct CardFindings {
    pub avs_check: Option<String>,
    pub cvv_check: Option<String>,
}

/// What issuer and scheme said, where the account is told.
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

/// What a payment says of an action.
#[derive(Debug, Deserialize)]
pub struct ActionGlance {
    #[serde(rename = "type")]
    pub kind: ActionKind,
    pub response_code: Option<String>,
    pub response_summary: Option<String>,
}

/// What was done to a payment, by `GET /payments/{id}/actions`.
#[derive(Debug, Deserialize)]
pub struct Action {
    pub id: String,
    #[serde(rename = "type")]
    pub kind: ActionKind,
    pub amount: Option<i64>,
    /// Unset while it isn't known.
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
    /// A word of a later time, or of what we never ask for.
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

/// What captures, voids, reversals and refunds answer: that they will be done.
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

/// `PUT /disputes/{dispute_id}/evidence`: texts, and the ids of files that went up before, by their places.
pub type Evidence = BTreeMap<String, String>;

/// What a file that went up is called from then on.
#[derive(Debug, Deserialize)]
pub struct Uploaded {
    pub id: String,
}

/// An event as a workflow sends it.
#[derive(Debug, Deserialize)]
pub struct Event {
    #[serde(rename = "type")]
    pub kind: String,
    pub id: String,
    pub created_on: Option<String>,
    /// Some events have the moment here.
    pub timestamp: Option<String>,
    pub data: Value,
}

/// What an event about a dispute says.
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

/// A dispute, as it is answered.
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

/// What an event about a payment says.
#[derive(Debug, Deserialize)]
pub struct EventData {
    /// The payment's.
    pub id: String,
    pub action_id: Option<String>,
    #[serde(flatten)]
    pub said: Said,
    pub metadata: Option<Map<String, Value>>,
}
