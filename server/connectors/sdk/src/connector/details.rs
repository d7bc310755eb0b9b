//! What a processor is told beside money, instrument and key. Each connector passes on what its processor has a place for;
//! nothing here changes what we ask for, and all of it is as the merchant said it, but for contact data (`contact.rs`).
//!
//! What was not said is not written: most payments say next to nothing.

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
    /// What is authorized may be raised later.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub may_be_raised: bool,
    /// What is authorized is to stand longer than usual.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stands_longer: bool,
    /// The capture may take more than is authorized.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub may_be_exceeded: bool,
    /// The merchant's trade, as four digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category_code: Option<String>,
    /// The merchant's id of the payment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payment_id: Option<String>,
    /// The merchant's own notes, as texts.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub metadata: BTreeMap<String, String>,
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
    /// Returns the line of a capture that says some of its parts itself.
    pub fn with(self, own: CaptureDescriptor) -> Self {
        Descriptor {
            text: own.text.or(self.text),
            prefix: own.prefix.or(self.prefix),
            suffix: own.suffix.or(self.suffix),
            ..self
        }
    }
}

/// What a capture says about its line; what it doesn't say is the payment's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CaptureDescriptor {
    pub text: Option<String>,
    pub prefix: Option<String>,
    pub suffix: Option<String>,
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
    /// Why the merchant charges without the payer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mit_category: Option<MitCategory>,
    /// The scheme's reference of the payment by which the payer agreed to charges without him, whichever processor made that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub network_transaction_id: Option<String>,
    /// The instrument as this processor keeps it: it is charged, and the card isn't sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mandate: Option<ConnectorMandate>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub future_usage: Option<FutureUsage>,
    /// The payer's consent to keep the card.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub consent: Option<Consent>,
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

/// Who pays.
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
    /// The instrument's own address, else the payment's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub billing: Option<Address>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shipping: Option<Address>,
}
