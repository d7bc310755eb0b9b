//! Apple Pay on web pages: a stand-in of Apple validates the merchant by its certificate.

use insta::assert_json_snapshot;
use multirail_conformance::bodies::with;
use multirail_conformance::{Shop, TestServer};
use multirail_peers::apple_pay::{
    ApplePayGateway, MERCHANT, SILENT, UNREADABLE, UNREGISTERED, certified,
};
use multirail_server::config::{Inputs, Setting};
use multirail_wallet_mint::MerchantKey;
use serde_json::{Value, json};
use tempfile::NamedTempFile;

use super::{names, only, session_of};
use crate::payments::wallets::no_account_has;

/// Opens a shop whose server opens Apple Pay sessions at the stand-in.
async fn shop(gateway: &ApplePayGateway, change: impl FnOnce(Inputs) -> Inputs) -> Shop {
    shop_asking(gateway, gateway.url(), change).await
}

/// Opens a shop whose operator configures this address for the stand-in.
async fn shop_asking(
    gateway: &ApplePayGateway,
    url: String,
    change: impl FnOnce(Inputs) -> Inputs,
) -> Shop {
    let authority = NamedTempFile::new().expect("a file");
    std::fs::write(authority.path(), gateway.certificate_pem()).expect("it is written");
    let server = TestServer::start_with(|inputs| {
        let inputs = inputs.with(Setting::ApplePayGatewayUrl, url).with(
            Setting::ConnectorTrustedCertificates,
            authority.path().to_string_lossy(),
        );
        change(inputs)
    });
    server.await.shop("bookshop").await
}

/// Returns the merchant's settings for a page of this domain; `more` overrides members.
fn settings(gateway: &ApplePayGateway, domain: &str, more: Value) -> Value {
    let identity = json!({
        "certificate": gateway.merchant_certificate_pem(),
        "certificate_keys": gateway.merchant_key_pem(),
        "merchant_identifier": MERCHANT,
        "display_name": "The bookshop",
        "initiative": "web",
        "initiative_context": domain,
        "merchant_business_country": "DE",
        "payment_processing_certificate_key": MerchantKey::generate().pem(),
    });
    json!({
        "session_token_data": with(identity, more),
        "payment_request_data": {
            "label": "The bookshop",
            "merchant_capabilities": ["supports3DS"],
            "supported_networks": ["visa", "masterCard"],
        },
    })
}

async fn has(shop: &Shop, details: Value) {
    shop.reconnects(json!({
        "payment_methods_enabled": with_paypal(), "connector_wallets_details": details,
    }))
    .await
    .ok();
}

fn with_paypal() -> Value {
    let both =
        json!({ "payment_method": "wallet", "payment_method_types": ["apple_pay", "paypal"] });
    json!([both])
}

