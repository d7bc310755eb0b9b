//! The used part of Adyen's Checkout API: requests, and the members of answers that are read. Names
//! are Adyen's, as described in `peer.yaml`. Texts are borrowed, so that card data isn't copied.

use std::collections::BTreeMap;

use multirail_kernel::secret::{SecretText, sealed};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The implemented version of the API.
pub const VERSION: &str = "v72";

/// An amount in the minor units of Adyen's own table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Amount {
    pub value: i64,
    pub currency: String,
}

/// `POST /payments`. Unset members are not written.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PaymentRequest<'a> {
    pub merchant_account: &'a str,
    pub reference: &'a str,
    pub amount: Amount,
    pub payment_method: PaymentMethod<'a>,
    pub return_url: &'a str,
    /// The HTTP method of the redirect to the issuer's page and back.
    pub redirect_to_issuer_method: &'a str,
    pub redirect_from_issuer_method: &'a str,
    pub authentication_data: AuthenticationData,
    #[serde(
        rename = "threeDS2RequestData",
        skip_serializing_if = "Option::is_none"
    )]
    pub three_ds2_request_data: Option<ThreeDs2RequestFields>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capture_delay_hours: Option<i32>,
    /// The place of the checkout, which Cash App wants to know.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub channel: Option<&'static str>,
    #[serde(skip_serializing_if = "AdditionalData::is_empty")]
    pub additional_data: AdditionalData,
    pub shopper_interaction: ShopperInteraction,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recurring_processing_model: Option<RecurringProcessingModel>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shopper_reference: Option<&'a str>,
    /// Asks Adyen to store the card under the shopper's reference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub store_payment_method: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shopper_email: Option<&'a str>,
    #[serde(rename = "shopperIP", skip_serializing_if = "Option::is_none")]
    pub shopper_ip: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub telephone_number: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub country_code: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shopper_name: Option<ShopperName<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub social_security_number: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub billing_address: Option<Address<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delivery_address: Option<DeliveryAddress<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub browser_info: Option<BrowserInfo<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shopper_statement: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub merchant_order_reference: Option<&'a str>,
    /// The merchant category code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mcc: Option<&'a str>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub metadata: BTreeMap<&'a str, &'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub line_items: Vec<LineItem<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub installments: Option<Installments>,
}

/// A line of an order. The amount is the price of one piece.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LineItem<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<&'a str>,
    pub description: &'a str,
    pub quantity: i32,
    pub amount_including_tax: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sku: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upc: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub brand: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item_category: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image_url: Option<&'a str>,
}

impl<'a> LineItem<'a> {
    /// Returns one line with the whole amount.
    pub fn whole(description: &'a str, amount: i64) -> Self {
        LineItem {
            description,
            quantity: 1,
            amount_including_tax: amount,
            ..LineItem::default()
        }
    }
}

/// The instrument.
#[derive(Serialize)]
#[serde(untagged)]
pub enum PaymentMethod<'a> {
    Card(Box<CardDetails<'a>>),
    Wallet(WalletDetails<'a>),
    Payer(PayerDetails<'a>),
}

/// A method that the payer finishes elsewhere.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PayerDetails<'a> {
    #[serde(rename = "type")]
    pub kind: &'a str,
    /// For Polish banks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub issuer: Option<&'a str>,
    /// For Vipps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub telephone_number: Option<String>,
    /// For Cash App.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subtype: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blik_code: Option<&'a str>,
    /// For UPI.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub virtual_payment_address: Option<&'a str>,
}

/// A wallet's encrypted data.
#[derive(Serialize)]
#[serde(tag = "type", rename_all_fields = "camelCase")]
pub enum WalletDetails<'a> {
    #[serde(rename = "applepay")]
    ApplePay { apple_pay_token: &'a str },
    #[serde(rename = "googlepay")]
    GooglePay { google_pay_token: &'a str },
}

/// An unencrypted card.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CardDetails<'a> {
    #[serde(rename = "type")]
    pub kind: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<&'a str>,
    /// Two digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expiry_month: Option<String>,
    /// Four digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expiry_year: Option<String>,
    /// The id of an instrument stored at Adyen, charged instead of a card.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stored_payment_method_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cvc: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub holder_name: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AuthenticationData {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempt_authentication: Option<&'static str>,
    #[serde(rename = "threeDSRequestData")]
    pub three_ds_request_data: ThreeDsRequestData,
}

#[derive(Serialize)]
pub struct ThreeDsRequestData {
    #[serde(rename = "nativeThreeDS")]
    pub native_three_ds: &'static str,
}

#[derive(Serialize)]
pub struct ThreeDs2RequestFields {
    #[serde(rename = "threeDSRequestorChallengeInd")]
    pub challenge: &'static str,
}

/// Flags, all as texts.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AdditionalData {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub manual_capture: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sca_exemption: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allow_partial_auth: Option<&'static str>,
    /// `PreAuth` if the amount may change later.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub authorisation_type: Option<&'static str>,
    /// The scheme's reference of the initial payment.
    #[serde(rename = "networkTxReference", skip_serializing_if = "Option::is_none")]
    pub network_tx_reference: Option<String>,
}

