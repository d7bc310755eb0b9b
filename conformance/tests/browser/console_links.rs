//! A person finds a payment's link at the console, by mouse and by keyboard, and a payer pays there.

use fantoccini::key::Key;
use multirail_conformance::bodies::APPROVED;
use multirail_conformance::shop::id;
use serde_json::{Value, json};

use super::clerk::{Clerk, usd};
use super::payer::Payer;

/// Returns the accessible name of the button that shows the payment's link.
pub fn shows(payment: &str) -> String {
    format!("Show: {}, {payment}", usd("65.40"))
}

/// Waits for the dialog with the payment's address and its QR code.
async fn sees_the_link(clerk: &Clerk, payment: &Value) {
    let title = format!("Link to pay {}", usd("65.40"));
    clerk.finds_text("*[@role='dialog']//h2", &title).await;
    let address = clerk.asks("return document.querySelector('[role=dialog] bdi').textContent");
    assert_eq!(address.await, payment["payment_link"]["link"]);
    let drawn = "const code = document.querySelector('[role=dialog] svg[role=img]');
        const box = code.getBoundingClientRect();
        return [code.getAttribute('aria-label'), box.width === box.height, box.width >= 200]";
    let name = format!(
        "QR code of the link to pay {}; the address is below",
        usd("65.40")
    );
    assert_eq!(clerk.asks(drawn).await, json!([name, true, true]));
}

/// Waits until the list has the payment's link in this state.
async fn is_listed(clerk: &Clerk, payment: &Value, state: &str) {
    let row = format!("main//table//tr[contains(., '{}')]//td", id(payment));
    clerk.finds_text(&row, state).await;
}

pub async fn a_link_is_shown_and_paid(payer: Payer) {
    let clerk = Clerk::with(payer).await;
    let order = json!({ "description": "Two books" });
    let payment = clerk.is_sent_a_link(order).await;
    let bare = json!({ "amount": 6540, "currency": "USD" });
    let bare = clerk.shop.creates(bare).await.ok();
    clerk.opens_the_link().await;
    clerk.navigates_to("Payment links").await;
    is_listed(&clerk, &payment, "Open").await;
    is_listed(&clerk, &bare, "No link").await;
    clerk.clicks_labelled(&shows(id(&payment))).await;
    sees_the_link(&clerk, &payment).await;
    clerk
        .clicks_exactly("*[@role='dialog']//button", "Close")
        .await;
    clerk.sees_no_dialog().await;

    clerk.opens(&payment).await;
    clerk.fills_in(APPROVED).await;
    clerk.presses("#card button").await;
    clerk.reads("Thank you").await;

    clerk.goes_to("/links").await;
    clerk.is_at("Payment links").await;
    is_listed(&clerk, &bare, "No link").await;
    clerk.clicks_exactly("main//button", "Paid").await;
    is_listed(&clerk, &payment, "Paid").await;
    clerk.clicks("table//a", id(&payment)).await;
    clerk.is_at(&usd("65.40")).await;
    let section = "main//section[.//h2[.='Payment link']]//dd";
    clerk.finds_text(section, "Paid").await;
    clerk.heard_no_complaint().await;
}

pub async fn a_link_is_shown_by_keyboard(payer: Payer) {
    let clerk = Clerk::with(payer).await;
    let payment = clerk.is_sent_a_link(json!({})).await;
    clerk.opens_the_link().await;
    clerk.jumps_to("payment l", "Payment links").await;
    clerk.is_at("Payment links").await;
    clerk.tabs_to("main button", "Show").await;
    clerk.strikes_enter().await;
    sees_the_link(&clerk, &payment).await;
    clerk.strikes(&Key::Escape).await;
    clerk.sees_no_dialog().await;
    let name = json!(shows(id(&payment)));
    let returns = format!("return document.activeElement?.ariaLabel === {name}");
    clerk.waits("the focus on the button", &returns).await;
    clerk.heard_no_complaint().await;
}

/// A link ends with the payer's time. Then it isn't shown any more.
pub async fn a_link_ends(payer: Payer) {
    let clerk = Clerk::with(payer).await;
    let payment = clerk.is_sent_a_link(json!({})).await;
    // The console learns the sandbox's time from the newest payment.
    clerk.shop.server.time_passes(901).await;
    clerk.is_sent_a_link(json!({ "amount": 1200 })).await;
    clerk.opens_the_link().await;
    clerk.navigates_to("Payment links").await;
    is_listed(&clerk, &payment, "Ended").await;
    let shown = "return [...document.querySelectorAll('main td button')].length";
    assert_eq!(clerk.asks(shown).await, json!(1));
    clerk.heard_no_complaint().await;
}
