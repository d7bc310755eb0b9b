//! Compares debits with the processor's books. No account is debited twice, and each return is one lost dispute.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::dispute_books::disputes_of;
use crate::ledger::{Ledger, authorizations_of, is_debit, text};

/// Returns the number of returned debits.
pub fn returned(payments: &BTreeMap<String, Value>) -> usize {
    let debits = payments.values().filter(|payment| is_debit(payment));
    debits.map(|payment| disputes_of(payment).len()).sum()
}

/// Returns one line for each difference.
pub fn differences(ledger: &Ledger, payments: &BTreeMap<String, Value>) -> Vec<String> {
    let debits = payments.iter().filter(|(_, payment)| is_debit(payment));
    let wrong = debits.filter_map(|(id, payment)| {
        let there: Vec<&Value> = authorizations_of(ledger, id).collect();
        let difference = match there.as_slice() {
            [] => not_known(payment),
            [one] => difference(ledger, payment, one),
            several => Some(format!("it was debited {} times", several.len())),
        };
        Some(format!(
            "{id}: {}\n  ours: {payment}\n  theirs: {there:?}",
            difference?
        ))
    });
    wrong.collect()
}

fn not_known(payment: &Value) -> Option<String> {
    let status = text(payment, "status");
    (status != "failed").then(|| format!("it is {status}, and the processor doesn't know it"))
}

fn difference(ledger: &Ledger, payment: &Value, there: &Value) -> Option<String> {
    let (here, theirs) = (text(payment, "status"), text(there, "status"));
    if !matches!(
        (here, theirs),
        ("succeeded", "approved") | ("failed", "declined")
    ) {
        return Some(format!("it is {here}, and {theirs} at the processor"));
    }
    let is_returned = there["details"]["debit"]["is_returned"] == true && theirs == "approved";
    let of_debit = |one: &&Value| one["authorization_key"] == there["key"];
    let raised: Vec<&Value> = ledger.disputes.iter().filter(of_debit).collect();
    let ours = disputes_of(payment);
    let lost = ours
        .iter()
        .filter(|one| one["dispute_status"] == "dispute_lost");
    let counts = (raised.len(), ours.len(), lost.count());
    let expected = usize::from(is_returned);
    (counts != (expected, expected, expected)).then(|| {
        format!("{expected} returns, and {counts:?} disputes there, here and lost: {raised:?}")
    })
}
