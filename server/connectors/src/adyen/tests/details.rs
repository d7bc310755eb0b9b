//! Tests of single members of a payment's request.

use multirail_kernel::currency::Currency;
use multirail_kernel::secret::SecretText;
use multirail_sdk::connector::Details;
use multirail_sdk::connector::details::Order;
use multirail_sdk::instrument::{PaymentMethodData, SealedToken};
use multirail_sdk::wallet::Wallet;
use serde_json::json;

use super::super::request;
use super::KEY;
use super::requests::{asked, written};

#[test]
fn the_payers_result_is_read_from_the_query() {
    let found = |query: &str| request::redirect_result(query);
    assert_eq!(
        found("redirectResult=X6Xtf%21Y%3D%3D&a=1").as_deref(),
        Some("X6Xtf!Y==")
    );
    assert_eq!(found("a=1"), None);
    assert_eq!(found("redirectResult="), None);
    assert_eq!(
        found(&format!("redirectResult={}", "a".repeat(20_001))),
        None
    );
}

#[test]
fn each_result_is_handed_in_under_a_key_of_its_own() {
    let key = request::details_key(KEY, "X6Xtf");
    assert_eq!(key.len(), 64);
    assert_eq!(key, request::details_key(KEY, "X6Xtf"));
    assert_ne!(key, request::details_key(KEY, "X6Xtg"));
    assert_ne!(key, request::details_key("mrk_other", "X6Xtf"));
}

#[test]
fn a_raisable_payment_is_a_preauthorisation() {
    let of = |may_be_raised| {
        let details = Details {
            may_be_raised,
            ..Details::default()
        };
        written(&asked(6540, Currency::EUR, false, details))["additionalData"].clone()
    };
    assert_eq!(of(false), json!({ "manualCapture": "true" }));
    assert_eq!(
        of(true),
        json!({ "manualCapture": "true", "authorisationType": "PreAuth" })
    );
}

#[test]
fn encrypted_wallet_data_are_sent_unchanged() {
    let written = |wallet: Wallet, word: &str| {
        let mut request = asked(6540, Currency::EUR, true, Details::default());
        let details = serde_json::from_value(json!({ "wallet": word })).expect("details");
        request.data = PaymentMethodData::Sealed(SealedToken {
            wallet,
            text: SecretText::new("c2VhbGVk"),
            details,
        });
        written(&request)["paymentMethod"].clone()
    };
    let apple = json!({ "type": "applepay", "applePayToken": "c2VhbGVk" });
    assert_eq!(written(Wallet::ApplePay, "apple_pay"), apple);
    let google = json!({ "type": "googlepay", "googlePayToken": "c2VhbGVk" });
    assert_eq!(written(Wallet::GooglePay, "google_pay"), google);
}

#[test]
fn metadata_and_order_lines_are_sent() {
    let items =
        json!([{ "product_name": "A book", "quantity": 2, "amount": 1500, "sku": "book-1" }]);
    let notes = [
        ("shelf", "B-17".to_owned()),
        ("a_name_that_is_too_long", "left out".to_owned()),
        ("long", "a".repeat(81)),
        ("payment_id", "not ours".to_owned()),
    ];
    let details = Details {
        payment_id: Some("pay_4711".to_owned()),
        metadata: notes.map(|(name, text)| (name.to_owned(), text)).into(),
        order: Order {
            items: serde_json::from_value(items).expect("items"),
            ..Order::default()
        },
        ..Details::default()
    };
    let sale = written(&asked(6540, Currency::EUR, true, details));
    let notes = json!({ "payment_id": "pay_4711", "shelf": "B-17" });
    assert_eq!(sale["metadata"], notes);
    let lines = json!([{ "description": "A book", "quantity": 2, "amountIncludingTax": 1500, "sku": "book-1" }]);
    assert_eq!(sale["lineItems"], lines);
}
