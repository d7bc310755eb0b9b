//! The places of wallets' settings in an account's details.

use multirail_sdk::wallet::Wallet;
use serde_json::{Map, Value};

use crate::accounts::connector_account::WALLETS_DETAILS;

/// The second form of Apple Pay's settings.
const COMBINED: &str = "apple_pay_combined";

/// Settings of a wallet, and their path in the details.
#[derive(Clone, Debug)]
pub(crate) struct Place<'a> {
    pub path: String,
    pub settings: &'a Value,
}

/// Returns a wallet's settings in the details, in order of precedence.
pub(crate) fn places(wallet: Wallet, details: &Map<String, Value>) -> Vec<Place<'_>> {
    let own = members(wallet).0.iter();
    own.filter_map(|member| {
        let settings = inside(member, details.get(*member)?)?;
        let below = if *member == COMBINED { ".manual" } else { "" };
        let path = format!("{WALLETS_DETAILS}.{member}{below}");
        Some(Place { path, settings })
    })
    .collect()
}

/// Returns the wallet's settings within a member of the details. The combined form also has ready-made credentials, which this
/// server doesn't support.
pub(crate) fn inside<'a>(member: &str, value: &'a Value) -> Option<&'a Value> {
    match member {
        COMBINED => value.get("manual"),
        _ => Some(value),
    }
}

/// Returns the members that hold a wallet's settings, in order of precedence, and a description of them.
pub(crate) fn members(wallet: Wallet) -> (&'static [&'static str], &'static str) {
    match wallet {
        Wallet::ApplePay => (
            &[COMBINED, "apple_pay"],
            "an object with payment_request_data {label, ...} and, for a certificate of your own, session_token_data \
             {certificate, certificate_keys, merchant_identifier, display_name, initiative, initiative_context}, and perhaps \
             payment_processing_certificate_key; in apple_pay_combined inside manual",
        ),
        Wallet::GooglePay => (
            &["google_pay"],
            "an object with merchant_info {merchant_name, ...} and allowed_payment_methods [{type, parameters, \
             tokenization_specification}], and perhaps payment_decryption {private_key, recipient_id, root_signing_keys}",
        ),
        Wallet::SamsungPay => (
            &["samsung_pay"],
            "an object with merchant_credentials {service_id, merchant_display_name, merchant_business_country, \
             allowed_brands}",
        ),
        Wallet::Paypal => (&["paypal_sdk"], "an object with client_id"),
        Wallet::AmazonPay => (
            &["amazon_pay"],
            "an object with merchant_id and store_id, and perhaps delivery_options",
        ),
        Wallet::Paze => (
            &["paze"],
            "an object with client_id, client_name and client_profile_id",
        ),
        Wallet::ClickToPay => (
            &["click_to_pay"],
            "an object with dpa_id, dpa_name, locale, card_brands, acquirer_bin, acquirer_merchant_id, \
             merchant_category_code and merchant_country_code",
        ),
        Wallet::Klarna | Wallet::OpenBanking => (&[], ""),
    }
}
