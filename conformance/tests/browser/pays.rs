//! Payments on the hosted page, and the problems on the way.

use multirail_conformance::bodies::{APPROVED, DECLINED, DEVICE_DATA, PENDING, THREE_DS, card};
use multirail_simulator::scripted::{Call, Fault};
use serde_json::json;

use super::payer::{CODE, EXPIRY, Payer};
use super::phone::narrow;

const BUTTON: &str = "#card button";

pub async fn by_card(payer: Payer) {
    let order = json!({ "description": "Two books", "return_url": "https://shop.example/thanks" });
    let payment = payer.is_sent_a_link(order).await;
    payer.opens(&payment).await;
    payer.reads("Pay $65.40").await;
    payer.fills_in(APPROVED).await;
    let laid_out =
        payer.asks("return [...document.querySelectorAll('#card input')].map((i) => i.value)");
    assert_eq!(
        laid_out.await,
        json!(["4111 1111 1111 1111", "10 / 35", "123", ""])
    );
    payer.types("holder", "Ada Okafor").await;
    payer.presses(BUTTON).await;
    payer.reads("Thank you").await;
    let back = payer.sees("a.button").await.attr("href").await;
    let back = back.expect("a link").expect("an address");
    assert!(
        back.starts_with("https://shop.example/thanks?status=succeeded&"),
        "{back}"
    );
    payer.heard_no_complaint().await;

    let paid = payer.shop.retrieves(&payment).await.ok();
    assert_eq!(paid["status"], "succeeded");
    let holder = &paid["payment_method_data"]["card"]["card_holder_name"];
    assert_eq!(*holder, "Ada Okafor");
    let browser = &paid["browser_info"];
    assert_eq!(browser["java_script_enabled"], true);
    assert_eq!(browser["language"], "en-US");
    assert!(browser["screen_width"].is_i64(), "{browser}");
    // A second visit to the link shows the outcome.
    payer.opens(&payment).await;
    payer.reads("Thank you").await;
    assert_eq!(payer.shop.money().captured, 6540);
}

pub async fn errors_are_shown_at_once(payer: Payer) {
    let payment = payer.is_sent_a_link(json!({})).await;
    payer.opens(&payment).await;
    payer.presses(BUTTON).await;
    payer
        .sees_text("#number-error", "Enter the card number")
        .await;
    payer.sees_text("#expiry-error", "such as 09/31").await;
    payer.sees_text("#code-error", "Enter the 3 digits").await;
    assert_eq!(payer.focus().await, "number");

    payer.types("number", "4111111111111112").await;
    payer.types("expiry", "0124").await;
    payer.sees_text("#expiry-error", "expired").await;
    payer
        .sees_text("#number-error", "as it stands on the card")
        .await;
    payer.types("number", "378282246310005").await;
    payer.types("expiry", "13/35").await;
    payer.types("code", CODE).await;
    payer.presses(BUTTON).await;
    payer.sees_text("#code-error", "Enter the 4 digits").await;
    let laid_out = payer
        .asks("return document.getElementById('number').value")
        .await;
    assert_eq!(laid_out, "3782 822463 10005");
    let wrong = "return [...document.querySelectorAll('[aria-invalid]')].map((i) => i.id)";
    assert_eq!(payer.asks(wrong).await, json!(["expiry", "code"]));

    payer.types("expiry", "1/35").await;
    assert_eq!(payer.asks(wrong).await, json!(["code"]));
    let untouched = payer.shop.retrieves(&payment).await.ok();
    assert_eq!(untouched["status"], "requires_payment_method");
    assert_eq!(untouched["attempt_count"], 1);
    payer.heard_no_complaint().await;
}

