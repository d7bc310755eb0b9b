//! Where the checkout is: with real money only on the pages that the profile lists, and never at the console's origin.

use multirail_conformance::{Shop, TestServer, wire::Wire};
use multirail_server::config::Setting;
use reqwest::Method;
use serde_json::json;

use super::{FRAME, embedders, opens, value};

#[tokio::test]
async fn with_real_money_nobody_embeds_a_checkout_that_lists_no_page() {
    let server = TestServer::start_in_production(|inputs| inputs).await;
    let shop = server.shop_without_connector("bookshop").await;
    let closed = opens(&shop, None).await;
    assert_eq!(embedders(&closed), "'none'");
    assert_eq!(value(&closed, "multirail-origins"), "[]");
    assert_eq!(value(&closed, "multirail-mode"), "live");

    let local = json!({ "checkout_origins": ["https://shop.example", "http://localhost:5173"] });
    let refused = shop.sets_up(local.clone()).await.refused(422, "IR_05");
    assert!(refused.contains("checkout_origins"), "{refused}");
    let create = shop.call("business_profiles_create").json(&local);
    create.await.refused(422, "IR_05");
    assert_eq!(embedders(&opens(&shop, None).await), "'none'");

    let listed = json!({ "checkout_origins": ["https://shop.example"] });
    shop.sets_up(listed).await.ok();
    assert_eq!(embedders(&opens(&shop, None).await), "https://shop.example");
}

#[tokio::test]
async fn a_list_of_wrong_origins_is_refused_and_changes_nothing() {
    let shop = Shop::open().await;
    let good = json!({ "checkout_origins": ["https://shop.example"] });
    shop.sets_up(good).await.ok();
    let many: Vec<String> = (0..21)
        .map(|number| format!("https://shop{number}.example"))
        .collect();
    for wrong in [
        json!(many),
        json!(["https://other.example", "https://shop.example/cart"]),
        json!(["https://*.shop.example"]),
        json!(["http://shop.example"]),
        json!(["shop.example"]),
        json!(["*"]),
        json!(["null"]),
        json!([""]),
        json!([format!("https://{}.example", "s".repeat(250))]),
    ] {
        let refused = shop.sets_up(json!({ "checkout_origins": wrong })).await;
        let message = refused.refused(422, "IR_05");
        assert!(message.contains("checkout_origins"), "{message}");
    }
    let no_list = json!({ "checkout_origins": "https://shop.example" });
    shop.sets_up(no_list).await.refused(400, "IR_06");
    assert_eq!(embedders(&opens(&shop, None).await), "https://shop.example");
    let most = shop
        .sets_up(json!({ "checkout_origins": many[..20] }))
        .await;
    assert_eq!(most.ok()["checkout_origins"], json!(many[..20]));
}

#[tokio::test]
async fn the_origin_of_the_console_has_no_checkout() {
    let server = TestServer::start_in_production(|inputs| {
        inputs
            .with(Setting::PublicUrl, "https://pay.example")
            .with(Setting::ConsoleOrigin, "https://console.example")
    })
    .await;
    let wire = Wire::new(&server.address());
    let asks = |host: &str, path: &str| wire.request(Method::GET, path).header("host", host);
    let unknown_key = format!("{FRAME}?key=pk_prd_0");
    for path in ["/checkout/v1/multirail.js", &unknown_key] {
        for host in ["console.example", "evil.example"] {
            asks(host, path).await.refused(404, "IR_02");
        }
    }
    let script = asks("pay.example", "/checkout/v1/multirail.js").await;
    assert_eq!(script.status, 200);
    let frame = asks("pay.example", &unknown_key).unjudged().await;
    assert_eq!(frame.status, 404);
    assert!(frame.text.contains("publishable key"), "{}", frame.text);
}
