//! What the merchant says of a payment beside its terms: about payer, order, statement and authentication.
//!
//! Each member is stored under its name in the contract, all of them in one object that the record calls `notes`: that is
//! where they stood when all of them were notes (`migrations/README.md`, "Records").

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::address::Address;
use crate::browser::Browser;
use crate::charge::{DeviceDataCollected, Installments, MitCategory, ScaExemption, TaxStatus};
use crate::consent::Consent;
use crate::country::CountryCode;
use crate::order_item::OrderItem;
use crate::payment::customer::{Contact, Customer};
use crate::payment::mandate::MandateRequest;
use crate::payment_method::PaymentMethodType;
use crate::profile::link_look::LinkConfig;
use crate::record_object::record_object;
use crate::redacted::{self, redacted_record};
use crate::telling;

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

redacted_record! {
    /// What a rule or a connector reads has a type and a member of its own. Amounts are in minor units. What is large and
    /// seldom said is boxed, so that payments of which little is said stay small.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
    pub struct Particulars, redacted by RedactedParticulars ("Particulars") {
        #[serde(skip_serializing_if = "Option::is_none")]
        pub description: Option<String>,
        /// The merchant's number of the order.
        #[serde(rename = "merchant_order_reference_id", skip_serializing_if = "Option::is_none")]
        pub order_reference: Option<String>,
        /// RFC 3339.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub order_date: Option<String>,
        #[serde(rename = "order_details", skip_serializing_if = "Option::is_none")]
        pub order_items: Option<Vec<OrderItem>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub shipping_amount_tax: Option<i64>,
        /// Taken off already.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub discount_amount: Option<i64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub duty_amount: Option<i64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub tax_status: Option<TaxStatus>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub installment_data: Option<Box<Installments>>,

        #[serde(skip_serializing_if = "Option::is_none")]
        pub customer: Option<Box<Customer>> => (serialize_with = "telling::object"),
        #[serde(skip_serializing_if = "Option::is_none")]
        pub name: Option<String> => (serialize_with = "redacted::text"),
        #[serde(skip_serializing_if = "Option::is_none")]
        pub email: Option<String> => (serialize_with = "redacted::text"),
        #[serde(skip_serializing_if = "Option::is_none")]
        pub phone: Option<String> => (serialize_with = "redacted::text"),
        #[serde(skip_serializing_if = "Option::is_none")]
        pub phone_country_code: Option<String> => (serialize_with = "redacted::text"),
        #[serde(skip_serializing_if = "Option::is_none")]
        pub billing: Option<Box<Address>> => (serialize_with = "telling::object"),
        #[serde(skip_serializing_if = "Option::is_none")]
        pub shipping: Option<Box<Address>> => (serialize_with = "telling::object"),
        #[serde(rename = "browser_info", skip_serializing_if = "Option::is_none")]
        pub browser: Option<Box<Browser>> => (skip_serializing),

        #[serde(skip_serializing_if = "Option::is_none")]
        pub billing_descriptor: Option<Box<BillingDescriptor>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub statement_descriptor_name: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub statement_descriptor_suffix: Option<String>,

        /// A challenge even where none is needed.
        #[serde(rename = "force_3ds_challenge", skip_serializing_if = "Option::is_none")]
        pub force_challenge: Option<bool>,
        #[serde(rename = "psd2_sca_exemption_type", skip_serializing_if = "Option::is_none")]
        pub sca_exemption: Option<ScaExemption>,
        #[serde(rename = "threeds_method_comp_ind", skip_serializing_if = "Option::is_none")]
        pub device_data_collected: Option<DeviceDataCollected>,

        /// `ecommerce`, `mail_order`, `telephone_order` or the merchant's own word.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub payment_channel: Option<String>,
        /// The payer isn't there.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub off_session: Option<bool>,
        /// The card comes from the merchant's own store.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub is_stored_credential: Option<bool>,
        /// Why the merchant charges without the payer.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub mit_category: Option<MitCategory>,
        #[serde(rename = "customer_acceptance", skip_serializing_if = "Option::is_none")]
        pub consent: Option<Box<Consent>> => (serialize_with = "telling::object"),
        /// A mandate to set up by this payment.
        #[serde(rename = "mandate_data", skip_serializing_if = "Option::is_none")]
        pub mandate: Option<Box<MandateRequest>>,

        /// Instruments that the payer may choose from; an empty list allows every one.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub allowed_payment_method_types: Option<Vec<PaymentMethodType>>,
        /// The authorization is to be one that can be raised.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub request_incremental_authorization: Option<bool>,
        /// The authorization is to stand longer than usual.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub request_extended_authorization: Option<bool>,
        /// When a `scheduled` payment is captured: RFC 3339. With another capture method it is a note.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub capture_on: Option<String>,
        /// With `business_label` the line of business, which may name the profile.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub business_country: Option<CountryCode>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub business_label: Option<String>,
        /// What only one processor understands, by the connector's name.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub connector_metadata: Option<Map<String, Value>>,

        /// A hosted page where the payer can pay.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub payment_link: Option<bool>,
        #[serde(rename = "payment_link_config", skip_serializing_if = "Option::is_none")]
        pub link_config: Option<Box<LinkConfig>>,

        /// What no rule and no connector reads, by its name in the contract: answered as it came. Members of a later version
        /// are among them.
        #[serde(flatten)]
        pub notes: Map<String, Value>,
    }
}

