//! `POST /events/{merchant_id}/{event_id}/retry`.

use multirail_conformance::bodies::APPROVED;
use multirail_conformance::{Receiver, Shop};
use serde_json::{Value, json};

use super::{
    attempts, attempts_made, event_of, id, operator, paid, profile, secrets, subscribed_shop,
    tells, verified,
};

async fn retried(shop: &Shop, event_id: &str) -> Value {
    let call = operator(shop, "events_retry").at("event_id", event_id);
    call.await.ok()
}

#[tokio::test]
async fn a_retry_by_hand_delivers_what_was_never_sent() {
    let shop = Shop::open().await;
    let payment = paid(&shop, APPROVED, json!({})).await;
    let event = event_of(&shop, &payment).await;

    let unsent = retried(&shop, id(&event)).await;
    assert_eq!(unsent["delivery_attempt"], "manual_retry");
    assert_eq!(unsent["request"]["headers"], json!([]));
    assert_eq!(
        unsent["response"],
        json!({ "body": null, "headers": null, "status_code": null, "error_message": null }),
        "there is nowhere to send it to"
    );
    assert_ne!(unsent["event_id"], event["event_id"]);
    assert_eq!(unsent["initial_attempt_id"], event["event_id"]);
    assert_ne!(
        event_of(&shop, &payment).await["is_delivery_successful"],
        true
    );

    let receiver = Receiver::open().await;
    tells(&shop, &receiver, &["succeeded"]).await;
    let sent = retried(&shop, id(&event)).await;
    assert_eq!(sent["response"]["status_code"], 200);
    assert_eq!(sent["is_delivery_successful"], true);
    let arrived = receiver.seen();
    assert_eq!(arrived.len(), 1, "once the answer is there it has arrived");
    assert_eq!(arrived[0].header("webhook-id"), id(&event));
    assert_eq!(sent["request"]["body"], json!(arrived[0].body));
    verified(&secrets(&profile(&shop).await)[0], &arrived[0]).expect("signed");
    assert_eq!(
        event_of(&shop, &payment).await["is_delivery_successful"],
        true
    );

    let all = attempts(&shop, id(&event)).await;
    let kinds: Vec<&Value> = all.iter().map(|one| &one["delivery_attempt"]).collect();
    assert_eq!(kinds, ["manual_retry", "manual_retry", "initial_attempt"]);
    assert_eq!(all[0], sent);
    let bodies = all.iter().map(|one| &one["request"]["body"]);
    assert!(bodies.eq([&sent["request"]["body"]; 3]), "one body for all");
}

#[tokio::test]
async fn any_attempts_id_leads_to_all_of_them() {
    let receiver = Receiver::open().await;
    let shop = subscribed_shop(&receiver).await;
    let payment = paid(&shop, APPROVED, json!({})).await;
    let event = event_of(&shop, &payment).await;
    attempts_made(&shop, id(&event), 1).await;
    let second = retried(&shop, id(&event)).await;
    let third = retried(&shop, id(&second)).await;
    assert_eq!(third["initial_attempt_id"], event["event_id"]);
    let all = attempts(&shop, id(&event)).await;
    assert_eq!(all.len(), 3);
    for attempt in &all {
        assert_eq!(attempts(&shop, id(attempt)).await, all);
    }
    let by_retry = super::listed(&shop, json!({ "event_id": second["event_id"] })).await;
    assert_eq!(by_retry["total_count"], 0, "a retry is no event");
}

/// A failed manual retry is recorded and leaves the schedule unchanged. A successful one ends it.
#[tokio::test]
async fn automatic_retries_go_on_until_one_by_hand_arrives() {
    let receiver = Receiver::open().await;
    receiver.answers(&[500, 503, 500, 200]);
    let shop = subscribed_shop(&receiver).await;
    let payment = paid(&shop, APPROVED, json!({})).await;
    let event = event_of(&shop, &payment).await;
    attempts_made(&shop, id(&event), 1).await;
    let failed = retried(&shop, id(&event)).await;
    assert_eq!(failed["response"]["status_code"], 503);
    assert_eq!(failed["is_delivery_successful"], false);
    shop.time_passes(60).await;
    attempts_made(&shop, id(&event), 3).await;
    let arrived = retried(&shop, id(&event)).await;
    assert_eq!(arrived["is_delivery_successful"], true);
    shop.time_passes(86_400).await;
    // Another payment's event arrives after everything that was due before.
    let other = paid(&shop, APPROVED, json!({})).await;
    let news = event_of(&shop, &other).await;
    attempts_made(&shop, id(&news), 1).await;
    let all = attempts(&shop, id(&event)).await;
    let kinds: Vec<&Value> = all.iter().map(|one| &one["delivery_attempt"]).collect();
    assert_eq!(
        kinds,
        [
            "manual_retry",
            "automatic_retry",
            "manual_retry",
            "initial_attempt"
        ]
    );
}
