//! Payers who scan a QR code.

use multirail_conformance::Shop;
use multirail_conformance::bodies::with;
use multirail_simulator::processor::Step;
use multirail_simulator::scripted::{Call, Fault};
use serde_json::{Value, json};

use super::{asked, by, event_types, order_by, presses_at};
use crate::payments::becomes;

/// The members of a request that pays by Pix.
pub(super) fn pix() -> Value {
    let method = by("bank_transfer", "pix", "pix", json!({}));
    with(method, json!({ "currency": "BRL" }))
}

/// The members of a request that pays by Swish. Its data is among the wallets.
fn swish() -> Value {
    json!({
        "payment_method": "bank_redirect", "payment_method_type": "swish",
        "payment_method_data": { "wallet": { "swish_qr": {} } }, "currency": "SEK",
    })
}

/// The members of a request that pays by Cash App.
fn cashapp() -> Value {
    let method = by("wallet", "cashapp", "cashapp_qr", json!({}));
    with(method, json!({ "currency": "USD" }))
}

/// Scans the code of a payment: opens its page, and presses a button there.
async fn scans(shop: &Shop, payment: &Value, title: &str, button: &str) -> String {
    let action = &payment["next_action"];
    assert_eq!(action["type"], "qr_code_information");
    assert_eq!(action["redirect_to_url"], json!(null));
    assert_eq!(action["display_text"], action["qr_code_url"]);
    let image = action["image_data_url"].as_str().expect("an image");
    assert!(image.starts_with("data:image/svg+xml;base64,"), "{image}");
    let page = action["qr_code_url"].as_str().expect("an address");
    presses_at(shop, page, &[title], button).await
}

#[tokio::test]
async fn a_payer_scans_a_code_and_gets_the_money_back() {
    let shop = Shop::open().await;
    let upi = by("upi", "upi_qr", "upi_qr", json!({}));
    let table = [
        (pix(), "Pix", json!({ "bank_transfer": { "pix": {} } })),
        (swish(), "Swish", json!({ "bank_redirect": {} })),
        (
            cashapp(),
            "Cash App",
            json!({ "wallet": { "cashapp": {} } }),
        ),
        (
            by("wallet", "we_chat_pay", "we_chat_pay_qr", json!({})),
            "WeChat Pay",
            json!({ "wallet": { "we_chat_pay": {} } }),
        ),
        (
            with(upi, json!({ "currency": "INR" })),
            "UPI",
            json!({ "upi": { "upi_qr": {} } }),
        ),
    ];
    for (method, name, details) in table {
        let order = shop.creates(order_by(method)).await.ok();
        assert_eq!(order["status"], "requires_confirmation");
        let payment = shop.confirms(&order, json!({})).await.ok();
        assert_eq!(payment["status"], "requires_customer_action", "{name}");
        for (family, members) in details.as_object().expect("a family") {
            assert_eq!(payment["payment_method_data"][family], *members);
        }
        let title = format!("Pay with {name}?");
        assert_eq!(scans(&shop, &payment, &title, "Pay").await, "succeeded");
        let paid = shop.retrieves(&payment).await.ok();
        assert_eq!(paid["next_action"], json!(null));
        let refund = shop.refunds(&paid, json!({ "amount": 6540 })).await.ok();
        assert_eq!(refund["status"], "succeeded");
        assert_eq!(
            event_types(&shop, &payment).await,
            ["action_required", "payment_succeeded"]
        );
    }
    let money = shop.money();
    assert_eq!((money.captured, money.refunded), (5 * 6540, 5 * 6540));
}

#[tokio::test]
async fn a_code_is_refused_or_expires() {
    let shop = Shop::open().await;
    let payment = asked(&shop, pix()).await;
    assert_eq!(
        scans(&shop, &payment, "Pay with Pix?", "Cancel").await,
        "failed"
    );
    let payment = asked(&shop, swish()).await;
    let ends_at = payment["next_action"]["display_to_timestamp"].as_i64();
    shop.time_passes(Step::QrCode.valid_seconds()).await;
    let failed = becomes(&shop, &payment, "failed").await;
    assert_eq!(
        failed["error_message"],
        "Payment declined: The payer did not decide in time"
    );
    let created = failed["created"].as_str().expect("a time");
    let created: chrono::DateTime<chrono::Utc> = created.parse().expect("a time");
    let seconds = ends_at.expect("a time") / 1000 - created.timestamp();
    assert!((899..=902).contains(&seconds), "{seconds}");
    assert_eq!(shop.money().captured, 0);
}

#[tokio::test]
async fn a_code_reserves_money_for_later() {
    let shop = Shop::open().await;
    let payment = asked(
        &shop,
        with(cashapp(), json!({ "capture_method": "manual" })),
    )
    .await;
    let brought = scans(&shop, &payment, "Pay with Cash App?", "Pay").await;
    assert_eq!(brought, "requires_capture");
    let captured = shop.captures(&payment, json!({})).await.ok();
    assert_eq!(captured["status"], "succeeded");
}

#[tokio::test]
async fn a_code_whose_answer_was_lost_is_asked_for() {
    let shop = Shop::open().await;
    shop.next_call_meets(Call::Authorize, Fault::LosesAnswer);
    let order = shop.creates(order_by(pix())).await.ok();
    let payment = shop.confirms(&order, json!({})).await.ok();
    assert_eq!(payment["status"], "processing");
    shop.time_passes(60).await;
    let found = becomes(&shop, &payment, "requires_customer_action").await;
    assert_eq!(
        scans(&shop, &found, "Pay with Pix?", "Pay").await,
        "succeeded"
    );
}
