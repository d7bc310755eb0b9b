//! The members that create, update and confirm of a payment share, in groups. The requests are destructured: a new
//! member of the document doesn't compile until a group has it.

use chrono::{DateTime, Utc};
use multirail_types as types;
use serde_json::{Map, Value};

macro_rules! asked {
    ($($(#[$note:meta])* $group:ident: $name:ident { $($member:ident: $type:ty,)+ })+) => {
        $(
            $(#[$note])*
            pub struct $name {
                $(pub $member: $type,)+
            }
        )+

        /// A request, in groups of members.
        pub struct Asked {
            $(pub $group: $name,)+
        }

        pub fn of_update(request: types::PaymentUpdateRequest) -> (Asked, Own) {
            let types::PaymentUpdateRequest { $($($member,)+)+ } = request;
            (Asked { $($group: $name { $($member,)+ },)+ }, Own::default())
        }

        pub fn of_confirm(request: types::PaymentConfirmRequest) -> (Asked, Own) {
            let types::PaymentConfirmRequest { mandate_id, $($($member,)+)+ } = request;
            let asked = Asked { $($group: $name { $($member,)+ },)+ };
            (asked, Own { mandate_id, ..Own::default() })
        }

        /// Converts the members of a create, which requires members that update and confirm may omit.
        #[allow(clippy::useless_conversion)]
        pub fn of_create(request: types::PaymentCreateRequest) -> (Asked, Own) {
            let types::PaymentCreateRequest {
                merchant_id,
                business_country,
                business_label,
                business_sub_label,
                mandate_id,
                $($($member,)+)+
            } = request;
            let asked = Asked { $($group: $name { $($member: $member.into(),)+ },)+ };
            let own = Own {
                merchant_id,
                business_country,
                business_label,
                business_sub_label,
                mandate_id,
            };
            (asked, own)
        }
    };
}

/// The members of a create alone, or of a create and a confirm.
#[derive(Default)]
pub struct Own {
    pub merchant_id: Option<String>,
    pub business_country: Option<types::CountryCode>,
    pub business_label: Option<String>,
    pub business_sub_label: Option<String>,
    pub mandate_id: Option<String>,
}

asked! {
    /// The amount, the way of payment, and the payment's identity.
    terms: Terms {
        amount: Option<i64>,
        currency: Option<types::Currency>,
        amount_to_capture: Option<i64>,
        shipping_cost: Option<i64>,
        order_tax_amount: Option<i64>,
        surcharge_details: Option<types::SurchargeDetails>,
        payment_id: Option<String>,
        profile_id: Option<String>,
        confirm: Option<bool>,
        capture_method: Option<types::CaptureMethod>,
        authentication_type: Option<types::AuthenticationType>,
        return_url: Option<String>,
        session_expiry: Option<i32>,
        client_secret: Option<String>,
        retry_action: Option<types::RetryAction>,
        enable_partial_authorization: Option<bool>,
        enable_overcapture: Option<bool>,
        customer_id: Option<String>,
        setup_future_usage: Option<types::FutureUsage>,
        recurring_details: Option<types::RecurringDetails>,
        routing: Option<types::RoutingRequest>,
        connector: Option<Vec<types::ConnectorName>>,
        merchant_connector_details: Option<types::MerchantConnectorDetails>,
        all_keys_required: Option<bool>,
        mandate_data: Option<types::MandateData>,
        payment_link_config: Option<Box<types::PaymentLinkConfig>>,
    }
    /// The typed particulars.
    particulars: Said {
        discount_amount: Option<i64>,
        shipping_amount_tax: Option<i64>,
        duty_amount: Option<i64>,
        tax_status: Option<types::TaxStatus>,
        merchant_order_reference_id: Option<String>,
        description: Option<String>,
        statement_descriptor_name: Option<String>,
        statement_descriptor_suffix: Option<String>,
        billing_descriptor: Option<types::BillingDescriptor>,
        order_details: Option<Vec<types::OrderDetails>>,
        order_date: Option<DateTime<Utc>>,
        capture_on: Option<DateTime<Utc>>,
        force_3ds_challenge: Option<bool>,
        psd2_sca_exemption_type: Option<types::ScaExemptionType>,
        threeds_method_comp_ind: Option<types::ThreeDsCompletionIndicator>,
        request_incremental_authorization: Option<bool>,
        request_extended_authorization: Option<bool>,
        payment_channel: Option<String>,
        customer: Option<types::CustomerRequest>,
        email: Option<String>,
        name: Option<String>,
        phone: Option<String>,
        phone_country_code: Option<String>,
        billing: Option<types::Address>,
        shipping: Option<types::Address>,
        browser_info: Option<types::BrowserInformation>,
        allowed_payment_method_types: Option<Vec<types::PaymentMethodType>>,
        installment_data: Option<types::InstallmentData>,
        off_session: Option<bool>,
        customer_acceptance: Option<types::CustomerAcceptance>,
        is_stored_credential: Option<bool>,
        mit_category: Option<types::MitCategory>,
        connector_metadata: Option<Map<String, Value>>,
        payment_link: Option<bool>,
    }
    /// The instrument.
    instrument: Instrument {
        payment_method: Option<types::PaymentMethod>,
        payment_method_type: Option<types::PaymentMethodType>,
        payment_method_data: Option<Box<types::PaymentMethodDataRequest>>,
        payment_token: Option<String>,
        card_cvc: Option<types::Secret>,
    }
    /// Members that no rule and no connector reads, answered as they came.
    notes: Notes {
        skip_external_tax_calculation: Option<bool>,
        metadata: Option<Map<String, Value>>,
        request_external_three_ds_authentication: Option<bool>,
        is_iframe_redirection_enabled: Option<bool>,
        payment_type: Option<types::PaymentType>,
        payment_experience: Option<types::PaymentExperience>,
        ctp_service_details: Option<types::ClickToPayDetails>,
        tokenization: Option<Map<String, Value>>,
        installment_options: Option<Map<String, Value>>,
        feature_metadata: Option<Map<String, Value>>,
        frm_metadata: Option<Map<String, Value>>,
        split_payments: Option<Map<String, Value>>,
        payment_link_config_id: Option<String>,
        three_ds_data: Option<Map<String, Value>>,
        external_surcharge_strategy: Option<String>,
        partner_merchant_identifier_details: Option<Map<String, Value>>,
        profile_acquirer_id: Option<String>,
    }
}
