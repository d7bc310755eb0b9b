//! Methods that payers finish elsewhere, such as at a page of their bank.

mod offered;
mod qr_codes;
mod redirects;
mod refused;
mod shown_by_shops;
mod through_adyen;
mod through_stripe;
mod transfers;
mod vouchers;
mod waits;

use multirail_conformance::bodies::with;
use multirail_conformance::{Browser, Shop};
use serde_json::{Value, json};

use crate::payments::events_of;

const RETURN_URL: &str = "https://shop.example/thanks";

/// Returns the members of a request that pays by this method.
pub fn by(family: &str, kind: &str, member: &str, choices: Value) -> Value {
    json!({
        "payment_method": family, "payment_method_type": kind,
        "payment_method_data": { family: { member: choices } },
    })
}

/// The members of a request that pays by iDEAL.
pub fn ideal() -> Value {
    let choices = json!({ "bank_name": "ing", "country": "NL" });
    by("bank_redirect", "ideal", "ideal", choices)
}

/// The members of a request that pays by PayPal.
fn paypal() -> Value {
    let choices = json!({ "email": "ada@example.com" });
    by("wallet", "paypal", "paypal_redirect", choices)
}

/// The members of a request that pays by Klarna.
pub fn klarna() -> Value {
    let choices = json!({ "billing_email": "ada@example.com", "billing_country": "NL" });
    by("pay_later", "klarna", "klarna_redirect", choices)
}

/// The members of a request that pays by Bancontact, with this card.
pub fn bancontact(number: &str) -> Value {
    let card = json!({
        "card_number": number, "card_exp_month": "10", "card_exp_year": "2035", "card_holder_name": "Ada Okafor",
    });
    by("bank_redirect", "bancontact_card", "bancontact_card", card)
}

/// The members of a request that pays by Afterpay, in pounds.
fn afterpay() -> Value {
    let choices = json!({ "billing_email": "ada@example.com", "billing_name": "Ada Okafor" });
    let method = by(
        "pay_later",
        "afterpay_clearpay",
        "afterpay_clearpay_redirect",
        choices,
    );
    with(method, json!({ "currency": "GBP" }))
}

/// Returns an order of 65.40 euro by this method.
pub fn order_by(method: Value) -> Value {
    let order = json!({ "amount": 6540, "currency": "EUR", "return_url": RETURN_URL });
    with(order, method)
}

/// Returns a request that creates and confirms an order of 65.40 by this method.
fn at_once(method: Value) -> Value {
    with(order_by(method), json!({ "confirm": true }))
}

/// Creates and confirms an order by this method. Its payer has to act.
async fn asked(shop: &Shop, method: Value) -> Value {
    let payment = shop.creates(at_once(method)).await.ok();
    assert_eq!(payment["status"], "requires_customer_action");
    payment
}

/// Returns each event's type.
async fn event_types(shop: &Shop, payment: &Value) -> Vec<String> {
    let events = events_of(shop, payment).await;
    events.into_iter().map(|(event, _)| event).collect()
}

/// Opens the processor's page of a payment, and presses a button there. Returns the status that the payer brings back.
async fn presses(shop: &Shop, payment: &Value, title: &str, button: &str) -> String {
    assert_eq!(payment["next_action"]["type"], "redirect_to_url");
    let start = payment["next_action"]["redirect_to_url"].as_str();
    let currency = payment["currency"].as_str().expect("a currency");
    let start = start.expect("an address");
    presses_at(shop, start, &[title, &format!("65.40 {currency}")], button).await
}

/// Opens a page of the processor with these texts, and presses a button there. Returns the status that the payer brings back.
async fn presses_at(shop: &Shop, start: &str, texts: &[&str], button: &str) -> String {
    let browser = Browser::new(&shop.wire);
    let page = browser.opens(start).await.expect("the processor's page");
    for text in texts {
        assert!(page.html.contains(text), "{}", page.html);
    }
    let end = browser.presses(&page, button).await.expect("the way back");
    assert!(end.url.as_str().starts_with(RETURN_URL), "{}", end.url);
    end.query_value("status").expect("a status")
}