#[tokio::test]
async fn apple_validates_the_merchant_by_its_certificate() {
    let gateway = ApplePayGateway::start().await;
    let shop = shop(&gateway, |inputs| inputs).await;
    let own = settings(&gateway, "shop.example", json!({}));
    has(&shop, json!({ "apple_pay": own })).await;
    shop.sets_up(json!({
        "always_collect_billing_details_from_wallet_connector": true,
        "always_collect_shipping_details_from_wallet_connector": true,
    }))
    .await
    .ok();
    let session = session_of(&shop, json!({}), &["apple_pay"]).await;
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
          "country_code": "DE",
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
            "visa",
            "masterCard"
          ],
          "merchant_identifier": "merchant.example.bookshop",
          "required_billing_contact_fields": [
            "postalAddress"
          ],
          "required_shipping_contact_fields": [
            "postalAddress",
            "phone",
            "email"
          ]
        },
        "sdk_next_action": {
          "next_action": "confirm",
          "should_block_confirm": false
        },
        "session_token_data": {
          "epoch_timestamp": 1767607872000,
          "expires_at": 1767608172000,
          "merchant_session_identifier": "SSH_of_the_stand_in",
          "nonce": "0f1e2d3c",
          "merchant_identifier": "hash_of_the_merchant",
          "domain_name": "shop.example",
          "display_name": "The bookshop",
          "signature": "308006092a864886",
          "operational_analytics_identifier": "The bookshop:hash",
          "retries": 0,
          "psp_id": "hash_of_the_merchant"
        }
      }
    ]
    "#);
    assert_json_snapshot!(gateway.asked(), @r#"
    [
      {
        "merchantIdentifier": "merchant.example.bookshop",
        "displayName": "The bookshop",
        "initiative": "web",
        "initiativeContext": "shop.example"
      }
    ]
    "#);

    // The other form of the settings holds certificate and key as base64 of their PEM.
    let base64 = |pem: String| super::authorization::encoded(&pem);
    let more = json!({
        "certificate": base64(gateway.merchant_certificate_pem()),
        "certificate_keys": base64(gateway.merchant_key_pem()),
    });
    let manual = settings(&gateway, "other.example", more);
    has(&shop, json!({ "apple_pay_combined": { "manual": manual } })).await;
    let session = session_of(&shop, json!({}), &["apple_pay"]).await;
    let data = &session["session_token"][0]["session_token_data"];
    assert_eq!(data["domain_name"], "other.example");
}

/// Apple knows apps by themselves, so no validation is needed.
#[tokio::test]
async fn an_app_needs_no_validation() {
    let gateway = ApplePayGateway::start().await;
    let shop = shop(&gateway, |inputs| inputs).await;
    let more = json!({ "initiative": "ios", "initiative_context": null });
    let own = settings(&gateway, "", more);
    has(&shop, json!({ "apple_pay": own })).await;
    let session = session_of(&shop, json!({}), &["apple_pay"]).await;
    let token = &session["session_token"][0];
    assert_eq!(token["session_token_data"], Value::Null);
    assert_eq!(
        token["payment_request_data"]["merchant_identifier"],
        MERCHANT
    );
    assert_eq!(gateway.asked(), Vec::<Value>::new());
}

/// If Apple's answer is missing or wrong, the other wallets are still offered.
#[tokio::test]
async fn without_apples_word_the_wallet_is_left_out() {
    let gateway = ApplePayGateway::start().await;
    let shop = shop(&gateway, |inputs| {
        inputs.with(Setting::ProcessorDeadlineMs, "1000")
    })
    .await;
    let other = certified("somebody else");
    let (certificate, key) = (other.cert.pem(), other.signing_key.serialize_pem());
    for (domain, more, is_asked) in [
        (UNREGISTERED, json!({}), true),
        (UNREADABLE, json!({}), true),
        (SILENT, json!({}), true),
        (
            "shop.example",
            json!({ "merchant_identifier": "merchant.example.other" }),
            true,
        ),
        // Apple doesn't know this certificate.
        (
            "shop.example",
            json!({ "certificate": certificate, "certificate_keys": key }),
            false,
        ),
    ] {
        has(
            &shop,
            json!({ "apple_pay": settings(&gateway, domain, more.clone()) }),
        )
        .await;
        let before = gateway.asked().len();
        let session = session_of(&shop, json!({}), &[]).await;
        assert_eq!(names(&session), ["paypal"], "{domain} {more}");
        let asked = gateway.asked().len() - before;
        assert_eq!(asked, usize::from(is_asked), "{domain} {more}");
    }
}

