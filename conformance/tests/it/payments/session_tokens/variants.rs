//! Each wallet's own members.

use insta::assert_json_snapshot;
use multirail_conformance::Shop;
use serde_json::{Value, json};

use super::{all_wallets, names, only, session_of, shop_with};

/// In a sandbox every button can be tried: the simulated processor has a session for each wallet that an account names.
#[tokio::test]
async fn the_simulated_processor_has_them_all() {
    let shop = shop_with(json!({ "payment_methods_enabled": all_wallets() })).await;
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
            "label": "Sandbox shop",
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
          "merchant_identifier": null,
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
              "type": "PAYMENT_GATEWAY",
              "parameters": {
                "gateway": "example",
                "gateway_merchant_id": "sandbox_shop"
              }
            }
          }
        ],
        "connector": "fauxpay",
        "delayed_session_token": false,
        "email_required": false,
        "merchant_info": {
          "merchant_id": null,
          "merchant_name": "Sandbox shop"
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

/// The same call is answered the same: a checkout may ask again.
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
    });
    multirail_conformance::bodies::with(settings, more)
}

/// The token of the one wallet that the account has, from these settings in `metadata`.
async fn token_from(shop: &Shop, wallet: &str, metadata: Value, payment: Value) -> Value {
    shop.reconnects(json!({ "payment_methods_enabled": only(wallet), "metadata": metadata }))
        .await
        .ok();
    let session = session_of(shop, payment, &[wallet]).await;
    assert_eq!(names(&session), [wallet]);
    session["session_token"][0].clone()
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
    let metadata = json!({ "google_pay": google_pay(json!({ "country_code": "DE" })) });
    let payment = json!({ "amount": 1999, "currency": "EUR" });
    let token = token_from(&shop, "google_pay", metadata.clone(), payment).await;
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

    // An address that is there isn't asked for, and a currency without cents has none.
    let payment = json!({
        "currency": "JPY", "amount": 500,
        "billing": { "address": { "country": "JP", "city": "Kyoto" } },
    });
    let token = token_from(&shop, "google_pay", metadata, payment).await;
    assert_eq!(token["transaction_info"]["total_price"], "500");
    let parameters = &token["allowed_payment_methods"][0]["parameters"];
    assert_eq!(parameters["billing_address_required"], Value::Null);
}

