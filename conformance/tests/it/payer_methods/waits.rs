//! Payers who agree in an app of their own.

use multirail_conformance::Shop;
use multirail_conformance::bodies::with;
use multirail_simulator::processor::Step;
use serde_json::{Value, json};

use super::{asked, by, event_types, order_by};
use crate::payments::becomes;

/// The members of a request that pays by BLIK with this code.
fn blik(code: &str) -> Value {
    let method = by(
        "bank_redirect",
        "blik",
        "blik",
        json!({ "blik_code": code }),
    );
    with(method, json!({ "currency": "PLN" }))
}

/// The members of a request that pays from this UPI address.
fn upi(address: &str) -> Value {
    let method = by(
        "upi",
        "upi_collect",
        "upi_collect",
        json!({ "vpa_id": address }),
    );
    with(method, json!({ "currency": "INR" }))
}

#[tokio::test]
async fn a_payer_agrees_in_an_app() {
    let shop = Shop::open().await;
    for (method, secret) in [
        (blik("123456"), "123456"),
        (upi("success@upi"), "success@upi"),
    ] {
        let payment = asked(&shop, method).await;
        let action = &payment["next_action"];
        assert_eq!(action["type"], "wait_screen_information");
        let time = |name: &str| action[name].as_i64().expect("a time");
        let nanoseconds = time("display_to_timestamp") - time("display_from_timestamp");
        assert_eq!(nanoseconds, 300_000_000_000);
        let poll = &action["poll_config"];
        assert_eq!(*poll, json!({ "delay_in_secs": 5, "frequency": 60 }));

        shop.time_passes(60).await;
        let paid = becomes(&shop, &payment, "succeeded").await;
        assert_eq!(paid["amount_received"], 6540);
        assert!(!paid.to_string().contains(secret), "{paid}");
        let books = shop.processor().ledger().authorizations();
        let filed = format!("{:?}", books.expect("the books"));
        assert!(!filed.contains(secret), "{filed}");
        let refund = shop.refunds(&paid, json!({ "amount": 6540 })).await.ok();
        assert_eq!(refund["status"], "succeeded");
        assert_eq!(
            event_types(&shop, &payment).await,
            ["action_required", "payment_succeeded"]
        );
    }
}

#[tokio::test]
async fn a_payer_refuses_in_an_app() {
    let shop = Shop::open().await;
    let mut told = Vec::new();
    for method in [blik("000000"), upi("failure@upi")] {
        let payment = asked(&shop, method).await;
        shop.time_passes(60).await;
        told.push(becomes(&shop, &payment, "failed").await["error_message"].clone());
    }
    let unknown = with(upi("ada@upi"), json!({ "confirm": true }));
    let failed = shop.creates(order_by(unknown)).await.ok();
    assert_eq!(failed["status"], "failed");
    told.push(failed["error_message"].clone());
    assert_eq!(
        told,
        [
            "Payment declined: Wrong BLIK code",
            "Payment declined: Refused in the payer's app",
            "Payment declined: No payer has this UPI address",
        ]
    );
}

#[tokio::test]
async fn a_payer_leaves_the_app_alone() {
    let shop = Shop::open().await;
    let payment = asked(&shop, blik("999999")).await;
    shop.time_passes(Step::WaitScreen.valid_seconds() - 60)
        .await;
    let early = shop.asks_about(&payment).await.ok();
    assert_eq!(early["status"], "requires_customer_action");
    shop.time_passes(60).await;
    let failed = becomes(&shop, &payment, "failed").await;
    assert_eq!(
        failed["error_message"],
        "Payment declined: The payer did not decide in time"
    );
}

#[tokio::test]
async fn a_code_serves_one_confirm() {
    let shop = Shop::open().await;
    shop.sets_up(json!({ "is_manual_retry_enabled": true }))
        .await
        .ok();
    shop.creates(order_by(blik("123456")))
        .await
        .refused(400, "IR_20");
    let payment = asked(&shop, blik("000000")).await;
    shop.time_passes(60).await;
    becomes(&shop, &payment, "failed").await;
    let message = shop
        .confirms(&payment, json!({}))
        .await
        .refused(400, "IR_04");
    assert!(message.contains("blik_code"), "{message}");
    let again = blik("123456");
    let data = json!({
        "payment_method": again["payment_method"], "payment_method_type": again["payment_method_type"],
        "payment_method_data": again["payment_method_data"],
    });
    let again = shop.confirms(&payment, data).await.ok();
    assert_eq!(again["status"], "requires_customer_action");
    shop.time_passes(60).await;
    becomes(&shop, &payment, "succeeded").await;
    assert_eq!(shop.money().captured, 6540);
}
