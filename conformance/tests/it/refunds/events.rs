//! Webhooks about refunds: `refund_succeeded` and `refund_failed`, once each. (Specification 6; facts 5.2)

use multirail_client::webhooks::{Content, Verifier};
use multirail_conformance::bodies::{
    APPROVED, DECLINED, REFUNDS_DECLINED, REFUNDS_FAIL_LATER, REFUNDS_PEND, order_with, with,
};
use multirail_conformance::evidence::evidence;
use multirail_conformance::{Receiver, Shop};
use multirail_simulator::scripted::{Call, Fault};
use reqwest::header::{HeaderName, HeaderValue};
use serde_json::{Value, json};

use super::{amount, becomes, paid_with, settles};

/// Opens a shop that subscribes to these refund statuses, and to failed payments only.
async fn subscribed_shop(receiver: &Receiver, statuses: Value) -> Shop {
    let shop = Shop::open().await;
    let details = json!({
        "webhook_url": receiver.url(), "payment_statuses_enabled": ["failed"],
        "refund_statuses_enabled": statuses,
    });
    shop.sets_up(json!({ "webhook_details": details }))
        .await
        .ok();
    shop
}

/// Returns the recorded events that the body selects, newest first.
async fn recorded(shop: &Shop, body: Value) -> Vec<Value> {
    let list = shop.operator("events_list");
    let list = list.at("merchant_id", &shop.merchant_id).json(&body);
    let page = list.await.ok();
    page["events"].as_array().expect("events").clone()
}

/// Returns the types of this refund's events, oldest first.
async fn types_of(shop: &Shop, refund: &Value) -> Vec<String> {
    let about = json!({ "object_id": refund["refund_id"] });
    let events = recorded(shop, about).await;
    let types = events
        .iter()
        .rev()
        .map(|event| event["event_type"].as_str());
    types.map(|text| text.expect("a type").to_owned()).collect()
}