impl AdditionalData {
    fn is_empty(&self) -> bool {
        self.manual_capture.is_none()
            && self.sca_exemption.is_none()
            && self.allow_partial_auth.is_none()
            && self.authorisation_type.is_none()
            && self.network_tx_reference.is_none()
    }
}

/// The channel through which the shopper gives the card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum ShopperInteraction {
    Ecommerce,
    ContAuth,
    Moto,
}

/// The purpose of a stored card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum RecurringProcessingModel {
    CardOnFile,
    /// Charges at fixed intervals.
    Subscription,
    UnscheduledCardOnFile,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ShopperName<'a> {
    pub first_name: &'a str,
    pub last_name: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Address<'a> {
    pub street: String,
    pub house_number_or_name: String,
    pub city: &'a str,
    pub postal_code: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state_or_province: Option<&'a str>,
    pub country: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryAddress<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_name: Option<&'a str>,
    #[serde(flatten)]
    pub address: Address<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BrowserInfo<'a> {
    pub accept_header: &'a str,
    pub color_depth: i32,
    pub java_enabled: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub java_script_enabled: Option<bool>,
    pub language: &'a str,
    pub screen_height: i32,
    pub screen_width: i32,
    pub time_zone_offset: i32,
    pub user_agent: &'a str,
}

#[derive(Serialize)]
pub struct Installments {
    pub value: i32,
}

/// `POST /payments/details`.
#[derive(Serialize)]
pub struct DetailsRequest<'a> {
    pub details: CompletionDetails<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CompletionDetails<'a> {
    pub redirect_result: &'a str,
}

/// A change of a payment: capture, new total, cancel, reversal or refund.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ModificationRequest<'a> {
    pub merchant_account: &'a str,
    pub reference: &'a str,
    /// For captures, new totals and refunds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount: Option<Amount>,
    /// For refunds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub merchant_refund_reason: Option<&'static str>,
    /// For new totals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub industry_usage: Option<&'static str>,
    /// For cancels of a payment of which only our reference is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payment_reference: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub line_items: Vec<LineItem<'a>>,
}

impl ModificationRequest<'_> {
    /// Adds a line with the whole amount. Adyen refuses a part of a pay-later payment without lines.
    pub fn add_line(&mut self, description: &'static str) {
        let amount = self.amount.as_ref().map(|amount| amount.value);
        let line = amount.map(|amount| LineItem::whole(description, amount));
        self.line_items.extend(line);
    }
}

/// `DELETE /storedPaymentMethods/{storedPaymentMethodId}`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StoredMethodQuery<'a> {
    pub shopper_reference: &'a str,
    pub merchant_account: &'a str,
}

/// `POST /paymentMethods`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PaymentMethodsRequest<'a> {
    pub merchant_account: &'a str,
}

/// A request about a dispute; unset members are not written.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DisputeRequest<'a> {
    pub dispute_psp_reference: &'a str,
    pub merchant_account_code: &'a str,
    /// For `POST /supplyDefenseDocument`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub defense_documents: Vec<DefenseDocument>,
    /// For `POST /deleteDisputeDefenseDocument`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub defense_document_type: Option<&'a str>,
    /// For `POST /defendDispute`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub defense_reason_code: Option<&'a str>,
}

