//! Compares our disputes with the processor's ledger, and with the answers and events that were sent.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::RangeInclusive;

use serde_json::Value;

use crate::disputes::CHALLENGE;
use crate::ledger::{Ledger, is_debit, number, text};
use crate::seen::Seen;

/// Returns the disputes in a payment's answer.
pub fn disputes_of(payment: &Value) -> &[Value] {
    let disputes = payment["disputes"].as_array();
    disputes.map_or(&[][..], Vec::as_slice)
}

/// Returns the disputes of all payments.
pub fn all(payments: &BTreeMap<String, Value>) -> impl Iterator<Item = &Value> {
    payments.values().flat_map(disputes_of)
}

/// Returns one line for each difference. Each dispute of the processor exists here once, and each requested operation
/// was done once.
pub fn differences(
    ledger: &Ledger,
    seen: &[Seen],
    payments: &BTreeMap<String, Value>,
) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut here: HashMap<&str, Vec<(&str, &Value)>> = HashMap::new();
    for (payment_id, payment) in payments {
        wrong.extend(sums(payment_id, payment));
        for dispute in disputes_of(payment) {
            let named = here.entry(text(dispute, "connector_dispute_id"));
            named.or_default().push((payment_id, dispute));
        }
    }
    let raised = ledger.disputes.iter();
    let raised = raised.filter(|dispute| !dispute["raised_at"].is_null());
    for there in raised {
        let key = text(there, "key");
        let ours = here.remove(key).unwrap_or_default();
        let is_same = |ours: &Value| {
            ours["dispute_stage"] == there["stage"] && ours["dispute_status"] == there["status"]
        };
        match ours.as_slice() {
            [(payment_id, one)] if is_same(one) => {
                let is_return = payments.get(*payment_id).is_some_and(is_debit);
                let challenges = if is_return {
                    0..=0
                } else {
                    challenges_of(seen, text(there, "status"), payment_id)
                };
                wrong.extend(done_otherwise(ledger, there, &challenges));
            }
            ours => wrong.push(format!(
                "the dispute {key}:\n  ours: {ours:?}\n  theirs: {there}"
            )),
        }
    }
    for (key, ours) in here {
        wrong.push(format!("nobody raised the dispute {key}: {ours:?}"));
    }
    wrong
}

/// Returns one line for each operation on a dispute that differs from the requests.
fn done_otherwise(ledger: &Ledger, there: &Value, expected: &RangeInclusive<usize>) -> Vec<String> {
    let requests = |kind: &str| -> Vec<&Value> {
        let all = ledger.dispute_requests.iter();
        let own = all.filter(|one| one["dispute_key"] == there["key"] && one["kind"] == kind);
        own.collect()
    };
    let (accepts, challenges) = (requests("accept_dispute"), requests("challenge_dispute"));
    let mut wrong = Vec::new();
    let is_accepted = there["status"] == "dispute_accepted";
    if accepts.len() != usize::from(is_accepted) {
        wrong.push(format!(
            "{} keys for an accept of {there}: {accepts:?}",
            accepts.len()
        ));
    }
    if !expected.contains(&challenges.len()) {
        wrong.push(format!(
            "{expected:?} challenges of {there} were let through, and they have {} keys: {challenges:?}",
            challenges.len()
        ));
    }
    wrong
}

/// Returns how many challenges of a dispute the processor accepted, judged by the merchant's answers. A failed
/// challenge is repeated under its key. Only challenges and accepts end such a dispute in this load.
fn challenges_of(seen: &[Seen], status: &str, payment_id: &str) -> RangeInclusive<usize> {
    match status {
        "dispute_opened" => 0..=0,
        "dispute_challenged" | "dispute_won" | "dispute_lost" => 1..=1,
        _ => {
            let own = seen.iter().filter(|one| {
                one.operation == CHALLENGE && one.payment_id == payment_id && one.status == 200
            });
            let (open, done): (Vec<&Seen>, Vec<&Seen>) =
                own.partition(|one| text(&one.body, "dispute_status") == "dispute_opened");
            // Nobody learns the outcome of an unanswered challenge before the merchant accepted the dispute.
            match (done.is_empty(), open.is_empty()) {
                (false, _) => 1..=1,
                (true, false) => 0..=1,
                (true, true) => 0..=0,
            }
        }
    }
}

/// Returns contradictions between a payment's sums and its disputes. Amounts that are lost for good must be shown,
/// and disputed amounts must not be refunded too.
fn sums(payment_id: &str, payment: &Value) -> Vec<String> {
    let sum_of = |counts: &[&str]| -> i64 {
        let disputes = disputes_of(payment).iter();
        let counted = disputes.filter(|one| counts.contains(&text(one, "dispute_status")));
        counted
            .map(|one| text(one, "amount").parse::<i64>().expect("an amount"))
            .sum()
    };
    let for_good = sum_of(&["dispute_accepted", "dispute_lost"]);
    let held = for_good + sum_of(&["dispute_opened", "dispute_challenged", "dispute_expired"]);
    let said = &payment["state_metadata"];
    let mut wrong = Vec::new();
    if number(said, "total_disputed_amount") != for_good {
        wrong.push(format!(
            "{payment_id}: {for_good} are disputed for good: {payment}"
        ));
    }
    let taken = number(payment, "amount_received");
    let refunded = number(said, "total_refunded_amount");
    if held + refunded > taken {
        wrong.push(format!(
            "{payment_id}: of {taken} disputes hold {held}, and {refunded} were refunded: {payment}"
        ));
    }
    wrong
}

/// Returns one line for each answer about a dispute that the final state contradicts.
pub fn contradictions(seen: &[Seen], payments: &BTreeMap<String, Value>) -> Vec<String> {
    let end: HashMap<&str, &Value> = all(payments)
        .map(|dispute| (text(dispute, "dispute_id"), dispute))
        .collect();
    let told = seen.iter().filter(|answer| answer.status == 200);
    told.filter_map(|answer| {
        let now = end.get(answer.dispute_id()?);
        let holds = now.is_some_and(|now| {
            let (was, is) = (
                text(&answer.body, "dispute_status"),
                text(now, "dispute_status"),
            );
            was == is || order(was) < order(is)
        });
        (!holds).then(|| format!("a dispute was told otherwise: {answer:?}\n  in the end: {now:?}"))
    })
    .collect()
}

/// Returns one line for each mismatch between events and disputes. Each outcome is announced once.
pub fn untold(events: &[Value], payments: &BTreeMap<String, Value>) -> Vec<String> {
    let mut types: HashMap<&str, Vec<&str>> = HashMap::new();
    for event in events {
        let said = types.entry(text(event, "object_id")).or_default();
        said.push(text(event, "event_type"));
    }
    let mut wrong = Vec::new();
    for dispute in all(payments) {
        let said = types.get(text(dispute, "dispute_id"));
        let said = said.map_or(&[][..], Vec::as_slice);
        let once: HashSet<&&str> = said.iter().collect();
        let last = said.last().copied();
        if once.len() != said.len() || last != Some(text(dispute, "dispute_status")) {
            wrong.push(format!("its events are {said:?}: {dispute}"));
        }
    }
    wrong
}

/// Ranks a status. The highest ones are final, because this load never moves a dispute to a further stage.
fn order(status: &str) -> u8 {
    match status {
        "dispute_opened" => 0,
        "dispute_challenged" => 1,
        _ => 2,
    }
}
