//! Apple Pay: the merchant's certificate, Apple's merchant session, and the payment sheet.

use std::fmt;

use multirail_kernel::country::CountryCode;
use multirail_kernel::money::Money;
use multirail_kernel::secret::SecretText;
use multirail_kernel::words::words;
use serde::Deserialize;

use crate::payments::session::collect::Collect;
use crate::payments::session::next_action::{SdkNextAction, SdkSecrets};

words! {
    /// The place of the button.
    pub enum Initiative {
        /// A web page, whose domain Apple validates.
        Web = "web",
        /// An app, which Apple knows without validation.
        Ios = "ios",
    }
}

words! {
    /// Contact data that a wallet can ask the payer for.
    pub enum ContactField {
        PostalAddress = "postalAddress",
        Phone = "phone",
        Email = "email",
    }
}

/// An account's settings for Apple Pay.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ApplePaySettings {
    /// True if the processor's own SDK handles the payment.
    #[serde(default)]
    pub delayed_session_token: bool,
    #[serde(default)]
    pub session_token_data: Option<MerchantIdentity>,
    pub payment_request_data: PaymentSheet,
}

/// The merchant's identity for Apple.
#[derive(Clone, PartialEq, Eq, Deserialize)]
pub struct MerchantIdentity {
    /// PEM, or base64 of it.
    #[serde(with = "multirail_kernel::secret::sealed")]
    pub certificate: SecretText,
    /// The certificate's key, PEM or base64 of it.
    #[serde(with = "multirail_kernel::secret::sealed")]
    pub certificate_keys: SecretText,
    pub merchant_identifier: String,
    pub display_name: String,
    pub initiative: Initiative,
    /// The domain of the page.
    #[serde(default)]
    pub initiative_context: Option<String>,
    #[serde(default)]
    pub merchant_business_country: Option<CountryCode>,
}

impl fmt::Debug for MerchantIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MerchantIdentity")
            .field("merchant_identifier", &self.merchant_identifier)
            .finish_non_exhaustive()
    }
}

/// The payment sheet that the payer sees.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct PaymentSheet {
    pub label: String,
    #[serde(default)]
    pub merchant_capabilities: Option<Vec<String>>,
    #[serde(default)]
    pub supported_networks: Option<Vec<String>>,
}

/// The request to Apple: may this page accept payments for this merchant?
#[derive(Clone, PartialEq, Eq)]
pub struct MerchantValidation {
    /// PEM, or base64 of it.
    pub certificate: SecretText,
    /// PEM, or base64 of it.
    pub certificate_key: SecretText,
    pub merchant_identifier: String,
    pub display_name: String,
    pub domain: String,
}

impl fmt::Debug for MerchantValidation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MerchantValidation")
            .field("merchant_identifier", &self.merchant_identifier)
            .field("domain", &self.domain)
            .finish_non_exhaustive()
    }
}

/// Apple's answer, which the page passes on to the payer's device. Times are in milliseconds since 1970.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AppleSession {
    pub epoch_timestamp: i64,
    pub expires_at: i64,
    pub merchant_session_identifier: String,
    pub nonce: String,
    pub merchant_identifier: String,
    pub domain_name: String,
    pub display_name: String,
    pub signature: String,
    pub operational_analytics_identifier: String,
    pub retries: i32,
    pub psp_id: String,
}

/// The data with which the button starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AppleSessionData {
    /// Secrets of the processor's own SDK.
    Secrets(SdkSecrets),
    Session(Box<AppleSession>),
}

/// The payment request that the payer agrees to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApplePayRequestData {
    pub country_code: CountryCode,
    pub total: Money,
    pub label: String,
    pub merchant_capabilities: Option<Vec<String>>,
    pub supported_networks: Option<Vec<String>>,
    pub merchant_identifier: Option<String>,
    pub billing_contact_fields: Option<Vec<ContactField>>,
    pub shipping_contact_fields: Option<Vec<ContactField>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApplePayToken {
    pub session: Option<AppleSessionData>,
    pub request: Option<ApplePayRequestData>,
    pub connector: String,
    pub delayed: bool,
    pub sdk_next_action: SdkNextAction,
    /// The processor's id of the session that it opened.
    pub reference: Option<String>,
}

impl ApplePaySettings {
    /// Returns whether a button can be shown with these settings. A web button needs its page, because Apple validates it.
    pub(crate) fn are_whole(&self) -> bool {
        self.session_token_data.as_ref().is_none_or(|identity| {
            identity.initiative == Initiative::Ios || identity.initiative_context.is_some()
        })
    }

    /// Returns the request that has to be sent to Apple first, if any.
    pub(crate) fn validation(&self) -> Option<MerchantValidation> {
        let identity = self.session_token_data.as_ref()?;
        match identity.initiative {
            Initiative::Ios => None,
            Initiative::Web => Some(MerchantValidation {
                certificate: identity.certificate.clone(),
                certificate_key: identity.certificate_keys.clone(),
                merchant_identifier: identity.merchant_identifier.clone(),
                display_name: identity.display_name.clone(),
                domain: identity.initiative_context.clone()?,
            }),
        }
    }

    /// Returns the merchant's country, if the settings have one.
    pub(crate) fn country(&self) -> Option<CountryCode> {
        let identity = self.session_token_data.as_ref();
        identity.and_then(|identity| identity.merchant_business_country)
    }

    pub(crate) fn token(
        &self,
        collect: Collect,
        country: CountryCode,
        total: Money,
        connector: &str,
        session: Option<AppleSessionData>,
        reference: Option<String>,
    ) -> ApplePayToken {
        let identity = self.session_token_data.as_ref();
        let sheet = &self.payment_request_data;
        let request = ApplePayRequestData {
            country_code: country,
            total,
            label: sheet.label.clone(),
            merchant_capabilities: sheet.merchant_capabilities.clone(),
            supported_networks: sheet.supported_networks.clone(),
            merchant_identifier: identity.map(|identity| identity.merchant_identifier.clone()),
            billing_contact_fields: collect.billing.then(|| vec![ContactField::PostalAddress]),
            shipping_contact_fields: collect.shipping.then(|| {
                vec![
                    ContactField::PostalAddress,
                    ContactField::Phone,
                    ContactField::Email,
                ]
            }),
        };
        ApplePayToken {
            session,
            request: Some(request),
            connector: connector.to_owned(),
            delayed: self.delayed_session_token,
            sdk_next_action: if self.delayed_session_token {
                SdkNextAction::SYNC
            } else {
                SdkNextAction::CONFIRM
            },
            reference,
        }
    }
}
