//! Payments with wallets and network tokens. (Facts, appendix A)

mod refused;

use std::time::{SystemTime, UNIX_EPOCH};

use multirail_conformance::bodies::{APPROVED, DECLINED, order, with};
use multirail_conformance::{Call, Shop, TestServer};
use multirail_server::config::Setting;
use multirail_simulator::scripted::{Call as ScriptedCall, Fault};
use multirail_wallet_mint::MerchantKey;
use multirail_wallet_mint::apple::Apple;
use multirail_wallet_mint::google::Google;
use serde_json::{Value, json};
use tempfile::NamedTempFile;

pub use refused::no_account_has;

pub const RECIPIENT: &str = "merchant:12345678901234567890";
const IDENTIFIER: &str = "merchant.example.bookshop";
const CRYPTOGRAM: &str = "AgAAAAAAAIR8CQrXcIhbQAAAAAA=";

fn seconds() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.expect("after 1970").as_secs()
}

/// Returns the time in ten minutes, in milliseconds.
pub fn in_ten_minutes() -> i64 {
    (seconds() as i64 + 600) * 1_000
}

pub fn google_settings(google: &Google, merchant: &MerchantKey) -> Value {
    json!({
        "merchant_info": { "merchant_name": "The bookshop" },
        "allowed_payment_methods": [{
            "type": "CARD",
            "parameters": { "allowed_auth_methods": ["PAN_ONLY"], "allowed_card_networks": ["VISA"] },
            "tokenization_specification": { "type": "DIRECT", "parameters": { "protocolVersion": "ECv2" } },
        }],
        "payment_decryption": {
            "private_key": merchant.pem(), "recipient_id": RECIPIENT,
            "root_signing_keys": google.root_signing_keys(),
        },
    })
}

pub fn google_message(number: &str, method: &str) -> Value {
    json!({
        "messageExpiration": ((seconds() + 600) * 1_000).to_string(), "messageId": "AH2EjtfkEXAMPLE",
        "paymentMethod": "CARD",
        "paymentMethodDetails": {
            "pan": number, "expirationMonth": 10, "expirationYear": 2035, "authMethod": method,
            "cryptogram": CRYPTOGRAM, "eciIndicator": "05",
        },
    })
}

fn by_google(token_data: Value) -> Value {
    json!({
        "confirm": true, "payment_method": "wallet", "payment_method_type": "google_pay",
        "payment_method_data": { "wallet": { "google_pay": {
            "type": "CARD", "description": "Visa 1111",
            "info": { "card_network": "VISA", "card_details": "1111", "card_funding_source": "CREDIT" },
            "tokenization_data": token_data,
        } } },
    })
}

pub fn sealed(token: String) -> Value {
    by_google(json!({ "type": "DIRECT", "token": token }))
}

fn by_apple(payment_data: &str) -> Value {
    json!({
        "confirm": true, "payment_method": "wallet", "payment_method_type": "apple_pay",
        "payment_method_data": { "wallet": { "apple_pay": {
            "payment_data": payment_data, "transaction_identifier": "5f1c",
            "payment_method": { "display_name": "Visa 1111", "network": "Visa", "type": "debit" },
        } } },
    })
}

pub fn by_network_token(number: &str) -> Value {
    json!({
        "confirm": true, "payment_method": "network_token", "payment_method_type": "network_token",
        "payment_method_data": { "network_token": {
            "network_token": number, "token_exp_month": "10", "token_exp_year": "35",
            "token_cryptogram": CRYPTOGRAM, "eci": "05",
        } },
    })
}

/// Gives the shop's account the merchant's key for Google's tokens.
async fn opens(shop: &Shop, google: &Google, merchant: &MerchantKey) {
    let settings = json!({ "google_pay": google_settings(google, merchant) });
    let call = shop.reconnects(json!({ "connector_wallets_details": settings }));
    call.await.ok();
}

fn pays(shop: &Shop, instrument: Value) -> Call {
    shop.creates(with(order(), instrument))
}

