//! Events: recorded, sent, and sent again.

mod address;
mod attempts;
mod config;
mod content;
pub mod endpoints;
mod filters;
mod list;
mod replay;
mod resume;
mod retries;
mod retry;
mod secrets;

use multirail_conformance::bodies::{order_with, with};
use multirail_conformance::patience::{until, until_found};
use multirail_conformance::receiver::Delivery;
use multirail_conformance::{Call, Receiver, Shop, TestServer};
use multirail_server::config::Setting;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::{Value, json};
use standardwebhooks::{Webhook, WebhookError};

/// Opens a shop that subscribes to every payment status, on a server that retries punctually to the second.
async fn subscribed_shop(receiver: &Receiver) -> Shop {
    let shop = punctual_shop().await;
    let statuses = [
        "succeeded",
        "failed",
        "cancelled",
        "requires_capture",
        "partially_captured_and_capturable",
    ];
    tells(&shop, receiver, &statuses).await;
    shop
}

/// Opens a shop without an endpoint, on a server that retries punctually to the second.
async fn punctual_shop() -> Shop {
    let server =
        TestServer::start_with(|inputs| inputs.with(Setting::WebhookRetryJitterPercent, "0"));
    server.await.shop("bookshop").await
}

/// Subscribes the receiver to these statuses.
async fn tells(shop: &Shop, receiver: &Receiver, statuses: &[&str]) {
    let details = json!({ "webhook_url": receiver.url(), "payment_statuses_enabled": statuses });
    shop.sets_up(json!({ "webhook_details": details }))
        .await
        .ok();
}

/// Creates a payment with this card and confirms it at once.
async fn paid(shop: &Shop, card: &str, more: Value) -> Value {
    let body = with(order_with(card), json!({ "confirm": true }));
    shop.creates(with(body, more)).await.ok()
}

/// Builds the operator's call about this shop's events.
fn operator(shop: &Shop, operation: &str) -> Call {
    shop.operator(operation)
        .at("merchant_id", &shop.merchant_id)
}

/// Returns the list with this body.
async fn listed(shop: &Shop, body: Value) -> Value {
    operator(shop, "events_list").json(&body).await.ok()
}

/// Returns the types on a page.
fn types(page: &Value) -> Vec<&str> {
    members(page, "event_type")
}

/// Returns this member of every event on a page.
fn members<'v>(page: &'v Value, name: &str) -> Vec<&'v str> {
    let events = page["events"].as_array().expect("events");
    let texts = events.iter().map(|event| event[name].as_str());
    texts.map(|text| text.expect("a text")).collect()
}

/// Returns the only event about the payment.
///
/// # Panics
/// Panics when the payment has no event or several.
async fn event_of(shop: &Shop, payment: &Value) -> Value {
    let page = listed(shop, json!({ "object_id": payment["payment_id"] })).await;
    assert_eq!(page["total_count"], 1, "{page}");
    page["events"][0].clone()
}

fn id(event: &Value) -> &str {
    event["event_id"].as_str().expect("an event")
}

async fn attempts(shop: &Shop, event_id: &str) -> Vec<Value> {
    let call = operator(shop, "events_attempts").at("event_id", event_id);
    call.await.ok().as_array().expect("attempts").clone()
}

/// Waits until an event has this many finished attempts, and returns them.
async fn attempts_made(shop: &Shop, event_id: &str, count: usize) -> Vec<Value> {
    until_found(format!("{count} attempts of {event_id}"), async || {
        let attempts = attempts(shop, event_id).await;
        let ended = attempts.iter().filter(|one| is_over(one)).count();
        match ended >= count {
            true => Ok(attempts),
            false => Err(Value::from(attempts)),
        }
    })
    .await
}

fn is_over(attempt: &Value) -> bool {
    let response = &attempt["response"];
    !response["status_code"].is_null() || !response["error_message"].is_null()
}

/// Waits until the delivery of a payment's event has succeeded, or has failed for now.
async fn delivered(shop: &Shop, payment: &Value, is_successful: bool) -> Value {
    until(
        format!("its delivery's success is {is_successful}"),
        async || event_of(shop, payment).await,
        |event| event["is_delivery_successful"] == is_successful,
    )
    .await
}

async fn profile(shop: &Shop) -> Value {
    let call = shop.call("business_profiles_retrieve");
    call.at("profile_id", &shop.profile_id).await.ok()
}

/// Returns the valid secrets, newest first.
fn secrets(profile: &Value) -> Vec<String> {
    let secrets = profile["webhook_secrets"].as_array().expect("secrets");
    let texts = secrets.iter().map(|one| one["secret"].as_str());
    texts
        .map(|text| text.expect("a secret").to_owned())
        .collect()
}

/// Verifies a delivery with the standard library for webhooks.
fn verified(secret: &str, delivery: &Delivery) -> Result<(), WebhookError> {
    let pairs = delivery.headers.iter().map(|(name, value)| {
        let name: HeaderName = name.parse().expect("a name");
        (name, HeaderValue::from_str(value).expect("a value"))
    });
    let headers: HeaderMap = pairs.collect();
    let library = Webhook::new(secret).expect("a secret");
    library.verify(delivery.body.as_bytes(), &headers)
}
