//! 3-D Secure by redirect, as a payer's browser sees it.

use std::collections::BTreeMap;

use hmac::{Hmac, Mac};
use multirail_conformance::bodies::{THREE_DS, order_with, with};
use multirail_conformance::evidence::evidence_of_what_is_set;
use multirail_conformance::shop::id;
use multirail_conformance::{Browser, Shop};
use reqwest::Method;
use serde_json::{Value, json};
use sha2::Sha512;

use super::{attempt_status, standing};

const RETURN_URL: &str = "https://shop.example/thanks?basket=17";

async fn asked(shop: &Shop, more: Value) -> Value {
    let body = with(
        order_with(THREE_DS),
        json!({ "confirm": true, "return_url": RETURN_URL }),
    );
    let payment = shop.creates(with(body, more)).await.ok();
    assert_eq!(standing(&payment), ("requires_customer_action", 0, 0));
    payment
}

fn start(payment: &Value) -> &str {
    payment["next_action"]["redirect_to_url"]
        .as_str()
        .expect("a page to go to")
}

#[tokio::test]
async fn the_payer_approves() {
    let shop = Shop::open().await;
    let payment = asked(&shop, json!({ "authentication_type": "three_ds" })).await;
    assert_eq!(
        attempt_status(&shop, &payment).await,
        "authentication_pending"
    );
    assert_eq!(payment["manual_retry_allowed"], json!(null));
    insta::assert_snapshot!(
        serde_json::to_string_pretty(&evidence_of_what_is_set(&payment["next_action"]))
            .expect("JSON")
    );

    let browser = Browser::new(&shop.wire);
    let page = browser
        .opens(start(&payment))
        .await
        .expect("the processor's page");
    assert_eq!(page.status, 200);
    assert!(page.html.contains("65.40 USD"), "{}", page.html);
    let end = browser
        .presses(&page, "Approve")
        .await
        .expect("the way back");

    assert!(
        end.url
            .as_str()
            .starts_with("https://shop.example/thanks?basket=17&"),
        "{}",
        end.url
    );
    let pairs: BTreeMap<String, String> = end.query().into_iter().collect();
    assert_eq!(pairs["status"], "succeeded");
    assert_eq!(
        pairs["payment_id"],
        multirail_conformance::shop::id(&payment)
    );
    assert_eq!(
        pairs["payment_intent_client_secret"],
        payment["client_secret"].as_str().expect("a secret")
    );
    assert_eq!(pairs["amount"], "6540");
    assert_eq!(pairs["manual_retry_allowed"], "false");
    assert_eq!(pairs["signature_algorithm"], "HMAC-SHA512");

    let paid = shop.retrieves(&payment).await.ok();
    assert_eq!(standing(&paid), ("succeeded", 0, 6540));
    assert_eq!(shop.money().captured, 6540);
}

#[tokio::test]
async fn the_pairs_are_signed_with_the_profiles_key() {
    let shop = Shop::open().await;
    shop.sets_up(json!({ "payment_response_hash_key": "a-key-that-the-shop-knows" }))
        .await
        .ok();
    let payment = asked(&shop, json!({})).await;
    let browser = Browser::new(&shop.wire);
    let page = browser
        .opens(start(&payment))
        .await
        .expect("the processor's page");
    let end = browser
        .presses(&page, "Approve")
        .await
        .expect("the way back");
    let signature = end.query_value("signature").expect("a signature");
    let ours = ["basket", "signature", "signature_algorithm"];
    let mut signed: Vec<String> = end
        .query()
        .into_iter()
        .filter(|(name, _)| !ours.contains(&name.as_str()))
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    signed.sort();
    let mut mac = Hmac::<Sha512>::new_from_slice(b"a-key-that-the-shop-knows").expect("any length");
    mac.update(signed.join("&").as_bytes());
    assert_eq!(signature, hex::encode(mac.finalize().into_bytes()));
}