#[tokio::test]
async fn a_google_token_for_the_merchant_is_decrypted() {
    let (google, merchant) = (Google::new(), MerchantKey::generate());
    let shop = Shop::open().await;
    let until = in_ten_minutes();
    let token = |number: &str, method: &str| {
        google.seal(&merchant, RECIPIENT, &google_message(number, method), until)
    };
    // Without the key, the token can't be opened.
    let early = sealed(token(APPROVED, "PAN_ONLY"));
    let message = pays(&shop, early).await.refused(400, "IR_20");
    assert!(message.contains("wallet.google_pay"), "{message}");
    opens(&shop, &google, &merchant).await;
    for method in ["PAN_ONLY", "CRYPTOGRAM_3DS"] {
        let paid = pays(&shop, sealed(token(APPROVED, method))).await.ok();
        assert_eq!(paid["status"], "succeeded", "{method}");
        assert_eq!(
            paid["payment_method_data"],
            json!({
                "card": null, "billing": null,
                "wallet": { "google_pay": { "last4": "1111", "card_network": "VISA", "type": "CREDIT" } },
            })
        );
        assert_eq!(shop.retrieves(&paid).await.ok(), paid);
        let declined = pays(&shop, sealed(token(DECLINED, method))).await.ok();
        assert_eq!(declined["status"], "failed", "{method}");
    }
    let foreign = Google::new().seal(
        &merchant,
        RECIPIENT,
        &google_message(APPROVED, "PAN_ONLY"),
        until,
    );
    let message = pays(&shop, sealed(foreign)).await.refused(400, "IR_16");
    assert!(message.contains("not signed"), "{message}");
    let broken = sealed("nonsense".to_owned());
    pays(&shop, broken).await.refused(400, "IR_06");
    shop.time_passes(700).await;
    let late = sealed(token(APPROVED, "PAN_ONLY"));
    let message = pays(&shop, late).await.refused(400, "IR_16");
    assert!(message.contains("expired"), "{message}");
}

#[tokio::test]
async fn an_apple_token_for_the_merchant_is_decrypted() {
    let (apple, merchant) = (Apple::new(), MerchantKey::generate());
    let root = NamedTempFile::new().expect("a file");
    std::fs::write(root.path(), apple.root_pem()).expect("it is written");
    let server = TestServer::start_with(|inputs| {
        let path = root.path().to_string_lossy();
        inputs.with(Setting::ApplePayRootCertificate, path)
    });
    let shop = server.await.shop("bookshop").await;
    let settings = json!({
        "payment_request_data": { "label": "The bookshop" },
        "session_token_data": {
            "certificate": "-", "certificate_keys": "-", "merchant_identifier": IDENTIFIER,
            "display_name": "The bookshop", "initiative": "ios",
            "payment_processing_certificate_key": merchant.pem(),
        },
    });
    shop.reconnects(json!({ "connector_wallets_details": { "apple_pay": settings } }))
        .await
        .ok();
    let card = |amount: i64, currency: &str| {
        json!({
            "applicationPrimaryAccountNumber": APPROVED, "applicationExpirationDate": "351031",
            "currencyCode": currency, "transactionAmount": amount, "paymentDataType": "3DSecure",
            "paymentData": { "onlinePaymentCryptogram": CRYPTOGRAM, "eciIndicator": "7" },
        })
    };
    let token = |apple: &Apple, amount: i64, currency: &str| {
        by_apple(&apple.seal(&merchant, IDENTIFIER, &card(amount, currency), seconds()))
    };
    let paid = pays(&shop, token(&apple, 6540, "840")).await.ok();
    assert_eq!(paid["status"], "succeeded");
    let shown = json!({ "last4": "1111", "card_network": "Visa", "type": "debit" });
    assert_eq!(paid["payment_method_data"]["wallet"]["apple_pay"], shown);
    for (amount, currency) in [(6541, "840"), (6540, "978")] {
        let message = pays(&shop, token(&apple, amount, currency))
            .await
            .refused(400, "IR_16");
        assert!(message.contains("another amount"), "{message}");
    }
    let foreign = token(&Apple::new(), 6540, "840");
    let message = pays(&shop, foreign).await.refused(400, "IR_16");
    assert!(message.contains("not signed"), "{message}");
    // Somebody kept the token for later.
    let kept = token(&apple, 6540, "840");
    shop.time_passes(400).await;
    let message = pays(&shop, kept).await.refused(400, "IR_16");
    assert!(message.contains("expired"), "{message}");
}

#[tokio::test]
async fn a_number_of_a_network_pays() {
    let shop = Shop::open().await;
    let paid = pays(&shop, by_network_token(APPROVED)).await.ok();
    assert_eq!(paid["status"], "succeeded");
    assert_eq!(
        paid["payment_method_data"],
        json!({
            "card": null, "billing": null,
            "network_token": {
                "last4": "1111", "card_network": "Visa", "token_exp_month": "10", "token_exp_year": "2035",
            },
        })
    );
    let opened = by_google(json!({
        "application_primary_account_number": APPROVED, "card_exp_month": "10", "card_exp_year": "2035",
        "cryptogram": CRYPTOGRAM, "eci_indicator": "05",
    }));
    assert_eq!(pays(&shop, opened).await.ok()["status"], "succeeded");
    let declined = pays(&shop, by_network_token(DECLINED)).await.ok();
    assert_eq!(declined["status"], "failed");
}

/// A network token with its cryptogram is used at once or not at all.
#[tokio::test]
async fn nothing_of_it_waits_or_is_saved() {
    let shop = Shop::open().await;
    let waits = with(by_network_token(APPROVED), json!({ "confirm": false }));
    pays(&shop, waits.clone()).await.refused(400, "IR_20");
    let open = shop.creates(order()).await.ok();
    shop.updates(&open, waits).await.refused(400, "IR_20");
    let saves = json!({
        "customer_id": "ada", "setup_future_usage": "on_session",
    });
    let saves = with(by_network_token(APPROVED), saves);
    pays(&shop, saves).await.refused(400, "IR_20");
    let confirmed = json!({
        "payment_method": "network_token", "payment_method_type": "network_token",
        "payment_method_data": by_network_token(APPROVED)["payment_method_data"],
    });
    let paid = shop.confirms(&open, confirmed).await.ok();
    assert_eq!(paid["status"], "succeeded");
}

