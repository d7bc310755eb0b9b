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
    let names: Vec<_> = ready["components"]
        .as_array()
        .expect("components")
        .iter()
        .map(|c| &c["name"])
        .collect();
    assert!(names.contains(&&json!("database")), "{ready}");
}

#[tokio::test]
async fn it_stops_without_losing_anybody() {
    let server = TestServer::start().await;
    server.wire.call("health_check").await.ok();
    assert_eq!(server.stops().await, Ok(()));
}