/// Metadata belongs to the merchant and isn't checked when written. Adyen decrypts Apple's tokens itself.
#[tokio::test]
async fn an_unreadable_certificate_in_metadata_is_not_sent() {
    let gateway = ApplePayGateway::start().await;
    let shop = shop(&gateway, |inputs| inputs).await;
    let of_another = certified("somebody else").signing_key.serialize_pem();
    let account = |more: Value| {
        json!({
            "connector_account_details": { "auth_type": "BodyKey", "api_key": "key_1", "key1": "Bookshop" },
            "metadata": {
                "base_url": "http://127.0.0.1:1",
                "apple_pay": settings(&gateway, "shop.example", more),
            },
            "test_mode": true, "payment_methods_enabled": only("apple_pay"),
        })
    };
    for (label, more, wallets) in [
        ("key", json!({ "certificate_keys": of_another }), vec![]),
        ("certificate", json!({ "certificate": "nonsense" }), vec![]),
        ("good", json!({}), vec!["apple_pay"]),
    ] {
        let label = json!({ "connector_label": label });
        let made = shop
            .connects("adyen", with(account(more), label))
            .await
            .ok();
        let session = session_of(&shop, json!({}), &[]).await;
        assert_eq!(names(&session), wallets);
        assert_eq!(gateway.asked().len(), wallets.len());
        let disables = shop.call("connector_accounts_update");
        let disables = disables.at(
            "merchant_connector_id",
            made["merchant_connector_id"].as_str().expect("an id"),
        );
        let off = json!({ "connector_type": "payment_processor", "disabled": true });
        disables.json(&off).await.ok();
    }
}

/// Wrong settings are refused before an account stores them.
#[tokio::test]
async fn unreadable_certificates_are_refused() {
    let gateway = ApplePayGateway::start().await;
    let shop = shop(&gateway, |inputs| inputs).await;
    let of_another = certified("somebody else").signing_key.serialize_pem();
    let empty = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    for (member, value) in [
        ("certificate", "x"),
        ("certificate", empty),
        ("certificate_keys", "y"),
        // A certificate is not a key, and another certificate's key proves nothing.
        (
            "certificate_keys",
            gateway.merchant_certificate_pem().as_str(),
        ),
        ("certificate_keys", &of_another),
        ("payment_processing_certificate_key", "zzz"),
    ] {
        let wrong = settings(&gateway, "shop.example", json!({ member: value }));
        for (details, path) in [
            (json!({ "apple_pay": wrong }), "apple_pay"),
            (
                json!({ "apple_pay_combined": { "manual": wrong } }),
                "apple_pay_combined.manual",
            ),
        ] {
            let details = json!({ "connector_wallets_details": details });
            let named = format!("connector_wallets_details.{path}.session_token_data.{member} ");
            no_account_has(&shop, details, &named).await;
        }
    }
}

/// Outgoing calls are guarded: an address that isn't public must be on the operator's list.
#[tokio::test]
async fn an_address_that_is_not_allowed_is_not_called() {
    let gateway = ApplePayGateway::start().await;
    let private = gateway.url().replace("127.0.0.1", "10.255.255.1");
    let shop = shop_asking(&gateway, private, |inputs| inputs).await;
    has(
        &shop,
        json!({ "apple_pay": settings(&gateway, "shop.example", json!({})) }),
    )
    .await;
    let session = session_of(&shop, json!({}), &[]).await;
    assert_eq!(names(&session), ["paypal"]);
    assert_eq!(gateway.asked(), Vec::<Value>::new());
}

/// Keys are stored sealed, and no answer shows them.
#[tokio::test]
async fn certificates_are_never_answered() {
    let gateway = ApplePayGateway::start().await;
    let shop = shop(&gateway, |inputs| inputs).await;
    let own = settings(&gateway, "shop.example", json!({}));
    let account = shop
        .reconnects(json!({
            "payment_methods_enabled": only("apple_pay"), "connector_wallets_details": { "apple_pay": own },
        }))
        .await
        .ok();
    let session = session_of(&shop, json!({}), &[]).await;
    let listed = shop.call("connector_accounts_list").await.ok();
    for answer in [&account, &session, &listed] {
        let text = answer.to_string();
        assert!(!text.contains("PRIVATE KEY") && !text.contains("BEGIN CERTIFICATE"));
    }
}
