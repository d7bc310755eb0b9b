mod accounts;
mod create;
mod credentials;
mod events;
mod list;
mod payment;
mod races;
mod refused;
mod restart;
mod retrieve;
mod scheduled;
mod states;
mod unknown;
mod update;

use multirail_conformance::patience::{until, until_found};
use multirail_conformance::{Shop, bodies};
use serde_json::{Value, json};

/// Captures 65.40 US dollars from this card.
pub async fn paid_with(shop: &Shop, number: &str) -> Value {
    let payment = shop.creates(bodies::paid_with(number)).await.ok();
    assert_eq!(payment["status"], "succeeded");
    payment
}

/// Returns the member with the refund's amount.
fn amount(amount: i64) -> Value {
    json!({ "amount": amount })
}

/// Returns status and amount.
fn standing(refund: &Value) -> (&str, i64) {
    let status = refund["status"].as_str().expect("a status");
    (status, refund["amount"].as_i64().expect("an amount"))
}

/// Returns the payment's status and its refunded total.
async fn given_back(shop: &Shop, payment: &Value) -> (String, i64) {
    let now = shop.retrieves(payment).await.ok();
    let total = &now["state_metadata"]["total_refunded_amount"];
    let status = now["status"].as_str().expect("a status");
    (status.to_owned(), total.as_i64().unwrap_or(0))
}

/// Waits until the refund isn't pending any more. Only the worker syncs.
async fn settles(shop: &Shop, refund: &Value) -> Value {
    until(
        "what became of the refund is known",
        async || shop.retrieves_refund(refund).await.ok(),
        |now| now["status"] != "pending",
    )
    .await
}

/// Waits until the refund has this status. Only the worker syncs; its syncs become due as time passes.
async fn becomes(shop: &Shop, refund: &Value, status: &str) -> Value {
    until_found(format!("the refund is {status}"), async || {
        let now = shop.retrieves_refund(refund).await.ok();
        if now["status"] == status {
            return Ok(now);
        }
        shop.time_passes(60).await;
        Err(now)
    })
    .await
}

/// Waits until the processor has refunded something.
async fn is_refunded(shop: &Shop) {
    let refunded = async || shop.money().refunded;
    until("a refund", refunded, |refunded| *refunded > 0).await;
}

/// Returns every refund in the processor's books, oldest first.
fn filed(shop: &Shop) -> Vec<Value> {
    let filed = shop.processor().ledger().refunds().expect("a list");
    let all = filed.iter().map(serde_json::to_value);
    all.collect::<Result<_, _>>().expect("JSON")
}

/// Returns the ids of refunds in an array.
fn ids(refunds: &Value) -> Vec<&str> {
    let all = refunds.as_array().expect("refunds").iter();
    all.map(multirail_conformance::shop::refund_id).collect()
}
