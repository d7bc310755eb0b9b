//! The printable page of an invoice.

use multirail_conformance::Shop;
use reqwest::Method;
use serde_json::{Value, json};

use super::{invoice_becomes, invoices, offers, on, subscribed};
use crate::billing::makes;

fn path_of(shop: &Shop, invoice: &Value) -> String {
    let address = invoice["invoice_link"].as_str().expect("an address");
    let path = address.strip_prefix(shop.server.url());
    path.expect("an address of ours").to_owned()
}

#[tokio::test]
async fn anybody_with_the_address_can_print_it() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let subscription = subscribed(&shop, "reader_monthly").await;
    let invoice = invoices(&shop, &subscription).await.remove(0);
    let path = path_of(&shop, &invoice);
    let id = invoice["id"].as_str().expect("an id");
    let read = on(&shop, "subscriptions_retrieve_invoice", &subscription).at("invoice_id", id);
    assert_eq!(read.await.ok()["invoice_link"], invoice["invoice_link"]);

    let german = shop.wire.request(Method::GET, &path);
    let page = german.header("accept-language", "de").unjudged().await;
    assert_eq!(page.status, 200, "{}", page.body);
    let policy = page.headers["content-security-policy"]
        .to_str()
        .expect("text");
    assert!(
        policy.starts_with("default-src 'none'; style-src 'sha256-"),
        "{policy}"
    );
    assert!(!policy.contains("script"), "{policy}");
    let html = page.body.as_str().expect("a page");
    for part in ["<html lang=\"de\">", "Rechnung", "Bezahlt", id] {
        assert!(html.contains(part), "{part}: {html}");
    }
    assert!(!html.contains("<script"), "{html}");

    let (start, token) = path.rsplit_once('/').expect("segments");
    for guess in [
        start.to_owned(),
        format!("{start}/visit_{}", "0".repeat(32)),
        format!("{start}/{token}x"),
        format!("{path}/more"),
        format!("/invoice/florist/{id}/{token}"),
        format!("/invoice/bookshop/invoice_of_nobody/{token}"),
    ] {
        let answer = shop.wire.request(Method::GET, &guess).unjudged().await;
        assert_eq!(answer.status, 404, "{guess}: {}", answer.body);
    }
    let posted = shop.wire.request(Method::POST, &path).unjudged().await;
    assert_eq!(posted.status, 404, "{}", posted.body);
}

/// After a change to a price with another time zone, earlier invoices stay unchanged.
#[tokio::test]
async fn an_issued_invoice_does_not_change() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let far = json!({ "item_id": "reader", "amount": 990, "interval": "month", "taxes": null,
        "time_zone": "Pacific/Kiritimati" });
    makes(&shop, "item_price_id", "reader_far", far).await.ok();
    let subscription = subscribed(&shop, "reader_monthly").await;
    let first = invoices(&shop, &subscription).await.remove(0);
    let page = async |invoice: &Value| {
        let visit = shop.wire.request(Method::GET, &path_of(&shop, invoice));
        let page = visit.unjudged().await;
        page.body.as_str().expect("a page").to_owned()
    };
    let before = page(&first).await;
    assert!(before.contains("<dd>UTC</dd>"), "{before}");
    let far = json!({ "plan_id": "reader", "item_price_id": "reader_far" });
    on(&shop, "subscriptions_update", &subscription)
        .json(&far)
        .await
        .ok();
    invoice_becomes(&shop, &subscription, 2, "invoice_paid").await;
    let second = invoices(&shop, &subscription).await.remove(1);
    assert_eq!(page(&first).await, before);
    let other = page(&second).await;
    assert!(other.contains("<dd>Pacific/Kiritimati</dd>"), "{other}");
}

/// The page names the billed customer until they are redacted.
#[tokio::test]
async fn it_says_whom_it_bills() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let subscription = subscribed(&shop, "reader_monthly").await;
    let invoice = invoices(&shop, &subscription).await.remove(0);
    assert_eq!(invoice["lines"][0]["item_id"], "reader");
    assert_eq!(invoice["lines"][0]["item_type"], "plan");
    let page = async || {
        let visit = shop.wire.request(Method::GET, &path_of(&shop, &invoice));
        let page = visit.unjudged().await;
        page.body.as_str().expect("a page").to_owned()
    };
    let ada = json!({
        "name": "Ada <b>Lovelace</b>", "email": "ada@example.com",
        "address": { "line1": "St James's Square 12", "zip": "SW1Y", "city": "London", "country": "GB" },
    });
    let updated = shop.call("customers_update").at("customer_id", "ada");
    updated.json(&ada).await.ok();
    let id = invoice["id"].as_str().expect("an id");
    let html = page().await;
    for part in [
        "Ada &lt;b&gt;Lovelace&lt;/b&gt;<br>",
        "<br>SW1Y London<br>GB<br>ada@example.com<br>ada</dd>",
        &format!("<dd>1 · {id}</dd>"),
    ] {
        assert!(html.contains(part), "{part}: {html}");
    }

    on(&shop, "subscriptions_cancel", &subscription)
        .json(&json!({}))
        .await
        .ok();
    let deleted = shop.call("customers_delete").at("customer_id", "ada");
    deleted.await.ok();
    let html = page().await;
    assert!(html.contains("<dd>ada</dd>"), "{html}");
    assert!(!html.contains("ada@example.com"), "{html}");
}
