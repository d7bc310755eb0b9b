//! What a processor is told beside money, instrument and key. Each connector passes on what its processor has a place for;
//! nothing here changes what we ask for, and all of it is as the merchant said it.
//!
//! What was not said is not written: most payments say next to nothing.
//!
//! The structures below `payer` and `order` have the members of the contract, so they read as the merchant's notes do.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::payment::AuthenticationType;
use crate::words::words;

/// What is told with an authorization.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Details {
    /// What the payment is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    pub descriptor: Descriptor,
    pub authentication: Authentication,
    pub initiation: Initiation,
    pub order: Order,
    pub payer: Payer,
    /// The plan to pay in parts that was chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub installments: Option<Installments>,
    /// The merchant also takes an approval for less than was asked.
    pub takes_less: bool,
    /// What only this processor understands: its own member of `connector_metadata`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub connector_metadata: Option<Value>,
}

/// The line on the payer's statement, in the parts that processors know.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Descriptor {
    /// The line itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Put before what the processor account prints.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prefix: Option<String>,
    /// Put behind what the processor account prints.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suffix: Option<String>,
    /// The merchant's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub city: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
}

impl Descriptor {
    /// The same for a capture that has a prefix or a suffix of its own.
    pub fn with(self, own: CaptureDescriptor) -> Self {
        Descriptor {
            prefix: own.prefix.or(self.prefix),
            suffix: own.suffix.or(self.suffix),
            ..self
        }
    }
}

/// What a capture says about its line; what it doesn't say is the payment's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CaptureDescriptor {
    pub prefix: Option<String>,
    pub suffix: Option<String>,
}

words! {
    /// Why the issuer may leave out strong customer authentication.
    pub enum ScaExemption {
        LowValue = "low_value",
        TransactionRiskAnalysis = "transaction_risk_analysis",
    }
}

words! {
    /// Whether the collection of device data for 3-D Secure finished.
    pub enum DeviceDataCollected {
        Yes = "Y",
        No = "N",
        NotRun = "U",
    }
}

/// The merchant's wishes about authentication, and what it needs.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Authentication {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wanted: Option<AuthenticationType>,
    /// A challenge even where none is needed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub force_challenge: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exemption: Option<ScaExemption>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device_data_collected: Option<DeviceDataCollected>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub browser: Option<Browser>,
}

/// The payer's browser.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Browser {
    pub color_depth: Option<i32>,
    pub java_enabled: Option<bool>,
    pub java_script_enabled: Option<bool>,
    pub language: Option<String>,
    /// In pixels.
    pub screen_height: Option<i32>,
    /// In pixels.
    pub screen_width: Option<i32>,
    /// Minutes from local time to UTC.
    pub time_zone: Option<i32>,
    pub ip_address: Option<String>,
    pub accept_header: Option<String>,
    pub user_agent: Option<String>,
    pub os_type: Option<String>,
    pub os_version: Option<String>,
    pub device_model: Option<String>,
    pub accept_language: Option<String>,
    pub referer: Option<String>,
}

words! {
    /// How the instrument will be charged again.
    pub enum FutureUsage {
        /// With the payer present.
        OnSession = "on_session",
        /// Without.
        OffSession = "off_session",
    }
}

/// Who starts the charge and in which setting: schemes price and protect by it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Initiation {
    /// `ecommerce`, `mail_order`, `telephone_order` or the merchant's own word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub channel: Option<String>,
    /// The payer isn't there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub off_session: Option<bool>,
    /// The card comes from the merchant's own store.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_stored_credential: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub future_usage: Option<FutureUsage>,
    /// The payer's consent to keep the card.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub consent: Option<Consent>,
}

words! {
    /// Where consent was given.
    pub enum ConsentKind {
        Online = "online",
        Offline = "offline",
    }
}

/// The payer's consent to keep the card and charge it later.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Consent {
    #[serde(rename = "acceptance_type")]
    pub kind: ConsentKind,
    /// RFC 3339.
    pub accepted_at: Option<String>,
    pub online: Option<OnlineConsent>,
}

/// How consent was given on a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OnlineConsent {
    pub ip_address: Option<String>,
    pub user_agent: Option<String>,
}

words! {
    /// Whether tax is due on the order.
    pub enum TaxStatus {
        Taxable = "taxable",
        Exempt = "exempt",
    }
}

/// What is paid for. Amounts are in minor units; all of them are parts of the money that is asked for, none is added
/// to it. (Card schemes call this level 2 and level 3.)
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Order {
    /// The merchant's number of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shipping_cost: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shipping_amount_tax: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order_tax_amount: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub surcharge_amount: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub surcharge_tax_amount: Option<i64>,
    /// Taken off already.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub discount_amount: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duty_amount: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tax_status: Option<TaxStatus>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<OrderItem>,
}

/// One item of an order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OrderItem {
    pub product_name: String,
    pub quantity: i32,
    /// Price of one.
    pub amount: i64,
    pub total_amount: Option<i64>,
    pub unit_discount_amount: Option<i64>,
    /// As a fraction of one.
    pub tax_rate: Option<f64>,
    pub total_tax_amount: Option<i64>,
    pub product_tax_code: Option<String>,
    pub product_type: Option<String>,
    pub product_id: Option<String>,
    pub description: Option<String>,
    pub category: Option<String>,
    pub sub_category: Option<String>,
    pub brand: Option<String>,
    pub sku: Option<String>,
    pub upc: Option<String>,
    pub commodity_code: Option<String>,
    pub unit_of_measure: Option<String>,
    pub product_img_link: Option<String>,
    pub requires_shipping: Option<bool>,
}

/// Who pays.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Payer {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub customer_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phone_country_code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tax_registration_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document: Option<Document>,
    /// The instrument's own address, else the payment's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub billing: Option<Address>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shipping: Option<Address>,
}

/// An identity document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    pub document_type: Option<String>,
    pub document_number: Option<String>,
}

/// An address with who lives there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Address {
    pub address: Option<Place>,
    pub phone: Option<Phone>,
    pub email: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    pub first_name: Option<String>,
    pub last_name: Option<String>,
    pub line1: Option<String>,
    pub line2: Option<String>,
    pub line3: Option<String>,
    pub city: Option<String>,
    pub state: Option<String>,
    pub zip: Option<String>,
    /// Where the goods come from.
    pub origin_zip: Option<String>,
    /// ISO 3166, two letters.
    pub country: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Phone {
    pub number: Option<String>,
    pub country_code: Option<String>,
}

/// A plan to pay in parts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Installments {
    pub number_of_installments: Option<i32>,
    /// How often a part is due, such as `month`.
    pub billing_frequency: Option<String>,
    /// In percent.
    pub installment_interest: Option<f64>,
}
