//! `/health` and `/health/ready`.

use multirail_conformance::TestServer;
use serde_json::json;

#[tokio::test]
async fn up_and_ready() {
    let server = TestServer::start().await;
    let health = server.wire.call("health_check").await;
    assert_eq!(
        (health.status, &health.body),
        (200, &json!("health is good"))
    );
    let ready = server.wire.call("health_ready").await.ok();
    insta::assert_json_snapshot!(ready, @r#"
    {
      "status": "ready",
      "components": [
        {
          "name": "database",
          "status": "ready"
        },
        {
          "name": "audit_chain",
          "status": "ready"
        },
        {
          "name": "billing",
          "status": "ready"
        },
        {
          "name": "change_feed",
          "status": "ready"
        },
        {
          "name": "key_rotation",
          "status": "ready"
        },
        {
          "name": "mails",
          "status": "ready"
        },
        {
          "name": "notices",
          "status": "ready"
        },
        {
          "name": "operation_sync",
          "status": "ready"
        },
        {
          "name": "other_servers",
          "status": "ready"
        },
        {
          "name": "processor_deletions",
          "status": "ready"
        },
        {
          "name": "reaper",
          "status": "ready"
        },
        {
          "name": "redactions",
          "status": "ready"
        },
        {
          "name": "request_log",
          "status": "ready"
        },
        {
          "name": "webhook_delivery",
          "status": "ready"
        }
      ]
    }
    "#);
}

#[tokio::test]
async fn a_worker_that_fails_is_named_and_takes_no_traffic_away() {
    let server = TestServer::start().await;
    server.worker_fails("webhook_delivery");
    let ready = server.wire.call("health_ready").await.ok();
    assert_eq!(ready["status"], "degraded");
    let parts = ready["components"].as_array().expect("components").iter();
    let failing: Vec<_> = parts.filter(|part| part["status"] != "ready").collect();
    assert_eq!(
        failing,
        [&json!({"name": "webhook_delivery", "status": "restarting"})]
    );
}

#[tokio::test]
async fn it_stops_without_losing_anybody() {
    let server = TestServer::start().await;
    server.wire.call("health_check").await.ok();
    assert_eq!(server.stops().await, Ok(()));
}
