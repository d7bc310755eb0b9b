//! `/metrics` shows a failing processor by the next scrape, and senders of notices with wrong signatures.

use multirail_conformance::bodies::{APPROVED, order_with, with};
use multirail_conformance::notice::{SECRET, approved, signed, webhook_details};
use multirail_conformance::patience::until;
use multirail_conformance::{Shop, TestServer, Wire};
use multirail_server::config::Setting;
use multirail_simulator::scripted::{Call, Fault};
use reqwest::Method;
use serde_json::json;

use super::metrics::figure;
use super::paid;

struct Scraper(Wire);

impl Scraper {
    fn for_shop(shop: &Shop) -> Self {
        let address = shop.metrics_address().expect("metrics are served");
        Scraper(Wire::new(&format!("http://{address}")))
    }

    async fn reads(&self) -> String {
        let answer = self.0.request(Method::GET, "/metrics").unjudged().await;
        answer.body.as_str().expect("a text").to_owned()
    }
}

async fn measured_shop() -> Shop {
    let server =
        TestServer::start_with(|inputs| inputs.with(Setting::MetricsListen, "127.0.0.1:0"));
    server.await.shop("bookshop").await
}

fn has_grown(before: &str, after: &str, names: &[&str]) {
    for name in names {
        let (was, is) = (figure(before, name), figure(after, name));
        assert!(is > was, "{name}: {was}, then {is} in\n{after}");
    }
}

#[tokio::test]
async fn a_processor_that_fails_is_seen() {
    let shop = measured_shop().await;
    let scraper = Scraper::for_shop(&shop);
    // Nothing listens there, so requests never leave the server.
    let nowhere = json!({
        "connector_account_details": { "auth_type": "HeaderKey", "api_key": "sk_test_1" },
        "metadata": { "base_url": "http://127.0.0.1:1" },
    });
    let nowhere = shop.connects("stripe", nowhere).await.ok();
    let before = scraper.reads().await;

    shop.next_call_meets(Call::Authorize, Fault::LosesAnswer);
    shop.creates(paid()).await.ok();
    shop.next_call_meets(Call::Authorize, Fault::FailsBefore(503));
    shop.creates(paid()).await.ok();
    let refused = with(
        order_with(APPROVED),
        json!({ "confirm": true, "connector": ["stripe"] }),
    );
    assert_eq!(shop.creates(refused).await.ok()["status"], "failed");
    let id = nowhere["merchant_connector_id"].as_str().expect("an id");
    let check = shop.call("connector_accounts_check");
    check.at("merchant_connector_id", id).await.ok();

    let after = scraper.reads().await;
    has_grown(
        &before,
        &after,
        &[
            r#"multirail_processor_failures_total{connector="fauxpay",call="authorize",reason="connection_lost"}"#,
            r#"multirail_processor_failures_total{connector="fauxpay",call="authorize",reason="processor_error"}"#,
            r#"multirail_processor_failures_total{connector="stripe",call="authorize",reason="not_taken"}"#,
            r#"multirail_processor_call_duration_seconds_count{connector="fauxpay",call="authorize",outcome="unknown"}"#,
            r#"multirail_processor_call_duration_seconds_count{connector="stripe",call="authorize",outcome="never_happened"}"#,
            r#"multirail_processor_call_duration_seconds_count{connector="stripe",call="check",outcome="unknown"}"#,
        ],
    );
}

#[tokio::test]
async fn strangers_at_the_door_are_counted_by_account_and_make_no_series_of_their_own() {
    let shop = measured_shop().await;
    shop.reconnects(webhook_details()).await.ok();
    let scraper = Scraper::for_shop(&shop);
    let before = scraper.reads().await;
    let knocks = |account: &str, secret: &str| {
        let call = shop.wire.call("notices_receive");
        let call = call.at("merchant_id", &shop.merchant_id);
        signed(
            call.at("connector_account", account),
            secret,
            &approved("mrk_1", 6540),
        )
    };
    let own = shop.connector_account_id.as_str();
    knocks(own, "a guess").await.refused(401, "WE_01");
    knocks("mca_invented", "a guess")
        .await
        .refused(401, "WE_01");
    knocks(own, SECRET).await.ok();
    let after = scraper.reads().await;
    let by_account =
        format!(r#"multirail_notices_not_verified_total{{connector="fauxpay",account="{own}"}}"#);
    has_grown(
        &before,
        &after,
        &[
            &by_account,
            r#"multirail_notices_total{connector="fauxpay",result="not_verified"}"#,
            r#"multirail_notices_total{connector="fauxpay",result="new"}"#,
            r#"multirail_notices_total{connector="-",result="no_account"}"#,
        ],
    );
    assert!(!after.contains("mca_invented"), "{after}");

    let worked_on = r#"multirail_notices_worked_on_total{connector="fauxpay",status="waiting"}"#;
    until(
        "somebody works on it",
        async || figure(&scraper.reads().await, worked_on),
        |works| *works > figure(&before, worked_on),
    )
    .await;
}
