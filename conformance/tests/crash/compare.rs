//! Compares the processor's ledger with our payments. Each record has exactly one counterpart on the other side, with
//! the same amount.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::Value;

use crate::ledger::{Ledger, awaits_payer, done, is_voucher, number, payment_named_by, text};
use crate::refund_books;

/// The processor's records of one payment.
#[derive(Default)]
struct There<'a> {
    authorizations: Vec<&'a Value>,
    captures: Vec<&'a Value>,
    voids: Vec<&'a Value>,
    refunds: Vec<&'a Value>,
}

/// Returns one line for each difference. `ours` maps payment ids to payments with attempts. An `unsettled` payment
/// may have an unknown outcome; nothing else may differ.
pub fn differences(
    ledger: &Ledger,
    ours: &BTreeMap<String, Value>,
    unsettled: &BTreeSet<String>,
) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut there: HashMap<&str, There<'_>> = HashMap::new();
    let mut payment_of: HashMap<&str, &str> = HashMap::new();
    for authorization in &ledger.authorizations {
        let payment_id = payment_named_by(authorization);
        if !ours.contains_key(payment_id) {
            wrong.push(format!(
                "the processor authorized for a payment that we don't have: {authorization}"
            ));
        }
        payment_of.insert(text(authorization, "key"), payment_id);
        there
            .entry(payment_id)
            .or_default()
            .authorizations
            .push(authorization);
    }
    for (name, book) in [
        ("capture", &ledger.captures),
        ("void", &ledger.voids),
        ("refund", &ledger.refunds),
    ] {
        for record in book {
            let Some(payment_id) = payment_of.get(text(record, "authorization_key")) else {
                // The processor declined the operation because it never received the authorization. No money moved.
                if record["status"] != "declined" {
                    wrong.push(format!("a {name} without its authorization: {record}"));
                }
                continue;
            };
            let there = there.entry(payment_id).or_default();
            match name {
                "capture" => there.captures.push(record),
                "void" => there.voids.push(record),
                _ => there.refunds.push(record),
            }
        }
    }
    let nothing = There::default();
    for (payment_id, payment) in ours {
        let there = there.get(payment_id.as_str()).unwrap_or(&nothing);
        let is_settled = !unsettled.contains(payment_id);
        for difference in there.differences(payment, is_settled) {
            wrong.push(format!(
                "{payment_id}: {difference}\n  ours: {payment}\n  theirs: {}",
                there.shown()
            ));
        }
    }
    wrong
}

