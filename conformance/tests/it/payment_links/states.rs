//! The page in each state of the payment.

use multirail_conformance::bodies::{APPROVED, DECLINED, PENDING, THREE_DS, card, with};
use multirail_conformance::{Browser, Shop};
use serde_json::{Value, json};

use super::{link_of, linked, page, title};
use crate::payer_methods::by;

/// Returns whether the page takes a card.
fn takes_a_card(page: &str) -> bool {
    page.contains("autocomplete=\"cc-number\"")
}

async fn seen(shop: &Shop, payment: &Value) -> (String, bool) {
    let page = page(shop, payment).await;
    let holds_secret = page.contains(payment["client_secret"].as_str().expect("a secret"));
    let is_over = !takes_a_card(&page) && !page.contains("data-status");
    // With a return address the redirect carries the secret; here there is none.
    assert_eq!(holds_secret, !is_over, "{page}");
    (title(&page).to_owned(), takes_a_card(&page))
}

fn page_with(title: &str, takes_a_card: bool) -> (String, bool) {
    (title.to_owned(), takes_a_card)
}

#[tokio::test]
async fn declined_and_over_where_the_profile_says_so() {
    let shop = Shop::open().await;
    let no = json!({ "is_manual_retry_enabled": false });
    shop.sets_up(no).await.ok();
    let payment = linked(&shop, json!({})).await;
    let failed = shop.payer_of(&payment).confirms(card(DECLINED));
    assert_eq!(failed.await.ok()["status"], "failed");
    assert_eq!(
        seen(&shop, &payment).await,
        page_with("The payment did not go through", false)
    );
    let again = shop.payer_of(&payment).confirms(card(APPROVED));
    again.await.refused(400, "IR_16");
}

#[tokio::test]
async fn a_declined_payer_may_try_another_card_where_the_profile_says_nothing() {
    let shop = Shop::open().await;
    let payment = linked(&shop, json!({})).await;
    shop.payer_of(&payment).confirms(card(DECLINED)).await.ok();
    let html = page(&shop, &payment).await;
    assert!(takes_a_card(&html), "{html}");
    let paid = shop.payer_of(&payment).confirms(card(APPROVED)).await.ok();
    assert_eq!(
        (&paid["status"], &paid["attempt_count"]),
        (&json!("succeeded"), &json!(2))
    );
    // Without a page, the payer goes back to the shop, which says what can be tried again.
    let plain = shop
        .creates(multirail_conformance::bodies::order())
        .await
        .ok();
    shop.payer_of(&plain).confirms(card(DECLINED)).await.ok();
    let again = shop.payer_of(&plain).confirms(card(APPROVED));
    again.await.refused(400, "IR_16");
}

#[tokio::test]
async fn declined_and_tried_again_as_long_as_the_profile_allows() {
    let shop = Shop::open().await;
    let retries = json!({ "is_manual_retry_enabled": true });
    shop.sets_up(retries).await.ok();
    let payment = linked(&shop, json!({})).await;
    shop.payer_of(&payment).confirms(card(DECLINED)).await.ok();
    let html = page(&shop, &payment).await;
    assert!(takes_a_card(&html), "{html}");
    assert!(
        html.contains("role=\"alert\">The payment was declined."),
        "{html}"
    );
    // In the second half of the session another try would be refused.
    shop.time_passes(460).await;
    assert_eq!(
        seen(&shop, &payment).await,
        page_with("The payment did not go through", false)
    );
    let late = shop.payer_of(&payment).confirms(card(APPROVED));
    late.await.refused(400, "IR_16");
}

#[tokio::test]
async fn expired() {
    let shop = Shop::open().await;
    let payment = linked(&shop, json!({ "session_expiry": 3600 })).await;
    shop.time_passes(3_540).await;
    assert_eq!(seen(&shop, &payment).await, page_with("Pay $65.40", true));
    shop.time_passes(61).await;
    assert_eq!(
        seen(&shop, &payment).await,
        page_with("This link has expired", false)
    );
    let late = shop.payer_of(&payment).confirms(card(APPROVED));
    late.await.refused(400, "IR_08");
}

#[tokio::test]
async fn cancelled() {
    let shop = Shop::open().await;
    let payment = linked(&shop, json!({})).await;
    shop.cancels(&payment, json!({})).await.ok();
    assert_eq!(
        seen(&shop, &payment).await,
        page_with("The payment was cancelled", false)
    );
}

#[tokio::test]
async fn processing_and_paid() {
    let shop = Shop::open().await;
    let payment = linked(&shop, json!({})).await;
    shop.payer_of(&payment).confirms(card(PENDING)).await.ok();
    let html = page(&shop, &payment).await;
    assert_eq!(title(&html), "Your payment is being processed");
    assert!(html.contains("data-status=\"processing\""), "{html}");
    shop.asks_about(&payment).await.ok();
    assert_eq!(seen(&shop, &payment).await, page_with("Thank you", false));
}

#[tokio::test]
async fn the_payer_is_sent_to_his_bank_and_comes_back_to_the_page() {
    let shop = Shop::open().await;
    let returning = json!({ "return_url": "https://shop.example/thanks?basket=17" });
    let payment = linked(&shop, returning).await;
    let asked = shop.payer_of(&payment).confirms(card(THREE_DS)).await.ok();
    let html = page(&shop, &payment).await;
    assert_eq!(title(&html), "One step is missing");
    let start = asked["next_action"]["redirect_to_url"].as_str();
    let start = start.expect("a page to go to");
    assert!(html.contains(&format!("href=\"{start}\"")), "{html}");

    let browser = Browser::new(&shop.wire);
    let bank = browser.opens(start).await.expect("the bank's page");
    let end = browser
        .presses(&bank, "Approve")
        .await
        .expect("the way back");
    assert_eq!((end.url.as_str(), end.status), (link_of(&payment), 200));
    assert_eq!(title(&end.html), "Thank you");
    let secret = payment["client_secret"].as_str().expect("a secret");
    let way_on = format!("payment_intent_client_secret={secret}&amp;amount=6540");
    assert!(
        end.html
            .contains("https://shop.example/thanks?basket=17&amp;status=succeeded")
    );
    assert!(end.html.contains(&way_on), "{}", end.html);
}

