//! Pages and messages that get nothing from the embedded checkout.

use multirail_conformance::bodies::APPROVED;
use multirail_conformance::patience::until;
use serde_json::json;

use super::checkout_shop::ShopPage;
use super::payer::Payer;

/// Waits until the element on the shop's page has told this error.
async fn is_told(payer: &Payer, code: &str) {
    until(
        format!("the error {code}"),
        async || payer.asks("return window.failures ?? []").await,
        |told| {
            told.as_array()
                .is_some_and(|codes| codes.contains(&json!(code)))
        },
    )
    .await;
}

/// Mounts one more element of the same checkout, whose errors the page collects.
async fn mounts(payer: &Payer, page: &ShopPage, profile: &str) {
    let options = json!({ "profile": profile });
    let secret = &page.payment["client_secret"];
    let key = json!(payer.shop.publishable_key);
    let script = format!(
        "window.failures = [];
         const place = Object.assign(document.createElement('div'), {{ id: 'other' }});
         document.body.append(place);
         const element = Multirail({key}, {options}).elements({{ clientSecret: {secret} }}).create('payment');
         element.on('loaderror', (event) => failures.push(event.error.code));
         element.mount('#other')"
    );
    payer.asks(&script).await;
}

pub async fn a_page_that_is_not_listed_embeds_nothing(payer: Payer) {
    let elsewhere = json!({ "checkout_origins": ["https://elsewhere.example"] });
    payer.shop.sets_up(elsewhere).await.ok();
    let page = ShopPage::opens(&payer, json!({})).await;
    mounts(&payer, &page, &payer.shop.profile_id).await;
    is_told(&payer, "frame_unreachable").await;
    let told = payer.console().await.concat();
    assert!(told.contains("frame-ancestors"), "{told}");

    // The same page is listed now.
    let here = json!({ "checkout_origins": [page.origin()] });
    payer.shop.sets_up(here).await.ok();
    page.is_opened(&payer).await;
    payer.goes_into_the_frame().await;
    payer.field("Card number").await;
    payer.goes_out_of_the_frame().await;
    payer.heard_no_complaint().await;
}

pub async fn a_payment_of_another_profile_does_not_open(payer: Payer) {
    let other = payer.shop.second_profile().await;
    let page = ShopPage::opens(&payer, json!({ "profile_id": other })).await;
    mounts(&payer, &page, &payer.shop.profile_id).await;
    is_told(&payer, "other_profile").await;
    payer.goes_into_the_frame().await;
    payer.sees_text("body", "It belongs to another shop").await;
    let fields = payer
        .asks("return document.querySelectorAll('input').length")
        .await;
    assert_eq!(fields, 0);
    let text = payer.asks("return document.body.innerText").await;
    assert!(!text.as_str().expect("a text").contains("65.40"), "{text}");
    payer.goes_out_of_the_frame().await;
}

/// Messages of every wrong sender and shape, to the frame and to the page.
const FORGED: &str = r"
const [secret] = arguments;
const frame = document.querySelector('#payment iframe').contentWindow;
const { port1, port2 } = new MessageChannel();
window.leaked = [];
port1.onmessage = ({ data }) => leaked.push(data);
const connect = { multirail: 1, type: 'connect', surface: 'payment', clientSecret: secret };
frame.postMessage(connect, '*', [port2]);
for (const data of [
  { multirail: 1, type: 'hello' },
  { id: 1, type: 'confirm', clientSecret: secret, redirect: 'if_required' },
  { id: 1, ok: true, value: { payment: { payment_id: 'pay_forged', status: 'succeeded' } } },
  { type: 'redirect', url: 'https://evil.example' },
  null, 7, 'hello', [], { multirail: 2, type: 'connect' },
]) {
  frame.postMessage(data, '*');
  window.postMessage(data, '*');
}
port1.postMessage({ id: 1, type: 'confirm', clientSecret: secret, redirect: 'if_required' });
port1.postMessage({ id: 2, type: 'retrieve', clientSecret: secret });
";

pub async fn forged_messages_do_nothing(payer: Payer) {
    let page = ShopPage::opens(&payer, json!({})).await;
    payer.goes_into_the_frame().await;
    payer.fills_in_the_frame(APPROVED).await;
    payer.goes_out_of_the_frame().await;
    let secret = page.payment["client_secret"].clone();
    let forged = payer.browser.execute(FORGED, vec![secret.clone()]).await;
    forged.expect("messages");
    // A read by the page takes longer than the frame needs to look at all of them.
    let reads = format!(
        "const [secret, done] = arguments;
         Multirail({}, {{ profile: {} }}).retrievePayment(secret).then(({{ payment }}) => done([payment.status, leaked]))",
        json!(payer.shop.publishable_key),
        json!(payer.shop.profile_id)
    );
    let read = payer.browser.execute_async(&reads, vec![secret]).await;
    let read = read.expect("the payment");
    assert_eq!(read, json!(["requires_payment_method", []]));
    let untouched = payer.is(&page.payment, "requires_payment_method").await;
    assert_eq!(untouched["attempt_count"], 1);
    payer.pays_at_the_shop().await;
    payer.reads("Thank you").await;
    let paid = payer.has_paid_once(&page.payment).await;
    assert_eq!(paid["attempt_count"], 1);
}
