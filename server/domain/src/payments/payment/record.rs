//! The stored records of a payment and its attempts, with and without personal data.
//!
//! This file lists a payment's members with the names and the order in which every version stores them.
//!
//! The record's object `notes` contains both particulars and payer. The name stems from a time when all of them were notes
//! (`migrations/README.md`, "Records"). Each of its members has its name in the contract, if it has one there.

use std::borrow::Cow;
use std::sync::Arc;

use multirail_kernel::address::Address;
use multirail_kernel::country::CountryCode;
use multirail_kernel::ids::{MerchantId, PaymentId, ProfileId};
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::browser::Browser;
use multirail_sdk::charge::{
    DeviceDataCollected, Installments, MitCategory, ScaExemption, TaxStatus,
};
use multirail_sdk::consent::Consent;
use multirail_sdk::order_item::OrderItem;
use multirail_sdk::payment_method::PaymentMethodType;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value};

use crate::accounts::acting::Initiator;
use crate::accounts::profile::link_look::LinkConfig;
use crate::payments::payment::attempt::WrittenAttempt;
use crate::payments::payment::customer::Customer;
use crate::payments::payment::particulars::BillingDescriptor;
use crate::payments::payment::{
    Attempt, DisputeShare, Instrument, MandateRequest, MerchantDecision, OfferedThrough, Owner,
    Particulars, PayerDetails, Payment, PaymentStatus, RefundShare, Terms, owner,
};

