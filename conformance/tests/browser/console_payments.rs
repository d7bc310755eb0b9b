//! A person acts on payments at the console, and makes one for a payer, by mouse and by keyboard.

use fantoccini::key::Key;
use multirail_conformance::bodies::{APPROVED, HELD, paid_with, with};
use multirail_conformance::shop::id;
use serde_json::{Value, json};

use super::clerk::{Clerk, usd};
use super::payer::Payer;

/// Has a payer's card authorized, so that the amount can be raised, or held for review.
async fn authorized(clerk: &Clerk, card: &str) -> Value {
    let more = json!({ "capture_method": "manual", "request_incremental_authorization": true });
    clerk.shop.creates(with(paid_with(card), more)).await.ok()
}

/// Opens the screen of a payment.
async fn visits(clerk: &Clerk, payment: &Value) {
    clerk.goes_to(&format!("/payments/{}", id(payment))).await;
    clerk.is_at(&usd("65.40")).await;
}

/// Opens the dialog of an action.
async fn begins(clerk: &Clerk, button: &str, title: &str) {
    clerk.clicks_exactly("main//button", button).await;
    clerk.finds_text("*[@role='dialog']//h2", title).await;
}

/// Waits for a sentence of the dialog, and presses its button.
async fn agrees(clerk: &Clerk, consequence: &str, button: &str) {
    clerk.finds_text("*[@role='dialog']//p", consequence).await;
    clerk
        .clicks_exactly("*[@role='dialog']//button", button)
        .await;
    clerk.sees_no_dialog().await;
}

async fn is_told(clerk: &Clerk, text: &str) {
    clerk.finds_text("*[@role='status']", text).await;
}

/// Returns the status and the captured amount, as a program reads them.
async fn stands(clerk: &Clerk, payment: &Value) -> Value {
    let now = clerk.shop.retrieves(payment).await.ok();
    json!([now["status"], now["amount_received"]])
}

pub async fn a_payment_is_raised_and_captured(payer: Payer) {
    let clerk = Clerk::with(payer).await;
    let payment = authorized(&clerk, APPROVED).await;
    clerk.opens_the_link().await;
    visits(&clerk, &payment).await;
    begins(&clerk, "Raise the amount", "Raise the authorized amount").await;
    clerk.writes("New total in USD", "90.00").await;
    let asked = format!("reserve {} instead of {}", usd("90.00"), usd("65.40"));
    agrees(&clerk, &asked, &format!("Raise to {}", usd("90.00"))).await;
    is_told(&clerk, "The authorized amount was raised.").await;
    clerk.is_at(&usd("90.00")).await;

    begins(&clerk, "Capture", "Capture the payment").await;
    clerk.writes("Amount in USD", "90.01").await;
    let most = format!("At most {} can be captured.", usd("90.00"));
    clerk.is_told_at("Amount in USD", &most).await;
    clerk.writes("Amount in USD", "40.00").await;
    let rest = format!("The remaining {} is released", usd("50.00"));
    agrees(&clerk, &rest, &format!("Capture {}", usd("40.00"))).await;
    is_told(&clerk, "The amount was captured.").await;
    clerk.finds_text("main//h1", "Partly captured").await;
    let captured = json!(["partially_captured", 4000]);
    assert_eq!(stands(&clerk, &payment).await, captured);
    let left = "return [...document.querySelectorAll('main button')].some((one) => /^(Capture|Raise|Cancel)/.test(one.textContent))";
    assert_eq!(clerk.asks(left).await, json!(false));
    clerk.heard_no_complaint().await;
}

pub async fn held_payments_are_decided(payer: Payer) {
    let clerk = Clerk::with(payer).await;
    let good = authorized(&clerk, HELD).await;
    let bad = authorized(&clerk, HELD).await;
    clerk.opens_the_link().await;
    visits(&clerk, &good).await;
    begins(&clerk, "Approve", "Approve the held payment").await;
    agrees(&clerk, "stays reserved on", "Approve").await;
    is_told(&clerk, "The payment was approved.").await;
    begins(&clerk, "Cancel payment", "Cancel the payment").await;
    clerk.writes("Reason", "Sold out").await;
    agrees(&clerk, "the payer isn’t charged", "Cancel the payment").await;
    is_told(&clerk, "The payment was cancelled.").await;
    assert_eq!(stands(&clerk, &good).await[0], json!("cancelled"));

    visits(&clerk, &bad).await;
    begins(&clerk, "Reject", "Reject the held payment").await;
    agrees(&clerk, "The payment fails at once", "Reject").await;
    is_told(&clerk, "The payment was rejected.").await;
    assert_eq!(stands(&clerk, &bad).await[0], json!("failed"));
    clerk.heard_no_complaint().await;
}

