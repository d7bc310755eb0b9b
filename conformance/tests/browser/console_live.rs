//! Screens of the console follow the changes that others make.

use multirail_conformance::shop::id;
use serde_json::json;

use super::clerk::{Clerk, usd};
use super::payer::Payer;

pub async fn a_payment_appears_without_a_reload(payer: Payer) {
    let clerk = Clerk::with(payer).await;
    clerk.is_paid(json!({})).await;
    clerk.opens_the_link().await;
    clerk.navigates_to("Payments").await;
    clerk.finds_text("table//tr", &usd("65.40")).await;
    clerk.asks("window.isStillHere = true").await;
    // A second tab of the browser shares the stream of the first.
    let first = clerk.browser.window().await.expect("a tab");
    let second = clerk.browser.new_window(true).await.expect("a tab");
    let to = clerk.browser.switch_to_window(second.handle).await;
    to.expect("the second tab");
    clerk.goes_to("/payments").await;
    clerk.is_at("Payments").await;

    let payment = clerk.is_paid(json!({ "amount": 7777 })).await;
    clerk.finds_text("table//tr", id(&payment)).await;
    clerk.browser.close_window().await.expect("a tab");
    let to = clerk.browser.switch_to_window(first).await;
    to.expect("the first tab");
    clerk.finds_text("table//tr", id(&payment)).await;

    // The payment's own screen follows it too.
    clerk.clicks("table//a", id(&payment)).await;
    clerk.is_at(&usd("77.77")).await;
    let refund = json!({ "amount": 2000 });
    clerk.shop.refunds(&payment, refund).await.ok();
    let told = format!("Refund of {}", usd("20.00"));
    clerk.finds_text("main//ol/li", &told).await;
    let is_same = clerk.asks("return window.isStillHere === true").await;
    assert_eq!(is_same, json!(true));
}
