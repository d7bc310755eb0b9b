//! Stripe's own language: what is sent, as the members of a form, and what of its answers is read.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The version of the API that requests and answers are written in.
pub const VERSION: &str = "2026-06-24.dahlia";
/// The member of `metadata` that has our key of an authorization or a refund.
pub const OUR_KEY: &str = "multirail_key";
/// The same, of a refund by which a void gave back what was taken at once.
pub const OUR_VOID_KEY: &str = "multirail_void";

pub type Metadata = BTreeMap<String, String>;

/// What stands under a capture's key in the metadata of its payment.
pub fn capture_note(amount: i64) -> String {
    format!("{CAPTURED}{amount}")
}

/// The amount of a capture, from what [`capture_note`] wrote.
pub fn noted_amount(note: &str) -> Option<i64> {
    note.strip_prefix(CAPTURED)?.parse().ok()
}

const CAPTURED: &str = "captured ";

/// `POST /v1/payment_intents`
#[derive(Serialize)]
pub struct NewPaymentIntent<'a> {
    pub amount: i64,
    pub currency: String,
    pub confirm: bool,
    pub capture_method: &'static str,
    pub payment_method_types: [&'static str; 1],
    pub payment_method_data: CardData<'a>,
    pub payment_method_options: Option<MethodOptions>,
    pub return_url: Option<&'a str>,
    pub off_session: Option<bool>,
    pub setup_future_usage: Option<&'static str>,
    pub description: Option<String>,
    pub statement_descriptor_suffix: Option<String>,
    pub shipping: Option<Shipping>,
    pub metadata: Metadata,
    pub expand: [&'static str; 1],
}

/// `POST /v1/setup_intents`
#[derive(Serialize)]
pub struct NewSetupIntent<'a> {
    pub confirm: bool,
    pub payment_method_types: [&'static str; 1],
    pub payment_method_data: CardData<'a>,
    pub payment_method_options: Option<MethodOptions>,
    pub return_url: Option<&'a str>,
    pub usage: &'static str,
    pub description: Option<String>,
    pub metadata: Metadata,
}

/// An instrument that is sent along rather than kept at Stripe.
#[derive(Serialize)]
pub struct CardData<'a> {
    #[serde(rename = "type")]
    pub kind: &'static str,
    pub card: Card<'a>,
    pub billing_details: BillingDetails,
}

#[derive(Serialize)]
pub struct Card<'a> {
    pub number: &'a str,
    pub exp_month: u8,
    pub exp_year: u16,
    pub cvc: Option<&'a str>,
}

#[derive(Default, PartialEq, Serialize)]
pub struct BillingDetails {
    pub name: Option<String>,
    pub email: Option<String>,
    pub phone: Option<String>,
    pub address: Option<Address>,
}

#[derive(Default, PartialEq, Serialize)]
pub struct Address {
    pub line1: Option<String>,
    pub line2: Option<String>,
    pub city: Option<String>,
    pub state: Option<String>,
    pub postal_code: Option<String>,
    pub country: Option<String>,
}

#[derive(Serialize)]
pub struct Shipping {
    pub name: String,
    pub phone: Option<String>,
    pub address: Address,
}

#[derive(Serialize)]
pub struct MethodOptions {
    pub card: CardOptions,
}

#[derive(Default, PartialEq, Serialize)]
pub struct CardOptions {
    pub request_three_d_secure: Option<&'static str>,
    pub request_multicapture: Option<&'static str>,
    pub request_extended_authorization: Option<&'static str>,
    pub request_overcapture: Option<&'static str>,
    pub moto: Option<bool>,
    pub installments: Option<Installments>,
}

#[derive(PartialEq, Serialize)]
pub struct Installments {
    pub plan: InstallmentPlan,
}

#[derive(PartialEq, Serialize)]
pub struct InstallmentPlan {
    #[serde(rename = "type")]
    pub kind: &'static str,
    pub interval: &'static str,
    pub count: i32,
}

/// `POST /v1/payment_intents/{intent}/capture`
#[derive(Serialize)]
pub struct Capture {
    pub amount_to_capture: i64,
    /// Said where more captures follow; Stripe takes a capture for the last one otherwise.
    pub final_capture: Option<bool>,
    pub statement_descriptor_suffix: Option<String>,
    pub metadata: Metadata,
}

/// `POST /v1/payment_intents/{intent}/cancel`, and the same of a setup intent.
#[derive(Serialize)]
pub struct Cancel {
    pub cancellation_reason: Option<&'static str>,
}

/// `POST /v1/refunds`
#[derive(Serialize)]
pub struct NewRefund<'a> {
    pub payment_intent: &'a str,
    /// All that is left, where it isn't said.
    pub amount: Option<i64>,
    pub reason: Option<&'static str>,
    pub metadata: Metadata,
}

/// What is asked of a payment: with its charge.
#[derive(Serialize)]
pub struct Retrieve {
    pub expand: [&'static str; 1],
}

/// Of `GET /v1/payment_intents/search`
#[derive(Serialize)]
pub struct SearchQuery {
    pub query: String,
    pub limit: u8,
}

/// A page of a list.
#[derive(Serialize)]
pub struct PageQuery<'a> {
    #[serde(flatten)]
    pub list: &'a ListQuery<'a>,
    pub limit: u8,
    /// The last id of the page before.
    pub starting_after: Option<&'a str>,
}

