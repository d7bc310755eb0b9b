//! Links to a hosted page, as merchants request them and as HTTP clients see the page. `tests/browser` plays the
//! payer in a real browser.

mod addresses;
mod config;
mod states;

use multirail_conformance::bodies::{order, with};
use multirail_conformance::{Response, Shop};
use reqwest::{Method, Url};
use serde_json::{Value, json};

/// Creates a payment with a page.
async fn linked(shop: &Shop, more: Value) -> Value {
    let body = with(order(), json!({ "payment_link": true }));
    shop.creates(with(body, more)).await.ok()
}

fn link_of(payment: &Value) -> &str {
    let link = payment["payment_link"]["link"].as_str();
    link.expect("a page to go to")
}

/// Returns the path of the payment's page.
fn path_of(payment: &Value) -> String {
    let link = Url::parse(link_of(payment)).expect("an address");
    link.path().to_owned()
}

async fn visited(shop: &Shop, payment: &Value) -> Response {
    let visit = shop.wire.request(Method::GET, &path_of(payment));
    visit.unjudged().await
}

/// Returns the page's HTML.
async fn page(shop: &Shop, payment: &Value) -> String {
    let answer = visited(shop, payment).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    let html = answer.body.as_str().expect("a page");
    html.to_owned()
}

fn title(page: &str) -> &str {
    let rest = page.split("<h1>").nth(1).expect("a heading");
    rest.split("</h1>").next().expect("its end")
}
