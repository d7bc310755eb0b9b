//! Allowed webhook addresses, checked when a merchant sets them.

use multirail_conformance::{Shop, TestServer};
use multirail_server::config::{Inputs, Setting};
use serde_json::{Value, json};

fn to(url: &str) -> Value {
    json!({ "webhook_details": { "webhook_url": url } })
}

#[tokio::test]
async fn a_sandbox_that_others_reach_sends_nothing_into_its_own_network() {
    let public = |inputs: Inputs| {
        inputs.with(Setting::SandboxPublic, "true").with(
            Setting::WebhookAllowedTargets,
            "10.0.0.7, receiver.internal",
        )
    };
    let server = TestServer::start_with(public).await;
    let shop = server.shop("bookshop").await;
    for url in [
        "http://127.0.0.1:4242/",
        "https://localhost/",
        "https://0x7f.1/",
        "https://169.254.169.254/latest/meta-data/",
        "https://[::ffff:10.0.0.7]/",
    ] {
        let message = shop.sets_up(to(url)).await.refused(422, "IR_06");
        assert!(
            message.starts_with("webhook_details.webhook_url has to lead to a public address"),
            "{message}"
        );
        let update = server
            .operator("merchant_accounts_update")
            .at("account_id", "bookshop")
            .json(&to(url));
        assert_eq!(update.await.refused(422, "IR_06"), message);
    }
    let malformed = shop.sets_up(to("https://user@shop.example/")).await;
    malformed.refused(422, "IR_05");
    let stored = shop
        .call("business_profiles_retrieve")
        .at("profile_id", &shop.profile_id);
    assert_eq!(stored.await.ok()["webhook_details"], Value::Null);
    for url in [
        "https://shop.example/hooks",
        "http://10.0.0.7/",
        "http://receiver.internal/",
    ] {
        shop.sets_up(to(url)).await.ok();
    }
}

#[tokio::test]
async fn a_sandbox_of_ones_own_sends_to_this_machine() {
    let shop = Shop::open().await;
    shop.sets_up(to("http://127.0.0.1:4242/")).await.ok();
    shop.sets_up(to("http://10.0.0.7/"))
        .await
        .refused(422, "IR_06");
}
