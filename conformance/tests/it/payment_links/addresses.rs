//! Access to the page, and the headers that it comes with.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, card, order, with};
use multirail_conformance::shop::id;
use reqwest::Method;
use serde_json::{Value, json};

use super::{link_of, linked, page, path_of, title, visited};

#[tokio::test]
async fn a_payment_is_answered_with_its_link() {
    let shop = Shop::open().await;
    let payment = linked(&shop, json!({})).await;
    let link = &payment["payment_link"];
    let address = link["link"].as_str().expect("an address");
    let start = format!(
        "{}/payment_link/bookshop/{}/visit_",
        shop.server.url(),
        id(&payment)
    );
    let token = address.strip_prefix(&start).expect("an address of ours");
    assert_eq!(token.len(), 32);
    assert_eq!(link["secure_link"], json!(null));
    let link_id = link["payment_link_id"].as_str().expect("an id");
    assert_eq!((&link_id[..6], link_id.len()), ("plink_", 26));

    assert_eq!(shop.retrieves(&payment).await.ok()["payment_link"], *link);
    let listed = shop.call("payments_list").await.ok();
    assert_eq!(listed["data"][0]["payment_link"], *link);
    let paid = shop.confirms(&payment, card(APPROVED)).await.ok();
    assert_eq!(paid["payment_link"], *link);
    let plain = shop.creates(order()).await.ok();
    assert_eq!(plain["payment_link"], json!(null));
}

#[tokio::test]
async fn guessed_addresses_lead_nowhere() {
    let shop = Shop::open().await;
    let payment = linked(&shop, json!({})).await;
    let other = linked(&shop, json!({})).await;
    let plain = shop.creates(order()).await.ok();
    let path = path_of(&payment);
    let (start, token) = path.rsplit_once('/').expect("segments");
    let other_path = path_of(&other);
    let (_, other_token) = other_path.rsplit_once('/').expect("segments");
    let nothing = shop.wire.request(Method::GET, "/nothing/at/all");
    let nothing = nothing.unjudged().await;
    for guess in [
        format!("/payment_link/bookshop/{}", id(&payment)),
        format!("/payment_link/bookshop/{}/", id(&payment)),
        format!("{start}/visit_{}", "0".repeat(32)),
        format!("{start}/{other_token}"),
        format!("{start}/{token}x"),
        format!("{start}/{}", &token[..token.len() - 1]),
        format!("{start}/{}", token.trim_start_matches("visit_")),
        format!("{path}/"),
        format!("{path}/more"),
        format!("/payment_link/florist/{}/{token}", id(&payment)),
        format!("/payment_link/bookshop/{}/{token}", id(&plain)),
        format!("/payment_link/bookshop/pay_of_nobody/{token}"),
        format!("/payment_link/a b/{}/{token}", id(&payment)),
    ] {
        let answer = shop.wire.request(Method::GET, &guess).unjudged().await;
        assert_eq!(answer.status, 404, "{guess}: {}", answer.body);
        assert_eq!(answer.body, nothing.body, "{guess}");
    }
    // A person gets a page, which reveals no more.
    let mut pages = Vec::new();
    for guess in [
        format!("{start}/{other_token}"),
        format!("/payment_link/bookshop/pay_of_nobody/{token}"),
        format!("/invoice/bookshop/inv_of_nobody/{token}"),
        format!("/payments/redirect/pay_of_nobody/bookshop/pay_of_nobody_1/{token}"),
    ] {
        let asked = shop.wire.request(Method::GET, &guess);
        let asked = asked.header("accept", "text/html,*/*;q=0.8").unjudged();
        let answer = asked.await;
        assert_eq!(answer.status, 404, "{guess}: {}", answer.body);
        let html = answer.body.as_str().expect("HTML").to_owned();
        assert_eq!(title(&html), "This page does not exist");
        pages.push(html);
    }
    pages.dedup();
    assert_eq!(pages.len(), 1);
    let posted = shop.wire.request(Method::POST, &path).unjudged().await;
    assert_eq!(posted.status, 404, "{}", posted.body);
    assert_eq!(title(&page(&shop, &payment).await), "Pay $65.40");
}