pub async fn a_payment_is_made_and_paid(payer: Payer) {
    let clerk = Clerk::with(payer).await;
    clerk.opens_the_link().await;
    clerk.navigates_to("Payments").await;
    begins(&clerk, "New payment", "New payment with a link").await;
    clerk.writes("Amount in EUR", "12.00").await;
    clerk.writes("Description", "A paperback").await;
    clerk.writes("Order reference", "order-17").await;
    let consequence = "Nothing is charged until a payer pays there.";
    clerk.finds_text("*[@role='dialog']//p", consequence).await;
    let create = "Create a link for 12.00\u{a0}EUR";
    clerk
        .clicks_exactly("*[@role='dialog']//button", create)
        .await;
    let title = "Link to pay 12.00\u{a0}EUR";
    clerk.finds_text("*[@role='dialog']//h2", title).await;
    let address = clerk.asks("return document.querySelector('[role=dialog] bdi').textContent");
    let address = address.await;
    let listed = clerk.shop.call("payments_list").await.ok();
    let made = &listed["data"][0];
    assert_eq!(made["payment_link"]["link"], address);
    assert_eq!(made["merchant_order_reference_id"], "order-17");
    clerk
        .clicks_exactly("*[@role='dialog']//button", "Close")
        .await;
    clerk.is_at("12.00\u{a0}EUR").await;

    clerk.opens(made).await;
    clerk.fills_in(APPROVED).await;
    clerk.presses("#card button").await;
    clerk.reads("Thank you").await;
    clerk.goes_to(&format!("/payments/{}", id(made))).await;
    clerk.finds_text("main//h1", "Succeeded").await;
    assert_eq!(stands(&clerk, made).await, json!(["succeeded", 1200]));
    clerk.heard_no_complaint().await;
}

pub async fn by_keyboard_alone(payer: Payer) {
    let clerk = Clerk::with(payer).await;
    let payment = authorized(&clerk, APPROVED).await;
    clerk.opens_the_link().await;
    visits(&clerk, &payment).await;
    clerk.tabs_to("main button", "Capture").await;
    clerk.strikes_enter().await;
    clerk.has_focus_in("Amount in USD").await;
    clerk.strikes_with_control('a').await;
    clerk.strikes("40.00").await;
    let submit = format!("Capture {}", usd("40.00"));
    clerk.tabs_to("[role=dialog] button", &submit).await;
    clerk.strikes_enter().await;
    is_told(&clerk, "The amount was captured.").await;
    clerk.sees_no_dialog().await;
    let captured = json!(["partially_captured", 4000]);
    assert_eq!(stands(&clerk, &payment).await, captured);

    clerk.jumps_to("paym", "Payments").await;
    clerk.is_at("Payments").await;
    clerk.tabs_to("main button", "New payment").await;
    clerk.strikes_enter().await;
    clerk.has_focus_in("Amount in EUR").await;
    clerk.strikes("12.00").await;
    let create = "Create a link for 12.00\u{a0}EUR";
    clerk.tabs_to("[role=dialog] button", create).await;
    clerk.strikes_enter().await;
    let title = "Link to pay 12.00\u{a0}EUR";
    clerk.finds_text("*[@role='dialog']//h2", title).await;
    clerk.strikes(&Key::Escape).await;
    clerk.is_at("12.00\u{a0}EUR").await;
    clerk.tabs_to("main button", "Cancel payment").await;
    clerk.strikes_enter().await;
    clerk.has_focus_in("Reason").await;
    clerk
        .tabs_to("[role=dialog] button", "Cancel the payment")
        .await;
    clerk.strikes_enter().await;
    is_told(&clerk, "The payment was cancelled.").await;
    clerk.heard_no_complaint().await;
}
