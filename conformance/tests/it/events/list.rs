//! `POST /events/{merchant_id}`: its content and its refusals.

use multirail_conformance::bodies::{APPROVED, order_with};
use multirail_conformance::evidence::evidence;
use multirail_conformance::{Receiver, Shop};
use serde_json::{Value, json};

use super::{delivered, event_of, listed, operator, paid, subscribed_shop, types};

#[tokio::test]
async fn an_event_is_recorded_without_an_endpoint() {
    let shop = Shop::open().await;
    let order = shop.creates(order_with(APPROVED)).await.ok();
    assert_eq!(
        listed(&shop, json!({})).await,
        json!({ "events": [], "total_count": 0 }),
        "an order is no news"
    );
    shop.confirms(&order, json!({})).await.ok();
    let event = event_of(&shop, &order).await;
    assert_eq!(event["object_id"], order["payment_id"]);
    assert_eq!(event["event_id"], event["initial_attempt_id"]);
    assert_eq!(event["profile_id"], json!(shop.profile_id));
    let mut shown = evidence(&event);
    shown["object_id"] = "[payment_id]".into();
    insta::assert_snapshot!(serde_json::to_string_pretty(&shown).expect("JSON"), @r#"
    {
      "event_id": "evt_[32]",
      "merchant_id": "bookshop",
      "profile_id": "pro_[20]",
      "object_id": "[payment_id]",
      "event_type": "payment_succeeded",
      "event_class": "payments",
      "is_delivery_successful": null,
      "initial_attempt_id": "evt_[32]",
      "processor_merchant_id": "bookshop",
      "created": "[moment]"
    }
    "#);
}

#[tokio::test]
async fn delivered_and_undelivered_events_can_be_filtered() {
    let receiver = Receiver::open().await;
    receiver.answers(&[200, 500]);
    let shop = subscribed_shop(&receiver).await;
    let arrived = paid(&shop, APPROVED, json!({ "payment_id": "arrived" })).await;
    delivered(&shop, &arrived, true).await;
    let lost = paid(&shop, APPROVED, json!({ "payment_id": "lost" })).await;
    delivered(&shop, &lost, false).await;
    for (is_delivered, object) in [(true, "arrived"), (false, "lost")] {
        let page = listed(&shop, json!({ "is_delivered": is_delivered })).await;
        assert_eq!(super::members(&page, "object_id"), [object]);
        assert_eq!(page["total_count"], 1);
    }
}

/// Each capture has its own event, but a payment succeeds only once.
#[tokio::test]
async fn each_capture_is_an_event_of_its_own() {
    let shop = Shop::open().await;
    let payment = paid(
        &shop,
        APPROVED,
        json!({ "capture_method": "manual_multiple" }),
    )
    .await;
    for amount in [1000, 2000] {
        let part = json!({ "amount_to_capture": amount });
        shop.captures(&payment, part).await.ok();
    }
    let rest = json!({ "amount_to_capture": 3540 });
    shop.captures(&payment, rest).await.ok();
    let page = listed(&shop, json!({ "object_id": payment["payment_id"] })).await;
    assert_eq!(
        types(&page),
        [
            "payment_succeeded",
            "payment_captured",
            "payment_captured",
            "payment_authorized"
        ]
    );
}

#[tokio::test]
async fn an_absent_body_lists_everything() {
    let shop = Shop::open().await;
    paid(&shop, APPROVED, json!({})).await;
    let bare = operator(&shop, "events_list").await.ok();
    assert_eq!(bare["total_count"], 1);
    assert_eq!(bare, listed(&shop, json!({})).await);
    let nulls = json!({
        "created_after": null, "created_before": null, "limit": null, "offset": null, "object_id": null,
        "event_id": null, "profile_id": null, "event_classes": null, "event_types": null, "is_delivered": null,
    });
    assert_eq!(bare, listed(&shop, nulls).await);
}

#[tokio::test]
async fn wrong_requests_are_refused() {
    let shop = Shop::open().await;
    let cases: &[(Value, u16, &str, &str)] = &[
        (json!({ "limit": 101 }), 422, "IR_06", "limit"),
        (
            json!({ "created_after": "2026-01-02T00:00:00Z", "created_before": "2026-01-01T00:00:00Z" }),
            422,
            "IR_06",
            "created_after",
        ),
        (
            json!({ "event_classes": ["refunds"], "event_types": ["payment_failed"] }),
            422,
            "IR_06",
            "event_types",
        ),
        (
            json!({ "event_classes": ["news"] }),
            400,
            "IR_06",
            "event_classes",
        ),
        (
            json!({ "event_types": ["payment_won"] }),
            400,
            "IR_06",
            "event_types",
        ),
        (json!({ "limit": "ten" }), 400, "IR_06", "limit"),
        (json!({ "limit": -1 }), 400, "IR_06", "limit"),
        (json!({ "offset": -1 }), 400, "IR_06", "offset"),
        (
            json!({ "created_after": "yesterday" }),
            400,
            "IR_06",
            "created_after",
        ),
        (
            json!({ "is_delivered": "no" }),
            400,
            "IR_06",
            "is_delivered",
        ),
        (
            json!({ "profile_id": "pro_unborn" }),
            404,
            "HE_02",
            "profile",
        ),
        (
            json!({ "profile_id": "not an id" }),
            422,
            "IR_05",
            "profile_id",
        ),
    ];
    for (body, status, code, named) in cases {
        let answer = operator(&shop, "events_list").json(body).await;
        assert!(answer.is_refusal(*status, code), "{body}: {answer:?}");
        assert!(answer.message().contains(named), "{body}: {answer:?}");
    }
    let nobodys = shop.operator("events_list").at("merchant_id", "nobody");
    nobodys.await.refused(404, "HE_02");
}

#[tokio::test]
async fn events_are_the_operators_to_read_and_each_merchants_own() {
    let shop = Shop::open().await;
    let florist = shop.server.shop("florist").await;
    let payment = paid(&shop, APPROVED, json!({})).await;
    let event = event_of(&shop, &payment).await;
    let event_id = super::id(&event);
    for operation in [
        "events_list",
        "events_attempts",
        "events_retry",
        "events_replay",
    ] {
        let call = shop.call(operation).at("event_id", event_id);
        call.clone().await.refused(401, "IR_01");
        call.key(&shop.publishable_key).await.refused(401, "IR_01");
        let call = shop.call(operation).at("event_id", event_id);
        call.without_key().await.refused(401, "IR_01");
    }
    let elsewhere = listed(&florist, json!({ "object_id": payment["payment_id"] })).await;
    assert_eq!(elsewhere["total_count"], 0);
    let elsewhere = listed(&florist, json!({ "event_id": event_id })).await;
    assert_eq!(elsewhere["total_count"], 0);
    for operation in ["events_attempts", "events_retry"] {
        let call = operator(&florist, operation).at("event_id", event_id);
        call.await.refused(404, "HE_02");
    }
    for operation in ["events_list", "events_replay"] {
        let body = json!({ "profile_id": shop.profile_id });
        let call = operator(&florist, operation).json(&body);
        call.await.refused(404, "HE_02");
    }
    let attempts = super::attempts(&shop, event_id).await;
    assert_eq!(attempts.len(), 1, "nothing came of any of this");
}
