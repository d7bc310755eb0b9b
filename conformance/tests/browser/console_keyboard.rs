//! A person looks after payments at the console by keyboard alone.

use fantoccini::key::Key;
use multirail_conformance::shop::id;
use serde_json::json;

use super::clerk::{Clerk, usd};
use super::payer::Payer;

pub async fn a_payment_is_found_and_refunded(payer: Payer) {
    let clerk = Clerk::with(payer).await;
    let payment = clerk.is_paid(json!({})).await;
    clerk.is_paid(json!({ "amount": 1200 })).await;
    clerk.opens_the_link().await;
    clerk.jumps_to("paym", "Payments").await;
    clerk.is_at("Payments").await;
    clerk.tabs_to("a", id(&payment)).await;
    clerk.strikes_enter().await;
    clerk.is_at(&usd("65.40")).await;

    clerk.tabs_to("main button", "Refund").await;
    clerk.strikes_enter().await;
    clerk.has_focus_in("Amount in USD").await;
    clerk.strikes_with_control('a').await;
    clerk.strikes("20.00").await;
    let submit = format!("Refund {}", usd("20.00"));
    clerk.finds_text("*[@role='dialog']//button", &submit).await;
    clerk.tabs_to("[role=dialog] button", &submit).await;
    clerk.strikes_enter().await;
    let said = format!("{} was refunded.", usd("20.00"));
    clerk.finds_text("*[@role='status']", &said).await;
    clerk.sees_no_dialog().await;
    let told = format!("Refund of {}", usd("20.00"));
    clerk.finds_text("main//ol/li", &told).await;

    clerk.jumps_to("refunds", "Refunds").await;
    clerk.is_at("Refunds").await;
    let row = format!("table//tr[contains(., '{}')]", usd("20.00"));
    clerk.finds_text(&row, id(&payment)).await;
    assert_eq!(clerk.refunded(&payment).await, json!([2000]));
    clerk.heard_no_complaint().await;
}

/// The palette also finds what the server knows by a whole id or address.
pub async fn the_palette_finds_by_whole_texts(payer: Payer) {
    let clerk = Clerk::with(payer).await;
    let customer =
        json!({ "customer_id": "ada", "name": "Ada Okafor", "email": "ada@books.example" });
    let creates = clerk.shop.call("customers_create");
    creates.json(&customer).await.ok();
    let order = json!({ "customer_id": "ada", "merchant_order_reference_id": "order 17/4" });
    let payment = clerk.is_paid(order).await;
    clerk.opens_the_link().await;
    for (typed, entry, heading) in [
        (id(&payment), "order 17/4", usd("65.40")),
        ("order 17/4", "Payment", usd("65.40")),
        ("ada@books.example", "Ada Okafor", "Ada Okafor".to_owned()),
    ] {
        clerk.goes_to("/").await;
        clerk.is_at("Home").await;
        clerk.jumps_to(typed, entry).await;
        clerk.is_at(&heading).await;
    }
    clerk.jumps_to("appearance: dark", "Dark").await;
    let dark = "return getComputedStyle(document.documentElement).colorScheme === 'dark'";
    clerk.waits("a dark page", dark).await;
    // A text that nothing has finds nothing, and Escape closes the palette.
    clerk.strikes_with_control('k').await;
    clerk.has_focus_in("Search and commands").await;
    clerk.strikes("nothing has this name").await;
    clerk
        .finds_text("*[@role='dialog']//*", "Nothing found.")
        .await;
    clerk.strikes(&Key::Escape).await;
    clerk.sees_no_dialog().await;
    clerk.heard_no_complaint().await;
}