/// What is in a list.
#[derive(Serialize)]
pub struct ListQuery<'a> {
    pub created: Option<Since>,
    pub payment_intent: Option<&'a str>,
}

/// Seconds since 1970.
#[derive(Serialize)]
pub struct Since {
    pub gte: i64,
    pub lte: Option<i64>,
}

#[derive(Serialize)]
pub struct Limit {
    pub limit: u8,
}

/// A payment as it stands.
#[derive(Debug, Deserialize)]
pub struct PaymentIntent {
    pub id: String,
    pub status: IntentStatus,
    pub amount: i64,
    pub amount_received: i64,
    pub capture_method: String,
    pub currency: String,
    pub metadata: Metadata,
    pub next_action: Option<NextAction>,
    pub last_payment_error: Option<ErrorBody>,
    pub cancellation_reason: Option<String>,
    pub latest_charge: Option<Expandable<Charge>>,
}

/// A check of a card as it stands.
#[derive(Debug, Deserialize)]
pub struct SetupIntent {
    pub id: String,
    pub status: IntentStatus,
    #[serde(default)]
    pub metadata: Metadata,
    pub next_action: Option<NextAction>,
    pub last_setup_error: Option<ErrorBody>,
    pub cancellation_reason: Option<String>,
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

#[derive(Debug, Deserialize)]
pub struct NextAction {
    pub redirect_to_url: Option<RedirectToUrl>,
}

#[derive(Debug, Deserialize)]
pub struct RedirectToUrl {
    pub url: Option<String>,
}

/// An object, or its id where nobody asked for more.
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

/// One try to move the money of a payment.
#[derive(Debug, Deserialize)]
pub struct Charge {
    pub payment_method_details: Option<MethodDetails>,
    /// How Stripe and the issuer judged it.
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
    /// Of what is only reserved, in seconds since 1970.
    pub capture_before: Option<i64>,
    /// `enabled` or `disabled`, whether it was asked for or not.
    pub extended_authorization: Option<Feature>,
    pub overcapture: Option<Overcapture>,
}

/// Whether a capture may take more than was authorized, and how much.
#[derive(Debug, Deserialize)]
pub struct Overcapture {
    #[serde(flatten)]
    pub feature: Feature,
    pub maximum_amount_capturable: Option<i64>,
}

/// Whether something that can be asked of an authorization was granted.
#[derive(Debug, Deserialize)]
pub struct Feature {
    pub status: String,
}

/// `pass`, `fail`, `unavailable` or `unchecked` each.
#[derive(Debug, Default, Deserialize)]
pub struct Checks {
    pub address_line1_check: Option<String>,
    pub address_postal_code_check: Option<String>,
    pub cvc_check: Option<String>,
}

/// Money given back.
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

/// A page of a list, or what a search found.
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

/// Why something was refused.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct ErrorBody {
    #[serde(rename = "type")]
    pub kind: ErrorKind,
    pub code: Option<String>,
    pub decline_code: Option<String>,
    pub message: Option<String>,
    pub param: Option<String>,
    /// Stripe's advice on trying again.
    pub advice_code: Option<String>,
    /// The scheme's.
    pub network_advice_code: Option<String>,
    /// The issuer's own code.
    pub network_decline_code: Option<String>,
    /// The payment as the refused request left it.
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

/// As much of an intent as a refusal is judged by.
#[derive(Clone, Debug, Deserialize)]
pub struct IntentGlance {
    pub status: IntentStatus,
}

/// As much of an intent as says that it was ended.
#[derive(Debug, Deserialize)]
pub struct Cancelled {
    pub id: String,
    pub status: IntentStatus,
}

/// As much of a thing as it takes to ask for it.
#[derive(Debug, Deserialize)]
pub struct Found {
    pub id: String,
}

/// What is told unasked.
#[derive(Debug, Deserialize)]
pub struct Event {
    pub id: String,
    #[serde(rename = "type")]
    pub kind: String,
    /// Seconds since 1970.
    pub created: i64,
    /// The connected account that it happened to.
    pub account: Option<String>,
    pub data: EventData,
}

#[derive(Debug, Deserialize)]
pub struct EventData {
    pub object: serde_json::Value,
}

/// `POST /v1/disputes/{dispute}`
#[derive(Serialize)]
pub struct Challenge<'a> {
    /// By Stripe's names; files as the ids of those that went up before.
    pub evidence: BTreeMap<&'a str, &'a str>,
    pub submit: bool,
}

/// A query without members.
#[derive(Serialize)]
pub struct Nothing {}

/// Money of a payment that the payer's bank claims back.
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

/// As much of a charge as says whose it is.
#[derive(Debug, Deserialize)]
pub struct ChargeGlance {
    pub payment_intent: Option<String>,
    #[serde(default)]
    pub metadata: Metadata,
}
