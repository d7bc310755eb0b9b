//! Optional details of a request, in addition to money, instrument and key. Each connector sends
//! the details that its processor has members for. They are sent as the merchant gave them, except
//! contact data (`contact.rs`), and never change the operation.
//!
//! Unset members are not written: most payments have few details.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

pub use crate::browser::Browser;
pub use crate::charge::{
    DeviceDataCollected, Document, FutureUsage, Installments, MitCategory, ScaExemption, TaxStatus,
};
pub use crate::consent::{Consent, ConsentKind, OnlineConsent};
pub use crate::order_item::OrderItem;
pub use multirail_kernel::address::{Address, Phone, Place};

use crate::charge::AuthenticationType;
use crate::connector::ConnectorMandate;

/// The details of an authorization.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Details {
    /// The merchant's description of the payment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    pub descriptor: Descriptor,
    pub authentication: Authentication,
    pub initiation: Initiation,
    pub order: Order,
    pub payer: Payer,
    /// The chosen plan to pay in parts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub installments: Option<Installments>,
    /// The merchant accepts an approval of a part of the amount.
    pub takes_less: bool,
    /// The authorization may be raised later.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub may_be_raised: bool,
    /// Request an extended authorization, which lasts longer than usual.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stands_longer: bool,
    /// The capture may exceed the authorized amount.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub may_be_exceeded: bool,
    /// The merchant category code, four digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category_code: Option<String>,
    /// The merchant's id of the payment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payment_id: Option<String>,
    /// The merchant's metadata, as texts.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub metadata: BTreeMap<String, String>,
    /// The processor's own member of `connector_metadata`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub connector_metadata: Option<Value>,
}

/// The statement descriptor, in the parts that processors know.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Descriptor {
    /// The text of the line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// A prefix to the processor account's own text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prefix: Option<String>,
    /// A suffix to the processor account's own text.
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
    /// Replaces the parts that a capture's own descriptor sets.
    pub fn with(self, own: CaptureDescriptor) -> Self {
        Descriptor {
            text: own.text.or(self.text),
            prefix: own.prefix.or(self.prefix),
            suffix: own.suffix.or(self.suffix),
            ..self
        }
    }
}

/// A capture's own statement descriptor. Unset parts come from the payment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CaptureDescriptor {
    pub text: Option<String>,
    pub prefix: Option<String>,
    pub suffix: Option<String>,
}

/// The merchant's wishes about authentication, and the data for it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Authentication {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wanted: Option<AuthenticationType>,
    /// Request a challenge even where none is needed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub force_challenge: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exemption: Option<ScaExemption>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device_data_collected: Option<DeviceDataCollected>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub browser: Option<Browser>,
}

/// The initiator and the setting of the charge. Schemes price and protect payments by them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Initiation {
    /// `ecommerce`, `mail_order`, `telephone_order` or the merchant's own word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub channel: Option<String>,
    /// The payer is absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub off_session: Option<bool>,
    /// The card comes from the merchant's own storage.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_stored_credential: Option<bool>,
    /// The reason for a charge without the payer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mit_category: Option<MitCategory>,
    /// The scheme's reference of the payment in which the payer agreed to later charges. Any
    /// processor may have made that payment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub network_transaction_id: Option<String>,
    /// An instrument stored at this processor. It is charged by its id, and the card isn't sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mandate: Option<ConnectorMandate>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub future_usage: Option<FutureUsage>,
    /// The payer's consent to store the card or to debit the account. A debit of a saved account
    /// has the consent of an earlier payment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub consent: Option<Consent>,
}

/// The order. Its amounts are in minor units, and are parts of the requested amount. (Card schemes
/// call this level 2 and level 3.)
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Order {
    /// The merchant's order number.
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
    /// The discount, which the amount already includes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub discount_amount: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duty_amount: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tax_status: Option<TaxStatus>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<OrderItem>,
}

/// The payer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Payer {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub customer_id: Option<String>,
    /// The processor's id of the customer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub connector_customer_id: Option<String>,
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
    /// The instrument's billing address, or else the payment's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub billing: Option<Address>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shipping: Option<Address>,
}