/// A method that waits for its payer can't be replaced, so the page says when it takes another one.
#[tokio::test]
async fn a_payer_at_one_method_learns_the_way_to_another() {
    let shop = Shop::open().await;
    let pix = named("bank_transfer", "pix", "pix", json!({}));
    // The code is valid for 900 seconds. After that, another try is accepted in the first half of the session.
    for (session, way) in [
        (900, "ask the shop for a new link"),
        (7_200, "you can choose again on this page"),
    ] {
        let order = json!({ "currency": "BRL", "session_expiry": session });
        let payment = linked(&shop, order).await;
        shop.payer_of(&payment).confirms(pix.clone()).await.ok();
        let html = page(&shop, &payment).await;
        assert_eq!(title(&html), "Scan the code to pay");
        assert!(html.contains(way), "{html}");
    }
    let payment = linked(&shop, json!({})).await;
    shop.payer_of(&payment).confirms(card(THREE_DS)).await.ok();
    let html = page(&shop, &payment).await;
    assert!(html.contains("cancel the payment there"), "{html}");
    let other = shop.payer_of(&payment).confirms(card(APPROVED));
    other.await.refused(400, "IR_16");
}

/// Returns the members of a named payer's request by this method.
fn named(family: &str, kind: &str, member: &str, choices: Value) -> Value {
    let payer = json!({ "payment_method_data": { "billing": {
        "email": "ada@example.com", "address": { "first_name": "Ada", "last_name": "Okafor" },
    } } });
    with(by(family, kind, member, choices), payer)
}

/// The API has the end in milliseconds, and that of a wait in nanoseconds.
#[tokio::test]
async fn the_page_names_the_end_that_the_api_names() {
    let shop = Shop::open().await;
    let number = json!({ "social_security_number": "12345678909" });
    for (currency, method, place, per_millisecond) in [
        (
            "BRL",
            named("bank_transfer", "pix", "pix", json!({})),
            "/next_action/display_to_timestamp",
            1,
        ),
        (
            "PLN",
            named(
                "bank_redirect",
                "blik",
                "blik",
                json!({ "blik_code": "123456" }),
            ),
            "/next_action/display_to_timestamp",
            1_000_000,
        ),
        (
            "BRL",
            named("voucher", "boleto", "boleto", number),
            "/next_action/voucher_details/expires_at",
            1,
        ),
        (
            "EUR",
            named(
                "bank_transfer",
                "multibanco",
                "multibanco_bank_transfer",
                json!({}),
            ),
            "/next_action/bank_transfer_steps_and_charges_details/expires_at",
            1,
        ),
    ] {
        let payment = linked(&shop, json!({ "currency": currency })).await;
        let asked = shop.payer_of(&payment).confirms(method).await.ok();
        let end = asked.pointer(place).and_then(Value::as_i64);
        let html = page(&shop, &payment).await;
        let (_, shown) = html.split_once("<time datetime=\"").expect("an end");
        let (shown, _) = shown.split_once('"').expect("a date-time");
        let shown: chrono::DateTime<chrono::Utc> = shown.parse().expect("a date-time");
        let end = end.expect("a time") / per_millisecond;
        assert_eq!(shown.timestamp_millis(), end, "{place}");
    }
}

#[tokio::test]
async fn without_a_return_address_the_payer_comes_back_to_the_page() {
    let shop = Shop::open().await;
    let skips = json!({ "payment_link_config": { "skip_status_screen": true } });
    let payment = linked(&shop, skips).await;
    let asked = shop.payer_of(&payment).confirms(card(THREE_DS)).await.ok();
    let start = asked["next_action"]["redirect_to_url"].as_str();
    let browser = Browser::new(&shop.wire);
    let bank = browser.opens(start.expect("a page to go to")).await;
    let bank = bank.expect("the bank's page");
    let end = browser.presses(&bank, "Approve").await;
    assert_eq!(end.expect("the way back").url.as_str(), link_of(&payment));
}

#[tokio::test]
async fn a_payer_who_rejects_may_try_another_card() {
    let shop = Shop::open().await;
    let retries = json!({ "is_manual_retry_enabled": true });
    shop.sets_up(retries).await.ok();
    let skips = json!({
        "return_url": "https://shop.example/thanks",
        "payment_link_config": { "skip_status_screen": true },
    });
    let payment = linked(&shop, skips).await;
    let asked = shop.payer_of(&payment).confirms(card(THREE_DS)).await.ok();
    let start = asked["next_action"]["redirect_to_url"].as_str();
    let browser = Browser::new(&shop.wire);
    let bank = browser.opens(start.expect("a page to go to")).await;
    let bank = bank.expect("the bank's page");
    let end = browser
        .presses(&bank, "Reject")
        .await
        .expect("the way back");
    assert!(takes_a_card(&end.html), "{}", end.html);
    let paid = shop.payer_of(&payment).confirms(card(APPROVED)).await.ok();
    assert_eq!(
        (&paid["status"], &paid["attempt_count"]),
        (&json!("succeeded"), &json!(2))
    );
    let end = browser.opens(link_of(&payment)).await.expect("the way on");
    assert!(
        end.url
            .as_str()
            .starts_with("https://shop.example/thanks?status=succeeded&")
    );
}
