//! Refunds of one payment of the load.

use serde_json::{Value, json};

use crate::ledger::{number, text};
use crate::seen::Seen;
use crate::story::Story;

/// The amount exceeds the captured amount, or the rest after earlier refunds.
const TOO_LARGE: &str = "IR_13";
/// The payment has nothing captured, or not yet.
const NOT_IN_STATE: &str = "IR_14";
/// Another refund has this id.
const ID_TAKEN: &str = "HE_01";

const CREATE: &str = "refund";

impl Story<'_> {
    /// Refunds payments that captured money, and sometimes one that didn't.
    pub(super) async fn gives_back(&mut self) {
        if !self.chance.percent(60) {
            return;
        }
        let path = format!("/payments/{}", self.payment_id);
        let payment = self.client.read("retrieve", &self.payment_id, &path).await;
        match text(&payment.body, "status") {
            "succeeded" | "partially_captured" => {
                let captured = number(&payment.body, "amount_received");
                self.refunds_happen(captured).await;
            }
            "requires_capture" | "partially_captured_and_capturable" | "cancelled" => {
                let body = self.part(1);
                self.is_refused(&body, NOT_IN_STATE).await;
            }
            // The payment was declined, or its status is about to change.
            _ => {}
        }
    }

    async fn refunds_happen(&mut self, captured: i64) {
        match self.chance.choose(&[
            (25, "whole"),
            (35, "parts"),
            (25, "at once"),
            (10, "scheduled"),
            (5, "too large"),
        ]) {
            "whole" => {
                let body = json!({ "payment_id": self.payment_id });
                self.refund(&body).await;
            }
            "parts" => self.parts(captured).await,
            "at once" => self.several_at_once(captured).await,
            "scheduled" => {
                let part = self.chance.between(1, captured as u64) as i64;
                let mut body = self.part(part);
                body["refund_type"] = json!("scheduled");
                self.refund(&body).await;
            }
            _ => {
                let body = self.part(captured + 1);
                self.is_refused(&body, TOO_LARGE).await;
            }
        }
    }

    /// Refunds one part after the other. A failed part counts as refunded here too, so that each part is within the
    /// limit in any case.
    async fn parts(&mut self, captured: i64) {
        let mut left = captured;
        for _ in 0..self.chance.between(1, 3) {
            if left == 0 {
                return;
            }
            let part = self.chance.between(1, left as u64) as i64;
            left -= part;
            let body = self.part(part);
            if self.chance.percent(30) {
                self.refund_by_id(body).await;
            } else {
                self.refund(&body).await;
            }
        }
    }

    /// Sends three refunds at once. Each is within the limit, but all together often aren't.
    async fn several_at_once(&mut self, captured: i64) {
        let key = self.key();
        let mut part = || self.chance.between(1, captured as u64);
        let amounts = [part(), part(), part()];
        let ask = async |name: &str, amount: u64| {
            let body = json!({ "payment_id": self.payment_id, "amount": amount });
            let key = format!("{key}-{name}");
            self.client
                .post(CREATE, &self.payment_id, "/refunds", &body, Some(&key))
                .await
        };
        let [one, other, third] = amounts;
        let answers = tokio::join!(ask("a", one), ask("b", other), ask("c", third));
        let answers = [answers.0, answers.1, answers.2];
        for seen in &answers {
            self.judge_refund(seen, &[TOO_LARGE]);
        }
        if answers.iter().all(|seen| seen.status != 200) {
            self.client.is_wrong(format!(
                "{}: none of three refunds at once was let through: {answers:?}",
                self.payment_id
            ));
        }
    }

    /// Creates a refund that must be accepted. Sometimes it also reads it, or updates its reason.
    async fn refund(&mut self, body: &Value) {
        let seen = self.send(CREATE, "/refunds".to_owned(), body).await;
        self.judge_refund(&seen, &[]);
        let Some(refund_id) = seen.refund_id() else {
            return;
        };
        let path = format!("/refunds/{refund_id}");
        if self.chance.percent(15) {
            let body =
                json!({ "reason": "came too late", "metadata": { "case": self.payment_id } });
            let seen = self.send("update refund", path.clone(), &body).await;
            self.judge_refund(&seen, &[]);
        }
        if self.chance.percent(25) {
            let path = format!("{path}?force_sync=true");
            let seen = self
                .client
                .read("sync refund", &self.payment_id, &path)
                .await;
            self.judge_refund(&seen, &[]);
        }
    }

    /// Creates a refund without an idempotency key. Its id does the same: a merchant without an answer sends the
    /// request again, is told that the id exists, and reads the refund.
    async fn refund_by_id(&mut self, mut body: Value) {
        let refund_id = format!("ref_of_{}", self.key());
        body["refund_id"] = json!(refund_id);
        let seen = self
            .client
            .post(CREATE, &self.payment_id, "/refunds", &body, None)
            .await;
        if (seen.cut_off || seen.told_503) && text(&seen.body, "code") == ID_TAKEN {
            let path = format!("/refunds/{refund_id}");
            let seen = self
                .client
                .read("retrieve refund", &self.payment_id, &path)
                .await;
            self.judge_refund(&seen, &[]);
        } else {
            self.judge_refund(&seen, &[]);
        }
    }

    pub(super) async fn is_refused(&mut self, body: &Value, code: &str) {
        let seen = self.send(CREATE, "/refunds".to_owned(), body).await;
        if (seen.status, text(&seen.body, "code")) != (400, code) {
            self.client.is_wrong(format!(
                "a refund of {} should be refused with {code}: {seen:?}",
                self.payment_id
            ));
        }
    }

    /// Checks that the refund was done, or refused with one of these codes.
    fn judge_refund(&self, seen: &Seen, refusals: &[&str]) {
        let is_refusal = seen.status == 400 && refusals.contains(&text(&seen.body, "code"));
        if seen.status != 200 && !is_refusal {
            self.client.is_wrong(format!(
                "{} of {} was refused: {seen:?}",
                seen.operation, self.payment_id
            ));
        }
    }

    fn part(&self, amount: i64) -> Value {
        json!({ "payment_id": self.payment_id, "amount": amount })
    }
}
