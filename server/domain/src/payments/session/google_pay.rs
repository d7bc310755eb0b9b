//! Google Pay: the payment data request, made from an account's settings and the payment.

use std::collections::BTreeMap;

use multirail_kernel::country::CountryCode;
use multirail_kernel::money::Money;
use multirail_kernel::words::words;
use serde::Deserialize;

use crate::payments::session::collect::Collect;
use crate::payments::session::next_action::SdkNextAction;

words! {
    /// The extent of a billing address.
    pub enum AddressFormat {
        Full = "FULL",
        Min = "MIN",
    }
}

/// An account's settings for Google Pay.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct GooglePaySettings {
    /// True if the processor's own SDK makes the request.
    #[serde(default)]
    pub delayed_session_token: bool,
    #[serde(default)]
    pub merchant_info: Option<MerchantInfo>,
    #[serde(default)]
    pub allowed_payment_methods: Vec<AllowedMethod>,
    /// The merchant's country.
    #[serde(default)]
    pub country_code: Option<CountryCode>,
}

/// The merchant that gets paid.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct MerchantInfo {
    #[serde(default)]
    pub merchant_id: Option<String>,
    pub merchant_name: String,
}

/// An allowed payment method, and the recipient of its token.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct AllowedMethod {
    #[serde(rename = "type")]
    pub kind: String,
    pub parameters: MethodParameters,
    pub tokenization_specification: Tokenization,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct MethodParameters {
    pub allowed_auth_methods: Vec<String>,
    pub allowed_card_networks: Vec<String>,
    #[serde(default)]
    pub billing_address_required: Option<bool>,
    #[serde(default)]
    pub billing_address_parameters: Option<BillingAddressParameters>,
    #[serde(default)]
    pub assurance_details_required: Option<bool>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct BillingAddressParameters {
    pub phone_number_required: bool,
    pub format: AddressFormat,
}

/// The recipient of the wallet's token. The parameters have Google's names.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Tokenization {
    #[serde(rename = "type")]
    pub kind: String,
    pub parameters: BTreeMap<String, String>,
}

/// The payment data request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GooglePayToken {
    pub merchant_info: MerchantInfo,
    pub shipping_address_required: bool,
    pub email_required: bool,
    pub allowed_payment_methods: Vec<AllowedMethod>,
    pub country_code: CountryCode,
    pub total: Money,
    pub connector: String,
    pub sdk_next_action: SdkNextAction,
}

impl GooglePaySettings {
    /// Returns whether a button can be shown with these settings.
    pub(crate) fn are_whole(&self) -> bool {
        self.delayed_session_token
            || (self.merchant_info.is_some() && !self.allowed_payment_methods.is_empty())
    }

    /// Builds the request. `None` if the settings are incomplete, or leave the request to the processor's SDK.
    pub(crate) fn token(
        &self,
        collect: Collect,
        country: CountryCode,
        total: Money,
        connector: &str,
    ) -> Option<GooglePayToken> {
        let mut methods = self.allowed_payment_methods.clone();
        if collect.billing {
            for method in &mut methods {
                let parameters = &mut method.parameters;
                parameters.billing_address_required = Some(true);
                parameters
                    .billing_address_parameters
                    .get_or_insert(BillingAddressParameters {
                        phone_number_required: true,
                        format: AddressFormat::Full,
                    });
            }
        }
        Some(GooglePayToken {
            merchant_info: self.merchant_info.clone()?,
            shipping_address_required: collect.shipping,
            email_required: collect.shipping,
            allowed_payment_methods: methods,
            country_code: country,
            total,
            connector: connector.to_owned(),
            sdk_next_action: SdkNextAction::CONFIRM,
        })
    }
}
