//! What a processor never heard of, whose silence proves nothing yet.
//!
//! That Stripe finds nothing proves that nothing was done once minutes of real time have gone by, of an authorization an hour,
//! and no test waits for that. Until then such an operation is unknown, as it has to be: the operator's list names it, and the
//! processor's books must not.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::client::Client;
use crate::ledger::{Ledger, payment_named_by, text};

/// As many as the list has at most.
const LIMIT: usize = 100;

/// The payments all of whose open operations were never done, and wait for the processor to be asked again.
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

/// Whether the processor's books have it.
fn is_done(operation: &Value, ledger: &Ledger) -> bool {
    let key = &operation["processor_key"];
    let has = |book: &[Value]| book.iter().any(|record| &record["key"] == key);
    match text(operation, "operation") {
        "authorize" => has(&ledger.authorizations),
        "capture" => has(&ledger.captures),
        "refund" => has(&ledger.refunds),
        // A release has no key in the books; a payment is voided once.
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