#[tokio::test]
async fn the_content_is_the_refund_as_it_is_retrieved() {
    let receiver = Receiver::open().await;
    let shop = subscribed_shop(&receiver, json!([])).await;
    let paid = paid_with(&shop, APPROVED).await;
    let some = json!({ "amount": 2000, "reason": "late", "metadata": { "return": "r-1" } });
    let succeeded = shop.refunds(&paid, some).await.ok();
    let first = receiver.has(1).await.remove(0).json();
    assert_eq!(first["content"]["object"], succeeded);
    assert_eq!(
        first["content"]["object"],
        shop.retrieves_refund(&succeeded).await.ok()
    );
    let declined = paid_with(&shop, REFUNDS_DECLINED).await;
    let failed = shop.refunds(&declined, json!({})).await.ok();
    let second = receiver.has(2).await.remove(1);
    assert_eq!(second.json()["content"]["object"], failed);
    assert_eq!(second.json()["event_type"], "refund_failed");
    let envelope = with(
        first,
        json!({ "content": { "object": null }, "timestamp": null }),
    );
    insta::assert_json_snapshot!(evidence(&envelope), @r#"
    {
      "merchant_id": "bookshop",
      "event_id": "evt_[32]",
      "event_type": "refund_succeeded",
      "content": {
        "type": "refund_details",
        "object": null
      },
      "timestamp": null
    }
    "#);

    // The typed client reads the statuses.
    let profile = shop.call("business_profiles_retrieve");
    let profile = profile.at("profile_id", &shop.profile_id).await.ok();
    let secret = profile["webhook_secrets"][0]["secret"].as_str();
    let verifier = Verifier::with_secret(secret.expect("a secret")).expect("a verifier");
    let headers = second.headers.iter().map(|(name, value)| {
        let name: HeaderName = name.parse().expect("a name");
        (name, HeaderValue::from_str(value).expect("a value"))
    });
    let event = verifier
        .verify(&headers.collect(), second.body.as_bytes())
        .expect("our own");
    match event.content {
        Content::Refund(refund) => assert_eq!(
            Some(refund.refund_id.as_str()),
            failed["refund_id"].as_str()
        ),
        other => panic!("no refund: {other:?}"),
    }
}

#[tokio::test]
async fn one_each_whoever_finds_out() {
    let shop = Shop::open().await;
    let payment = paid_with(&shop, REFUNDS_PEND).await;
    // The refund ends at once, by the merchant's sync, or by the worker's sync.
    let at_once = paid_with(&shop, APPROVED).await;
    let at_once = shop.refunds(&at_once, json!({})).await.ok();
    let asked = shop.refunds(&payment, amount(1000)).await.ok();
    assert_eq!(types_of(&shop, &asked).await, [""; 0], "pending is no news");
    let asked = shop.asks_about_refund(&asked).await.ok();
    let by_worker = shop.refunds(&payment, amount(1000)).await.ok();
    let fails = paid_with(&shop, REFUNDS_FAIL_LATER).await;
    let fails = shop.refunds(&fails, json!({})).await.ok();
    shop.time_passes(120).await;
    settles(&shop, &by_worker).await;
    settles(&shop, &fails).await;
    for (refund, event) in [
        (&at_once, "refund_succeeded"),
        (&asked, "refund_succeeded"),
        (&by_worker, "refund_succeeded"),
        (&fails, "refund_failed"),
    ] {
        assert_eq!(types_of(&shop, refund).await, [event]);
        // Neither an update nor another sync causes an event.
        let note = json!({ "reason": "seen" });
        shop.updates_refund(refund, note).await.ok();
        shop.asks_about_refund(refund).await.ok();
        assert_eq!(types_of(&shop, refund).await, [event]);
    }
    assert_eq!(
        recorded(&shop, json!({ "event_classes": ["refunds"] }))
            .await
            .len(),
        4
    );
    let failed = json!({ "event_types": ["refund_failed"] });
    let failed = recorded(&shop, failed).await;
    assert_eq!(failed.len(), 1);
    assert_eq!(
        (&failed[0]["event_class"], &failed[0]["object_id"]),
        (&json!("refunds"), &fails["refund_id"])
    );
    // None of these events is about the payment.
    let of_payment = json!({ "object_id": payment["payment_id"] });
    assert_eq!(recorded(&shop, of_payment).await.len(), 1);
}

/// The refund first failed and later succeeded. Both events were true at their time.
#[tokio::test]
async fn a_late_outcome_is_announced_too() {
    let shop = Shop::open().await;
    let payment = paid_with(&shop, APPROVED).await;
    shop.next_call_meets(Call::Refund, Fault::HeldOnTheWay);
    let refund = shop.refunds(&payment, json!({})).await.ok();
    shop.asks_about_refund(&refund).await.ok();
    assert_eq!(types_of(&shop, &refund).await, ["refund_failed"]);
    assert_eq!(shop.processor().deliver_held(), 1);
    let now = shop.asks_about_refund(&refund).await.ok();
    assert_eq!(now["status"], "failed", "in this status nobody asks");
    becomes(&shop, &refund, "succeeded").await;
    assert_eq!(
        types_of(&shop, &refund).await,
        ["refund_failed", "refund_succeeded"]
    );
}

/// Both spellings of the statuses work, and only the selected ones are sent.
#[tokio::test]
async fn a_profile_chooses_the_announced_statuses() {
    for (statuses, wanted) in [
        (json!(["succeeded"]), "refund_succeeded"),
        (json!(["success"]), "refund_succeeded"),
        (json!(["failed"]), "refund_failed"),
        (json!(["transaction_failure"]), "refund_failed"),
    ] {
        let receiver = Receiver::open().await;
        let shop = subscribed_shop(&receiver, statuses.clone()).await;
        let (good, bad) = (
            paid_with(&shop, APPROVED).await,
            paid_with(&shop, REFUNDS_DECLINED).await,
        );
        shop.refunds(&bad, json!({})).await.ok();
        shop.refunds(&good, json!({})).await.ok();
        let declined = with(order_with(DECLINED), json!({ "confirm": true }));
        shop.creates(declined).await.ok();
        // Both events are recorded and one is sent. The payment's event comes after every other delivery.
        let refunds = recorded(&shop, json!({ "event_classes": ["refunds"] })).await;
        assert_eq!(refunds.len(), 2);
        let mut told: Vec<_> = receiver
            .has(2)
            .await
            .iter()
            .map(|one| one.json()["event_type"].clone())
            .collect();
        told.sort_by_key(Value::to_string);
        assert_eq!(told, [json!("payment_failed"), json!(wanted)], "{statuses}");
    }
}
