//! Compares payments by methods that payers finish elsewhere with the processor's books. Each payment ends as its
//! payer and its merchant decided.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::ledger::{Ledger, authorizations_of, awaits_payer, is_debit, is_voucher, number, text};
use crate::payers::{APPROVES, DOUBLE, REJECTS};
use crate::refund_books::{is_of_excess, refunds_of};

/// Returns the payments by such methods.
fn by_methods(payments: &BTreeMap<String, Value>) -> impl Iterator<Item = (&String, &Value)> {
    payments.iter().filter(|(_, payment)| {
        let method = &payment["payment_method"];
        !method.is_null() && method != "card" && !is_debit(payment)
    })
}

/// Returns the payments whose payers are still awaited here, although the processor knows a decision or has received more
/// of a transfer.
pub fn behind(ledger: &Ledger, payments: &BTreeMap<String, Value>) -> Vec<String> {
    let awaited = by_methods(payments);
    let awaited = awaited.filter(|(_, payment)| awaits_payer(payment));
    let behind = awaited.filter(|(id, payment)| {
        let mut there = authorizations_of(ledger, id);
        there.any(|authorization| {
            authorization["status"] != "awaiting_customer"
                || number(authorization, "received") != part_of_transfer(payment)
        })
    });
    behind.map(|(id, _)| id.clone()).collect()
}

/// Returns the part of a transfer that has arrived, according to the payer's instructions.
fn part_of_transfer(payment: &Value) -> i64 {
    let steps = &payment["next_action"]["bank_transfer_steps_and_charges_details"];
    number(&steps["receiver"], "amount_received")
}

/// Returns one line for each difference. `finished` are the last buttons of payers whom the processor answered.
pub fn differences(
    ledger: &Ledger,
    payments: &BTreeMap<String, Value>,
    finished: &BTreeMap<String, &'static str>,
) -> Vec<String> {
    let mut wrong = Vec::new();
    for (id, payment) in by_methods(payments) {
        let there: Vec<&Value> = authorizations_of(ledger, id).collect();
        let differences = match there.as_slice() {
            [] => no_authorization(payment, finished.get(id)),
            [one] => {
                let is_paid_late = is_paid_nevertheless(ledger, payment);
                difference(payment, one, finished.get(id).copied(), is_paid_late)
            }
            several => Some(format!("{} authorizations", several.len())),
        };
        wrong.extend(differences.map(|difference| {
            format!("{id}: {difference}\n  ours: {payment}\n  theirs: {there:?}")
        }));
    }
    wrong
}

fn no_authorization(payment: &Value, finished: Option<&&'static str>) -> Option<String> {
    let has_page = finished.is_some() || awaits_payer(payment);
    has_page.then(|| "it had a page, and the processor doesn't know it".to_owned())
}

fn difference(
    payment: &Value,
    there: &Value,
    finished: Option<&'static str>,
    is_paid_late: bool,
) -> Option<String> {
    let (here, theirs) = (text(payment, "status"), text(there, "status"));
    let at_once = there["captured_at_once"] == true;
    let fits = match theirs {
        // Cash can't be returned.
        "approved" if is_voucher(payment) => here == "succeeded" || is_paid_late,
        "approved" if at_once => matches!(here, "succeeded" | "cancelled"),
        "approved" => matches!(
            here,
            "requires_capture" | "succeeded" | "partially_captured" | "cancelled"
        ),
        "declined" => matches!(here, "failed" | "cancelled"),
        "cancelled" => here == "cancelled",
        "awaiting_customer" => {
            let part = number(there, "received");
            let wanted = if part > 0 {
                "processing"
            } else {
                "requires_customer_action"
            };
            here == wanted && part_of_transfer(payment) == part
        }
        _ => false,
    };
    if !fits {
        return Some(format!("it is {here}, and {theirs} at the processor"));
    }
    let is_kept = match finished {
        Some(APPROVES | DOUBLE) => theirs == "approved",
        Some(REJECTS) => theirs == "declined",
        Some(_) | None => true,
    };
    if !is_kept {
        return Some(format!(
            "its payer pressed {finished:?}, and it is {theirs}"
        ));
    }
    too_much(payment, there)
}

/// Returns whether the payer paid in cash after the cancellation, so that the processor refused the void. Only a person can
/// undo that.
pub fn is_paid_nevertheless(ledger: &Ledger, payment: &Value) -> bool {
    let is_refused = |void: &&Value| void["status"] == "declined";
    let of_payment = |void: &Value| {
        let mut own = authorizations_of(ledger, text(payment, "payment_id"));
        own.any(|one| one["status"] == "approved" && one["key"] == void["authorization_key"])
    };
    payment["status"] == "conflicted"
        && is_voucher(payment)
        && ledger.voids.iter().filter(is_refused).any(of_payment)
}

/// Compares the part of a transfer above its amount, which exactly one refund returns.
fn too_much(payment: &Value, there: &Value) -> Option<String> {
    let received = there["received"].as_i64()?;
    let is_paid = there["status"] == "approved";
    let above = received - number(there, "amount");
    let wanted: Vec<i64> = (is_paid && above > 0)
        .then_some(above)
        .into_iter()
        .collect();
    let refunds = refunds_of(payment).iter().filter(|one| is_of_excess(one));
    let returned: Vec<i64> = refunds.map(|refund| number(refund, "amount")).collect();
    (returned != wanted).then(|| format!("{wanted:?} came too much, and {returned:?} go back"))
}
