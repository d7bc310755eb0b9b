//! A change at one server reaches the others, which cache keys and accounts in memory.

use std::time::{Duration, Instant};

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, order, order_with, with};
use serde_json::{Value, json};

use super::site::{Site, moved};

/// The lifetime of cached keys and accounts. A request that was sent later gets the stored state, however slow the
/// machine is.
const BELIEVED_FOR: Duration = Duration::from_secs(1);

/// Opens the same shop at two servers.
async fn two_doors() -> Option<(Shop, Shop)> {
    let site = Site::on_postgres().await?;
    let here = site.server("one").await.shop("bookshop").await;
    let (there, _) = moved(here.clone(), site.server("two").await);
    // Both servers have the shop cached now.
    for shop in [&here, &there] {
        shop.creates(order()).await.ok();
    }
    Some((here, there))
}

#[tokio::test]
async fn a_revoked_key_stops_everywhere() {
    let Some((here, there)) = two_doors().await else {
        return;
    };
    let spare = here
        .server
        .operator("api_keys_create")
        .at("merchant_id", &here.merchant_id)
        .json(&json!({ "name": "spare", "expiration": "never" }))
        .await
        .ok();
    let revoke = here
        .server
        .operator("api_keys_revoke")
        .at("merchant_id", &here.merchant_id);
    let keys = here
        .server
        .operator("api_keys_list")
        .at("merchant_id", &here.merchant_id);
    let keys = keys.await.ok();
    let till = keys
        .as_array()
        .and_then(|keys| keys.iter().find(|key| key["name"] == "till"))
        .expect("the shop's key")
        .clone();
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    revoke.at("key_id", &text(&till["key_id"])).await.ok();
    let revoked = Instant::now();

    // At once on the server that revoked it.
    here.creates(order()).await.refused(401, "IR_01");
    // Within a second on the other server, which wasn't told.
    loop {
        let sent = Instant::now();
        let answer = there.creates(order()).await;
        if answer.status == 401 {
            answer.refused(401, "IR_01");
            break;
        }
        answer.ok();
        let after = sent - revoked;
        assert!(after <= BELIEVED_FOR, "a revoked key works after {after:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    // Only that key was revoked.
    let with_spare = Shop {
        api_key: text(&spare["api_key"]),
        ..there
    };
    with_spare.creates(order()).await.ok();
}

#[tokio::test]
async fn a_disabled_connector_account_is_left_alone_everywhere() {
    let Some((here, there)) = two_doors().await else {
        return;
    };
    let sale = || with(order_with(APPROVED), json!({ "confirm": true }));
    assert_eq!(there.creates(sale()).await.ok()["status"], "succeeded");
    here.reconnects(json!({ "disabled": true })).await.ok();
    let disabled = Instant::now();
    let refused = here.creates(sale()).await;
    assert_ne!(refused.status, 200, "no connector is left");
    loop {
        let sent = Instant::now();
        let answer = there.creates(sale()).await;
        if answer.status != 200 {
            assert_eq!(answer.message(), refused.message(), "refused as it is here");
            break;
        }
        let after = sent - disabled;
        assert!(
            after <= BELIEVED_FOR,
            "a disabled account is used after {after:?}"
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
