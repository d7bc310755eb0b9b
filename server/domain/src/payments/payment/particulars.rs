//! Further data of a payment: its order, statement and authentication. `payer.rs` has the payer's data.

use multirail_kernel::country::CountryCode;
use multirail_kernel::record_object::record_object;
use multirail_sdk::charge::{
    DeviceDataCollected, Installments, MitCategory, ScaExemption, TaxStatus,
};
use multirail_sdk::order_item::OrderItem;
use multirail_sdk::payment_method::PaymentMethodType;
use serde_json::{Map, Value};

use crate::accounts::profile::link_look::LinkConfig;
use crate::payments::payment::mandate::MandateRequest;

record_object! {
    /// The line on the payer's statement, in its parts.
    #[derive(Default, Eq)]
    pub struct BillingDescriptor {
    } and maybe {
        name: String,
        city: String,
        phone: String,
        statement_descriptor: String,
        statement_descriptor_suffix: String,
        reference: String,
    }
}

/// Members that a rule or a connector reads have their own type. Amounts are in minor units. Large members that are rarely used
/// are boxed, so that most payments stay small.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Particulars {
    pub description: Option<String>,
    /// The merchant's number of the order.
    pub order_reference: Option<String>,
    /// RFC 3339.
    pub order_date: Option<String>,
    pub order_items: Option<Vec<OrderItem>>,
    pub shipping_amount_tax: Option<i64>,
    /// Already subtracted from the amount.
    pub discount_amount: Option<i64>,
    pub duty_amount: Option<i64>,
    pub tax_status: Option<TaxStatus>,
    pub installment_data: Option<Box<Installments>>,

    pub billing_descriptor: Option<Box<BillingDescriptor>>,
    pub statement_descriptor_name: Option<String>,
    pub statement_descriptor_suffix: Option<String>,

    /// Requests a challenge even if none is needed.
    pub force_challenge: Option<bool>,
    pub sca_exemption: Option<ScaExemption>,
    pub device_data_collected: Option<DeviceDataCollected>,

    /// `ecommerce`, `mail_order`, `telephone_order` or the merchant's own word.
    pub payment_channel: Option<String>,
    /// The payer is absent.
    pub off_session: Option<bool>,
    /// The card comes from the merchant's own storage.
    pub is_stored_credential: Option<bool>,
    /// The reason for a charge without the payer.
    pub mit_category: Option<MitCategory>,
    /// A mandate that this payment is to set up.
    pub mandate: Option<Box<MandateRequest>>,

    /// Payment method types that the payer may choose from; an empty list allows all.
    pub allowed_payment_method_types: Option<Vec<PaymentMethodType>>,
    /// Requests an authorization that can be raised.
    pub request_incremental_authorization: Option<bool>,
    /// Requests an authorization with a longer validity.
    pub request_extended_authorization: Option<bool>,
    /// The time of the capture of a `scheduled` payment: RFC 3339. With other capture methods it is only a note.
    pub capture_on: Option<String>,
    /// With `business_label` the line of business, which may name the profile.
    pub business_country: Option<CountryCode>,
    pub business_label: Option<String>,
    /// Data for single processors, by the connector's name.
    pub connector_metadata: Option<Map<String, Value>>,

    /// Requests a hosted page where the payer can pay.
    pub payment_link: Option<bool>,
    pub link_config: Option<Box<LinkConfig>>,

    /// Members that neither rules nor connectors read, by their names in the contract. They are returned as they came, and
    /// include members of later versions.
    pub notes: Map<String, Value>,
}

/// Replaces members of `$kept` by the ones that are present in `$given`, and returns the rest of `$given`. The compiler reports
/// members that are missing here.
macro_rules! keep_said {
    ($type:ident $given:ident over $kept:ident: $($member:ident),+; $rest:ident) => {{
        let $type { $($member,)+ $rest } = $given;
        $(if $member.is_some() {
            $kept.$member = $member;
        })+
        $rest
    }};
}
pub(crate) use keep_said;

impl Particulars {
    /// Applies an update. A member that is present replaces the stored one as a whole.
    pub(crate) fn merge(&mut self, given: Particulars) {
        let mut notes = keep_said!(Particulars given over self:
            description, order_reference, order_date, order_items, shipping_amount_tax, discount_amount, duty_amount,
            tax_status, installment_data,
            billing_descriptor, statement_descriptor_name, statement_descriptor_suffix, force_challenge, sca_exemption,
            device_data_collected, payment_channel, off_session, is_stored_credential, mit_category, mandate,
            allowed_payment_method_types, request_incremental_authorization, request_extended_authorization,
            capture_on, business_country, business_label,
            connector_metadata, payment_link, link_config;
            notes
        );
        self.notes.append(&mut notes);
    }
}
