//! Wallets whose session needs only an account's settings and the payment's amount.

use multirail_kernel::country::CountryCode;
use multirail_kernel::money::Money;
use multirail_kernel::words::words;
use multirail_sdk::card::Network;
use serde::Deserialize;

use crate::payments::payment::customer::Contact;
use crate::payments::payment::{CaptureMethod, Terms};
use crate::payments::session::collect::Collect;

/// An account's settings for Samsung Pay.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct SamsungPaySettings {
    pub merchant_credentials: SamsungPayMerchant,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct SamsungPayMerchant {
    pub service_id: String,
    pub merchant_display_name: String,
    pub merchant_business_country: CountryCode,
    pub allowed_brands: Vec<String>,
    /// The domain of the shop.
    #[serde(default)]
    pub merchant_url: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SamsungPayToken {
    pub order_number: String,
    pub merchant: SamsungPayMerchant,
    pub total: Money,
    pub billing_address_required: bool,
    pub shipping_address_required: bool,
}

impl SamsungPaySettings {
    pub(crate) fn token(
        &self,
        payment_id: &str,
        collect: Collect,
        total: Money,
    ) -> SamsungPayToken {
        SamsungPayToken {
            // Samsung accepts letters, digits and hyphens.
            order_number: payment_id.replace('_', "-"),
            merchant: self.merchant_credentials.clone(),
            total,
            billing_address_required: collect.billing,
            shipping_address_required: collect.shipping,
        }
    }
}

/// An account's settings for PayPal.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct PaypalSettings {
    pub client_id: String,
}

/// An account's settings for Paze.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct PazeSettings {
    pub client_id: String,
    pub client_name: String,
    pub client_profile_id: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PazeToken {
    pub client: PazeSettings,
    pub total: Money,
    pub email: Option<String>,
}

/// An account's settings for Click to Pay.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ClickToPaySettings {
    pub dpa_id: String,
    pub dpa_name: String,
    pub locale: String,
    pub card_brands: Vec<Network>,
    pub acquirer_bin: String,
    pub acquirer_merchant_id: String,
    pub merchant_category_code: String,
    pub merchant_country_code: String,
    #[serde(default)]
    pub dpa_client_id: Option<String>,
    #[serde(default)]
    pub provider: Option<ClickToPayProvider>,
}

words! {
    /// The provider of the checkout.
    pub enum ClickToPayProvider {
        Visa = "visa",
        Mastercard = "mastercard",
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClickToPayToken {
    /// Settings, with the brands that the account accepts.
    pub checkout: ClickToPaySettings,
    pub total: Money,
    pub email: Option<String>,
    pub phone: Option<String>,
    pub phone_country_code: Option<String>,
}

impl ClickToPaySettings {
    pub(crate) fn token(
        &self,
        brands: Vec<Network>,
        payer: Contact<'_>,
        total: Money,
    ) -> ClickToPayToken {
        let text = |said: Option<&str>| said.map(str::to_owned);
        ClickToPayToken {
            checkout: ClickToPaySettings {
                card_brands: brands,
                ..self.clone()
            },
            total,
            email: text(payer.email),
            phone: text(payer.phone),
            phone_country_code: text(payer.phone_country_code),
        }
    }
}

/// An account's settings for Amazon Pay.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct AmazonPaySettings {
    pub merchant_id: String,
    pub store_id: String,
    #[serde(default)]
    pub delivery_options: Vec<DeliveryOption>,
}

/// A way of delivery.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct DeliveryOption {
    pub id: String,
    pub price: DeliveryPrice,
    pub shipping_method: ShippingMethod,
    pub is_default: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct DeliveryPrice {
    /// In minor units.
    pub amount: u32,
    pub currency_code: multirail_kernel::currency::Currency,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ShippingMethod {
    pub shipping_method_name: String,
    pub shipping_method_code: String,
}

words! {
    /// The time of Amazon's capture.
    pub enum AmazonIntent {
        Confirm = "Confirm",
        Authorize = "Authorize",
        AuthorizeWithCapture = "AuthorizeWithCapture",
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AmazonPayToken {
    pub merchant_id: String,
    pub store_id: String,
    pub intent: AmazonIntent,
    pub shipping: Money,
    pub tax: Money,
    /// The total without shipping and tax.
    pub base: Money,
    pub delivery_options: Vec<DeliveryOption>,
}

impl AmazonPaySettings {
    pub(crate) fn token(&self, terms: &Terms) -> AmazonPayToken {
        let currency = terms.currency;
        let money = |amount| Money::new(amount, currency);
        let shipping = terms.shipping_cost.unwrap_or(0);
        let tax = terms.order_tax_amount.unwrap_or(0);
        let options = self.delivery_options.iter();
        AmazonPayToken {
            merchant_id: self.merchant_id.clone(),
            store_id: self.store_id.clone(),
            intent: match terms.capture_method {
                // A zero amount leaves nothing to capture.
                _ if terms.only_verifies() => AmazonIntent::Confirm,
                CaptureMethod::Automatic | CaptureMethod::SequentialAutomatic => {
                    AmazonIntent::AuthorizeWithCapture
                }
                CaptureMethod::Manual
                | CaptureMethod::ManualMultiple
                | CaptureMethod::Scheduled => AmazonIntent::Authorize,
            },
            shipping: money(shipping),
            tax: money(tax),
            base: money(terms.total() - shipping - tax),
            delivery_options: options
                .filter(|option| option.price.currency_code == currency)
                .cloned()
                .collect(),
        }
    }
}
