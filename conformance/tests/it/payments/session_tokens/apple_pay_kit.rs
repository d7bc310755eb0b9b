//! Apple Pay with the processor's own SDK.

use insta::assert_json_snapshot;
use multirail_conformance::Shop;
use multirail_conformance::bodies::with;
use multirail_conformance::wallet_settings::apple_pay;
use serde_json::json;

use super::token_from;

/// If the processor's own SDK handles Apple Pay, the processor opens the session.
#[tokio::test]
async fn apple_pay_by_the_kit_of_the_processor() {
    let shop = Shop::open().await;
    let delayed = json!({ "delayed_session_token": true });
    let settings = json!({ "apple_pay": with(apple_pay(), delayed) });
    let country = json!({ "merchant_business_country": "US" });
    shop.sets_up(country).await.ok();
    let payment = json!({ "payment_id": "pay_of_a_kit" });
    let token = token_from(&shop, "apple_pay", settings, payment).await;
    assert_json_snapshot!(token, @r#"
    {
      "wallet_name": "apple_pay",
      "connector": "fauxpay",
      "connector_merchant_id": null,
      "connector_reference_id": "sim_session_023e1172098cbe545a0ade12",
      "connector_sdk_public_key": null,
      "delayed_session_token": true,
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