#[tokio::test]
async fn a_link_can_be_given_later_and_taken_away() {
    let shop = Shop::open().await;
    let plain = shop.creates(order()).await.ok();
    let linked = shop.updates(&plain, json!({ "payment_link": true }));
    let linked = linked.await.ok();
    assert_eq!(title(&page(&shop, &linked).await), "Pay $65.40");
    let again = shop.updates(&linked, json!({ "description": "Two books" }));
    assert_eq!(again.await.ok()["payment_link"], linked["payment_link"]);
    let without = shop.updates(&linked, json!({ "payment_link": false }));
    assert_eq!(without.await.ok()["payment_link"], json!(null));
    assert_eq!(visited(&shop, &linked).await.status, 404);
}

#[tokio::test]
async fn a_payers_client_makes_no_links() {
    let shop = Shop::open().await;
    let payment = shop.creates(order()).await.ok();
    let payer = shop.payer_of(&payment);
    for member in [
        json!({ "payment_link": true }),
        json!({ "payment_link_config": { "seller_name": "Another shop" } }),
    ] {
        payer.updates(member).await.refused(422, "IR_06");
    }
}

#[tokio::test]
async fn the_page_is_for_one_browser_alone() {
    let shop = Shop::open().await;
    let payment = linked(&shop, json!({})).await;
    let first = visited(&shop, &payment).await;
    let header = |name| first.header(name).unwrap_or_default().to_owned();
    let policy = header("content-security-policy");
    let nonce = policy.split("'nonce-").nth(1).expect("a nonce");
    let nonce = nonce.split('\'').next().expect("its end");
    insta::assert_snapshot!(
        [
            header("content-type"),
            header("cache-control"),
            header("referrer-policy"),
            header("x-content-type-options"),
            policy.replace(nonce, "<nonce>"),
        ]
        .join("\n"),
        @"
    text/html; charset=utf-8
    no-store
    no-referrer
    nosniff
    default-src 'none'; script-src 'nonce-<nonce>'; style-src 'nonce-<nonce>'; img-src 'none'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'
    "
    );
    let html = first.body.as_str().expect("a page");
    assert_eq!(html.matches(nonce).count(), 2, "style and script");
    let again = visited(&shop, &payment).await;
    let other = again.header("content-security-policy").expect("a policy");
    assert!(!other.contains(nonce), "a nonce is used once");
}

#[tokio::test]
async fn the_data_on_the_page_pays() {
    let shop = Shop::open().await;
    let payment = linked(&shop, json!({})).await;
    let html = page(&shop, &payment).await;
    let held = |name: &str| {
        let rest = html.split(&format!("data-{name}=\"")).nth(1);
        let rest = rest.and_then(|rest| rest.split('"').next());
        rest.expect("what the script needs").to_owned()
    };
    assert_eq!(held("id"), id(&payment));
    assert_eq!(held("secret"), payment["client_secret"]);
    let body = with(card(APPROVED), json!({ "client_secret": held("secret") }));
    let confirm = shop.call("payments_confirm").at("payment_id", &held("id"));
    let paid = confirm.key(&held("key")).json(&body).await.ok();
    assert_eq!(paid["status"], "succeeded");
    assert_eq!(title(&page(&shop, &payment).await), "Thank you");
}

#[tokio::test]
async fn the_page_speaks_the_browsers_language() {
    let shop = Shop::open().await;
    let payment = linked(&shop, json!({})).await;
    let mut titles = Vec::new();
    for language in ["en-GB", "de-AT,en;q=0.5", "fr", "es-MX", "ja", "sw"] {
        let visit = shop.wire.request(Method::GET, &path_of(&payment));
        let answer = visit.header("accept-language", language).unjudged().await;
        let html = answer.body.as_str().expect("a page").to_owned();
        titles.push(format!("{language}: {}", title(&html)));
    }
    insta::assert_snapshot!(titles.join("\n").replace('\u{a0}', "_"), @"
    en-GB: Pay $65.40
    de-AT,en;q=0.5: 65,40_$ bezahlen
    fr: Payer 65,40_$US
    es-MX: Pagar 65,40_US$
    ja: $65.40 のお支払い
    sw: Pay $65.40
    ");
}

#[tokio::test]
async fn links_are_no_secret_to_the_merchant_alone() {
    let shop = Shop::open().await;
    let payment: Value = linked(&shop, json!({})).await;
    let seen = shop.payer_of(&payment).retrieves().await.ok();
    assert_eq!(seen["payment_link"]["link"], link_of(&payment));
}
