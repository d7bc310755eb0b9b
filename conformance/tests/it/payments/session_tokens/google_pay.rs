//! Google Pay: the request that results from an account's settings and the payment.

use insta::assert_json_snapshot;
use multirail_conformance::Shop;
use multirail_conformance::wallet_settings::google_key;
use serde_json::{Value, json};

use super::token_from;

fn google_pay(more: Value) -> Value {
    let settings = json!({
        "merchant_info": { "merchant_id": "BCR2DN4T", "merchant_name": "The bookshop" },
        "allowed_payment_methods": [{
            "type": "CARD",
            "parameters": {
                "allowed_auth_methods": ["CRYPTOGRAM_3DS"],
                "allowed_card_networks": ["VISA"],
                "assurance_details_required": true,
            },
            "tokenization_specification": {
                "type": "PAYMENT_GATEWAY",
                "parameters": { "gateway": "stripe", "stripe:version": "2018-10-31", "stripe:publishableKey": "pk_1" },
            },
        }],
        "payment_decryption": google_key(),
    });
    multirail_conformance::bodies::with(settings, more)
}

#[tokio::test]
async fn google_pay_by_its_own_kit() {
    let shop = Shop::open().await;
    shop.sets_up(json!({
        "collect_billing_details_from_wallet_connector": true,
        "always_collect_shipping_details_from_wallet_connector": true,
    }))
    .await
    .ok();
    let settings = json!({ "google_pay": google_pay(json!({ "country_code": "DE" })) });
    let payment = json!({ "amount": 1999, "currency": "EUR" });
    let token = token_from(&shop, "google_pay", settings.clone(), payment).await;
    assert_json_snapshot!(token, @r#"
    {
      "wallet_name": "google_pay",
      "allowed_payment_methods": [
        {
          "type": "CARD",
          "parameters": {
            "allowed_auth_methods": [
              "CRYPTOGRAM_3DS"
            ],
            "allowed_card_networks": [
              "VISA"
            ],
            "billing_address_required": true,
            "billing_address_parameters": {
              "phone_number_required": true,
              "format": "FULL"
            },
            "assurance_details_required": true
          },
          "tokenization_specification": {
            "type": "PAYMENT_GATEWAY",
            "parameters": {
              "gateway": "stripe",
              "stripe:publishableKey": "pk_1",
              "stripe:version": "2018-10-31"
            }
          }
        }
      ],
      "connector": "fauxpay",
      "delayed_session_token": false,
      "email_required": true,
      "merchant_info": {
        "merchant_id": "BCR2DN4T",
        "merchant_name": "The bookshop"
      },
      "sdk_next_action": {
        "next_action": "confirm",
        "should_block_confirm": false
      },
      "shipping_address_parameters": {
        "phone_number_required": true
      },
      "shipping_address_required": true,
      "transaction_info": {
        "country_code": "DE",
        "currency_code": "EUR",
        "total_price_status": "FINAL",
        "total_price": "19.99"
      }
    }
    "#);

    // Known addresses aren't requested, and yen have no decimals.
    let payment = json!({
        "currency": "JPY", "amount": 500,
        "billing": { "address": { "country": "JP", "city": "Kyoto" } },
    });
    let token = token_from(&shop, "google_pay", settings, payment).await;
    assert_eq!(token["transaction_info"]["total_price"], "500");
    let parameters = &token["allowed_payment_methods"][0]["parameters"];
    assert_eq!(parameters["billing_address_required"], Value::Null);
}

/// The SDK form of Google Pay only says how to continue.
#[tokio::test]
async fn google_pay_by_the_kit_of_the_processor() {
    let shop = Shop::open().await;
    let delayed = json!({ "delayed_session_token": true, "payment_decryption": google_key() });
    let settings = json!({ "google_pay": delayed });
    let token = token_from(&shop, "google_pay", settings, json!({})).await;
    assert_json_snapshot!(token, @r#"
    {
      "wallet_name": "google_pay",
      "connector": "fauxpay",
      "delayed_session_token": true,
      "sdk_next_action": {
        "next_action": "sync",
        "should_block_confirm": false
      }
    }
    "#);
}