/// The other form of Google Pay says how to go on, and no more.
#[tokio::test]
async fn google_pay_by_the_kit_of_the_processor() {
    let shop = Shop::open().await;
    let metadata = json!({ "google_pay": { "delayed_session_token": true } });
    let token = token_from(&shop, "google_pay", metadata, json!({})).await;
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

/// Where the processor's own kit takes Apple Pay on, the processor opens it.
#[tokio::test]
async fn apple_pay_by_the_kit_of_the_processor() {
    let shop = Shop::open().await;
    let metadata = json!({ "apple_pay": {
        "delayed_session_token": true, "payment_request_data": { "label": "The bookshop" },
    } });
    let payment = json!({ "payment_id": "pay_of_a_kit" });
    let token = token_from(&shop, "apple_pay", metadata, payment).await;
    assert_json_snapshot!(token, @r#"
    {
      "wallet_name": "apple_pay",
      "connector": "fauxpay",
      "connector_merchant_id": null,
      "connector_reference_id": "sim_session_023e1172098cbe545a0ade12",
      "connector_sdk_public_key": null,
      "delayed_session_token": true,
      "payment_request_data": {
        "country_code": null,
        "currency_code": "USD",
        "total": {
          "label": "The bookshop",
          "type": "final",
          "amount": "65.40"
        },
        "merchant_capabilities": null,
        "supported_networks": null,
        "merchant_identifier": null,
        "required_billing_contact_fields": null,
        "required_shipping_contact_fields": null
      },
      "sdk_next_action": {
        "next_action": "sync",
        "should_block_confirm": false
      },
      "session_token_data": {
        "secrets": {
          "display": "sim_token_595b7bb6198b46ba1c6f78bd1fc7bef431a5c561",
          "payment": "sim_session_023e1172098cbe545a0ade12"
        }
      }
    }
    "#);
}

#[tokio::test]
async fn samsung_pay_paze_and_paypal() {
    let shop = Shop::open().await;
    let metadata = json!({ "samsung_pay": { "merchant_credentials": {
        "service_id": "service-1", "merchant_display_name": "The bookshop",
        "merchant_business_country": "KR", "allowed_brands": ["visa"], "merchant_url": "shop.example",
    } } });
    let payment = json!({ "payment_id": "pay_to_samsung", "currency": "KWD", "amount": 6540 });
    let token = token_from(&shop, "samsung_pay", metadata, payment).await;
    assert_json_snapshot!(token, @r#"
    {
      "wallet_name": "samsung_pay",
      "allowed_brands": [
        "visa"
      ],
      "amount": {
        "option": "FORMAT_TOTAL_PRICE_ONLY",
        "currency_code": "KWD",
        "total": "6.540"
      },
      "billing_address_required": false,
      "merchant": {
        "name": "The bookshop",
        "url": "shop.example",
        "country_code": "KR"
      },
      "order_number": "pay-to-samsung",
      "protocol": "PROTOCOL3DS",
      "service_id": "service-1",
      "shipping_address_required": false,
      "version": "2"
    }
    "#);

    let metadata = json!({ "paze": {
        "client_id": "c", "client_name": "The bookshop", "client_profile_id": "p",
    } });
    let payment = json!({ "customer": { "id": "ada", "email": "ada@example.com" } });
    let token = token_from(&shop, "paze", metadata, payment).await;
    assert_eq!(token["email_address"], "ada@example.com");
    assert_eq!(token["transaction_amount"], "65.40");

    let metadata = json!({ "paypal_sdk": { "client_id": "AfHxq2" } });
    let token = token_from(&shop, "paypal", metadata, json!({})).await;
    assert_json_snapshot!(token, @r#"
    {
      "wallet_name": "paypal",
      "connector": "fauxpay",
      "sdk_next_action": {
        "next_action": "post_session_tokens",
        "should_block_confirm": true
      },
      "session_token": "AfHxq2"
    }
    "#);
}

#[tokio::test]
async fn amazon_pay_counts_shipping_and_tax_apart() {
    let shop = Shop::open().await;
    let option = |id: &str, currency: &str| {
        json!({
            "id": id, "price": { "amount": 500, "currency_code": currency }, "is_default": id == "post",
            "shipping_method": { "shipping_method_name": "By post", "shipping_method_code": "POST" },
        })
    };
    let metadata = json!({ "amazon_pay": {
        "merchant_id": "A1", "store_id": "amzn1.1",
        "delivery_options": [option("post", "USD"), option("poste", "EUR")],
    } });
    let payment = json!({ "amount": 5000, "shipping_cost": 500, "order_tax_amount": 40, "capture_method": "manual" });
    let token = token_from(&shop, "amazon_pay", metadata.clone(), payment).await;
    assert_json_snapshot!(token, @r#"
    {
      "wallet_name": "amazon_pay",
      "delivery_options": [
        {
          "id": "post",
          "price": {
            "amount": 500,
            "currency_code": "USD"
          },
          "shipping_method": {
            "shipping_method_name": "By post",
            "shipping_method_code": "POST"
          },
          "is_default": true
        }
      ],
      "ledger_currency": "USD",
      "merchant_id": "A1",
      "payment_intent": "Authorize",
      "store_id": "amzn1.1",
      "total_base_amount": "50.00",
      "total_shipping_amount": "5.00",
      "total_tax_amount": "0.40"
    }
    "#);
    let at_once = token_from(&shop, "amazon_pay", metadata.clone(), json!({})).await;
    assert_eq!(at_once["payment_intent"], "AuthorizeWithCapture");
    let nothing = token_from(&shop, "amazon_pay", metadata, json!({ "amount": 0 })).await;
    assert_eq!(nothing["payment_intent"], "Confirm");
}

/// A card's brands are those that the account takes, and the profile has to want it.
#[tokio::test]
async fn click_to_pay_is_a_card() {
    let settings = json!({ "click_to_pay": {
        "dpa_id": "dpa-1", "dpa_name": "The bookshop", "locale": "de_DE",
        "card_brands": ["Visa", "Mastercard", "JCB"], "acquirer_bin": "400001",
        "acquirer_merchant_id": "m-1", "merchant_category_code": "5942",
        "merchant_country_code": "DE", "dpa_client_id": "x", "provider": "mastercard",
    } });
    let cards = json!([{ "payment_method": "card", "payment_schemes": ["Visa", "JCB"] }]);
    let shop = shop_with(json!({
        "payment_methods_enabled": cards, "connector_wallets_details": settings,
    }))
    .await;
    assert_eq!(names(&session_of(&shop, json!({}), &[]).await), [""; 0]);
    shop.sets_up(json!({ "is_click_to_pay_enabled": true }))
        .await
        .ok();
    let session = session_of(&shop, json!({}), &["debit"]).await;
    assert_json_snapshot!(session["session_token"], @r#"
    [
      {
        "wallet_name": "click_to_pay",
        "acquirer_bin": "400001",
        "acquirer_merchant_id": "m-1",
        "card_brands": [
          "Visa",
          "JCB"
        ],
        "dpa_client_id": "x",
        "dpa_id": "dpa-1",
        "dpa_name": "The bookshop",
        "email": null,
        "locale": "de_DE",
        "merchant_category_code": "5942",
        "merchant_country_code": "DE",
        "phone_country_code": null,
        "phone_number": null,
        "provider": "mastercard",
        "transaction_amount": "65.40",
        "transaction_currency_code": "USD"
      }
    ]
    "#);

    let cards = json!([{ "payment_method": "card", "payment_schemes": ["AmericanExpress"] }]);
    shop.reconnects(json!({ "payment_methods_enabled": cards }))
        .await
        .ok();
    assert_eq!(names(&session_of(&shop, json!({}), &[]).await), [""; 0]);
}