#[tokio::test]
async fn a_profile_may_do_without_signatures() {
    let shop = Shop::open().await;
    shop.sets_up(json!({ "enable_payment_response_hash": false }))
        .await
        .ok();
    let payment = asked(&shop, json!({})).await;
    let browser = Browser::new(&shop.wire);
    let page = browser
        .opens(start(&payment))
        .await
        .expect("the processor's page");
    let end = browser
        .presses(&page, "Approve")
        .await
        .expect("the way back");
    assert_eq!(end.query_value("signature"), None);
    assert_eq!(end.query_value("status").as_deref(), Some("succeeded"));
}

#[tokio::test]
async fn a_profile_may_want_the_pairs_by_form() {
    let shop = Shop::open().await;
    shop.sets_up(json!({ "redirect_to_merchant_with_http_post": true }))
        .await
        .ok();
    let payment = asked(&shop, json!({})).await;
    let browser = Browser::new(&shop.wire);
    let page = browser
        .opens(start(&payment))
        .await
        .expect("the processor's page");
    let end = browser
        .presses(&page, "Approve")
        .await
        .expect("a page with a form");
    assert_eq!(end.status, 200);
    let form = end.forms().into_iter().next().expect("a form");
    assert_eq!(form.action.as_str(), RETURN_URL);
    let names: Vec<&str> = form.inputs.iter().map(|(name, _)| name.as_str()).collect();
    assert!(
        names.contains(&"status") && names.contains(&"signature"),
        "{names:?}"
    );
    assert!(!names.contains(&"amount"), "{names:?}");
}

#[tokio::test]
async fn the_payer_rejects() {
    let shop = Shop::open().await;
    let payment = asked(&shop, json!({})).await;
    let browser = Browser::new(&shop.wire);
    let page = browser
        .opens(start(&payment))
        .await
        .expect("the processor's page");
    let end = browser
        .presses(&page, "Reject")
        .await
        .expect("the way back");
    assert_eq!(end.query_value("status").as_deref(), Some("failed"));
    let failed = shop.retrieves(&payment).await.ok();
    assert_eq!(standing(&failed), ("failed", 0, 0));
    // The profile's setting is a condition of its own, as in the answer.
    assert_eq!(failed["manual_retry_allowed"], true);
    assert_eq!(
        end.query_value("manual_retry_allowed").as_deref(),
        Some("true")
    );
    assert_eq!(
        attempt_status(&shop, &payment).await,
        "authentication_failed"
    );
    assert_eq!(shop.money().authorized, 0);
}

#[tokio::test]
async fn capture_waits_for_the_merchant_all_the_same() {
    let shop = Shop::open().await;
    let payment = asked(&shop, json!({ "capture_method": "manual" })).await;
    let browser = Browser::new(&shop.wire);
    let page = browser
        .opens(start(&payment))
        .await
        .expect("the processor's page");
    let end = browser
        .presses(&page, "Approve")
        .await
        .expect("the way back");
    assert_eq!(
        end.query_value("status").as_deref(),
        Some("requires_capture")
    );
    assert_eq!(
        standing(&shop.captures(&payment, json!({})).await.ok()),
        ("succeeded", 0, 6540)
    );
}

#[tokio::test]
async fn deciding_twice_changes_nothing() {
    let shop = Shop::open().await;
    let payment = asked(&shop, json!({})).await;
    let browser = Browser::new(&shop.wire);
    let page = browser
        .opens(start(&payment))
        .await
        .expect("the processor's page");
    browser
        .presses(&page, "Approve")
        .await
        .expect("the way back");
    let again = browser
        .presses(&page, "Reject")
        .await
        .expect("the way back again");
    assert_eq!(
        again.query_value("status").as_deref(),
        Some("succeeded"),
        "the first word counts"
    );
    let reopened = browser.opens(start(&payment)).await.expect("a page");
    assert!(
        matches!(reopened.status, 0 | 410),
        "nothing to do there any more: {reopened:?}"
    );
    assert_eq!(shop.money().captured, 6540);
}