/// Declares a payment's record in two forms: the one that is read, and the one that is written, which copies nothing. The
/// compiler reports members of [`Payment`] that are missing here.
macro_rules! payment_record {
    ({ $($(#[$meta:meta])* $member:ident: $type:ty,)+ } notes { $($(#[$then_meta:meta])* $then:ident: $then_type:ty,)+ }) => {
        #[derive(Deserialize)]
        pub(crate) struct ReadPayment {
            $($(#[$meta])* $member: $type,)+
            notes: Notes,
            $($(#[$then_meta])* $then: $then_type,)+
        }

        #[derive(Serialize)]
        struct WrittenPayment<'a> {
            $($(#[$meta])* $member: &'a $type,)+
            notes: WrittenNotes<'a>,
            $($(#[$then_meta])* $then: &'a $then_type,)+
        }

        impl From<ReadPayment> for Payment {
            fn from(read: ReadPayment) -> Self {
                let ReadPayment { $($member,)+ notes, $($then,)+ } = read;
                Payment {
                    $($member,)+
                    particulars: Arc::new(notes.particulars),
                    payer: Arc::new(notes.payer),
                    $($then,)+
                    version: 0,
                    rests_apart: false,
                    attempts: Vec::new(),
                }
            }
        }

        impl<'a> WrittenPayment<'a> {
            fn new(payment: &'a Payment, payer: &'a PayerDetails) -> Self {
                let Payment {
                    $($member,)+
                    particulars,
                    $($then,)+
                    payer: _,
                    version: _,
                    rests_apart: _,
                    attempts: _,
                } = payment;
                let notes = WrittenNotes::new(particulars, payer);
                WrittenPayment { $($member,)+ notes, $($then,)+ }
            }
        }
    };
}

payment_record! {
    {
        merchant_id: MerchantId,
        payment_id: PaymentId,
        profile_id: ProfileId,
        status: PaymentStatus,
        terms: Terms,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cancellation_reason: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        merchant_decision: Option<MerchantDecision>,
    }
    notes
    {
        created_at: Timestamp,
        modified_at: Timestamp,
        expires_at: Timestamp,
        holds_card: bool,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        refunds: Vec<RefundShare>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        disputes: Vec<DisputeShare>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        publishable_key: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        initiator: Option<Initiator>,
        #[serde(
            rename = "subscription_id",
            with = "owner::subscription_id",
            default,
            skip_serializing_if = "Option::is_none"
        )]
        owner: Option<Owner>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        offered: Vec<OfferedThrough>,
        #[serde(flatten)]
        unread: UnreadMembers,
    }
}

/// Declares the object `notes` in the same two forms, from the members of [`Particulars`] and [`PayerDetails`] in their stored
/// order.
macro_rules! notes {
    ($(
        particulars { $($(#[$meta:meta])* $member:ident: $type:ty,)+ }
        payer { $($(#[$payer_meta:meta])* $payer:ident: $payer_type:ty,)* }
    )+) => {
        #[derive(Deserialize)]
        struct ReadNotes {
            $(
                $($(#[$meta])* $member: Option<$type>,)+
                $($(#[$payer_meta])* $payer: Option<$payer_type>,)*
            )+
            #[serde(flatten)]
            notes: Map<String, Value>,
        }

        #[derive(Serialize)]
        struct WrittenNotes<'a> {
            $(
                $($(#[$meta])* #[serde(skip_serializing_if = "Option::is_none")] $member: &'a Option<$type>,)+
                $($(#[$payer_meta])* #[serde(skip_serializing_if = "Option::is_none")] $payer: &'a Option<$payer_type>,)*
            )+
            #[serde(flatten)]
            notes: &'a Map<String, Value>,
            #[serde(flatten)]
            unread: &'a UnreadMembers,
        }

        impl From<ReadNotes> for Notes {
            fn from(read: ReadNotes) -> Self {
                let ReadNotes { $($($member,)+ $($payer,)*)+ notes } = read;
                let unread = UnreadMembers::NONE;
                Notes {
                    particulars: Particulars { $($($member,)+)+ notes },
                    payer: PayerDetails { $($($payer,)*)+ unread },
                }
            }
        }

        impl<'a> WrittenNotes<'a> {
            fn new(particulars: &'a Particulars, payer: &'a PayerDetails) -> Self {
                let Particulars { $($($member,)+)+ notes } = particulars;
                let PayerDetails { $($($payer,)*)+ unread } = payer;
                WrittenNotes { $($($member,)+ $($payer,)*)+ notes, unread }
            }
        }
    };
}

notes! {
    particulars {
        description: String,
        #[serde(rename = "merchant_order_reference_id")]
        order_reference: String,
        order_date: String,
        #[serde(rename = "order_details")]
        order_items: Vec<OrderItem>,
        shipping_amount_tax: i64,
        discount_amount: i64,
        duty_amount: i64,
        tax_status: TaxStatus,
        installment_data: Box<Installments>,
    }
    payer {
        customer: Box<Customer>,
        name: String,
        email: String,
        phone: String,
        phone_country_code: String,
        billing: Box<Address>,
        shipping: Box<Address>,
        #[serde(rename = "browser_info")]
        browser: Box<Browser>,
    }
    particulars {
        billing_descriptor: Box<BillingDescriptor>,
        statement_descriptor_name: String,
        statement_descriptor_suffix: String,
        #[serde(rename = "force_3ds_challenge")]
        force_challenge: bool,
        #[serde(rename = "psd2_sca_exemption_type")]
        sca_exemption: ScaExemption,
        #[serde(rename = "threeds_method_comp_ind")]
        device_data_collected: DeviceDataCollected,
        payment_channel: String,
        off_session: bool,
        is_stored_credential: bool,
        mit_category: MitCategory,
    }
    payer {
        #[serde(rename = "customer_acceptance")]
        consent: Box<Consent>,
    }
    particulars {
        #[serde(rename = "mandate_data")]
        mandate: Box<MandateRequest>,
        allowed_payment_method_types: Vec<PaymentMethodType>,
        request_incremental_authorization: bool,
        request_extended_authorization: bool,
        capture_on: String,
        business_country: CountryCode,
        business_label: String,
        connector_metadata: Map<String, Value>,
        payment_link: bool,
        #[serde(rename = "payment_link_config")]
        link_config: Box<LinkConfig>,
    }
    payer {
        #[serde(rename = "saved_customer_acceptance")]
        saved_consent: Box<Consent>,
    }
}

/// The object `notes` of a record. Members of a later version stay among the particulars.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(from = "ReadNotes")]
pub struct Notes {
    pub particulars: Particulars,
    pub payer: PayerDetails,
}

impl Serialize for Notes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        WrittenNotes::new(&self.particulars, &self.payer).serialize(serializer)
    }
}

/// The record of a payment, to be written.
#[derive(Clone, Debug)]
pub struct PaymentRecord<'a> {
    payment: &'a Payment,
    /// Replaces the payment's own payer.
    payer: Cow<'a, PayerDetails>,
}

impl Payment {
    /// Returns the record with the payer's personal data.
    pub fn record(&self) -> PaymentRecord<'_> {
        PaymentRecord {
            payment: self,
            payer: Cow::Borrowed(&self.payer),
        }
    }

    /// Returns the record without personal data, which is stored elsewhere or was deleted. It equals the record of the redacted
    /// payment.
    pub fn redacted_record(&self) -> PaymentRecord<'_> {
        PaymentRecord {
            payment: self,
            payer: Cow::Owned(self.payer.redacted()),
        }
    }
}

impl Serialize for PaymentRecord<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        WrittenPayment::new(self.payment, &self.payer).serialize(serializer)
    }
}

/// The record of an attempt, to be written.
#[derive(Clone, Debug)]
pub struct AttemptRecord<'a> {
    attempt: &'a Attempt,
    /// Replaces the attempt's own payment method.
    instrument: Cow<'a, Option<Instrument>>,
}

impl Attempt {
    /// Returns the record with the holder of the payment method.
    pub fn record(&self) -> AttemptRecord<'_> {
        AttemptRecord {
            attempt: self,
            instrument: Cow::Borrowed(&self.instrument),
        }
    }

    /// Returns the record without the holder, who is stored elsewhere or was deleted. It equals the record of the redacted
    /// attempt.
    pub fn redacted_record(&self) -> AttemptRecord<'_> {
        let telling = self.instrument.as_ref();
        let telling = telling.filter(|instrument| instrument.holder.tells_of_somebody());
        AttemptRecord {
            attempt: self,
            instrument: match telling {
                Some(telling) => Cow::Owned(Some(telling.with_holder(telling.holder.redacted()))),
                None => Cow::Borrowed(&self.instrument),
            },
        }
    }
}

impl Serialize for AttemptRecord<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let written = WrittenAttempt {
            instrument: &self.instrument,
            ..WrittenAttempt::new(self.attempt)
        };
        written.serialize(serializer)
    }
}

#[cfg(test)]
mod tests;
