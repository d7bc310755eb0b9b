//! Compares the refunds of one payment with the processor's ledger, and with the answers and events that were sent.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::Value;

use crate::ledger::{done, number, text};
use crate::seen::Seen;

/// Final statuses of a refund, each with its event type.
const ENDS: &[(&str, &str)] = &[
    ("succeeded", "refund_succeeded"),
    ("failed", "refund_failed"),
];

/// Error codes of refunds that failed without a refusal of the processor.
const OF_OURS: &[&str] = &["not_processed", "refund_not_covered"];

/// Returns the sorted amounts of these records.
fn amounts(records: Vec<&Value>) -> Vec<i64> {
    let mut amounts: Vec<i64> = records.iter().map(|one| number(one, "amount")).collect();
    amounts.sort_unstable();
    amounts
}

/// Returns the refunds in a payment's answer.
pub fn refunds_of(payment: &Value) -> &[Value] {
    payment["refunds"].as_array().map_or(&[][..], Vec::as_slice)
}

/// Returns whether the server made the refund by itself, for what a transfer brought above its amount.
pub fn is_of_excess(refund: &Value) -> bool {
    refund["returns_excess"] == true
}

/// Returns the refunds of all payments by their ids.
pub fn by_id(payments: &BTreeMap<String, Value>) -> BTreeMap<&str, &Value> {
    let all = payments.values().flat_map(refunds_of);
    all.map(|refund| (text(refund, "refund_id"), refund))
        .collect()
}

/// Returns the differences between a payment's refunds and the processor's. `taken` is the captured amount. Refunds
/// of an unsettled payment may still be pending here.
pub fn differences(payment: &Value, there: &[&Value], taken: i64, is_settled: bool) -> Vec<String> {
    let mut wrong = Vec::new();
    let here = refunds_of(payment);
    let succeeded = here.iter().filter(|refund| refund["status"] == "succeeded");
    let pairs = |records: Vec<&Value>, reference: &str| {
        let pair = |record: &&Value| (text(record, reference).to_owned(), number(record, "amount"));
        let mut pairs: Vec<(String, i64)> = records.iter().map(pair).collect();
        pairs.sort();
        pairs
    };
    let ours = pairs(succeeded.collect(), "connector_refund_id");
    let theirs = pairs(done(there).collect(), "reference");
    if ours != theirs {
        wrong.push(format!(
            "refunds that succeeded here {ours:?}, at the processor {theirs:?}"
        ));
    }
    // Refunds that failed without a refusal of the processor carry one of our own error codes.
    let refused = here.iter().filter(|refund| {
        refund["status"] == "failed" && !OF_OURS.contains(&text(refund, "error_code"))
    });
    let declined = there.iter().copied();
    let declined = declined.filter(|refund| refund["status"] == "declined");
    let refused = amounts(refused.collect());
    let declined = amounts(declined.collect());
    if is_settled && refused != declined {
        wrong.push(format!(
            "refunds that were refused here {refused:?}, at the processor {declined:?}"
        ));
    }
    let of_captured = here.iter().filter(|refund| !is_of_excess(refund));
    let of_captured = of_captured.filter(|refund| refund["status"] == "succeeded");
    let refunded: i64 = of_captured.map(|refund| number(refund, "amount")).sum();
    if refunded > taken {
        wrong.push(format!("{refunded} were refunded of {taken}"));
    }
    let total = &payment["state_metadata"]["total_refunded_amount"];
    // The total is absent when nothing was refunded and another sum is shown.
    if total.as_i64().unwrap_or(0) != refunded {
        wrong.push(format!(
            "{refunded} were refunded, the payment says {total}"
        ));
    }
    for refund in there.iter().filter(|refund| refund["status"] == "pending") {
        wrong.push(format!("the processor still holds a refund: {refund}"));
    }
    for refund in here {
        let has_reason = !refund["error_code"].is_null();
        match text(refund, "status") {
            "succeeded" if !has_reason => {}
            "failed" if has_reason => {}
            "succeeded" | "failed" => wrong.push(format!("its reason doesn't fit: {refund}")),
            "pending" if !is_settled => {}
            _ => wrong.push(format!("a refund is stuck: {refund}")),
        }
    }
    wrong
}