/// Puts every member of `$given` that was said in the place of the same member of `$kept`. The compiler names those that
/// are left out here.
macro_rules! keep_said {
    ($given:ident over $kept:ident: $($member:ident),+; $notes:ident) => {{
        let Particulars { $($member,)+ mut $notes } = $given;
        $(if $member.is_some() {
            $kept.$member = $member;
        })+
        $kept.$notes.append(&mut $notes);
    }};
}

impl Particulars {
    /// Lays what an update says over what is known. A member is replaced as a whole.
    pub(crate) fn merge(&mut self, given: Particulars) {
        keep_said!(given over self:
            description, order_reference, order_date, order_items, shipping_amount_tax, discount_amount, duty_amount,
            tax_status, installment_data, customer, name, email, phone, phone_country_code, billing, shipping, browser,
            billing_descriptor, statement_descriptor_name, statement_descriptor_suffix, force_challenge, sca_exemption,
            device_data_collected, payment_channel, off_session, is_stored_credential, mit_category,
            consent, mandate,
            allowed_payment_method_types, request_incremental_authorization, request_extended_authorization,
            capture_on, business_country, business_label,
            connector_metadata, payment_link, link_config;
            notes
        );
    }

    /// Adds what the payer's browser shows by itself where nothing was said of it.
    pub(crate) fn add_browser(&mut self, shown: Option<Box<Browser>>) {
        let Some(shown) = shown else { return };
        self.browser = Some(match self.browser.take() {
            Some(said) => Box::new(said.completed(*shown)),
            None => shown,
        });
    }

    /// How the customer is called and reached, from the top of the request and from inside `customer`; the top wins.
    pub fn contact(&self) -> Contact<'_> {
        self.contact_at_top().or(self.contact_of_customer())
    }

    /// The member that is said both at the top and inside `customer`, and differently.
    pub(crate) fn contradiction(&self) -> Option<&'static str> {
        let inside = self.contact_of_customer();
        self.contact_at_top().contradiction(inside)
    }

    fn contact_at_top(&self) -> Contact<'_> {
        Contact {
            name: self.name.as_deref(),
            email: self.email.as_deref(),
            phone: self.phone.as_deref(),
            phone_country_code: self.phone_country_code.as_deref(),
        }
    }

    /// Leaves out who the payer is, where he lives, by what device he pays and to what he agreed, for another one. A mandate that
    /// was to be changed is his; the terms of one that is to be made are the merchant's wish, to which the other one has to agree.
    pub(super) fn forget_payer(&mut self) {
        self.customer = None;
        self.name = None;
        self.email = None;
        self.phone = None;
        self.phone_country_code = None;
        self.billing = None;
        self.shipping = None;
        self.browser = None;
        self.consent = None;
        self.mandate
            .take_if(|request| request.update_mandate_id.is_some());
    }

    fn contact_of_customer(&self) -> Contact<'_> {
        let customer = self.customer.as_deref();
        customer.map(Customer::contact).unwrap_or_default()
    }
}
