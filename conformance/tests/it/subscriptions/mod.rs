//! Subscriptions: started by the payer, then billed and charged by the service.

mod cancel;
mod catalogue;
mod chargeable;
mod confirm;
mod dunning;
mod ends;
mod facts;
mod first_payment;
mod invoice_page;
mod late;
mod looks;
mod method;
mod of_users;
mod outside_engine;
mod payer;
mod refunds;
mod renewals;
mod resume;
mod rows;
mod taken_back;
mod twice;
mod update;
mod year;

use std::time::Duration;

use multirail_conformance::bodies::{APPROVED, card, with};
use multirail_conformance::patience::until_found;
use multirail_conformance::{Call, Shop};
use multirail_simulator::scripted::{Call as ScriptedCall, Fault};
use serde_json::{Value, json};

pub use catalogue::offers;

pub const DAY: i64 = 86_400;
/// The step of the clock while a test waits for a day. A busy worker gets many passes before the next month.
pub const HOUR: i64 = 3_600;

/// Builds a call for the shop's profile.
pub fn call(shop: &Shop, operation: &str) -> Call {
    let call = shop.call(operation);
    call.header("X-Profile-Id", &shop.profile_id)
}

pub fn on(shop: &Shop, operation: &str, subscription: &Value) -> Call {
    call(shop, operation).at("subscription_id", id(subscription))
}

pub fn id(subscription: &Value) -> &str {
    subscription["id"].as_str().expect("an id")
}

/// Payment details with the payer's consent.
pub fn pays_with(number: &str) -> Value {
    let consent = json!({ "customer_acceptance": {
        "acceptance_type": "online",
        "accepted_at": "2026-01-05T10:11:12.345Z",
        "online": { "ip_address": "192.0.2.7", "user_agent": "Browser/1.0" },
    } });
    with(card(number), consent)
}

/// The body of a subscription to this price.
pub fn wanted(price: &str) -> Value {
    json!({
        "item_price_id": price,
        "customer_id": "ada",
        "payment_details": { "return_url": "https://bookshop.example/thanks" },
    })
}

/// The body of a subscription to this price that is paid at once.
pub fn wanted_with(price: &str, number: &str) -> Value {
    let mut body = wanted(price);
    let details = with(body["payment_details"].clone(), pays_with(number));
    body["payment_details"] = details;
    body
}

/// Creates and pays a subscription.
pub async fn subscribed(shop: &Shop, price: &str) -> Value {
    let body = wanted_with(price, APPROVED);
    let made = call(shop, "subscriptions_create_and_confirm").json(&body);
    made.await.ok()
}

/// Creates a subscription from this body, with its first payment only authorized.
pub async fn reserved(shop: &Shop, mut body: Value) -> Value {
    body["payment_details"]["capture_method"] = json!("manual");
    let made = call(shop, "subscriptions_create_and_confirm").json(&body);
    let made = made.await.ok();
    assert_eq!(made["status"], "pending");
    made
}

pub async fn now(shop: &Shop, subscription: &Value) -> Value {
    on(shop, "subscriptions_retrieve", subscription).await.ok()
}

/// Returns all its invoices, the oldest first.
pub async fn invoices(shop: &Shop, subscription: &Value) -> Vec<Value> {
    let list = on(shop, "subscriptions_list_invoices", subscription).query("limit", 100);
    let mut all = list.await.ok().as_array().expect("a list").clone();
    all.reverse();
    all
}

/// Waits until the subscription is as wanted. Only the worker acts on it.
pub async fn until(shop: &Shop, subscription: &Value, is_wanted: impl Fn(&Value) -> bool) -> Value {
    until_in_steps(shop, subscription, 0, is_wanted).await
}

/// Waits until the subscription is as wanted, and moves the clock by this many seconds between two looks.
pub async fn until_in_steps(
    shop: &Shop,
    subscription: &Value,
    step: i64,
    is_wanted: impl Fn(&Value) -> bool,
) -> Value {
    until_found("a subscription as wanted", async || {
        let now = now(shop, subscription).await;
        if is_wanted(&now) {
            return Ok(now);
        }
        if step > 0 {
            is_answered(&now).await;
            shop.time_passes(step).await;
        }
        Err(format!("{now:#}"))
    })
    .await
}

