//! Request headers that describe the program and browser of the caller.

use insta::assert_json_snapshot;
use multirail_conformance::bodies::{APPROVED, DECLINED, card, order, order_with, with};
use multirail_conformance::wire::Call;
use multirail_conformance::{Shop, TestServer};
use multirail_server::config::Setting;
use serde_json::{Value, json};

fn program(call: Call, source: &str, version: &str) -> Call {
    call.header("x-client-source", source)
        .header("x-client-version", version)
}

fn browser(call: Call) -> Call {
    call.header("user-agent", "Mozilla/5.0 (Test)")
        .header("accept", "text/html, */*;q=0.8")
        .header("accept-language", "fr-CH, fr;q=0.9")
}

async fn attempts(shop: &Shop, payment: &Value) -> Vec<[Value; 2]> {
    let answer = shop
        .retrieves(payment)
        .query("expand_attempts", true)
        .await
        .ok();
    let attempts = answer["attempts"].as_array().expect("attempts").clone();
    let told =
        |attempt: &Value| ["client_source", "client_version"].map(|name| attempt[name].clone());
    attempts.iter().map(told).collect()
}

#[tokio::test]
async fn each_attempt_tells_which_program_made_it() {
    let shop = Shop::open().await;
    shop.sets_up(json!({ "is_manual_retry_enabled": true }))
        .await
        .ok();
    let creating = shop.creates(order_with(DECLINED));
    let payment = program(creating, "till", "1.0").await.ok();
    let payer = shop.payer_of(&payment);
    program(payer.confirms(json!({})), "app", "2.3.4")
        .await
        .ok();
    // The merchant's server retries without describing itself.
    shop.confirms(&payment, card(APPROVED)).await.ok();
    assert_eq!(
        attempts(&shop, &payment).await,
        [[json!("app"), json!("2.3.4")], [Value::Null, Value::Null]]
    );

    let quiet = with(order_with(APPROVED), json!({ "confirm": true }));
    let quiet = shop
        .creates(quiet)
        .header("x-client-source", "till")
        .await
        .ok();
    assert_eq!(
        attempts(&shop, &quiet).await,
        [[json!("till"), Value::Null]]
    );
}

#[tokio::test]
async fn a_name_that_is_none_is_refused() {
    let shop = Shop::open().await;
    let long = "a".repeat(65);
    for wrong in ["", &long, "a\tb"] {
        for header in ["X-Client-Source", "X-Client-Version"] {
            let told = shop.creates(order()).header(header, wrong).await;
            assert_eq!(
                told.refused(422, "IR_05"),
                format!("`{header}` must be 1 to 64 characters that print.")
            );
        }
    }
    let twice = program(program(shop.creates(order()), "a", "1"), "b", "2").await;
    assert!(twice.refused(400, "IR_06").contains("`x-client-source`"));
    assert_eq!(shop.call("payments_list").await.ok()["size"], 0);
}

#[tokio::test]
async fn headers_of_the_payers_browser_fill_missing_members() {
    let server = TestServer::start_with(|inputs| inputs.with(Setting::BehindProxy, "true")).await;
    let shop = server.shop("bookshop").await;
    let told =
        json!({ "browser_info": { "screen_width": 1280, "user_agent": "as the merchant says" } });
    let payment = shop.creates(with(order_with(APPROVED), told)).await.ok();
    let paying = shop.payer_of(&payment).confirms(json!({}));
    let paying = browser(paying).header("x-forwarded-for", "192.0.2.1, 2001:db8::7");
    let paid = paying.await.ok();
    assert_eq!(paid["status"], "succeeded");
    assert_json_snapshot!(paid["browser_info"], @r#"
    {
      "screen_width": 1280,
      "ip_address": "2001:db8::7",
      "accept_header": "text/html, */*;q=0.8",
      "user_agent": "as the merchant says",
      "accept_language": "fr-CH, fr;q=0.9"
    }
    "#);
}

#[tokio::test]
async fn a_merchants_server_is_no_browser() {
    let shop = Shop::open().await;
    let payment = browser(shop.creates(order_with(APPROVED))).await.ok();
    let paid = browser(shop.confirms(&payment, json!({}))).await.ok();
    assert_eq!(paid["browser_info"], Value::Null);

    // A browser's update before the payment isn't recorded either.
    let payment = shop.creates(order()).await.ok();
    let asked = browser(shop.payer_of(&payment).updates(card(APPROVED))).await;
    assert_eq!(asked.ok()["browser_info"], Value::Null);
    let huge = shop.payer_of(&payment).confirms(json!({}));
    let paid = huge.header("user-agent", &"u".repeat(5_000)).await.ok();
    let agent = paid["browser_info"]["user_agent"].as_str().expect("a text");
    assert_eq!(agent.len(), 1_024);
    assert_eq!(paid["browser_info"]["ip_address"], "127.0.0.1");
}
