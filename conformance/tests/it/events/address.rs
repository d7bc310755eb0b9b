//! A profile that loses its address for a while.

use multirail_conformance::Receiver;
use multirail_conformance::bodies::APPROVED;
use serde_json::json;

use super::{attempts, attempts_made, delivered, event_of, id, paid, tells, told_shop};

/// An update gives all of `webhook_details`, so one that only names statuses takes the address away.
#[tokio::test]
async fn what_was_to_be_told_waits_for_an_address() {
    let receiver = Receiver::open().await;
    receiver.answers(&[500, 500]);
    let shop = told_shop(&receiver).await;
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
    // The look that finds the other shop's retry finds that there is nowhere to send this one to.
    attempts_made(&other, id(&others), 2).await;
    assert_eq!(attempts(&shop, id(&event)).await.len(), 1);

    tells(&shop, &receiver, &["succeeded"]).await;
    attempts_made(&shop, id(&event), 2).await;
    delivered(&shop, &payment, true).await;
}
