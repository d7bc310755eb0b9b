//! A person looks after a subscription at the console: by mouse, and by keyboard alone.

use multirail_conformance::Call;
use multirail_conformance::bodies::{APPROVED, card, with};
use serde_json::{Value, json};

use super::clerk::Clerk;
use super::console_screens::{WIDTHS, is_fine};
use super::payer::Payer;

/// Builds a call for the profile of the demo merchant.
fn call(clerk: &Clerk, operation: &str) -> Call {
    let call = clerk.shop.call(operation);
    call.header("X-Profile-Id", &clerk.shop.profile_id)
}

/// Offers a plan for 9.90 euros a month, to which a customer subscribes.
async fn is_subscribed(clerk: &Clerk) -> Value {
    let billing = json!({
        "connector_type": "billing_processor",
        // The account has no secret; null removes the secret that other accounts have.
        "connector_account_details": { "auth_type": "NoKey", "api_key": null },
    });
    let account = clerk.shop.connects("multirail_billing", billing);
    let account = account.await.ok();
    let bills = json!({ "billing_processor_id": account["merchant_connector_id"] });
    clerk.shop.sets_up(bills).await.ok();
    for (operation, body) in [
        (
            "customers_create",
            json!({ "customer_id": "ada", "email": "ada@books.example" }),
        ),
        (
            "subscription_products_create",
            json!({ "product_id": "reading", "name": "Reading" }),
        ),
        (
            "subscription_items_create",
            json!({ "item_id": "reader", "product_id": "reading", "item_type": "plan", "name": "The Reader" }),
        ),
        (
            "subscription_item_prices_create",
            json!({ "item_price_id": "reader_monthly", "item_id": "reader", "amount": 990, "currency": "EUR", "interval": "month" }),
        ),
    ] {
        call(clerk, operation).json(&body).await.ok();
    }
    let details = json!({
        "return_url": "https://bookshop.example/thanks",
        "customer_acceptance": {
            "acceptance_type": "online",
            "accepted_at": "2026-01-05T10:11:12.345Z",
            "online": { "ip_address": "192.0.2.7", "user_agent": "Browser/1.0" },
        },
    });
    let body = json!({
        "item_price_id": "reader_monthly", "customer_id": "ada", "payment_details": with(card(APPROVED), details),
    });
    let creates = call(clerk, "subscriptions_create_and_confirm").json(&body);
    creates.await.ok()
}

/// Returns the subscription as a program reads it.
async fn read(clerk: &Clerk, subscription: &Value) -> Value {
    let reads = call(clerk, "subscriptions_retrieve");
    reads.at("subscription_id", id(subscription)).await.ok()
}

fn id(subscription: &Value) -> &str {
    subscription["id"].as_str().expect("an id")
}

pub async fn a_quantity_is_changed(payer: Payer) {
    let clerk = Clerk::with(payer).await;
    let subscription = is_subscribed(&clerk).await;
    clerk.opens_the_link().await;
    clerk.navigates_to("Subscriptions").await;
    clerk.clicks("main//table//a", id(&subscription)).await;
    clerk.is_at("The Reader").await;
    clerk
        .clicks_exactly("main//button", "Change the plan")
        .await;
    clerk.writes("Quantity", "0").await;
    let wrong = "Enter a whole number from 1 on.";
    clerk.is_told_at("Quantity", wrong).await;
    clerk.writes("Quantity", "2").await;
    // The server says first how much the change charges.
    let consequence = "is charged to the saved method now";
    clerk.finds_text("*[@role='dialog']//p", consequence).await;
    clerk
        .clicks("*[@role='dialog']//button", "Change, and charge")
        .await;
    clerk
        .finds_text("*[@role='status']", "The plan is changed.")
        .await;
    clerk.sees_no_dialog().await;
    clerk.finds_text("main//ol/li", "Invoice 2:").await;
    assert_eq!(read(&clerk, &subscription).await["quantity"], 2);
    clerk.heard_no_complaint().await;
}

pub async fn a_pause_is_set_by_keyboard(payer: Payer) {
    let clerk = Clerk::with(payer).await;
    let subscription = is_subscribed(&clerk).await;
    clerk.opens_the_link().await;
    clerk
        .goes_to(&format!("/subscriptions/{}", id(&subscription)))
        .await;
    clerk.is_at("The Reader").await;
    clerk.tabs_to("main button", "Pause").await;
    clerk.strikes_enter().await;
    let consequence = "In the pause nothing is billed";
    clerk.finds_text("*[@role='dialog']//p", consequence).await;
    clerk.tabs_to("[role=dialog] button", "Pause").await;
    clerk.strikes_enter().await;
    clerk
        .finds_text("*[@role='status']", "The pause is set.")
        .await;
    clerk.sees_no_dialog().await;
    clerk.finds_text("main//p", "It pauses on").await;
    let paused = read(&clerk, &subscription).await;
    assert_eq!(paused["status"], "active");
    assert_eq!(paused["paused_at"], subscription["next_billing_at"]);
    for width in WIDTHS {
        clerk.has_width(width).await;
        is_fine(&clerk, width, "subscription", None).await;
    }
    clerk.heard_no_complaint().await;
}
