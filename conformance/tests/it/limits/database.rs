//! A database that isn't there at the start, or disappears later.

use std::sync::Arc;
use std::time::{Duration, Instant};

use multirail_conformance::patience::PATIENCE;
use multirail_conformance::{BUILT_IN, Engine, TestServer, bodies};
use multirail_server::config::Setting;
use multirail_server::config::{Config, Inputs};
use multirail_server::startup::start;
use multirail_test_postgres::{Cluster, TestPostgres};

use super::paid;

/// Starts a PostgreSQL for this test and creates a database. Returns none if PostgreSQL isn't installed.
pub async fn own_postgres() -> Option<(Arc<Cluster>, String)> {
    let made = tokio::task::spawn_blocking(|| {
        let cluster = TestPostgres::start_own_or_explain().ok()?;
        let url = cluster.create_database();
        Some((cluster, url))
    });
    made.await.expect("no panic")
}

pub async fn on(cluster: &Arc<Cluster>, act: fn(&Cluster)) {
    let cluster = Arc::clone(cluster);
    tokio::task::spawn_blocking(move || act(&cluster))
        .await
        .expect("no panic");
}

#[tokio::test]
async fn a_lost_database_is_said_and_found_again() {
    let Some((cluster, url)) = own_postgres().await else {
        return;
    };
    let server = TestServer::start_on(Engine::Sqlite, |inputs| {
        inputs.with(Setting::DatabaseUrl, &url)
    })
    .await;
    let shop = server.shop("bookshop").await;
    let payment = shop.creates(bodies::order()).await.ok();

    on(&cluster, Cluster::kill).await;
    for call in [shop.retrieves(&payment), shop.creates(bodies::order())] {
        let answer = call.await;
        assert_eq!(answer.header("retry-after"), Some("1"));
        let message = answer.refused(503, "HE_00");
        assert!(message.contains("database"), "{message}");
    }
    server.wire.call("health_check").await.ok();
    server.wire.call("health_ready").await.refused(503, "HE_00");

    on(&cluster, Cluster::start).await;
    let limit = Instant::now() + PATIENCE;
    let back = loop {
        let answer = shop.retrieves(&payment).await;
        if answer.status != 503 {
            break answer.ok();
        }
        assert_eq!(answer.header("retry-after"), Some("1"));
        assert!(Instant::now() < limit, "the database is not found again");
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    assert_eq!(back["status"], payment["status"]);
    shop.creates(paid()).await.ok();
    server.wire.call("health_ready").await.ok();
}

#[tokio::test]
async fn a_start_waits_for_a_database_that_is_not_up_yet() {
    let Some((cluster, url)) = own_postgres().await else {
        return;
    };
    on(&cluster, Cluster::stop).await;
    let starting = tokio::spawn(async move {
        TestServer::start_on(Engine::Sqlite, |inputs| {
            inputs.with(Setting::DatabaseUrl, &url)
        })
        .await
    });
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    assert!(!starting.is_finished());
    on(&cluster, Cluster::start).await;
    let server = starting.await.expect("it starts");
    server.wire.call("health_ready").await.ok();
}

#[tokio::test]
async fn a_start_waits_no_longer_than_configured() {
    let directory = tempfile::tempdir().expect("a temporary folder");
    let inputs = Inputs::default()
        .with(Setting::Sandbox, "true")
        .with(Setting::Listen, "127.0.0.1:0")
        .with(Setting::DataDirectory, directory.path().to_string_lossy())
        .with(
            Setting::DatabaseUrl,
            "postgres://nobody:hunter2@127.0.0.1:1/nothing",
        )
        .with(Setting::DatabaseWaitSeconds, "1");
    let config = Config::read(&inputs).unwrap_or_else(|problems| panic!("{problems}"));
    let started = Instant::now();
    let Err(error) = start(config, BUILT_IN).await else {
        panic!("nothing listens there")
    };
    let said = error.to_string();
    assert!(said.starts_with("the database can't be used"), "{said}");
    assert!(!said.contains("hunter2"), "{said}");
    let took = started.elapsed();
    assert!(
        took >= Duration::from_millis(900) && took < Duration::from_secs(10),
        "{took:?}"
    );
}