#[tokio::test]
async fn a_payment_takes_only_one_wallet() {
    let shop = Shop::open().await;
    let beside = json!({ "payment_method_data": { "wallet": { "paypal_redirect": {} } } });
    let both = with(sealed("{}".to_owned()), beside);
    let refused = shop.creates(with(order(), both)).await;
    let message = refused.refused(422, "IR_06");
    assert!(message.contains("exactly one"), "{message}");
}

/// A token is valid for one payment, which may use it again; no other payment may.
#[tokio::test]
async fn a_wallet_token_pays_one_payment_and_no_other() {
    let (google, merchant) = (Google::new(), MerchantKey::generate());
    let shop = Shop::open().await;
    opens(&shop, &google, &merchant).await;
    shop.sets_up(json!({ "is_manual_retry_enabled": true }))
        .await
        .ok();
    let until = in_ten_minutes();
    let token = |number: &str| {
        let message = google_message(number, "PAN_ONLY");
        sealed(google.seal(&merchant, RECIPIENT, &message, until))
    };
    let once = token(APPROVED);
    let first = || pays(&shop, once.clone()).header("idempotency-key", "one");
    let paid = first().await.ok();
    assert_eq!(paid["status"], "succeeded");
    assert_eq!(first().await.ok(), paid, "a repeat is no second payment");
    let message = pays(&shop, once.clone()).await.refused(400, "IR_16");
    assert!(message.contains("another payment"), "{message}");
    // White space around the token makes no difference.
    let mut spaced = once.clone();
    let text =
        &mut spaced["payment_method_data"]["wallet"]["google_pay"]["tokenization_data"]["token"];
    *text = json!(format!(" {} ", text.as_str().expect("a text")));
    pays(&shop, spaced).await.refused(400, "IR_16");
    assert_eq!(shop.money().captured, 6540);

    let refused = token(DECLINED);
    let failed = pays(&shop, refused.clone()).await.ok();
    let mut again = refused.clone();
    again
        .as_object_mut()
        .expect("a body")
        .shift_remove("confirm");
    let failed = shop.confirms(&failed, again).await.ok();
    assert_eq!(
        (&failed["status"], &failed["attempt_count"]),
        (&json!("failed"), &json!(2))
    );
    pays(&shop, refused).await.refused(400, "IR_16");

    let (one, other) = (
        shop.creates(order()).await.ok(),
        shop.creates(order()).await.ok(),
    );
    let mut raced = token(APPROVED);
    raced
        .as_object_mut()
        .expect("a body")
        .shift_remove("confirm");
    let (one, other) = tokio::join!(
        shop.confirms(&one, raced.clone()),
        shop.confirms(&other, raced.clone())
    );
    let statuses = [one.status, other.status];
    assert!(
        statuses == [200, 400] || statuses == [400, 200],
        "{statuses:?}"
    );
    assert_eq!(shop.money().captured, 2 * 6540);
}

/// A sealed token is made for one processor, so it isn't retried at another account. The wallet's card network
/// decides which account takes it.
#[tokio::test]
async fn a_sealed_token_stays_with_the_first_account_and_routes_by_its_network() {
    let (google, merchant) = (Google::new(), MerchantKey::generate());
    let shop = Shop::open().await;
    let settings = || json!({ "google_pay": google_settings(&google, &merchant) });
    let taking = |network: &str| {
        json!({
            "connector_wallets_details": settings(),
            "payment_methods_enabled": [{ "payment_method": "wallet", "payment_method_types": [{
                "payment_method_type": "google_pay", "card_networks": [network],
            }] }],
        })
    };
    shop.reconnects(taking("Mastercard")).await.ok();
    let of_visa = shop.connects("stripe_test", taking("Visa")).await.ok();
    shop.connects("adyen_test", taking("Visa")).await.ok();
    shop.sets_up(json!({ "is_auto_retries_enabled": true, "max_auto_retries_enabled": 3 }))
        .await
        .ok();
    shop.next_call_meets(ScriptedCall::Authorize, Fault::Throttles);
    let until = in_ten_minutes();
    let message = google_message(APPROVED, "PAN_ONLY");
    let token = sealed(google.seal(&merchant, RECIPIENT, &message, until));
    let failed = pays(&shop, token).await.ok();
    assert_eq!(
        failed["merchant_connector_id"],
        of_visa["merchant_connector_id"]
    );
    assert_eq!(
        (&failed["status"], &failed["attempt_count"]),
        (&json!("failed"), &json!(1))
    );
}
