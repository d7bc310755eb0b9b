//! The merchant's words about a payment beside its terms: about order, statement and authentication. `payer.rs` has the payer.

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

/// What a rule or a connector reads has a type and a member of its own. Amounts are in minor units. What is large and
/// seldom said is boxed, so that payments of which little is said stay small.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Particulars {
    pub description: Option<String>,
    /// The merchant's number of the order.
    pub order_reference: Option<String>,
    /// RFC 3339.
    pub order_date: Option<String>,
    pub order_items: Option<Vec<OrderItem>>,
    pub shipping_amount_tax: Option<i64>,
    /// Taken off already.
    pub discount_amount: Option<i64>,
    pub duty_amount: Option<i64>,
    pub tax_status: Option<TaxStatus>,
    pub installment_data: Option<Box<Installments>>,

    pub billing_descriptor: Option<Box<BillingDescriptor>>,
    pub statement_descriptor_name: Option<String>,
    pub statement_descriptor_suffix: Option<String>,

    /// A challenge even where none is needed.
    pub force_challenge: Option<bool>,
    pub sca_exemption: Option<ScaExemption>,
    pub device_data_collected: Option<DeviceDataCollected>,

    /// `ecommerce`, `mail_order`, `telephone_order` or the merchant's own word.
    pub payment_channel: Option<String>,
    /// The payer isn't there.
    pub off_session: Option<bool>,
    /// The card comes from the merchant's own store.
    pub is_stored_credential: Option<bool>,
    /// Why the merchant charges without the payer.
    pub mit_category: Option<MitCategory>,
    /// A mandate to set up by this payment.
    pub mandate: Option<Box<MandateRequest>>,

    /// Instruments that the payer may choose from; an empty list allows every one.
    pub allowed_payment_method_types: Option<Vec<PaymentMethodType>>,
    /// The authorization is to be one that can be raised.
    pub request_incremental_authorization: Option<bool>,
    /// The authorization is to stand longer than usual.
    pub request_extended_authorization: Option<bool>,
    /// When a `scheduled` payment is captured: RFC 3339. With another capture method it is a note.
    pub capture_on: Option<String>,
    /// With `business_label` the line of business, which may name the profile.
    pub business_country: Option<CountryCode>,
    pub business_label: Option<String>,
    /// What only one processor understands, by the connector's name.
    pub connector_metadata: Option<Map<String, Value>>,

    /// A hosted page where the payer can pay.
    pub payment_link: Option<bool>,
    pub link_config: Option<Box<LinkConfig>>,

    /// What no rule and no connector reads, by its name in the contract: answered as it came. Members of a later version
    /// are among them.
    pub notes: Map<String, Value>,
}

/// Puts every member of `$given` that was said in the place of the same member of `$kept`, and returns the rest of `$given`. The
/// compiler names members that are left out here.
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
    /// Lays what an update says over what is known. A member is replaced as a whole.
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
