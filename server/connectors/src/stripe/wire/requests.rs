//! Requests: the members of forms and queries.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Metadata;

/// `POST /v1/payment_intents`
#[derive(Serialize)]
pub struct NewPaymentIntent<'a> {
    pub amount: i64,
    pub currency: String,
    pub confirm: bool,
    pub capture_method: &'static str,
    pub payment_method_types: [&'static str; 1],
    /// Either this or `payment_method`.
    pub payment_method_data: Option<MethodData<'a>>,
    pub payment_method: Option<&'a str>,
    /// The owner of the instrument.
    pub customer: Option<&'a str>,
    pub payment_method_options: Option<MethodOptions<'a>>,
    pub return_url: Option<&'a str>,
    pub off_session: Option<bool>,
    pub setup_future_usage: Option<&'static str>,
    pub description: Option<String>,
    /// The statement's text; for other methods than cards.
    pub statement_descriptor: Option<String>,
    /// A suffix to the account's own text; for cards.
    pub statement_descriptor_suffix: Option<String>,
    pub shipping: Option<Shipping>,
    pub amount_details: Option<AmountDetails>,
    pub payment_details: Option<PaymentDetails>,
    pub metadata: Metadata,
    pub expand: [&'static str; 1],
}

/// The parts of an amount.
#[derive(Serialize)]
pub struct AmountDetails {
    pub discount_amount: Option<i64>,
    pub shipping: Option<ShippingAmount>,
    pub tax: Option<Tax>,
    pub line_items: Vec<LineItem>,
    pub enforce_arithmetic_validation: bool,
}

impl AmountDetails {
    pub fn says_something(&self) -> bool {
        self.discount_amount.is_some()
            || self.shipping.is_some()
            || self.tax.is_some()
            || !self.line_items.is_empty()
    }
}

#[derive(Serialize)]
pub struct LineItem {
    pub product_name: String,
    pub quantity: i32,
    pub unit_cost: i64,
    pub product_code: Option<String>,
    pub unit_of_measure: Option<String>,
    pub discount_amount: Option<i64>,
    pub tax: Option<Tax>,
}

#[derive(Serialize)]
pub struct Tax {
    pub total_tax_amount: i64,
}

impl Tax {
    pub fn new(total_tax_amount: i64) -> Self {
        Tax { total_tax_amount }
    }
}

#[derive(Serialize)]
pub struct ShippingAmount {
    pub amount: i64,
}

#[derive(Serialize)]
pub struct PaymentDetails {
    pub order_reference: String,
}

/// `POST /v1/customers`: a customer for whom Stripe stores cards.
#[derive(Serialize)]
pub struct NewCustomer {
    pub name: Option<String>,
    pub email: Option<String>,
    pub phone: Option<String>,
    pub metadata: Metadata,
}

/// `POST /v1/setup_intents`
#[derive(Serialize)]
pub struct NewSetupIntent<'a> {
    pub confirm: bool,
    pub payment_method_types: [&'static str; 1],
    pub payment_method_data: MethodData<'a>,
    /// The owner of the stored instrument.
    pub customer: Option<&'a str>,
    pub payment_method_options: Option<MethodOptions<'a>>,
    pub return_url: Option<&'a str>,
    pub usage: &'static str,
    pub description: Option<String>,
    pub metadata: Metadata,
}

/// An instrument that isn't stored at Stripe.
#[derive(Serialize)]
pub struct MethodData<'a> {
    #[serde(rename = "type")]
    pub kind: &'static str,
    pub card: Option<Card<'a>>,
    /// The payer's choices, by method.
    #[serde(flatten)]
    pub choices: BTreeMap<&'static str, Choice<'a>>,
    pub billing_details: BillingDetails,
}

/// The bank that the payer chose, or the tax number that they entered.
#[derive(Serialize)]
pub struct Choice<'a> {
    pub bank: Option<&'static str>,
    pub tax_id: Option<&'a str>,
}

/// Either a card or a token of Stripe's.
#[derive(Default, Serialize)]
pub struct Card<'a> {
    pub number: Option<&'a str>,
    pub exp_month: Option<u8>,
    pub exp_year: Option<u16>,
    pub cvc: Option<&'a str>,
    pub token: Option<String>,
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

impl Address {
    /// Checks whether Afterpay accepts goods to be sent there.
    pub fn is_complete(&self) -> bool {
        self.line1.is_some() && self.postal_code.is_some() && self.country.is_some()
    }
}

#[derive(Serialize)]
pub struct Shipping {
    pub name: String,
    pub phone: Option<String>,
    pub address: Address,
}

/// Options of the payment's own method.
#[derive(Default, Serialize)]
pub struct MethodOptions<'a> {
    pub card: Option<CardOptions>,
    pub blik: Option<BlikOptions<'a>>,
    pub wechat_pay: Option<WeChatOptions>,
}

#[derive(Serialize)]
pub struct BlikOptions<'a> {
    pub code: &'a str,
}

#[derive(Serialize)]
pub struct WeChatOptions {
    pub client: &'static str,
}

#[derive(Default, PartialEq, Serialize)]
pub struct CardOptions {
    pub request_three_d_secure: Option<&'static str>,
    pub request_multicapture: Option<&'static str>,
    pub request_incremental_authorization: Option<&'static str>,
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
    /// `false` if more captures follow; by default Stripe treats a capture as the last one.
    pub final_capture: Option<bool>,
    pub statement_descriptor_suffix: Option<String>,
    pub metadata: Metadata,
}

/// `POST /v1/payment_intents/{intent}/increment_authorization`
#[derive(Serialize)]
pub struct Raise {
    /// The new total.
    pub amount: i64,
    pub metadata: Metadata,
}

/// `POST /v1/payment_intents/{intent}/cancel`, and the same for a setup intent.
#[derive(Serialize)]
pub struct Cancel {
    pub cancellation_reason: Option<&'static str>,
}

/// `POST /v1/refunds`
#[derive(Serialize)]
pub struct NewRefund<'a> {
    pub payment_intent: &'a str,
    /// By default everything that is left.
    pub amount: Option<i64>,
    pub reason: Option<&'static str>,
    pub metadata: Metadata,
}

/// The query of a payment, which includes its charge.
#[derive(Serialize)]
pub struct Retrieve {
    pub expand: [&'static str; 1],
}

/// `GET /v1/payment_intents/search`
#[derive(Serialize)]
pub struct SearchQuery {
    pub query: String,
    pub limit: u8,
}

/// The query of one page of a list.
#[derive(Serialize)]
pub struct PageQuery<'a> {
    #[serde(flatten)]
    pub list: &'a ListQuery<'a>,
    pub limit: u8,
    /// The last id of the previous page.
    pub starting_after: Option<&'a str>,
}

/// The filters of a list.
#[derive(Default, Serialize)]
pub struct ListQuery<'a> {
    pub created: Option<Since>,
    pub payment_intent: Option<&'a str>,
    pub email: Option<&'a str>,
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

/// `POST /v1/disputes/{dispute}`
#[derive(Serialize)]
pub struct Challenge<'a> {
    /// By Stripe's names; files by the ids of their uploads.
    pub evidence: BTreeMap<&'a str, &'a str>,
    pub submit: bool,
}

/// A query without members.
#[derive(Serialize)]
pub struct Nothing {}