impl There<'_> {
    fn differences(&self, payment: &Value, is_settled: bool) -> Vec<String> {
        let mut wrong = Vec::new();
        let status = text(payment, "status");
        let attempts = payment["attempts"]
            .as_array()
            .map_or(&[][..], Vec::as_slice);
        let sent = attempts
            .iter()
            .filter(|attempt| !attempt["connector"].is_null())
            .count();
        if self.authorizations.len() > sent {
            wrong.push(format!(
                "{} authorizations for {sent} attempts",
                self.authorizations.len()
            ));
        }
        let (mut approved, mut taken, mut freed, mut given_back) = (0, 0, 0, 0);
        for authorization in &self.authorizations {
            let reference = &authorization["reference"];
            let same = attempts
                .iter()
                .filter(|attempt| attempt["connector_transaction_id"] == *reference);
            let same: Vec<&Value> = same.collect();
            if authorization["status"] != "approved" {
                continue;
            }
            let amount = number(authorization, "approved_amount");
            match same.as_slice() {
                [one] if number(one, "amount") == amount => {}
                [one] => wrong.push(format!("approved were {amount}, the attempt has {one}")),
                others => wrong.push(format!(
                    "{} attempts for the authorization {reference}",
                    others.len()
                )),
            }
            approved += amount;
            if authorization["captured_at_once"] == true {
                taken += amount;
            }
        }
        for attempt in attempts {
            let known = |authorization: &&&Value| {
                authorization["reference"] == attempt["connector_transaction_id"]
            };
            if !attempt["connector_transaction_id"].is_null()
                && self.authorizations.iter().filter(known).count() != 1
            {
                wrong.push(format!(
                    "the processor has no authorization {}",
                    attempt["connector_transaction_id"]
                ));
            }
        }
        taken += done(&self.captures)
            .map(|capture| number(capture, "amount"))
            .sum::<i64>();
        for void in done(&self.voids) {
            match text(void, "kind") {
                "reversal" => given_back += number(void, "amount"),
                _ => freed += number(void, "amount"),
            }
        }
        if number(payment, "amount_received") != taken - given_back {
            wrong.push(format!(
                "the processor took {taken} and gave {given_back} back, we say {}",
                payment["amount_received"]
            ));
        }
        wrong.extend(refund_books::differences(
            payment,
            &self.refunds,
            taken - given_back,
            is_settled,
        ));
        self.compare_captures(payment, is_settled, &mut wrong);
        if is_settled {
            self.compare_rest(status, payment, approved - taken, freed, &mut wrong);
        }
        wrong
    }

    /// Compares single captures of payments with several captures; the contract shows them only there.
    fn compare_captures(&self, payment: &Value, is_settled: bool, wrong: &mut Vec<String>) {
        if payment["capture_method"] != "manual_multiple" {
            let several = done(&self.captures).count();
            if several > 1 {
                wrong.push(format!(
                    "{several} captures of a payment that is captured once"
                ));
            }
            return;
        }
        let ours = payment["captures"]
            .as_array()
            .map_or(&[][..], Vec::as_slice);
        let sorted = |mut pairs: Vec<(String, i64)>| {
            pairs.sort();
            pairs
        };
        let charged = ours.iter().filter(|capture| capture["status"] == "charged");
        let pair = |capture: &Value, name: &str| {
            (text(capture, name).to_owned(), number(capture, "amount"))
        };
        let here = sorted(
            charged
                .map(|capture| pair(capture, "connector_capture_id"))
                .collect(),
        );
        let there = sorted(
            done(&self.captures)
                .map(|capture| pair(capture, "reference"))
                .collect(),
        );
        if here != there {
            wrong.push(format!(
                "captures here {here:?}, at the processor {there:?}"
            ));
        }
        let undecided = ours
            .iter()
            .filter(|capture| matches!(text(capture, "status"), "started" | "pending"));
        for capture in undecided.filter(|_| is_settled) {
            wrong.push(format!("a capture is stuck: {capture}"));
        }
    }

    /// Checks that the authorized, uncaptured rest is still capturable or was voided, as our status says.
    fn compare_rest(
        &self,
        status: &str,
        payment: &Value,
        rest: i64,
        freed: i64,
        wrong: &mut Vec<String>,
    ) {
        let capturable = number(payment, "amount_capturable");
        let is_final = done(&self.captures).any(|capture| capture["is_final"] == true);
        match status {
            "requires_capture" | "partially_captured_and_capturable" => {
                if (capturable, freed) != (rest, 0) || is_final {
                    wrong.push(format!("{capturable} can be captured; approved and not taken are {rest}, freed {freed}"));
                }
            }
            "cancelled" | "failed" | "partially_captured" | "succeeded" => {
                let gone = if is_final { 0 } else { rest };
                if freed != gone || capturable != 0 {
                    wrong.push(format!(
                        "{status}, and of {rest} not taken only {freed} were set free by voids"
                    ));
                }
            }
            "requires_customer_action" | "requires_payment_method" | "requires_confirmation" => {
                if rest != 0 {
                    wrong.push(format!("{status}, and yet {rest} are approved"));
                }
            }
            // A part of its transfer has arrived.
            "processing" if awaits_payer(payment) && rest == 0 => {}
            // Its payer paid in cash after the cancellation.
            "conflicted" if is_voucher(payment) && rest == 0 && self.has_refused_void() => {}
            stuck => wrong.push(format!("it is stuck in {stuck}")),
        }
    }

    fn has_refused_void(&self) -> bool {
        self.voids.iter().any(|void| void["status"] == "declined")
    }

    fn shown(&self) -> String {
        format!(
            "{:?} {:?} {:?} {:?}",
            self.authorizations, self.captures, self.voids, self.refunds
        )
    }
}
