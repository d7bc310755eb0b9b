//! Wallet settings with a merchant's keys, so that wallet tokens can pay.

use multirail_wallet_mint::MerchantKey;
use multirail_wallet_mint::google::Google;
use serde_json::{Value, json};

/// Settings of both wallets, as the value of `connector_wallets_details`.
pub fn payable() -> Value {
    json!({ "apple_pay": apple_pay(), "google_pay": google_pay() })
}

/// Apple Pay in an app: Apple knows apps by themselves, so no session is opened and no certificate is read.
pub fn apple_pay() -> Value {
    json!({
        "payment_request_data": {
            "label": "The bookshop",
            "merchant_capabilities": ["supports3DS"],
            "supported_networks": ["amex", "discover", "masterCard", "visa"],
        },
        "session_token_data": {
            "certificate": "-", "certificate_keys": "-", "display_name": "The bookshop", "initiative": "ios",
            "merchant_identifier": "merchant.example.bookshop",
            "payment_processing_certificate_key": MerchantKey::generate().pem(),
        },
    })
}

/// Google Pay with tokens sealed for the merchant.
pub fn google_pay() -> Value {
    json!({
        "merchant_info": { "merchant_name": "The bookshop" },
        "allowed_payment_methods": [{
            "type": "CARD",
            "parameters": {
                "allowed_auth_methods": ["PAN_ONLY", "CRYPTOGRAM_3DS"],
                "allowed_card_networks": ["AMEX", "DISCOVER", "MASTERCARD", "VISA"],
            },
            "tokenization_specification": { "type": "DIRECT", "parameters": { "protocolVersion": "ECv2" } },
        }],
        "payment_decryption": google_key(),
    })
}

/// Returns the merchant's private key for Google's tokens.
pub fn google_key() -> Value {
    json!({
        "private_key": MerchantKey::generate().pem(), "recipient_id": "merchant:12345678901234567890",
        "root_signing_keys": Google::new().root_signing_keys(),
    })
}
