//! An endpoint that fails at first.

use hmac::{Hmac, Mac};
use multirail_conformance::Receiver;
use multirail_conformance::bodies::APPROVED;
use multirail_conformance::receiver::Delivery;
use multirail_conformance::response::moment;
use multirail_conformance::schema;
use serde_json::{Value, json};
use sha2::Sha512;
use standardwebhooks::{Webhook, WebhookError};

use super::{
    attempts_made, event_of, id, listed, paid, profile, secrets, subscribed_shop, tells, verified,
};

/// The endpoint answers 500, 500, 200. (Trace K)
#[tokio::test]
async fn a_delivery_is_retried_until_it_arrives() {
    let receiver = Receiver::open().await;
    receiver.answers(&[500, 500, 200]);
    let shop = subscribed_shop(&receiver).await;
    let payment = paid(&shop, APPROVED, json!({})).await;
    let event = event_of(&shop, &payment).await;
    for (made, pause) in [(1, 60), (2, 300)] {
        attempts_made(&shop, id(&event), made).await;
        let event = event_of(&shop, &payment).await;
        assert_eq!(event["is_delivery_successful"], false, "tried, not arrived");
        shop.time_passes(pause).await;
    }
    let attempts = attempts_made(&shop, id(&event), 3).await;

    let list = listed(&shop, json!({})).await;
    assert_eq!(
        (
            &list["total_count"],
            &list["events"][0]["is_delivery_successful"]
        ),
        (&json!(1), &json!(true)),
        "one event, delivered"
    );
    let told =
        |name: &str| -> Vec<Value> { attempts.iter().map(|one| one[name].clone()).collect() };
    assert_eq!(
        told("delivery_attempt"),
        ["automatic_retry", "automatic_retry", "initial_attempt"],
        "newest first"
    );
    let statuses: Vec<&Value> = attempts
        .iter()
        .map(|one| &one["response"]["status_code"])
        .collect();
    assert_eq!(statuses, [200, 500, 500]);
    assert_eq!(
        told("initial_attempt_id"),
        vec![event["event_id"].clone(); 3]
    );
    assert_eq!(told("is_delivery_successful"), [true; 3]);
    let ids = told("event_id");
    assert_eq!(ids[2], event["event_id"]);
    assert!(ids[0] != ids[1] && ids[1] != ids[2] && ids[0] != ids[2]);
    let seconds: Vec<i64> = attempts
        .iter()
        .map(|one| moment(&one["created"]).timestamp())
        .collect();
    assert!((60..90).contains(&(seconds[1] - seconds[2])), "{seconds:?}");
    assert!(
        (300..330).contains(&(seconds[0] - seconds[1])),
        "{seconds:?}"
    );

    // The recorded attempts match the deliveries that arrived.
    let arrived = receiver.seen();
    assert_eq!(arrived.len(), 3);
    for (attempt, delivery) in attempts.iter().rev().zip(&arrived) {
        assert_eq!(attempt["request"]["body"], json!(delivery.body));
        for header in attempt["request"]["headers"].as_array().expect("headers") {
            let name = header[0].as_str().expect("a name").to_lowercase();
            assert_eq!(header[1], delivery.header(&name), "{name}");
        }
        let answered = attempt["response"]["headers"].to_string();
        assert!(answered.contains(r#"["x-shop","books"]"#), "{answered}");
    }
    assert_eq!(attempts[0]["response"]["body"], "taken");
    assert_eq!(attempts[1]["response"]["body"], "no");

    is_the_same_three_times(&arrived, id(&event));
    let profile = profile(&shop).await;
    is_signed(&arrived, &profile);

    let body = arrived[0].json();
    let wrong = schema::component("WebhookDelivery");
    assert!(wrong.is_valid(&body), "{body}");
    assert_eq!(body["content"]["type"], "payment_details");
    assert_eq!(
        body["content"]["object"],
        shop.retrieves(&payment).await.ok(),
        "as the secret key retrieves it"
    );
    let order: Vec<&String> = body.as_object().expect("an object").keys().collect();
    assert_eq!(
        order,
        [
            "merchant_id",
            "event_id",
            "event_type",
            "content",
            "timestamp"
        ]
    );
}

fn is_the_same_three_times(arrived: &[Delivery], event_id: &str) {
    for delivery in arrived {
        assert_eq!(delivery.body, arrived[0].body);
        assert_eq!(delivery.json()["event_id"], event_id);
        assert_eq!(delivery.header("webhook-id"), event_id);
        assert_eq!(delivery.header("content-type"), "application/json");
        assert!(delivery.header("user-agent").starts_with("multirail/"));
        assert_eq!(
            delivery.header("x-webhook-signature-512"),
            arrived[0].header("x-webhook-signature-512")
        );
    }
}

fn is_signed(arrived: &[Delivery], profile: &Value) {
    let key = profile["payment_response_hash_key"]
        .as_str()
        .expect("a key");
    let secret = &secrets(profile)[0];
    for delivery in arrived {
        let mut mac = Hmac::<Sha512>::new_from_slice(key.as_bytes()).expect("a key");
        mac.update(delivery.body.as_bytes());
        let signature = hex::encode(mac.finalize().into_bytes());
        assert_eq!(delivery.header("x-webhook-signature-512"), signature);
        verified(secret, delivery).expect("a stock library takes it");

        let mut altered = delivery.clone();
        altered.body = altered.body.replace("succeeded", "failed");
        assert!(matches!(
            verified(secret, &altered),
            Err(WebhookError::InvalidSignature)
        ));
        assert!(matches!(
            verified(secret, &from_yesterday(delivery, secret)),
            Err(WebhookError::TimestampTooOldError)
        ));
    }
}

/// Returns the same delivery, correctly signed but a day old.
fn from_yesterday(delivery: &Delivery, secret: &str) -> Delivery {
    let sent: i64 = delivery
        .header("webhook-timestamp")
        .parse()
        .expect("seconds");
    let library = Webhook::new(secret).expect("a secret");
    let (id, old) = (delivery.header("webhook-id"), sent - 86_400);
    let signature = library.sign(id, old, delivery.body.as_bytes());
    let mut stale = delivery.clone();
    for (name, value) in &mut stale.headers {
        match name.as_str() {
            "webhook-timestamp" => *value = old.to_string(),
            "webhook-signature" => *value = signature.as_ref().expect("a signature").clone(),
            _ => {}
        }
    }
    stale
}

/// A connection error is recorded as a message, and counts as a failed attempt.
#[tokio::test]
async fn connection_errors_are_recorded() {
    let receiver = Receiver::open().await;
    let shop = subscribed_shop(&receiver).await;
    // Nothing listens on this port.
    let nobody = json!({ "webhook_details": { "webhook_url": "http://127.0.0.1:1/hooks" } });
    shop.sets_up(nobody).await.ok();
    let payment = paid(&shop, APPROVED, json!({})).await;
    let event = event_of(&shop, &payment).await;
    let attempts = attempts_made(&shop, id(&event), 1).await;
    let response = &attempts[0]["response"];
    assert!(response["error_message"].is_string(), "{response}");
    for member in ["status_code", "headers", "body"] {
        assert!(response[member].is_null(), "{member}: {response}");
    }
    assert_eq!(attempts[0]["is_delivery_successful"], false);
    assert_eq!(profile(&shop).await["webhook_delivery"]["state"], "failing");

    // After the address is corrected, the retry uses the new one.
    super::tells(&shop, &receiver, &["succeeded"]).await;
    shop.time_passes(60).await;
    let arrived = receiver.has(1).await;
    assert_eq!(arrived[0].header("webhook-id"), id(&event));
    attempts_made(&shop, id(&event), 2).await;
    assert_eq!(profile(&shop).await["webhook_delivery"]["state"], "active");
}

/// A redirect is an answer, but not a successful delivery.
#[tokio::test]
async fn only_2xx_arrives() {
    let receiver = Receiver::open().await;
    receiver.answers(&[302, 204]);
    let shop = subscribed_shop(&receiver).await;
    let payment = paid(&shop, APPROVED, json!({})).await;
    let event = event_of(&shop, &payment).await;
    let attempts = attempts_made(&shop, id(&event), 1).await;
    assert_eq!(attempts[0]["response"]["status_code"], 302);
    assert_eq!(attempts[0]["is_delivery_successful"], false);
    shop.time_passes(60).await;
    attempts_made(&shop, id(&event), 2).await;
    assert_eq!(
        event_of(&shop, &payment).await["is_delivery_successful"],
        true
    );
}

/// The later of two events of one payment waits for the earlier one.
#[tokio::test]
async fn events_of_one_payment_come_in_order() {
    let receiver = Receiver::open().await;
    receiver.answers(&[500]);
    let shop = subscribed_shop(&receiver).await;
    let payment = paid(&shop, APPROVED, json!({ "capture_method": "manual" })).await;
    receiver.has(1).await;
    shop.captures(&payment, json!({})).await.ok();
    // An event of another payment doesn't wait.
    paid(&shop, APPROVED, json!({ "payment_id": "another" })).await;
    receiver.has(2).await;
    let list = listed(&shop, json!({ "object_id": payment["payment_id"] })).await;
    assert_eq!(
        super::types(&list),
        ["payment_succeeded", "payment_authorized"]
    );
    let first = list["events"][1]["event_id"].as_str().expect("an id");
    attempts_made(&shop, first, 1).await;
    shop.time_passes(60).await;
    let arrived = receiver.has(4).await;
    let told: Vec<(Value, Value)> = arrived
        .iter()
        .map(Delivery::json)
        .map(|body| {
            let object = body["content"]["object"]["payment_id"].clone();
            (object, body["event_type"].clone())
        })
        .filter(|(object, _)| *object == payment["payment_id"])
        .collect();
    let types: Vec<&Value> = told.iter().map(|(_, event_type)| event_type).collect();
    assert_eq!(
        types,
        [
            "payment_authorized",
            "payment_authorized",
            "payment_succeeded"
        ]
    );
}

/// The schedule retries after a minute, but this endpoint asks for a longer pause. Its neighbour doesn't.
#[tokio::test]
async fn an_endpoint_is_left_alone_for_as_long_as_it_asks() {
    let receiver = Receiver::open().await;
    receiver.answers(&[503]);
    receiver.wants_rest(600);
    let shop = subscribed_shop(&receiver).await;
    let payment = paid(&shop, APPROVED, json!({})).await;
    let event = event_of(&shop, &payment).await;
    attempts_made(&shop, id(&event), 1).await;
    let other = Receiver::open().await;
    other.answers(&[503]);
    let neighbour = shop.server.shop("florist").await;
    tells(&neighbour, &other, &["succeeded"]).await;
    let theirs = paid(&neighbour, APPROVED, json!({})).await;
    let theirs = event_of(&neighbour, &theirs).await;
    attempts_made(&neighbour, id(&theirs), 1).await;
    shop.time_passes(590).await;
    // By now the worker has looked at every due delivery.
    attempts_made(&neighbour, id(&theirs), 2).await;
    assert_eq!(receiver.seen().len(), 1, "it came too early");
    shop.time_passes(10).await;
    let attempts = attempts_made(&shop, id(&event), 2).await;
    let made: Vec<i64> = attempts
        .iter()
        .map(|one| moment(&one["created"]).timestamp())
        .collect();
    assert!(made[0] - made[1] >= 600, "{made:?}");
}
