//! A profile loses its webhook address for a while.

use multirail_conformance::Receiver;
use multirail_conformance::bodies::APPROVED;
use serde_json::json;

use super::{attempts, attempts_made, delivered, event_of, id, paid, subscribed_shop, tells};

/// An update replaces all of `webhook_details`. One that only names statuses removes the address.
#[tokio::test]
async fn events_wait_for_an_address() {
    let receiver = Receiver::open().await;
    receiver.answers(&[500, 500]);
    let shop = subscribed_shop(&receiver).await;
    let payment = paid(&shop, APPROVED, json!({})).await;
    let event = event_of(&shop, &payment).await;
    attempts_made(&shop, id(&event), 1).await;
    let other = shop.server.shop("florist").await;
    tells(&other, &receiver, &["succeeded"]).await;
    let others = event_of(&other, &paid(&other, APPROVED, json!({})).await).await;
    attempts_made(&other, id(&others), 1).await;

    let details = json!({ "payment_statuses_enabled": ["succeeded"] });
    let without = shop.sets_up(json!({ "webhook_details": details })).await;
    assert!(without.ok()["webhook_details"]["webhook_url"].is_null());
    shop.time_passes(60).await;
    // The worker that retries the other shop's event has also looked at this event, and found no address for it.
    attempts_made(&other, id(&others), 2).await;
    assert_eq!(attempts(&shop, id(&event)).await.len(), 1);

    tells(&shop, &receiver, &["succeeded"]).await;
    attempts_made(&shop, id(&event), 2).await;
    delivered(&shop, &payment, true).await;
}
