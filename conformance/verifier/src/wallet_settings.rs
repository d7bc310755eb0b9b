//! Settings of wallets with a merchant's keys, so that what the wallets hand over can pay.

use multirail_wallet_mint::MerchantKey;
use multirail_wallet_mint::google::Google;
use serde_json::{Value, json};

/// `connector_wallets_details` with those of both wallets that payments can be confirmed with.
pub fn payable() -> Value {
    json!({ "apple_pay": apple_pay(), "google_pay": google_pay() })
}

/// Apple Pay in an app, which Apple knows by itself: nobody is asked for a session, and no certificate is read.
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

/// Google Pay that seals for the merchant.
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

/// What opens what Google seals for the merchant.
pub fn google_key() -> Value {
    json!({
        "private_key": MerchantKey::generate().pem(), "recipient_id": "merchant:12345678901234567890",
        "root_signing_keys": Google::new().root_signing_keys(),
    })
}