#[tokio::test]
async fn a_payer_who_closes_the_page_is_found_by_asking() {
    let shop = Shop::open().await;
    let payment = asked(&shop, json!({})).await;
    let browser = Browser::new(&shop.wire);
    browser
        .opens(start(&payment))
        .await
        .expect("the processor's page");
    assert_eq!(
        shop.asks_about(&payment).await.ok()["status"],
        "requires_customer_action"
    );
    let token_page = browser
        .opens(start(&payment))
        .await
        .expect("the page is still there");
    let form = token_page
        .forms()
        .into_iter()
        .find(|form| form.button == "Approve")
        .expect("a button");
    // The payer approves at the processor, but the browser never comes back.
    let alone = reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
        .build();
    alone
        .expect("a client")
        .post(form.action)
        .send()
        .await
        .expect("the processor heard it");
    assert_eq!(
        shop.retrieves(&payment).await.ok()["status"],
        "requires_customer_action"
    );
    assert_eq!(
        standing(&shop.asks_about(&payment).await.ok()),
        ("succeeded", 0, 6540)
    );
}

#[tokio::test]
async fn an_approval_after_the_cancel_takes_no_money() {
    let shop = Shop::open().await;
    let payment = asked(&shop, json!({})).await;
    let browser = Browser::new(&shop.wire);
    let page = browser
        .opens(start(&payment))
        .await
        .expect("the processor's page");
    shop.cancels(&payment, json!({})).await.ok();
    let end = browser.presses(&page, "Approve").await.expect("some page");
    assert_ne!(end.query_value("status").as_deref(), Some("succeeded"));
    assert_eq!(shop.retrieves(&payment).await.ok()["status"], "cancelled");
    let books = shop.money();
    assert_eq!(books.captured - books.reversed, 0);
}

#[tokio::test]
async fn without_an_address_the_outcome_is_shown() {
    let shop = Shop::open().await;
    let named = json!({ "merchant_name": "Books <& more>" });
    shop.operator("merchant_accounts_update")
        .at("account_id", &shop.merchant_id)
        .json(&named)
        .await
        .ok();
    let browser = Browser::new(&shop.wire);
    for (button, title) in [
        ("Approve", "Thank you"),
        ("Reject", "The payment did not go through"),
    ] {
        let at_once = json!({ "confirm": true });
        let payment = shop.creates(with(order_with(THREE_DS), at_once)).await.ok();
        let page = browser
            .opens(start(&payment))
            .await
            .expect("the processor's page");
        let end = browser.presses(&page, button).await.expect("a last page");
        let reopened = browser.opens(start(&payment)).await.expect("a page");
        assert_eq!((end.status, reopened.status), (200, 410));
        for html in [end.html, reopened.html] {
            assert!(html.contains(&format!("<h1>{title}</h1>")), "{html}");
            assert!(html.contains("65.40 USD"), "{html}");
            assert!(html.contains("Books &lt;&amp; more&gt;"), "{html}");
            assert!(!html.contains(id(&payment)), "{html}");
        }
    }
}

#[tokio::test]
async fn a_payment_that_was_cancelled_says_so() {
    let shop = Shop::open().await;
    let payment = asked(&shop, json!({})).await;
    shop.cancels(&payment, json!({})).await.ok();
    let browser = Browser::new(&shop.wire);
    let page = browser.opens(start(&payment)).await.expect("a page");
    assert_eq!(page.status, 410);
    let title = "<h1>The payment was cancelled</h1>";
    assert!(page.html.contains(title), "{}", page.html);
}

