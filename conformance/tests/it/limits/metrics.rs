//! `/metrics`: figures on a listener of their own.

use multirail_conformance::{Engine, TestServer, Wire};
use multirail_server::config::Setting;
use reqwest::Method;

use super::paid;
use crate::users::Person;

/// Returns the figure for a name with labels; 0 if the text has none. All servers of the process share the recorder,
/// so it may include requests of other tests.
pub fn figure(text: &str, name_and_labels: &str) -> f64 {
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix(name_and_labels)?.strip_prefix(' '));
    line.map_or(0.0, |value| {
        value
            .parse()
            .unwrap_or_else(|_| panic!("{name_and_labels} is {value}"))
    })
}

#[tokio::test]
async fn a_payment_shows_in_the_figures() {
    let server = TestServer::start_with(|inputs| {
        inputs
            .with(Setting::MetricsListen, "127.0.0.1:0")
            .with(Setting::ConnectionGuard, "on")
            .with(Setting::RateLimitPerSecond, "1")
            .with(Setting::RateLimitBurst, "5")
    })
    .await;
    let metrics = Wire::new(&format!(
        "http://{}",
        server.metrics_address().expect("metrics are served")
    ));
    let read = || async {
        let answer = metrics.request(Method::GET, "/metrics").unjudged().await;
        assert_eq!(answer.status, 200);
        assert!(
            answer
                .header("content-type")
                .is_some_and(|media| media.starts_with("text/plain; version=0.0.4"))
        );
        answer.body.as_str().expect("a text").to_owned()
    };

    let shop = server.shop("bookshop").await;
    let before = read().await;
    let payment = shop.creates(paid()).await.ok();
    let mut refused = 0;
    while !shop.retrieves(&payment).await.is_refusal(429, "MR_03") {
        refused += 1;
        assert!(refused < 50);
    }
    let ada = Person::new(&server, "ada").await;
    assert_eq!(ada.call("events_follow").await.status, 200);
    let after = read().await;
    for grown in [
        r#"multirail_requests_total{operation="payments_create",status="200"}"#,
        r#"multirail_requests_total{operation="payments_retrieve",status="429"}"#,
        r#"multirail_requests_rate_limited_total{key="secret"}"#,
        r#"multirail_request_duration_seconds_count{operation="payments_create"}"#,
        r#"multirail_processor_call_duration_seconds_count{connector="fauxpay",call="authorize",outcome="done"}"#,
    ] {
        let (before, after) = (figure(&before, grown), figure(&after, grown));
        assert!(after > before, "{grown}: {before}, then {after}");
    }
    let taken = "multirail_connections_total{result=\"taken\"}";
    assert!(figure(&after, taken) >= 1.0, "{after}");
    // The numbers aren't certain. Connections and streams of other tests' servers that opened before the recorder existed are
    // still counted at their end.
    for open in ["connections", "streams"] {
        let line = format!("\nmultirail_{open}_open ");
        assert!(after.contains(&line), "{after}");
    }
    if Engine::from_environment() == Engine::Sqlite {
        assert!(
            figure(&after, "multirail_store_commit_batch_size_count") >= 2.0,
            "{after}"
        );
    }
    for typed in [
        "# TYPE multirail_requests_in_flight gauge",
        "# TYPE multirail_request_duration_seconds histogram",
    ] {
        assert!(after.lines().any(|line| line == typed), "{typed}\n{after}");
    }
    // No merchant, key or payment appears as a label.
    for private in [
        "bookshop",
        &shop.api_key,
        payment["payment_id"].as_str().expect("an id"),
    ] {
        assert!(!after.contains(private), "{private}");
    }

    assert_eq!(
        metrics.request(Method::GET, "/").unjudged().await.status,
        404
    );
    assert_eq!(
        metrics
            .request(Method::POST, "/metrics")
            .unjudged()
            .await
            .status,
        405
    );
    server
        .wire
        .request(Method::GET, "/metrics")
        .await
        .refused(404, "IR_02");
}

#[tokio::test]
async fn metrics_are_off_by_default() {
    assert_eq!(TestServer::start().await.metrics_address(), None);
}
