//! Whether what clients were told is still true in the end.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::ledger::{number, text};
use crate::seen::Seen;
use crate::{dispute_books, refund_books};

/// Where nothing moves a payment out of.
const TERMINAL: &[&str] = &["succeeded", "partially_captured", "failed", "cancelled"];

/// Every answer that the end contradicts, a line each. Of what is `unsettled` the end isn't known: it is under way still.
pub fn contradictions(
    seen: &[Seen],
    end: &BTreeMap<String, Value>,
    unsettled: &BTreeSet<String>,
) -> Vec<String> {
    let mut wrong = of_payments(seen, end, unsettled);
    wrong.extend(refund_books::contradictions(seen, end));
    wrong.extend(dispute_books::contradictions(seen, end));
    wrong
}

fn of_payments(
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
            let why = contradiction(&seen.body, now, is_settled)?;
            Some(format!(
                "{} {}: {why}\n  was told: {seen:?}\n  in the end: {now}",
                seen.operation, seen.payment_id
            ))
        })
        .collect()
}

fn contradiction(told: &Value, now: &Value, is_settled: bool) -> Option<String> {
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
    if TERMINAL.contains(&was) && was != is {
        return Some(format!("it had ended as {was} and is {is}"));
    }
    if is_settled && !can_follow(was, is) {
        return Some(format!("{is} can't follow {was}"));
    }
    // An approval that comes after the cancellation counts until the processor has given all of it back.
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

/// Whether a payment that was once `was` may be `is` later, in the course that this load takes.
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
    // What is left to capture is spoken for while a capture runs, and free again when that came to nothing.
    let is_between_captures = order(was) == 4 && order(is) == 4;
    // A capture or void that never reached the processor leads back from processing to what was before.
    was == is
        || order(is) > order(was)
        || is_between_captures
        || (was == "processing" && matches!(is, "requires_customer_action"))
}