/// The payer clicks the button without leaving the field first. The error that follows must not move the button away.
pub async fn a_click_out_of_a_wrong_field_arrives(payer: Payer) {
    let payment = payer.is_sent_a_link(json!({})).await;
    // The error takes several lines of a small screen.
    for metrics in [None, Some(narrow())] {
        if let Some(metrics) = metrics {
            payer
                .tool("Emulation.setDeviceMetricsOverride", metrics)
                .await;
        }
        payer.opens(&payment).await;
        payer.types("number", "4111111111111112").await;
        payer.presses(BUTTON).await;
        // Errors of fields that were never entered are those of the click.
        payer.sees_text("#expiry-error", "such as 09/31").await;
        payer
            .sees_text("#number-error", "as it stands on the card")
            .await;
        assert_eq!(payer.focus().await, "number");
    }
    payer.fills_in(APPROVED).await;
    payer.types("code", "12").await;
    payer.presses(BUTTON).await;
    payer.sees_text("#code-error", "Enter the 3 digits").await;
    assert_eq!(payer.focus().await, "code");
    payer.types("code", CODE).await;
    payer.presses(BUTTON).await;
    payer.reads("Thank you").await;
    payer.heard_no_complaint().await;
    let paid = payer.shop.retrieves(&payment).await.ok();
    assert_eq!(
        (&paid["status"], &paid["attempt_count"]),
        (&json!("succeeded"), &json!(1))
    );
}

pub async fn declined_and_tried_again(payer: Payer) {
    let retries = json!({ "is_manual_retry_enabled": true });
    payer.shop.sets_up(retries).await.ok();
    let payment = payer.is_sent_a_link(json!({})).await;
    payer.opens(&payment).await;
    payer.fills_in(DECLINED).await;
    payer.presses(BUTTON).await;
    payer
        .sees_text("[role=alert]", "The payment was declined")
        .await;
    let left = payer
        .asks("return document.getElementById('number').value")
        .await;
    assert_eq!(left, "", "nothing of the card is left");
    payer.fills_in(APPROVED).await;
    payer.presses(BUTTON).await;
    payer.reads("Thank you").await;
    payer.heard_no_complaint().await;
    assert_eq!(
        payer.shop.retrieves(&payment).await.ok()["attempt_count"],
        2
    );

    let once = json!({ "is_manual_retry_enabled": false });
    payer.shop.sets_up(once).await.ok();
    let payment = payer.is_sent_a_link(json!({})).await;
    payer.opens(&payment).await;
    payer.fills_in(DECLINED).await;
    payer.presses(BUTTON).await;
    payer.reads("The payment did not go through").await;
}

pub async fn three_d_secure(payer: Payer) {
    let retries = json!({ "is_manual_retry_enabled": true });
    payer.shop.sets_up(retries).await.ok();
    let payment = payer.is_sent_a_link(json!({})).await;
    payer.opens(&payment).await;
    for (choice, heading) in [("Reject", "Pay $65.40"), ("Approve", "Thank you")] {
        payer.fills_in(THREE_DS).await;
        payer.presses(BUTTON).await;
        payer.sees(".choice").await;
        // A visit in between shows the step that is missing.
        payer.opens(&payment).await;
        payer.reads("One step is missing").await;
        payer.presses("a.button").await;
        payer.sees(".choice").await;
        let button = format!(
            "return [...document.querySelectorAll('button')].find((b) => b.textContent === '{choice}').click()"
        );
        payer.asks(&button).await;
        payer.reads(heading).await;
    }
    payer.heard_no_complaint().await;
    assert_eq!(
        payer.shop.retrieves(&payment).await.ok()["status"],
        "succeeded"
    );
}

