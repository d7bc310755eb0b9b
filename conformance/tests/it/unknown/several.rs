//! A payment with several operations to sync.

use multirail_conformance::bodies::{APPROVED, UNKNOWN, order_with};
use multirail_conformance::patience::until_found;
use multirail_simulator::scripted::{Call, Fault};
use serde_json::json;

use super::standing;
use crate::servers::damage;
use crate::servers::site::{Site, closed};

/// The first attempt can't be synced any more, because its account is gone from the database. The second one can.
#[tokio::test(flavor = "multi_thread")]
async fn an_operation_that_cannot_be_synced_does_not_stop_the_others() {
    let site = Site::on_sqlite();
    let first_server = site.server("one").await;
    let shop = first_server.shop("bookshop").await;
    drop(first_server);
    shop.sets_up(json!({ "is_manual_retry_enabled": true }))
        .await
        .ok();
    let payment = shop.creates(order_with(UNKNOWN)).await.ok();
    shop.confirms(&payment, json!({})).await.ok();
    let told = shop.asks_about(&payment).await.ok();
    assert_eq!(
        told["status"], "failed",
        "it may arrive late and be asked about"
    );
    shop.reconnects(json!({ "disabled": true })).await.ok();
    shop.connects("stripe_test", json!({})).await.ok();
    let faults = shop.processor().script();
    faults.next(Call::Authorize, Fault::LosesAnswer);
    // Syncs fail until the server has stopped.
    faults.next_times(1000, Call::LookUp, &Fault::FailsBefore(503));
    let order = order_with(APPROVED);
    let again = json!({
        "payment_method": order["payment_method"],
        "payment_method_data": order["payment_method_data"],
    });
    let unknown = shop.confirms(&payment, again).await.ok();
    assert_eq!(
        (&unknown["status"], &unknown["attempt_count"]),
        (&json!("processing"), &json!(2))
    );

    let account_id = shop.connector_account_id.clone();
    let (server, shop) = closed(shop);
    server.stops().await.expect("it stops");
    damage::loses_connector_account(&site.folder("one"), &account_id);
    let shop = shop.opens_at(site.server("one").await);
    until_found("what became of it is known", async || {
        let known = shop.retrieves(&payment).await.ok();
        if standing(&known) == ("succeeded", 0, 6540) {
            return Ok(());
        }
        // The sync reports a failure for the lost account, even if it learns the other outcome.
        shop.asks_about(&payment).await;
        Err(known)
    })
    .await;
}
