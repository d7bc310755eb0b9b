//! A person looks after payments at the console, by mouse.

use multirail_conformance::shop::id;
use serde_json::{Value, json};

use super::clerk::{Clerk, usd};
use super::payer::Payer;

/// Opens the payment by its id, from the list of payments.
async fn finds(clerk: &Clerk, payment: &Value) {
    clerk.navigates_to("Payments").await;
    clerk.finds_text("table//tr", id(payment)).await;
    let field = clerk.sees("form[role=search] input").await;
    field.send_keys(id(payment)).await.expect("a field");
    clerk.clicks("form[@role='search']//button", "Search").await;
    let one = "return document.querySelectorAll('tbody tr').length === 1";
    clerk.waits("one payment", one).await;
    clerk.clicks("table//a", id(payment)).await;
    clerk.is_at(&usd("65.40")).await;
}

/// Opens the dialog that refunds the payment on the screen.
async fn begins_a_refund(clerk: &Clerk) {
    clerk.clicks_exactly("main//button", "Refund").await;
    let dialog = "*[@role='dialog']//h2";
    clerk.finds_text(dialog, "Refund the payer").await;
}

/// Sends the refund of the dialog, whose button names the amount.
async fn sends_the_refund(clerk: &Clerk, amount: &str) {
    let submit = format!("Refund {}", usd(amount));
    let button = "*[@role='dialog']//button";
    clerk.clicks_exactly(button, &submit).await;
}

pub async fn a_payment_is_found_and_refunded(payer: Payer) {
    let clerk = Clerk::with(payer).await;
    let payment = clerk.is_paid(json!({})).await;
    clerk.is_paid(json!({ "amount": 1200 })).await;
    clerk.opens_the_link().await;
    finds(&clerk, &payment).await;

    begins_a_refund(&clerk).await;
    clerk.writes("Amount in USD", "20.00").await;
    clerk.writes("Reason", "One book was damaged").await;
    let consequence = format!("{} goes back to the", usd("20.00"));
    clerk.finds_text("*[@role='dialog']//p", &consequence).await;
    sends_the_refund(&clerk, "20.00").await;
    clerk.sees_no_dialog().await;
    let said = format!("{} was refunded.", usd("20.00"));
    clerk.finds_text("*[@role='status']", &said).await;

    let told = format!("Refund of {}", usd("20.00"));
    clerk.finds_text("main//ol/li", &told).await;
    clerk
        .finds_text("main//ol/li", "One book was damaged")
        .await;
    clerk.navigates_to("Refunds").await;
    let row = format!("table//tr[contains(., '{}')]", usd("20.00"));
    clerk.finds_text(&row, id(&payment)).await;
    clerk.navigates_to("Home").await;
    clerk
        .finds_text("dl/div[dt[.='Refunds']]//strong", "1")
        .await;
    assert_eq!(clerk.refunded(&payment).await, json!([2000]));
    clerk.heard_no_complaint().await;
}

/// A program refunds most of the payment while the dialog is open.
pub async fn a_refund_of_too_much_is_refused(payer: Payer) {
    let clerk = Clerk::with(payer).await;
    let payment = clerk.is_paid(json!({})).await;
    clerk.opens_the_link().await;
    clerk.goes_to(&format!("/payments/{}", id(&payment))).await;
    clerk.is_at(&usd("65.40")).await;
    begins_a_refund(&clerk).await;
    clerk.writes("Amount in USD", "65.41").await;
    let most = format!("At most {} is left to refund.", usd("65.40"));
    clerk.is_told_at("Amount in USD", &most).await;

    let elsewhere = json!({ "amount": 5000 });
    clerk.shop.refunds(&payment, elsewhere).await.ok();
    clerk.writes("Amount in USD", "20.00").await;
    clerk.strikes_enter().await;
    // The news of the other refund may arrive before the request is sent. Then the screen refuses the amount itself.
    let refused = "return [...document.querySelectorAll('[role=dialog] .field-error')].some((one) => \
        /above what was captured and not refunded yet|is left to refund/.test(one.textContent))";
    clerk.waits("the refusal at the amount", refused).await;
    assert_eq!(clerk.refunded(&payment).await, json!([5000]));

    // The person looks again, and refunds the rest.
    clerk
        .clicks_exactly("*[@role='dialog']//button", "Go back")
        .await;
    clerk.sees_no_dialog().await;
    clerk.clicks_exactly("main//button", "Refresh").await;
    let told = format!("Refund of {}", usd("50.00"));
    clerk.finds_text("main//ol/li", &told).await;
    begins_a_refund(&clerk).await;
    sends_the_refund(&clerk, "15.40").await;
    clerk.sees_no_dialog().await;
    let mut amounts = clerk.refunded(&payment).await;
    let amounts = amounts.as_array_mut().expect("a list");
    amounts.sort_by_key(Value::as_i64);
    assert_eq!(json!(amounts), json!([1540, 5000]));
    clerk.heard_refusals_only().await;
}

/// A script, a mark that turns the direction of text, and a word that can't be broken.
fn hostile(length: usize) -> String {
    let begin = "<script>window.ran = 1</script>\u{202e}<img src=x onerror='window.ran = 1'>";
    let rest = length - begin.chars().count();
    format!("{begin}{}", "W".repeat(rest))
}

pub async fn texts_of_others_stay_texts(payer: Payer) {
    let clerk = Clerk::with(payer).await;
    let customer = json!({
        "customer_id": "mallory", "name": hostile(255), "email": "mallory@books.example", "description": hostile(255),
    });
    let creates = clerk.shop.call("customers_create");
    creates.json(&customer).await.ok();
    let order = json!({
        "customer_id": "mallory", "description": hostile(1024), "metadata": { "note": hostile(400) },
    });
    let payment = clerk.is_paid(order).await;
    let reason = json!({ "amount": 100, "reason": hostile(255) });
    clerk.shop.refunds(&payment, reason).await.ok();
    clerk.opens_the_link().await;
    for width in [360, 1440] {
        clerk.has_width(width).await;
        let one = format!("/payments/{}", id(&payment));
        for path in [
            "/payments",
            one.as_str(),
            "/refunds",
            "/customers",
            "/customers/mallory",
        ] {
            clerk.goes_to(path).await;
            clerk.is_at("").await;
            let isolated = "main//bdi[contains(., '\u{202e}')]";
            let text = "<script>window.ran = 1</script>";
            clerk.finds_text(isolated, text).await;
            let ran =
                "return window.ran ?? document.querySelectorAll('main script, main img').length";
            assert_eq!(clerk.asks(ran).await, json!(0), "{path}");
            clerk.fits(width, path).await;
        }
    }
    clerk.heard_no_complaint().await;
}
