//! Methods that payers finish elsewhere, such as at a page of their bank.

mod offered;
mod redirects;
mod refused;

use multirail_conformance::bodies::with;
use multirail_conformance::{Browser, Shop};
use serde_json::{Value, json};

const RETURN_URL: &str = "https://shop.example/thanks";

/// The members of a request that pays by iDEAL.
fn ideal() -> Value {
    json!({
        "payment_method": "bank_redirect", "payment_method_type": "ideal",
        "payment_method_data": { "bank_redirect": { "ideal": { "bank_name": "ing", "country": "NL" } } },
    })
}

/// The members of a request that pays by PayPal.
fn paypal() -> Value {
    json!({
        "payment_method": "wallet", "payment_method_type": "paypal",
        "payment_method_data": { "wallet": { "paypal_redirect": { "email": "ada@example.com" } } },
    })
}

/// The members of a request that pays by Klarna.
fn klarna() -> Value {
    json!({
        "payment_method": "pay_later", "payment_method_type": "klarna",
        "payment_method_data": { "pay_later": { "klarna_redirect": {
            "billing_email": "ada@example.com", "billing_country": "NL",
        } } },
    })
}

/// Returns an order of 65.40 euro by this method.
fn order_by(method: Value) -> Value {
    let order = json!({ "amount": 6540, "currency": "EUR", "return_url": RETURN_URL });
    with(order, method)
}

/// Creates and confirms an order by this method. Its payer has to act.
async fn asked(shop: &Shop, method: Value) -> Value {
    let at_once = with(method, json!({ "confirm": true }));
    let payment = shop.creates(order_by(at_once)).await.ok();
    assert_eq!(payment["status"], "requires_customer_action");
    payment
}

/// Opens the processor's page of a payment, and presses a button there. Returns the status that the payer brings back.
async fn presses(shop: &Shop, payment: &Value, title: &str, button: &str) -> String {
    assert_eq!(payment["next_action"]["type"], "redirect_to_url");
    let start = payment["next_action"]["redirect_to_url"].as_str();
    let browser = Browser::new(&shop.wire);
    let page = browser.opens(start.expect("an address")).await;
    let page = page.expect("the processor's page");
    assert!(page.html.contains(title), "{}", page.html);
    assert!(page.html.contains("65.40 EUR"), "{}", page.html);
    let end = browser.presses(&page, button).await.expect("the way back");
    assert!(end.url.as_str().starts_with(RETURN_URL), "{}", end.url);
    end.query_value("status").expect("a status")
}