/// Returns one line for each answer about a refund that the final state contradicts, and for each refund that no
/// answer mentions. Each refund request was answered in the end.
pub fn contradictions(seen: &[Seen], payments: &BTreeMap<String, Value>) -> Vec<String> {
    let end = by_id(payments);
    let mut wrong = Vec::new();
    let mut told = HashSet::new();
    for answer in seen.iter().filter(|answer| answer.status == 200) {
        let Some(refund_id) = answer.refund_id() else {
            continue;
        };
        told.insert(refund_id);
        let why = match end.get(refund_id) {
            None => Some("there is no such refund".to_owned()),
            Some(now) => contradiction(&answer.body, now),
        };
        wrong.extend(why.map(|why| {
            let now = end.get(refund_id);
            format!("{refund_id}: {why}\n  was told: {answer:?}\n  in the end: {now:?}")
        }));
    }
    for (refund_id, refund) in &end {
        if !told.contains(refund_id) && !is_of_excess(refund) {
            wrong.push(format!("nobody was told of this refund: {refund}"));
        }
    }
    let shown: usize = payments
        .values()
        .map(|payment| refunds_of(payment).len())
        .sum();
    if shown != end.len() {
        wrong.push(format!("{shown} refunds have {} ids", end.len()));
    }
    wrong
}

fn contradiction(told: &Value, now: &Value) -> Option<String> {
    let never_changes = [
        "payment_id",
        "amount",
        "currency",
        "connector",
        "merchant_connector_id",
        "profile_id",
        "returns_excess",
        "created_at",
    ];
    let never_taken_back = ["connector_refund_id", "reason", "metadata"];
    let is_kept = |member: &&str| {
        told[*member] == now[*member]
            || (never_taken_back.contains(member) && told[*member].is_null())
    };
    let mut members = never_changes.iter().chain(&never_taken_back);
    if let Some(member) = members.find(|member| !is_kept(member)) {
        return Some(format!(
            "{member} was {} and is {}",
            told[*member], now[*member]
        ));
    }
    let (was, is) = (text(told, "status"), text(now, "status"));
    (event_of(was).is_some() && was != is).then(|| format!("it had ended as {was} and is {is}"))
}

/// Returns one line for each mismatch between refunds, events and deliveries. The end of each refund is announced
/// once, with its content.
pub fn untold(
    events: &[Value],
    bodies: &[Value],
    payments: &BTreeMap<String, Value>,
) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut types: HashMap<&str, Vec<&str>> = HashMap::new();
    for event in events {
        let said = types.entry(text(event, "object_id")).or_default();
        said.push(text(event, "event_type"));
    }
    let end = by_id(payments);
    for (refund_id, refund) in &end {
        let said = types.get(refund_id).map_or(&[][..], Vec::as_slice);
        let wanted = event_of(text(refund, "status"));
        if said != wanted.as_slice() {
            wrong.push(format!("its events are {said:?}, not {wanted:?}: {refund}"));
        }
    }
    for body in bodies {
        let event_type = text(body, "event_type");
        if !ENDS.iter().any(|(_, known)| *known == event_type) {
            continue;
        }
        let object = &body["content"]["object"];
        let is_true = end.get(text(object, "refund_id")).is_some_and(|now| {
            contradiction(object, now).is_none()
                && event_of(text(object, "status")) == Some(event_type)
        });
        if !is_true || body["content"]["type"] != "refund_details" {
            wrong.push(format!("what was delivered is not so: {body}"));
        }
    }
    wrong
}

fn event_of(status: &str) -> Option<&'static str> {
    let (_, event_type) = ENDS.iter().find(|(end, _)| *end == status)?;
    Some(event_type)
}
