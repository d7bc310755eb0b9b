//! Every operation whose document takes an `Idempotency-Key` honours it. All are called here with one key.

mod case;
mod cases;
mod user_subscriptions;

use multirail_conformance::Shop;
use multirail_conformance::document::operations;
use serde_json::{Value, json};

use super::{again, is_replayed, under};
use crate::{billing, subscriptions};
use cases::prepare;

const KEY: &str = "one key for everything";

/// Returns Ada's saved methods without tokens, which every list renews.
async fn saved(shop: &Shop) -> Value {
    let list = shop
        .call("customer_payment_methods_list")
        .at("customer_id", "ada");
    let mut listed = list.await.body;
    let methods = listed["customer_payment_methods"].as_array_mut();
    for method in methods.into_iter().flatten() {
        method["payment_token"] = json!(null);
    }
    listed
}

/// Returns the endpoints without the state of their deliveries, which go on meanwhile.
async fn endpoints(shop: &Shop) -> Value {
    let list = shop
        .call("webhook_endpoints_list")
        .at("profile_id", &shop.profile_id);
    let mut listed = list.await.ok();
    for endpoint in listed.as_array_mut().expect("endpoints") {
        endpoint["webhook_delivery"] = json!(null);
    }
    listed
}

/// Returns everything that the merchant can read, the events, and the processor's books.
async fn picture(shop: &Shop) -> Value {
    let mut payments = Vec::new();
    let listed = shop.call("payments_list").await.ok();
    for payment in listed["data"].as_array().expect("payments") {
        let read = shop.retrieves(payment).query("expand_attempts", true);
        payments.push(read.query("expand_captures", true).await.ok());
    }
    let events = shop
        .operator("events_list")
        .at("merchant_id", &shop.merchant_id);
    json!({
        "payments": payments,
        "refunds": shop.call("refunds_list").await.ok(),
        "customers": shop.call("customers_list").query("limit", 100).await.ok(),
        "saved": saved(shop).await,
        "disputes": shop.call("disputes_list").await.ok(),
        "connector_accounts": shop.call("connector_accounts_list").await.ok(),
        "catalogue": billing::catalogue(shop).await,
        "subscriptions": subscriptions::stand(shop).await,
        "routing": shop.call("routing_list").await.ok(),
        "active": shop.call("routing_active").await.ok(),
        "defaults": shop.call("routing_default_list").await.ok(),
        "business_profiles": shop.call("business_profiles_list").await.ok(),
        "webhook_endpoints": endpoints(shop).await,
        "events": events.json(&json!({})).await.ok(),
        "processor": format!("{:?}", shop.money()),
    })
}

#[tokio::test]
async fn the_same_request_under_the_same_key_is_done_once() {
    let shop = Shop::open().await;
    let mut done = Vec::new();
    let takers = operations().iter().filter(|one| one.takes_idempotency_key);
    for operation in takers {
        let id = operation.id.as_str();
        let case = prepare(&shop, id).await;
        let before = picture(&shop).await;
        let first = under(KEY, case.call.clone()).await;
        assert_eq!(
            (first.status, is_replayed(&first)),
            (200, false),
            "{id}: {}",
            first.body
        );
        if id.ends_with("subscriptions_refund_credit") {
            // A worker makes the refund later.
            let is_given = |now: &Value| now["refunds"][0]["status"] == "succeeded";
            subscriptions::until(&shop, &first.body, is_given).await;
        }
        let after = picture(&shop).await;
        assert_eq!(before != after, case.is_seen, "what {id} did is seen");
        again(&first, KEY, case.call.clone()).await;
        let message = under(KEY, case.other).await.refused(422, "MR_01");
        assert!(
            message.contains(&format!(" {} ", case.member)),
            "{id}: {message}"
        );
        assert_eq!(picture(&shop).await, after, "a repeat of {id} does nothing");
        done.push((first, case.call));
    }
    assert!(
        done.len() > 10,
        "the document says which operations take a key"
    );
    // No operation used another one's key, and later calls changed no answer.
    let after = picture(&shop).await;
    for (first, call) in done {
        again(&first, KEY, call).await;
    }
    assert_eq!(picture(&shop).await, after);
}
