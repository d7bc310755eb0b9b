//! The simulated processor's session for every wallet.

use insta::assert_json_snapshot;
use multirail_conformance::wallet_settings::payable;
use serde_json::json;

use super::{all_wallets, names, session_of, shop_with};

/// In a sandbox every button can be tried. The simulated processor has a session for each wallet that an account
/// enables and has keys for.
#[tokio::test]
async fn the_simulated_processor_has_them_all() {
    let shop = shop_with(json!({
        "payment_methods_enabled": all_wallets(), "connector_wallets_details": payable(),
    }))
    .await;
    let profile = json!({ "is_click_to_pay_enabled": true, "merchant_business_country": "US" });
    shop.sets_up(profile).await.ok();
    let more = json!({
        "payment_id": "pay_of_all_wallets", "email": "ada@example.com", "phone": "5550100",
        "phone_country_code": "+44",
    });
    let session = session_of(&shop, more, &[]).await;
    assert_eq!(
        names(&session),
        [
            "apple_pay",
            "google_pay",
            "samsung_pay",
            "paypal",
            "klarna",
            "amazon_pay",
            "paze",
            "click_to_pay",
            "open_banking"
        ]
    );
    assert_json_snapshot!(session["session_token"], @r#"
    [
      {
        "wallet_name": "apple_pay",
        "connector": "fauxpay",
        "connector_merchant_id": null,
        "connector_reference_id": null,
        "connector_sdk_public_key": null,
        "delayed_session_token": false,
        "payment_request_data": {
          "country_code": "US",
          "currency_code": "USD",
          "total": {
            "label": "The bookshop",
            "type": "final",
            "amount": "65.40"
          },
          "merchant_capabilities": [
            "supports3DS"
          ],
          "supported_networks": [
            "amex",
            "discover",
            "masterCard",
            "visa"
          ],
          "merchant_identifier": "merchant.example.bookshop",
          "required_billing_contact_fields": null,
          "required_shipping_contact_fields": null
        },
        "sdk_next_action": {
          "next_action": "confirm",
          "should_block_confirm": false
        },
        "session_token_data": null
      },
      {
        "wallet_name": "google_pay",
        "allowed_payment_methods": [
          {
            "type": "CARD",
            "parameters": {
              "allowed_auth_methods": [
                "PAN_ONLY",
                "CRYPTOGRAM_3DS"
              ],
              "allowed_card_networks": [
                "AMEX",
                "DISCOVER",
                "MASTERCARD",
                "VISA"
              ],
              "billing_address_required": null,
              "billing_address_parameters": null,
              "assurance_details_required": null
            },
            "tokenization_specification": {
              "type": "DIRECT",
              "parameters": {
                "protocolVersion": "ECv2"
              }
            }
          }
        ],
        "connector": "fauxpay",
        "delayed_session_token": false,
        "email_required": false,
        "merchant_info": {
          "merchant_id": null,
          "merchant_name": "The bookshop"
        },
        "sdk_next_action": {
          "next_action": "confirm",
          "should_block_confirm": false
        },
        "shipping_address_parameters": {
          "phone_number_required": false
        },
        "shipping_address_required": false,
        "transaction_info": {
          "country_code": "US",
          "currency_code": "USD",
          "total_price_status": "FINAL",
          "total_price": "65.40"
        }
      },
      {
        "wallet_name": "samsung_pay",
        "allowed_brands": [
          "amex",
          "discover",
          "mastercard",
          "visa"
        ],
        "amount": {
          "option": "FORMAT_TOTAL_PRICE_ONLY",
          "currency_code": "USD",
          "total": "65.40"
        },
        "billing_address_required": false,
        "merchant": {
          "name": "Sandbox shop",
          "url": null,
          "country_code": "US"
        },
        "order_number": "pay-of-all-wallets",
        "protocol": "PROTOCOL3DS",
        "service_id": "sandbox_service",
        "shipping_address_required": false,
        "version": "2"
      },
      {
        "wallet_name": "paypal",
        "connector": "fauxpay",
        "sdk_next_action": {
          "next_action": "post_session_tokens",
          "should_block_confirm": true
        },
        "session_token": "sandbox_client"
      },
      {
        "wallet_name": "klarna",
        "session_id": "sim_session_2f56c0fdc849f919fd74ed0d",
        "session_token": "sim_token_4d46eba0068fc79991cc0bd6c8f6363745b2ade0"
      },
      {
        "wallet_name": "amazon_pay",
        "delivery_options": [],
        "ledger_currency": "USD",
        "merchant_id": "sandbox_merchant",
        "payment_intent": "AuthorizeWithCapture",
        "store_id": "sandbox_store",
        "total_base_amount": "65.40",
        "total_shipping_amount": "0.00",
        "total_tax_amount": "0.00"
      },
      {
        "wallet_name": "paze",
        "client_id": "sandbox_client",
        "client_name": "Sandbox shop",
        "client_profile_id": "sandbox_profile",
        "email_address": "ada@example.com",
        "transaction_amount": "65.40",
        "transaction_currency_code": "USD"
      },
      {
        "wallet_name": "click_to_pay",
        "acquirer_bin": "400000",
        "acquirer_merchant_id": "sandbox_merchant",
        "card_brands": [
          "Visa",
          "Mastercard",
          "AmericanExpress",
          "Discover"
        ],
        "dpa_client_id": null,
        "dpa_id": "sandbox_dpa",
        "dpa_name": "Sandbox shop",
        "email": "ada@example.com",
        "locale": "en_US",
        "merchant_category_code": "5942",
        "merchant_country_code": "US",
        "phone_country_code": "+44",
        "phone_number": "5550100",
        "provider": null,
        "transaction_amount": "65.40",
        "transaction_currency_code": "USD"
      },
      {
        "wallet_name": "open_banking",
        "open_banking_session_token": "sim_token_0c4385fd5c5e1d72fea9b4e17aff8d43382a4157"
      }
    ]
    "#);
}

/// A repeated call gets the same answer, so a checkout may ask again.
#[tokio::test]
async fn asking_again_changes_nothing() {
    let shop = shop_with(json!({ "payment_methods_enabled": all_wallets() })).await;
    let payment = shop
        .creates(multirail_conformance::bodies::order())
        .await
        .ok();
    let payer = shop.payer_of(&payment);
    let first = payer.opens_session(&[]).await.ok();
    assert_eq!(payer.opens_session(&[]).await.ok(), first);
    assert_eq!(shop.retrieves(&payment).await.ok(), payment);
}
