//! A server dies while it reseals data: the next one goes on, and nothing is lost.

use std::time::{Duration, Instant};

use multirail_conformance::bodies::{APPROVED, order_with, paid_with};
use multirail_test_postgres::TestPostgres;
use serde_json::json;
use tokio::runtime::Runtime;

use super::{Kept, PATIENCE, QUICK_MS, finished, keys, quick, rotates};
use crate::disk::process::{Manner, Process};
use crate::servers::site::{Site, closed};
use crate::servers::stored::keys_in_use;

/// Enough rows for several batches.
const SALES: usize = 240;

#[tokio::test(flavor = "multi_thread")]
async fn the_next_server_goes_on_on_sqlite() {
    goes_on(Site::on_sqlite()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_next_server_goes_on_on_postgres() {
    if let Some(site) = Site::on_postgres().await {
        goes_on(site).await;
    }
}

async fn goes_on(site: Site) {
    let doomed = Runtime::new().expect("a runtime");
    let born = site.clone();
    let shop =
        doomed.spawn(async move { born.server_with("one", quick).await.shop("books").await });
    let shop = shop.await.expect("a server starts");
    let kept = Kept::by(&shop).await;
    for _ in 0..SALES {
        shop.creates(paid_with(APPROVED)).await.ok();
    }
    let begun = rotates(&shop.server).await;
    let started = Instant::now();
    // Polls all the time, to catch the rotation in the middle.
    loop {
        let rotation = keys(&shop.server).await["rotation"].clone();
        assert_eq!(
            rotation["status"], "running",
            "it was too fast to be killed: {rotation}"
        );
        if rotation["sealed_anew"].as_i64() > Some(0) {
            break;
        }
        assert!(
            started.elapsed() < PATIENCE,
            "nothing is sealed anew: {rotation}"
        );
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    doomed.shutdown_background();
    let (dead, shop) = closed(shop);
    drop(dead);

    let shop = shop.opens_at(site.server_with("one", quick).await);
    // Running the command again finds nothing to start.
    let again = rotates(&shop.server).await;
    assert_eq!(
        again["rotation"]["rotation_id"],
        begun["rotation"]["rotation_id"]
    );
    let done = finished(&shop.server).await;
    assert_eq!(
        done["rotation"]["rotation_id"],
        begun["rotation"]["rotation_id"]
    );
    kept.is_readable(&shop).await;
    let (server, shop) = closed(shop);
    server.stops().await.expect("an orderly end");
    let left = keys_in_use(&site, "one").await;
    let sealing = |keys: &serde_json::Value, status: &str| {
        let all = keys["data_keys"].as_array().expect("a list").iter();
        let found = all.filter(|key| key["status"] == status);
        found
            .map(|key| key["key_id"].as_str().expect("a name").to_owned())
            .collect::<Vec<_>>()
    };
    assert!(left.contains(&sealing(&done, "sealing")[0]));
    assert!(!left.contains(&sealing(&done, "retired")[0]));
    drop(shop);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_killed_again_and_again_loses_no_card_on_sqlite() {
    is_killed(None).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_killed_again_and_again_loses_no_card_on_postgres() {
    let made = tokio::task::spawn_blocking(|| {
        TestPostgres::start_or_explain().map(|cluster| cluster.create_database())
    });
    if let Ok(url) = made.await.expect("no panic") {
        is_killed(Some(url)).await;
    }
}

/// The number of kills. On PostgreSQL each one costs the lease of the work.
const KILLS: usize = 3;

/// Kills the server whenever it has resealed some more rows. Afterwards every held card still pays.
async fn is_killed(database_url: Option<String>) {
    let mut environment = vec![("MULTIRAIL_STATEMENT_TIMEOUT_MS", QUICK_MS.to_owned())];
    environment.extend(database_url.map(|url| ("MULTIRAIL_DATABASE_URL", url)));
    let manner = Manner {
        environment,
        ..Manner::default()
    };
    let mut process = Process::start(manner).await.expect("no disk is asked for");
    let till = process.till().await;
    till.connects(json!({})).await;
    let mut waiting = Vec::new();
    for _ in 0..SALES {
        waiting.push(till.pays(order_with(APPROVED)).await.ok());
    }
    let change = json!({ "change": "data_keys" });
    let begun = process.operator("keys_rotate").json(&change).await.ok();
    let (mut kills, mut seen) = (0, 0);
    let started = Instant::now();
    loop {
        let now = process.operator("keys_retrieve").await.ok();
        let rotation = &now["rotation"];
        assert_eq!(rotation["rotation_id"], begun["rotation"]["rotation_id"]);
        if rotation["status"] == "finished" {
            assert_eq!(rotation["unreadable"], 0, "{now}");
            break;
        }
        assert!(started.elapsed() < PATIENCE, "still at it: {now}");
        let sealed_anew = rotation["sealed_anew"].as_i64().expect("a number");
        if sealed_anew > seen && kills < KILLS {
            seen = sealed_anew;
            kills += 1;
            process.kill();
            process.start_again().await;
        }
    }
    assert!(kills > 0, "it was too fast to be killed");
    for payment in waiting.iter().step_by(20) {
        let id = payment["payment_id"].as_str().expect("an id");
        let confirm = till.call("payments_confirm").at("payment_id", id);
        let paid = confirm.json(&json!({})).await.ok();
        assert_eq!(paid["status"], "succeeded");
    }
}
