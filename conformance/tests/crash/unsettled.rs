//! Operations that never reached the processor, and whose absence isn't proved yet.
//!
//! When Stripe finds nothing, that proves absence only after minutes of real time (an hour for an authorization), and
//! no test waits for that. Until then the operation is unknown: the operator's list must name it, and the processor's
//! books must not.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::client::Client;
use crate::ledger::{Ledger, payment_named_by, text};

/// The most entries that the list returns.
const LIMIT: usize = 100;

/// Returns the payments whose open operations all were never done, and wait for the next sync.
pub async fn payments(client: &Client, ledger: &Ledger) -> BTreeSet<String> {
    let path = format!("/unresolved_operations?limit={LIMIT}");
    let open = client.operator_reads(&path).await;
    let open = open.as_array().expect("a list");
    assert!(open.len() < LIMIT, "there may be more than are listed");
    let mut payments: BTreeMap<&str, bool> = BTreeMap::new();
    for operation in open {
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
            let own = ledger.authorizations.iter();
            let own = own.filter(|one| payment_named_by(one) == text(operation, "payment_id"));
            let keys: Vec<&Value> = own.map(|one| &one["key"]).collect();
            let mut voids = ledger.voids.iter();
            voids.any(|void| keys.contains(&&void["authorization_key"]))
        }
        other => panic!("no operation: {other}"),
    }
}
