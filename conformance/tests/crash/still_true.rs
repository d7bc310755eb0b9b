//! Checks that the answers that clients saw are still true at the end.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::ledger::{Ledger, number, text};
use crate::method_books::is_paid_nevertheless;
use crate::seen::Seen;
use crate::{dispute_books, refund_books};

/// Final statuses of a payment.
const TERMINAL: &[&str] = &["succeeded", "partially_captured", "failed", "cancelled"];

/// Returns one line for each answer that the final state contradicts. For `unsettled` payments the final state isn't
/// known yet.
pub fn contradictions(
    ledger: &Ledger,
    seen: &[Seen],
    end: &BTreeMap<String, Value>,
    unsettled: &BTreeSet<String>,
) -> Vec<String> {
    let mut wrong = payment_contradictions(ledger, seen, end, unsettled);
    wrong.extend(refund_books::contradictions(seen, end));
    wrong.extend(dispute_books::contradictions(seen, end));
    wrong
}

fn payment_contradictions(
    ledger: &Ledger,
    seen: &[Seen],
    end: &BTreeMap<String, Value>,
    unsettled: &BTreeSet<String>,
) -> Vec<String> {
    let successes = seen
        .iter()
        .filter(|seen| seen.status == 200 && seen.is_of_payment());
    successes
        .filter_map(|seen| {
            let Some(now) = end.get(&seen.payment_id) else {
                return Some(format!(
                    "{} answered {}, and there is no such payment",
                    seen.operation, seen.payment_id
                ));
            };
            let is_settled = !unsettled.contains(&seen.payment_id);
            let is_paid_late = is_paid_nevertheless(ledger, now);
            let why = contradiction(&seen.body, now, is_settled, is_paid_late)?;
            Some(format!(
                "{} {}: {why}\n  was told: {seen:?}\n  in the end: {now}",
                seen.operation, seen.payment_id
            ))
        })
        .collect()
}

fn contradiction(
    told: &Value,
    now: &Value,
    is_settled: bool,
    is_paid_late: bool,
) -> Option<String> {
    for member in [
        "amount",
        "currency",
        "capture_method",
        "created",
        "profile_id",
    ] {
        if told[member] != now[member] {
            return Some(format!(
                "{member} was {} and is {}",
                told[member], now[member]
            ));
        }
    }
    for member in ["connector_transaction_id", "merchant_connector_id"] {
        if !told[member].is_null() && told[member] != now[member] {
            return Some(format!(
                "{member} was {} and is {}",
                told[member], now[member]
            ));
        }
    }
    let (was, is) = (text(told, "status"), text(now, "status"));
    // A voucher was paid in cash, which can't be returned, before the processor knew of the cancellation.
    if is_paid_late && !matches!(was, "succeeded" | "failed") {
        return None;
    }
    if TERMINAL.contains(&was) && was != is {
        return Some(format!("it had ended as {was} and is {is}"));
    }
    if is_settled && !can_follow(was, is) {
        return Some(format!("{is} can't follow {was}"));
    }
    // An approval that arrives after the cancellation counts until the processor has reversed all of it.
    let is_given_back = was == "cancelled" && number(now, "amount_received") == 0;
    if number(told, "amount_received") > number(now, "amount_received") && !is_given_back {
        return Some("money that was taken is gone".to_owned());
    }
    let none = Vec::new();
    let now_captures = now["captures"].as_array().unwrap_or(&none);
    for capture in told["captures"].as_array().unwrap_or(&none) {
        let same = now_captures
            .iter()
            .find(|now| now["capture_id"] == capture["capture_id"]);
        let holds = same.is_some_and(|same| {
            same["amount"] == capture["amount"]
                && (capture["status"] != "charged" || same["status"] == "charged")
        });
        if !holds {
            return Some(format!("a capture changed: {capture}"));
        }
    }
    None
}

/// Returns whether a payment in status `was` may later have the status `is` under this load.
fn can_follow(was: &str, is: &str) -> bool {
    let order = |status: &str| match status {
        "requires_payment_method" => 0,
        "requires_confirmation" => 1,
        "processing" => 2,
        "requires_customer_action" => 2,
        "requires_capture" => 3,
        "partially_captured_and_capturable" | "partially_captured_and_processing" => 4,
        _ => 5,
    };
    // The capturable rest is reserved while a capture runs, and free again if that capture fails.
    let is_between_captures = order(was) == 4 && order(is) == 4;
    // An unanswered call is being processed until the payer's step is known, and a transfer from its first part on.
    was == is
        || order(is) > order(was)
        || is_between_captures
        || (order(was) == 2 && order(is) == 2)
}