#[tokio::test]
async fn pages_run_and_load_nothing() {
    let shop = Shop::open().await;
    let payment = asked(&shop, json!({})).await;
    let start = start(&payment).trim_start_matches(shop.url()).to_owned();
    let opens = || shop.wire.request(Method::GET, &start).unjudged();
    let on = opens().await;
    let processors = on.header("location").expect("the way on").to_owned();
    let processors = processors.trim_start_matches(shop.url());
    let processors = shop.wire.request(Method::GET, processors).unjudged().await;
    shop.cancels(&payment, json!({})).await.ok();
    let over = opens().await;
    assert_eq!((on.status, processors.status, over.status), (302, 200, 410));
    for page in [on, processors, over] {
        let header = |name: &str| page.header(name).unwrap_or_default().to_owned();
        let policy = header("content-security-policy");
        assert!(
            policy.starts_with("default-src 'none'; style-src 'sha256-"),
            "{policy}"
        );
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(header("cache-control"), "no-store");
        assert_eq!(header("referrer-policy"), "no-referrer");
        assert_eq!(header("x-content-type-options"), "nosniff");
        let html = page.body.as_str().expect("a page").to_owned();
        assert!(html.contains("width=device-width"), "{html}");
        assert!(!html.contains("<script"), "{html}");
    }
}

#[tokio::test]
async fn the_profiles_address_is_used_where_the_payment_has_none() {
    let shop = Shop::open().await;
    shop.sets_up(json!({ "return_url": "https://shop.example/profile" }))
        .await
        .ok();
    let payment = shop
        .creates(with(order_with(THREE_DS), json!({ "confirm": true })))
        .await
        .ok();
    let browser = Browser::new(&shop.wire);
    let page = browser
        .opens(start(&payment))
        .await
        .expect("the processor's page");
    let end = browser
        .presses(&page, "Approve")
        .await
        .expect("the way back");
    assert!(
        end.url
            .as_str()
            .starts_with("https://shop.example/profile?"),
        "{}",
        end.url
    );
}

/// A form can't be posted to an app, so an app gets a link, whatever the profile says.
#[tokio::test]
async fn an_apps_own_scheme_is_used_where_the_profile_allows_it() {
    let shop = Shop::open().await;
    let address = "com.example.shop://paid?basket=17";
    let into_the_app = json!({ "return_url": address });
    let refused = shop.creates(with(order_with(THREE_DS), into_the_app.clone()));
    let message = refused.await.refused(422, "IR_05");
    assert!(message.contains("return_url_schemes"), "{message}");
    shop.sets_up(into_the_app.clone())
        .await
        .refused(422, "IR_05");
    for scheme in ["javascript", "https", "Com.Example", "shop://", ""] {
        shop.sets_up(json!({ "return_url_schemes": [scheme] }))
            .await
            .refused(422, "IR_05");
    }
    let allowed = json!({
        "return_url_schemes": ["com.example.shop"], "redirect_to_merchant_with_http_post": true,
    });
    let profile = shop.sets_up(allowed).await.ok();
    assert_eq!(profile["return_url_schemes"], json!(["com.example.shop"]));
    for other in ["com.example.other://paid", "javascript://%0aalert(1)"] {
        let more = json!({ "return_url": other });
        shop.creates(with(order_with(THREE_DS), more))
            .await
            .refused(422, "IR_05");
    }
    let waiting = shop.creates(order_with(THREE_DS)).await.ok();
    let waiting = shop.updates(&waiting, into_the_app.clone()).await.ok();
    assert_eq!(waiting["return_url"], address);

    let payment = asked(&shop, into_the_app).await;
    let browser = Browser::new(&shop.wire);
    let page = browser
        .opens(start(&payment))
        .await
        .expect("the processor's page");
    let end = browser
        .presses(&page, "Approve")
        .await
        .expect("the way back");
    let end = end.url.as_str();
    assert!(
        end.starts_with("com.example.shop://paid?basket=17&status=succeeded&"),
        "{end}"
    );

    shop.sets_up(json!({ "return_url_schemes": [] })).await.ok();
    shop.updates(&waiting, json!({ "return_url": address }))
        .await
        .refused(422, "IR_05");
}

#[tokio::test]
async fn links_are_not_built_from_the_host_header() {
    let shop = Shop::open().await;
    let payment = shop.creates(order_with(THREE_DS)).await.ok();
    let asked = shop
        .confirms(&payment, json!({}))
        .header("host", "evil.example")
        .await
        .ok();
    assert!(start(&asked).starts_with(shop.url()), "{}", start(&asked));
}
