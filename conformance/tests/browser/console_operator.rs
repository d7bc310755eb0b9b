//! The operator looks around at the console by keyboard alone.

use serde_json::json;

use super::clerk::Clerk;
use super::payer::Payer;

pub async fn by_keyboard_alone(payer: Payer) {
    let clerk = Clerk::with(payer).await;
    clerk.goes_to("/operator").await;
    clerk.is_at("Sign in as the operator").await;
    clerk.has_focus_in("Admin key").await;
    clerk.strikes("another key").await;
    clerk.strikes_enter().await;
    let wrong = "This is not the admin key of this server.";
    clerk.finds_text("*[@role='alert']", wrong).await;
    clerk.has_focus_in("Admin key").await;
    let key = clerk.shop.server.admin_key().to_owned();
    clerk.strikes(&key).await;
    clerk.strikes_enter().await;
    clerk.is_at("Merchant accounts").await;

    // The server has another shop besides the demo merchant's.
    clerk.finds_text("main//table//a", "bookshop").await;
    clerk.tabs_to("input[type=search]", "").await;
    clerk.strikes("dem").await;
    clerk.strikes_enter().await;
    let alone = "return !document.querySelector('main table')?.textContent.includes('bookshop')";
    clerk.waits("one account", alone).await;
    clerk.tabs_to("main table a", "demo").await;
    clerk.strikes_enter().await;
    clerk.is_at("demo").await;
    let at_heading = "return document.activeElement?.tagName === 'H1'";
    clerk.waits("the focus on the heading", at_heading).await;

    clerk.goes_to("/operator").await;
    clerk.is_at("Merchant accounts").await;
    clerk.tabs_to("nav a", "Keys").await;
    clerk.strikes_enter().await;
    clerk.is_at("Keys of the service").await;
    clerk.goes_to("/operator/server").await;
    clerk.is_at("This server").await;
    clerk.tabs_to("header button", "Sign out").await;
    clerk.strikes_enter().await;
    clerk.is_at("Sign in as the operator").await;
    let held = clerk
        .asks("return document.cookie + JSON.stringify(sessionStorage)")
        .await;
    assert_eq!(held, json!("{}"));
    clerk.heard_refusals_only().await;
}
