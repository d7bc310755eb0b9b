//! Payers who pay a voucher in cash.

use multirail_conformance::Shop;
use multirail_conformance::bodies::with;
use multirail_simulator::processor::Step;
use serde_json::{Value, json};

use super::{asked, by, event_types, presses_at};
use crate::payments::becomes;

/// The payer's address in this country.
fn payer(country: &str) -> Value {
    json!({ "billing": {
        "email": "ada@example.com", "address": { "first_name": "Ada", "last_name": "Okafor", "country": country },
    } })
}

/// The members of a request that pays by Boleto.
pub(super) fn boleto() -> Value {
    let number = json!({ "social_security_number": "12345678909" });
    let method = with(by("voucher", "boleto", "boleto", number), payer("BR"));
    with(method, json!({ "currency": "BRL" }))
}

/// The members of a request that pays by OXXO.
pub(super) fn oxxo() -> Value {
    let method = with(by("voucher", "oxxo", "oxxo", json!({})), payer("MX"));
    with(method, json!({ "currency": "MXN" }))
}

#[tokio::test]
async fn a_voucher_is_paid_for_good() {
    let shop = Shop::open().await;
    for (method, name) in [(boleto(), "Boleto"), (oxxo(), "OXXO")] {
        let payment = asked(&shop, method).await;
        let action = &payment["next_action"];
        assert_eq!(action["type"], "display_voucher_information");
        let voucher = &action["voucher_details"];
        assert_eq!(voucher["reference"].as_str().map(str::len), Some(9));
        assert!(voucher["expires_at"].is_i64(), "{voucher}");
        let page = voucher["instructions_url"].as_str().expect("an address");
        let title = format!("Pay with {name}?");
        let brought = presses_at(&shop, page, &[&title], "Pay").await;
        assert_eq!(brought, "succeeded");

        let paid = shop.retrieves(&payment).await.ok();
        assert_eq!(paid["amount_received"], 6540);
        assert!(!paid.to_string().contains("12345678909"), "{paid}");
        let refund = shop.refunds(&paid, json!({ "amount": 6540 })).await;
        let refused = refund.refused(400, "IR_20");
        assert_eq!(
            refused,
            "a refund of a voucher, which its payer paid in cash, is not supported"
        );
        shop.cancels_post_capture(&paid, json!({}))
            .await
            .refused(400, "IR_20");
        assert_eq!(
            event_types(&shop, &payment).await,
            ["action_required", "payment_succeeded"]
        );
    }
}

#[tokio::test]
async fn a_voucher_that_nobody_pays_expires() {
    let shop = Shop::open().await;
    let payment = asked(&shop, oxxo()).await;
    shop.time_passes(Step::Voucher.valid_seconds() - 60).await;
    let early = shop.asks_about(&payment).await.ok();
    assert_eq!(early["status"], "requires_customer_action");
    shop.time_passes(60).await;
    let failed = becomes(&shop, &payment, "failed").await;
    assert_eq!(
        failed["error_message"],
        "Payment declined: The payer did not decide in time"
    );
    assert_eq!(shop.money().captured, 0);
}
