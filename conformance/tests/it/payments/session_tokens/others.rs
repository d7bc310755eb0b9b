//! The members of the other wallets.

use insta::assert_json_snapshot;
use multirail_conformance::Shop;
use serde_json::json;

use super::{names, session_of, shop_with, token_from};

#[tokio::test]
async fn samsung_pay_paze_and_paypal() {
    let shop = Shop::open().await;
    let settings = json!({ "samsung_pay": { "merchant_credentials": {
        "service_id": "service-1", "merchant_display_name": "The bookshop",
        "merchant_business_country": "KR", "allowed_brands": ["visa"], "merchant_url": "shop.example",
    } } });
    let payment = json!({ "payment_id": "pay_to_samsung", "currency": "KWD", "amount": 6540 });
    let token = token_from(&shop, "samsung_pay", settings, payment).await;
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

    let settings = json!({ "paze": {
        "client_id": "c", "client_name": "The bookshop", "client_profile_id": "p",
    } });
    let payment = json!({ "customer": { "id": "ada", "email": "ada@example.com" } });
    let token = token_from(&shop, "paze", settings, payment).await;
    assert_eq!(token["email_address"], "ada@example.com");
    assert_eq!(token["transaction_amount"], "65.40");

    let settings = json!({ "paypal_sdk": { "client_id": "AfHxq2" } });
    let token = token_from(&shop, "paypal", settings, json!({})).await;
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
    let settings = json!({ "amazon_pay": {
        "merchant_id": "A1", "store_id": "amzn1.1",
        "delivery_options": [option("post", "USD"), option("poste", "EUR")],
    } });
    let payment = json!({ "amount": 5000, "shipping_cost": 500, "order_tax_amount": 40, "capture_method": "manual" });
    let token = token_from(&shop, "amazon_pay", settings.clone(), payment).await;
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
    let at_once = token_from(&shop, "amazon_pay", settings.clone(), json!({})).await;
    assert_eq!(at_once["payment_intent"], "AuthorizeWithCapture");
    let nothing = token_from(&shop, "amazon_pay", settings, json!({ "amount": 0 })).await;
    assert_eq!(nothing["payment_intent"], "Confirm");
}

/// The card brands are those that the account takes, and the profile must enable Click to Pay.
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
