//! Operations that never reached the processor, and whose absence isn't proved yet.
//!
//! When Stripe finds nothing, that proves absence only after minutes of real time (an hour for an authorization), and
//! no test waits for that. Until then the operation is unknown: the operator's list must name it, and the processor's
//! books must not.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::client::Client;
use crate::ledger::{Ledger, authorizations_of, text};

/// The most entries of a page.
const LIMIT: usize = 100;

/// Readings of the list until two of them agree.
const READINGS: usize = 20;

/// Returns the payments whose open operations all were never done, and wait for the next sync.
pub async fn payments(client: &Client, ledger: &Ledger) -> BTreeSet<String> {
    let open = operations(client).await;
    let mut payments: BTreeMap<&str, bool> = BTreeMap::new();
    for operation in &open {
        let waits = text(operation, "progress") == "unknown"
            && text(operation, "waits_for") == "look_up"
            && !is_done(operation, ledger);
        let all_wait = payments
            .entry(text(operation, "payment_id"))
            .or_insert(true);
        *all_wait &= waits;
    }
    let waiting = payments.into_iter().filter(|(_, all_wait)| *all_wait);
    waiting.map(|(id, _)| id.to_owned()).collect()
}

/// Returns all open operations. One that is asked about meanwhile moves to another page, so the list is read until two
/// readings name the same operations.
async fn operations(client: &Client) -> Vec<Value> {
    let mut before = None;
    for _ in 0..READINGS {
        let all = pages(client).await;
        let keys = keys(&all);
        let is_whole = keys.len() == all.len();
        if is_whole && before.as_ref() == Some(&keys) {
            return all;
        }
        before = Some(keys);
    }
    panic!("the list of unresolved operations was another one {READINGS} times")
}

/// Returns whether the outcome of an accept or a challenge may still be unknown. A list that changes between two readings may
/// have hidden one.
pub async fn is_asking_about_disputes(client: &Client) -> bool {
    let all = pages(client).await;
    let mut open = all.iter();
    open.any(|one| !one["dispute_id"].is_null()) || keys(&pages(client).await) != keys(&all)
}

fn keys(operations: &[Value]) -> BTreeSet<String> {
    let keys = operations
        .iter()
        .map(|operation| &operation["processor_key"]);
    keys.map(Value::to_string).collect()
}

async fn pages(client: &Client) -> Vec<Value> {
    let mut all = Vec::new();
    loop {
        let path = format!("/unresolved_operations?limit={LIMIT}&offset={}", all.len());
        let page = client.operator_reads(&path).await;
        let page = page.as_array().expect("a list");
        all.extend_from_slice(page);
        if page.len() < LIMIT {
            return all;
        }
    }
}

/// Returns whether the processor's books hold the operation.
fn is_done(operation: &Value, ledger: &Ledger) -> bool {
    let key = &operation["processor_key"];
    let has = |book: &[Value]| book.iter().any(|record| &record["key"] == key);
    match text(operation, "operation") {
        "authorize" => has(&ledger.authorizations),
        "capture" => has(&ledger.captures),
        "refund" => has(&ledger.refunds),
        // A void has no key in the books, but a payment is voided only once.
        "void" => {
            let own = authorizations_of(ledger, text(operation, "payment_id"));
            let keys: Vec<&Value> = own.map(|one| &one["key"]).collect();
            let mut voids = ledger.voids.iter();
            voids.any(|void| keys.contains(&&void["authorization_key"]))
        }
        other => panic!("no operation: {other}"),
    }
}
