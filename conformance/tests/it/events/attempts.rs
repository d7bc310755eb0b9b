//! `GET /events/{merchant_id}/{event_id}/attempts`.

use multirail_conformance::bodies::APPROVED;
use multirail_conformance::{Receiver, Shop};
use serde_json::{Value, json};

use super::{attempts, attempts_made, event_of, id, operator, paid, subscribed_shop, tells};

#[tokio::test]
async fn an_event_that_was_never_sent_has_one_attempt_without_an_answer() {
    let shop = Shop::open().await;
    let payment = paid(&shop, APPROVED, json!({})).await;
    let event = event_of(&shop, &payment).await;
    let attempts = attempts(&shop, id(&event)).await;
    let [only] = attempts.as_slice() else {
        panic!("{attempts:?}");
    };
    for (member, value) in event.as_object().expect("an event") {
        assert_eq!(&only[member], value, "{member}");
    }
    assert_eq!(only["delivery_attempt"], "initial_attempt");
    assert_eq!(only["request"]["headers"], json!([]));
    assert_eq!(
        only["response"],
        json!({ "body": null, "headers": null, "status_code": null, "error_message": null })
    );
    let body = only["request"]["body"].as_str().expect("a body");
    let body: Value = serde_json::from_str(body).expect("JSON");
    assert_eq!(body["event_id"], event["event_id"]);
    assert_eq!(body["timestamp"], event["created"]);
    assert_eq!(
        body["content"]["object"],
        shop.retrieves(&payment).await.ok()
    );
}

/// An event with a status that the profile doesn't subscribe to is recorded but not sent.
#[tokio::test]
async fn an_event_without_a_subscription_is_not_sent() {
    let receiver = Receiver::open().await;
    let shop = Shop::open().await;
    tells(&shop, &receiver, &["failed", "cancelled"]).await;
    let manual = json!({ "capture_method": "manual" });
    let payment = paid(&shop, APPROVED, manual).await;
    let authorized = event_of(&shop, &payment).await;
    shop.cancels(&payment, json!({})).await.ok();
    let arrived = receiver.has(1).await;
    assert_eq!(arrived[0].json()["event_type"], "payment_cancelled");
    let attempts = attempts(&shop, id(&authorized)).await;
    assert_eq!(attempts.len(), 1);
    assert!(attempts[0]["is_delivery_successful"].is_null());
    assert_eq!(attempts[0]["response"]["status_code"], json!(null));
}

#[tokio::test]
async fn an_attempt_shows_what_was_sent_and_what_came_back() {
    let receiver = Receiver::open().await;
    let shop = subscribed_shop(&receiver).await;
    let headers = json!({ "X-Floor": "2", "authorization": "Basic dGlsbDpzZXNhbWU=" });
    shop.sets_up(json!({ "outgoing_webhook_custom_http_headers": headers }))
        .await
        .ok();
    let payment = paid(&shop, APPROVED, json!({})).await;
    let event = event_of(&shop, &payment).await;
    let attempts = attempts_made(&shop, id(&event), 1).await;
    let arrived = receiver.seen().remove(0);
    assert_eq!(arrived.header("x-floor"), "2");
    assert_eq!(arrived.header("authorization"), "Basic dGlsbDpzZXNhbWU=");
    let sent = &attempts[0]["request"];
    assert_eq!(sent["body"], json!(arrived.body));
    let header = |name: &str| {
        let headers = sent["headers"].as_array().expect("headers");
        let found = headers.iter().find(|pair| pair[0] == name);
        found.map(|pair| pair[1].clone())
    };
    for name in [
        "content-type",
        "user-agent",
        "x-webhook-signature-512",
        "webhook-id",
        "webhook-timestamp",
        "webhook-signature",
        "x-floor",
        "authorization",
    ] {
        assert_eq!(header(name), Some(json!(arrived.header(name))), "{name}");
    }
    let response = &attempts[0]["response"];
    assert_eq!(
        (&response["status_code"], &response["body"]),
        (&json!(200), &json!("taken"))
    );
    assert!(response["error_message"].is_null());
}

#[tokio::test]
async fn unknown_events_and_merchants() {
    let shop = Shop::open().await;
    let call = |merchant: &str, event: &str| {
        let call = shop.operator("events_attempts");
        call.at("merchant_id", merchant).at("event_id", event)
    };
    let message = call("bookshop", "evt_unborn").await.refused(404, "HE_02");
    assert!(message.contains("event"), "{message}");
    let message = call("nobody", "evt_unborn").await.refused(404, "HE_02");
    assert!(message.contains("merchant account"), "{message}");
    call("bookshop", &"e".repeat(65))
        .await
        .refused(400, "IR_06");
    let retry = operator(&shop, "events_retry").at("event_id", "evt_unborn");
    retry.await.refused(404, "HE_02");
}
