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

/// 65.40 US dollars, taken from this card.
pub async fn paid_with(shop: &Shop, number: &str) -> Value {
    let payment = shop.creates(bodies::paid_with(number)).await.ok();
    assert_eq!(payment["status"], "succeeded");
    payment
}

/// The member that says how much goes back.
fn amount(amount: i64) -> Value {
    json!({ "amount": amount })
}

/// Status and amount.
fn standing(refund: &Value) -> (&str, i64) {
    let status = refund["status"].as_str().expect("a status");
    (status, refund["amount"].as_i64().expect("an amount"))
}

/// Status of the payment, and what it says went back in all.
async fn given_back(shop: &Shop, payment: &Value) -> (String, i64) {
    let now = shop.retrieves(payment).await.ok();
    let total = &now["state_metadata"]["total_refunded_amount"];
    let status = now["status"].as_str().expect("a status");
    (status.to_owned(), total.as_i64().unwrap_or(0))
}

/// The refund once it isn't pending any more. Nobody asks the processor but the worker.
async fn settles(shop: &Shop, refund: &Value) -> Value {
    until(
        "what became of the refund is known",
        async || shop.retrieves_refund(refund).await.ok(),
        |now| now["status"] != "pending",
    )
    .await
}

/// The refund once it has this status. Nobody asks the processor but the worker, whose questions become due as time passes.
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

/// Waits until the processor has given something back.
async fn is_refunded(shop: &Shop) {
    let refunded = async || shop.money().refunded;
    until("a refund", refunded, |refunded| *refunded > 0).await;
}

/// Every refund in the processor's books, oldest first.
fn filed(shop: &Shop) -> Vec<Value> {
    let filed = shop.processor().ledger().refunds().expect("a list");
    let all = filed.iter().map(serde_json::to_value);
    all.collect::<Result<_, _>>().expect("JSON")
}

/// The ids of refunds in an array.
fn ids(refunds: &Value) -> Vec<&str> {
    let all = refunds.as_array().expect("refunds").iter();
    all.map(multirail_conformance::shop::refund_id).collect()
}
