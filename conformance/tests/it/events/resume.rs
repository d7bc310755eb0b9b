//! An endpoint fails for days: deliveries pause, and go on when somebody resumes them.

use multirail_conformance::bodies::APPROVED;
use multirail_conformance::patience::until;
use multirail_conformance::{Call, Receiver, Shop, TestServer};
use multirail_server::config::Setting;
use serde_json::{Value, json};

use super::endpoints::{added, on, settled};
use super::{attempts_made, delivered, event_of, id, paid, profile, punctual_shop, tells};

fn resumption(shop: &Shop) -> Call {
    let call = shop.call("business_profiles_resume_webhook_delivery");
    call.at("profile_id", &shop.profile_id)
}

#[tokio::test]
async fn paused_deliveries_go_on_when_they_are_resumed() {
    let receiver = Receiver::open().await;
    // Deliveries pause after ten failures in a row and a day of failures.
    receiver.answers(&[500; 12]);
    let server = TestServer::start_with(|inputs| {
        inputs
            .with(Setting::WebhookRetryJitterPercent, "0")
            .with(Setting::WebhookRetrySchedule, "20x1h")
            .with(Setting::WebhookPauseAfterSeconds, "30000")
    });
    let shop = server.await.shop("bookshop").await;
    tells(&shop, &receiver, &["succeeded"]).await;
    let standing = profile(&shop).await["webhook_delivery"].clone();
    assert_eq!(
        standing,
        json!({ "state": "active", "failing_since": null, "failures": 0, "paused_at": null })
    );
    let payment = paid(&shop, APPROVED, json!({})).await;
    let event = event_of(&shop, &payment).await;
    for made in 1..10 {
        attempts_made(&shop, id(&event), made).await;
        let standing = profile(&shop).await["webhook_delivery"].clone();
        assert_eq!(
            (&standing["state"], &standing["failures"]),
            (&json!("failing"), &json!(made))
        );
        shop.time_passes(3600).await;
    }
    attempts_made(&shop, id(&event), 10).await;
    let paused = until(
        "deliveries pause",
        async || profile(&shop).await["webhook_delivery"].clone(),
        |standing| standing["state"] == "paused",
    );
    let paused = paused.await;
    assert!(paused["failing_since"].is_string() && paused["paused_at"].is_string());

    // Later events wait.
    shop.time_passes(7200).await;
    let meanwhile = paid(&shop, APPROVED, json!({})).await;
    let waiting = event_of(&shop, &meanwhile).await;
    assert!(waiting["is_delivery_successful"].is_null(), "{waiting}");

    receiver.forgets();
    let resumed = resumption(&shop).await.ok();
    assert_eq!(
        resumed["webhook_delivery"],
        json!({ "state": "active", "failing_since": null, "failures": 0, "paused_at": null })
    );
    for payment in [&payment, &meanwhile] {
        delivered(&shop, payment, true).await;
    }
    assert_eq!(receiver.seen().len(), 12, "none was sent while they paused");
}

#[tokio::test]
async fn resuming_without_a_pause_changes_nothing() {
    let shop = Shop::open().await;
    let before = profile(&shop).await;
    assert_eq!(resumption(&shop).await.ok(), before);
    let under_a_key = || resumption(&shop).header("idempotency-key", "k");
    let first = under_a_key().await.ok();
    let again = under_a_key().await;
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(again.ok(), first);
    resumption(&shop).key(shop.admin_key()).await.ok();
    let call = shop.call("business_profiles_resume_webhook_delivery");
    call.at("profile_id", "pro_unborn")
        .await
        .refused(404, "HE_02");
}

/// After 410 (gone), the server stops at once, until the merchant sets another address.
#[tokio::test]
async fn an_endpoint_that_is_gone_is_not_asked_again() {
    let receiver = Receiver::open().await;
    receiver.answers(&[410; 12]);
    let server =
        TestServer::start_with(|inputs| inputs.with(Setting::WebhookRetryJitterPercent, "0"));
    let shop = server.await.shop("bookshop").await;
    tells(&shop, &receiver, &["succeeded"]).await;
    let payment = paid(&shop, APPROVED, json!({})).await;
    attempts_made(&shop, id(&event_of(&shop, &payment).await), 1).await;
    until(
        "deliveries pause",
        async || profile(&shop).await["webhook_delivery"].clone(),
        |standing| standing["state"] == "paused",
    )
    .await;
    shop.time_passes(86_400).await;
    let meanwhile = paid(&shop, APPROVED, json!({})).await;
    assert_eq!(receiver.seen().len(), 1, "it was asked again");

    let other = Receiver::open().await;
    tells(&shop, &other, &["succeeded"]).await;
    let standing = profile(&shop).await["webhook_delivery"].clone();
    assert_eq!(standing["state"], "active", "{standing}");
    for payment in [&payment, &meanwhile] {
        delivered(&shop, payment, true).await;
    }
    assert_eq!((receiver.seen().len(), other.seen().len()), (1, 2));
}

/// Another URL resumes nothing while the endpoint is disabled, and the answer says so.
#[tokio::test]
async fn a_paused_endpoint_that_is_disabled_goes_on_when_it_is_enabled() {
    let shop = punctual_shop().await;
    let [gone, other] = [Receiver::open().await, Receiver::open().await];
    gone.answers(&[410]);
    let endpoint = added(&shop, gone.url(), json!({})).await;
    paid(&shop, APPROVED, json!({})).await;
    let found = async || {
        on(&shop, "webhook_endpoints_retrieve", &endpoint)
            .await
            .ok()
    };
    until(
        "deliveries pause",
        async || found().await,
        |endpoint| endpoint["webhook_delivery"]["state"] == "paused",
    )
    .await;
    let update = async |body: Value| {
        let call = on(&shop, "webhook_endpoints_update", &endpoint).json(&body);
        call.await.ok()
    };
    update(json!({ "disabled": true })).await;
    let moved = update(json!({ "webhook_url": other.url() })).await;
    assert_eq!(moved["webhook_url"], other.url());
    assert_eq!(moved["webhook_delivery"]["state"], "paused");
    assert_eq!(found().await, moved);

    let enabled = update(json!({ "disabled": false })).await;
    assert_eq!(enabled["webhook_delivery"]["state"], "active");
    settled(&shop, &endpoint, 1, true).await;
    assert_eq!(found().await, enabled);
    assert_eq!((gone.seen().len(), other.seen().len()), (1, 1));
}