/// A document against a dispute.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DefenseDocument {
    /// Base64.
    #[serde(with = "sealed")]
    pub content: SecretText,
    pub content_type: &'static str,
    pub defense_document_type_code: String,
}

/// The answer with the applicable defense reasons.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DefenseReasonsAnswer {
    pub dispute_service_result: DisputeServiceResult,
    #[serde(default)]
    pub defense_reasons: Vec<DefenseReason>,
}

/// A defense reason, and its required documents.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DefenseReason {
    pub defense_reason_code: String,
    #[serde(default)]
    pub defense_document_types: Vec<DocumentType>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DocumentType {
    pub defense_document_type_code: String,
    pub requirement_level: RequirementLevel,
    /// True if Adyen already has such a document.
    pub available: bool,
}

/// The necessity of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum RequirementLevel {
    Required,
    /// At least one of the reason's documents with this mark.
    OneOrMore,
    Optional,
    /// Replaces all other documents.
    AlternativeRequired,
    /// A word of a later version.
    #[serde(other)]
    Other,
}

/// The answer to a dispute request. Its status is 200 even if the request failed.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DisputeAnswer {
    pub dispute_service_result: DisputeServiceResult,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DisputeServiceResult {
    pub success: bool,
    pub error_message: Option<String>,
}

/// The answer of `/payments` and `/payments/details`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PaymentAnswer {
    pub result_code: ResultCode,
    pub psp_reference: Option<String>,
    pub merchant_reference: Option<String>,
    pub amount: Option<Amount>,
    pub refusal_reason: Option<String>,
    pub refusal_reason_code: Option<String>,
    pub action: Option<Action>,
    /// Texts by name; the account's settings decide which are sent.
    #[serde(default)]
    pub additional_data: Map<String, Value>,
}

impl PaymentAnswer {
    /// Returns a text of the additional data.
    pub fn additional(&self, name: &str) -> Option<&str> {
        self.additional_data.get(name)?.as_str()
    }
}

/// The state of a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum ResultCode {
    AuthenticationFinished,
    AuthenticationNotRequired,
    Authorised,
    Cancelled,
    ChallengeShopper,
    Error,
    IdentifyShopper,
    PartiallyAuthorised,
    Pending,
    PresentToShopper,
    Received,
    RedirectShopper,
    Refused,
    Success,
    /// A word of a later version.
    #[serde(other)]
    Other,
}

/// The payer's next action.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Action {
    #[serde(rename = "type")]
    pub kind: String,
    pub payment_method_type: Option<String>,
    pub method: Option<String>,
    pub url: Option<String>,
    pub expires_at: Option<String>,
    pub qr_code_data: Option<String>,
    /// The reference of a voucher or of a transfer.
    pub reference: Option<String>,
    pub download_url: Option<String>,
    pub instructions_url: Option<String>,
    /// The entity of a Multibanco payment.
    pub entity: Option<String>,
    pub iban: Option<String>,
    pub bic: Option<String>,
    /// The holder of the bank account.
    pub beneficiary: Option<String>,
}

/// The answer to a change of a payment.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ModificationAnswer {
    pub psp_reference: String,
    pub status: String,
    pub reference: Option<String>,
    pub payment_psp_reference: Option<String>,
}

/// The body of every answer that isn't 2xx.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ServiceError {
    pub error_code: String,
    #[serde(default)]
    pub message: String,
    #[serde(default)]
    pub error_type: String,
}

/// The body of a standard webhook.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Notification {
    pub notification_items: Vec<NotificationItem>,
}

#[derive(Debug, Deserialize)]
pub struct NotificationItem {
    /// A [`NotificationRequestItem`], unparsed.
    #[serde(rename = "NotificationRequestItem")]
    pub item: Value,
}

/// One event.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NotificationRequestItem {
    pub psp_reference: String,
    pub original_reference: Option<String>,
    pub merchant_account_code: String,
    pub merchant_reference: String,
    pub amount: Amount,
    pub event_code: String,
    pub success: String,
    pub event_date: Option<String>,
    pub reason: Option<String>,
    #[serde(default)]
    pub additional_data: Map<String, Value>,
}
