//! Closing either account ends the platform's access.

use std::sync::Arc;
use std::time::{Duration, Instant};

use multirail_conformance::bodies::order;
use multirail_conformance::{Call, Shop, TestServer};

use super::Hall;
use crate::servers::site::{Site, moved};

fn closes(server: &TestServer, merchant_id: &str) -> Call {
    let call = server.operator("merchant_accounts_delete");
    call.at("account_id", merchant_id)
}

#[tokio::test]
async fn a_closed_merchant_is_acted_for_no_more() {
    let server = TestServer::start().await;
    let hall = Hall::open(&server, "hall").await;
    let (stall, booth) = (hall.connects("stall").await, hall.connects("booth").await);
    let creates = |shop: &Shop| hall.acts(&shop.merchant_id, shop.creates(order()));
    creates(&stall).await.ok();
    closes(&server, "stall").await.ok();
    creates(&stall).await.refused(401, "IR_44");
    creates(&booth).await.ok();
}

#[tokio::test]
async fn a_closed_platform_cannot_act_and_its_merchants_go_on() {
    let server = TestServer::start().await;
    let hall = Hall::open(&server, "hall").await;
    let stall = hall.connects("stall").await;
    let creates = || hall.acts("stall", stall.creates(order()));
    creates().await.ok();
    closes(&server, &hall.platform.merchant_id).await.ok();
    creates().await.refused(401, "IR_01");
    let own = stall.creates(order()).await.ok();
    assert_eq!(own["initiator"], "connected");
}

/// A server caches accounts for a second: `servers/keys.rs`.
const BELIEVED_FOR: Duration = Duration::from_secs(1);

async fn ends_at_the_other_server(close: impl Fn(&Hall) -> String) {
    let Some(site) = Site::on_postgres().await else {
        return;
    };
    let here = site.server("one").await;
    let hall = Hall::open(&here, "hall").await;
    let stall = hall.connects("stall").await;
    let (there, other): (Shop, Arc<TestServer>) = moved(stall.clone(), site.server("two").await);
    let at = |shop: &Shop| hall.acts("stall", shop.creates(order()));
    for shop in [&stall, &there] {
        at(shop).await.ok();
    }
    closes(&here, &close(&hall)).await.ok();
    let closed = Instant::now();
    assert_eq!(at(&stall).await.status, 401, "at once where it was closed");
    loop {
        let sent = Instant::now();
        let answer = at(&there).await;
        if answer.status == 401 {
            break;
        }
        answer.ok();
        let after = sent - closed;
        assert!(after <= BELIEVED_FOR, "somebody acts after {after:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    drop(other);
}

#[tokio::test]
async fn a_merchant_that_is_closed_is_acted_for_at_no_server() {
    ends_at_the_other_server(|_| "stall".to_owned()).await;
}

#[tokio::test]
async fn a_platform_that_is_closed_acts_at_no_server() {
    ends_at_the_other_server(|hall| hall.platform.merchant_id.clone()).await;
}
