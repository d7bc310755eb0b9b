//! Payers pay through the checkout that a shop has embedded in its own page.

use multirail_conformance::bodies::{APPROVED, DECLINED};
use serde_json::{Value, json};

use super::axe;
use super::checkout_shop::{FRAME, ShopPage};
use super::methods::{ENTER, TAB};
use super::payer::{CODE, EXPIRY, Payer};

/// The payer comes back to the shop with the payment's id and its status.
async fn is_thanked(payer: &Payer, page: &ShopPage) {
    payer.reads("Thank you").await;
    let address = payer.browser.current_url().await.expect("an address");
    let expected = format!(
        "{}/thanks?payment_id={}&status=succeeded",
        page.origin(),
        page.payment["payment_id"].as_str().expect("an id")
    );
    assert_eq!(address.as_str(), expected);
}

pub async fn by_card(payer: Payer) {
    let page = ShopPage::opens(&payer, json!({ "description": "Two books" })).await;
    payer.goes_into_the_frame().await;
    payer.fills_in_the_frame(APPROVED).await;
    payer.sees_text("body", "Test mode: no money moves").await;
    axe::is_content_with(&payer, "main").await;
    payer.goes_out_of_the_frame().await;
    the_page_knows_no_card(&payer).await;
    payer.heard_no_complaint().await;
    axe::is_content(&payer).await;
    // The rules ask the frame too, and the browser complains of that.
    payer.console().await;
    payer.pays_at_the_shop().await;
    is_thanked(&payer, &page).await;
    payer.heard_no_complaint().await;
    let paid = payer.has_paid_once(&page.payment).await;
    assert_eq!(paid["attempt_count"], 1);
    let browser = &paid["browser_info"];
    assert_eq!(browser["java_script_enabled"], true);
}

/// The shop's scripts find the number neither on their page nor in what it has heard, and can't look into the frame.
async fn the_page_knows_no_card(payer: &Payer) {
    let known = payer
        .asks(
            "return JSON.stringify([document.documentElement.outerHTML, heard, { ...localStorage }, { ...sessionStorage }, document.cookie])",
        )
        .await;
    let known = known.as_str().expect("a text").replace(' ', "");
    assert!(known.contains("Yourcart"), "{known}");
    for secret in [APPROVED, "4111", EXPIRY] {
        assert!(!known.contains(secret), "{secret}: {known}");
    }
    let look = format!(
        "const frame = document.querySelector('{FRAME}');
         const tried = () => {{ try {{ return frame.contentWindow.document.title }} catch (refused) {{ return refused.name }} }};
         return [frame.contentDocument, tried(), new URL(frame.src).searchParams.has('client_secret')]"
    );
    let seen = payer.asks(&look).await;
    assert_eq!(seen, json!([Value::Null, "SecurityError", false]));
}

pub async fn by_keyboard_alone(payer: Payer) {
    let page = ShopPage::opens(&payer, json!({})).await;
    payer.goes_into_the_frame().await;
    payer.field("Card number").await;
    payer.tabs_to_field("Card number").await;
    payer
        .strikes(&format!("{APPROVED}{TAB}{EXPIRY}{TAB}{CODE}"))
        .await;
    payer.goes_out_of_the_frame().await;
    let is_at_button = "return document.activeElement.matches('#form > button')";
    for _ in 0..5 {
        payer.strikes(TAB).await;
        if payer.asks(is_at_button).await == json!(true) {
            break;
        }
    }
    assert_eq!(payer.asks(is_at_button).await, json!(true));
    payer.strikes(ENTER).await;
    is_thanked(&payer, &page).await;
    payer.heard_no_complaint().await;
    payer.has_paid_once(&page.payment).await;
}

pub async fn declined_and_tried_again(payer: Payer) {
    let retries = json!({ "is_manual_retry_enabled": true });
    payer.shop.sets_up(retries).await.ok();
    let page = ShopPage::opens(&payer, json!({})).await;
    payer.goes_into_the_frame().await;
    payer.fills_in_the_frame(DECLINED).await;
    payer.goes_out_of_the_frame().await;
    payer.pays_at_the_shop().await;
    payer.sees_text("#message", "No money was taken").await;
    payer.goes_into_the_frame().await;
    payer.sees_text("[role=alert]", "You can try again").await;
    axe::is_content_with(&payer, "main").await;
    let number = payer.field("Card number").await;
    number.clear().await.expect("a field");
    payer.fills_in_at("Card number", APPROVED).await;
    payer.fills_in_at("Security code", CODE).await;
    payer.goes_out_of_the_frame().await;
    payer.pays_at_the_shop().await;
    is_thanked(&payer, &page).await;
    let paid = payer.has_paid_once(&page.payment).await;
    assert_eq!(paid["attempt_count"], 2);
    payer.heard_no_complaint().await;
}