/// The processor asks for device data. The page has none, so the processor asks the payer instead.
pub async fn without_data_of_the_device(payer: Payer) {
    let payment = payer.is_sent_a_link(json!({})).await;
    payer.opens(&payment).await;
    payer.fills_in(DEVICE_DATA).await;
    payer.presses(BUTTON).await;
    payer.sees(".choice").await;
    let asked = payer.shop.retrieves(&payment).await.ok();
    assert_eq!(asked["status"], "requires_customer_action");
    assert_eq!(asked["next_action"]["type"], "redirect_to_url");
    payer
        .asks("return [...document.querySelectorAll('button')].find((b) => b.textContent === 'Approve').click()")
        .await;
    payer.reads("Thank you").await;
    payer.heard_no_complaint().await;
    assert_eq!(
        payer.shop.retrieves(&payment).await.ok()["status"],
        "succeeded"
    );

    // The first call to the processor fails: the payment is unchanged, and the page tries again.
    let payment = payer.is_sent_a_link(json!({})).await;
    let confirmed = payer.shop.confirms(&payment, card(DEVICE_DATA)).await.ok();
    assert_eq!(confirmed["next_action"]["type"], "three_ds_invoke");
    payer
        .shop
        .next_call_meets(Call::CompleteAuthorization, Fault::Throttles);
    payer.opens(&payment).await;
    payer.sees(".choice").await;
    payer.heard_no_complaint().await;
}

pub async fn expired(payer: Payer) {
    let payment = payer.is_sent_a_link(json!({})).await;
    payer.opens(&payment).await;
    payer.fills_in(APPROVED).await;
    payer.shop.time_passes(901).await;
    payer.presses(BUTTON).await;
    payer.reads("This link has expired").await;
    let untouched = payer.shop.retrieves(&payment).await.ok();
    assert_eq!(untouched["status"], "requires_payment_method");
}

pub async fn still_processing(payer: Payer) {
    let payment = payer.is_sent_a_link(json!({})).await;
    payer.opens(&payment).await;
    payer.fills_in(PENDING).await;
    payer.presses(BUTTON).await;
    payer.reads("Your payment is being processed").await;
    payer.shop.asks_about(&payment).await.ok();
    // The page polls without the payer.
    payer.reads("Thank you").await;
    payer.heard_no_complaint().await;
}

pub async fn without_a_network_no_payment_is_made_twice(payer: Payer) {
    let payment = payer.is_sent_a_link(json!({})).await;
    payer.opens(&payment).await;
    payer.fills_in(APPROVED).await;
    let network = |offline| json!({ "offline": offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1 });
    payer.tool("Network.enable", json!({})).await;
    payer
        .tool("Network.emulateNetworkConditions", network(true))
        .await;
    payer.presses(BUTTON).await;
    payer.sees_text("#trouble", "you will not pay twice").await;
    payer
        .tool("Network.emulateNetworkConditions", network(false))
        .await;
    // A double click makes one payment.
    payer
        .asks(
            "const button = document.querySelector('#card button'); button.click(); button.click()",
        )
        .await;
    payer.reads("Thank you").await;
    assert_eq!(
        payer.shop.retrieves(&payment).await.ok()["attempt_count"],
        1
    );
    assert_eq!(payer.shop.money().captured, 6540);
}

pub async fn by_keyboard_alone(payer: Payer) {
    let payment = payer.is_sent_a_link(json!({})).await;
    payer.opens(&payment).await;
    const TAB: &str = "\u{e004}";
    const ENTER: &str = "\u{e007}";
    let mut seen = Vec::new();
    payer
        .sees("body")
        .await
        .send_keys(TAB)
        .await
        .expect("a page");
    // The card is chosen already.
    for text in ["", APPROVED, EXPIRY, CODE, "Ada Okafor"] {
        let focused = payer.browser.active_element().await.expect("a focus");
        let ring = "const style = getComputedStyle(document.activeElement);
            return [document.activeElement.id || document.activeElement.value, style.outlineStyle, style.outlineWidth]";
        seen.push(payer.asks(ring).await);
        focused
            .send_keys(&format!("{text}{TAB}"))
            .await
            .expect("a field");
    }
    assert_eq!(
        json!(seen),
        json!([
            ["card", "solid", "3px"],
            ["number", "solid", "3px"],
            ["expiry", "solid", "3px"],
            ["code", "solid", "3px"],
            ["holder", "solid", "3px"],
        ])
    );
    let focused = payer.browser.active_element().await.expect("a focus");
    assert_eq!(focused.tag_name().await.expect("an element"), "button");
    focused.send_keys(ENTER).await.expect("a button");
    payer.reads("Thank you").await;
    payer.heard_no_complaint().await;
}
