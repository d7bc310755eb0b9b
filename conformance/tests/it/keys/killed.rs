//! A server that dies while it seals anew: the next one goes on, and nothing is lost.

use std::time::{Duration, Instant};

use multirail_conformance::bodies::{APPROVED, paid_with};
use multirail_server::config::{Inputs, Setting};
use tokio::runtime::Runtime;

use super::stored::keys_in_use;
use super::{Kept, PATIENCE, finished, keys, rotates};
use crate::servers::site::{Site, closed};

/// Enough that all of it is no single portion.
const SALES: usize = 240;

fn quick(inputs: Inputs) -> Inputs {
    inputs.with(Setting::StatementTimeoutMs, "1000")
}

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
    // Run again: there is nothing else to begin.
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