/// Gives a charge in progress time for its answer. A server whose clock jumps can take its own running call for one
/// that never arrived.
pub async fn is_answered(subscription: &Value) {
    if subscription["invoice"]["status"] == "payment_pending" {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// Waits until the invoice of this number has this status.
pub async fn invoice_becomes(
    shop: &Shop,
    subscription: &Value,
    number: u64,
    status: &str,
) -> Value {
    let is_so = |now: &Value| {
        let invoice = &now["invoice"];
        invoice["number"] == number && invoice["status"] == status
    };
    until(shop, subscription, is_so).await["invoice"].clone()
}

/// Calls [`offers`] unless that was done before.
pub async fn offered(shop: &Shop) {
    let found = call(shop, "subscription_item_prices_retrieve");
    let found = found.at("item_price_id", "reader_plus_yearly");
    if found.await.status != 200 {
        offers(shop).await;
    }
}

/// Returns the state of all subscriptions, without members that the worker changes.
pub async fn stand(shop: &Shop) -> Value {
    let mut listed = call(shop, "subscriptions_list")
        .query("limit", 100)
        .await
        .body;
    for one in listed.as_array_mut().into_iter().flatten() {
        one["modified_at"] = json!(null);
    }
    listed
}

/// Creates a subscription whose second invoice can't be charged, because its method is deleted.
pub async fn with_an_open_invoice(shop: &Shop) -> Value {
    let eve = json!({ "customer_id": format!("eve-{}", shop.money().captured) });
    shop.call("customers_create").json(&eve).await.ok();
    let mut body = wanted_with("reader_monthly", APPROVED);
    body["customer_id"] = eve["customer_id"].clone();
    let made = call(shop, "subscriptions_create_and_confirm")
        .json(&body)
        .await
        .ok();
    shop.server
        .next_call_meets(ScriptedCall::Authorize, declined());
    let dearer = json!({ "plan_id": "reader_plus", "item_price_id": "reader_plus_monthly" });
    on(shop, "subscriptions_update", &made)
        .json(&dearer)
        .await
        .ok();
    invoice_becomes(shop, &made, 2, "payment_failed").await;
    let method = made["payment_method_id"].as_str().expect("an id");
    let delete = shop.call("payment_methods_delete");
    delete.at("payment_method_id", method).await.ok();
    now(shop, &made).await
}

/// Creates a cancelled subscription that has credit left.
pub async fn with_credit_left(shop: &Shop) -> Value {
    let active = subscribed(shop, "reader_monthly").await;
    let options = json!({ "credit_option_for_current_term_charges": "full" });
    let cancel = on(shop, "subscriptions_cancel", &active).json(&options);
    assert_eq!(cancel.await.ok()["credit_amount"], 990);
    active
}

/// Returns every operation on one subscription, with a valid body.
pub fn operations_on_a_subscription() -> [(&'static str, Option<Value>); 11] {
    let dearer = json!({ "plan_id": "reader_plus", "item_price_id": "reader_plus_monthly" });
    let confirm = json!({ "payment_details": pays_with(APPROVED) });
    [
        ("subscriptions_retrieve", None),
        ("subscriptions_confirm", Some(confirm)),
        ("subscriptions_update", Some(dearer)),
        ("subscriptions_pause", Some(json!({}))),
        ("subscriptions_resume", Some(json!({}))),
        ("subscriptions_cancel", Some(json!({}))),
        ("subscriptions_refund_credit", None),
        ("subscriptions_list_invoices", None),
        ("subscriptions_retrieve_invoice", None),
        ("subscriptions_void_invoice", None),
        ("subscriptions_collect_invoice", None),
    ]
}

/// A decline that may be retried.
pub fn declined() -> Fault {
    Fault::Declines {
        code: "DC_08".to_owned(),
        message: "Insufficient funds".to_owned(),
    }
}
