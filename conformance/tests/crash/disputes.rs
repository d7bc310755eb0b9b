//! Accepts or challenges the dispute of one payment of the load.

use std::time::Duration;

use multirail_conformance::bodies::DISPUTED;
use multirail_conformance::patience::until_found;
use serde_json::{Value, json};

use crate::ledger::{number, text};
use crate::seen::Seen;
use crate::story::Story;

/// The dispute's stage or status doesn't allow the operation.
const NOT_IN_STATE: &str = "HE_03";
/// The processor refused the request or never received it.
const NOT_DONE: &str = "CE_08";
/// Disputed amounts can't be refunded.
const HELD: &str = "IR_13";

/// How often a request that never reached the processor is repeated.
const MOST_TRIES: usize = 20;

/// Another call is working on the dispute.
const BUSY: &str = "HE_00";

impl Story<'_> {
    /// Clears the last two digits of the amount, which could select a special dispute.
    pub(super) fn amount_of(number: &str, amount: i64) -> i64 {
        if number == DISPUTED {
            amount - amount % 100
        } else {
            amount
        }
    }

    /// The payer disputes the captured amount, if any. The merchant then accepts, challenges, does both at once, or
    /// does nothing.
    pub(super) async fn is_disputed(&mut self) {
        let path = format!("/payments/{}", self.payment_id);
        let payment = self.client.read("retrieve", &self.payment_id, &path).await;
        if number(&payment.body, "amount_received") == 0 {
            return;
        }
        let dispute = self.fetched(text(&payment.body, "created")).await;
        let dispute_id = text(&dispute, "dispute_id").to_owned();
        let is_refundable = matches!(
            text(&payment.body, "status"),
            "succeeded" | "partially_captured"
        );
        if is_refundable && self.chance.percent(30) {
            let body = json!({ "payment_id": self.payment_id, "amount": 1 });
            self.is_refused(&body, HELD).await;
        }
        match self.chance.choose(&[
            (45, "accept"),
            (30, "challenge"),
            (15, "both"),
            (10, "nothing"),
        ]) {
            "accept" => self.until_done(&dispute_id, Act::Accept).await,
            "challenge" => self.until_done(&dispute_id, Act::Challenge).await,
            "both" => self.both(&dispute_id).await,
            _ => {}
        }
    }

    /// Fetches this payment's dispute from its processor.
    async fn fetched(&self, since: &str) -> Value {
        let client = self.client;
        let account = &client.account_id;
        let path =
            format!("/disputes/fetch/{account}?fetch_from={since}&fetch_till=2099-01-01T00:00:00Z");
        until_found(format!("{}: its dispute", self.payment_id), async || {
            let (status, fetched) = client.get(&path).await;
            let all = fetched.as_array().map_or(&[][..], Vec::as_slice);
            let mut own = all
                .iter()
                .filter(|one| one["payment_id"] == self.payment_id.as_str());
            if let Some(dispute) = own.next() {
                return Ok(dispute.clone());
            }
            // A processor that is being killed returns no disputes.
            assert!(
                status == 200 || fetched["code"] == NOT_DONE,
                "{}: no dispute: {status} {fetched}",
                self.payment_id
            );
            Err(format!("{status} {fetched}"))
        })
        .await
    }

    /// Repeats the operation with a new key until the processor has received it.
    async fn until_done(&mut self, dispute_id: &str, act: Act) {
        let (verb, path, body) = self.request(dispute_id, act);
        for _ in 0..MOST_TRIES {
            let seen = self.send(verb, path.clone(), &body).await;
            if (seen.status, text(&seen.body, "code")) != (400, NOT_DONE) {
                return self.judge_dispute(&seen, &[]);
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        self.client
            .is_wrong(format!("{}: {verb} is never done", self.payment_id));
    }

    async fn both(&mut self, dispute_id: &str) {
        let key = self.key();
        let requests = [
            self.request(dispute_id, Act::Accept),
            self.request(dispute_id, Act::Challenge),
        ];
        let ask = async |nth: usize| {
            let (verb, path, body) = &requests[nth];
            let key = format!("{key}-{nth}");
            self.client
                .post(verb, &self.payment_id, path, body, Some(&key))
                .await
        };
        let answers = tokio::join!(ask(0), ask(1));
        for seen in [answers.0, answers.1] {
            self.judge_dispute(&seen, &[NOT_IN_STATE, NOT_DONE, BUSY]);
        }
    }

    fn request(&mut self, dispute_id: &str, act: Act) -> (&'static str, String, Value) {
        match act {
            Act::Accept => {
                let path = format!("/disputes/accept/{dispute_id}");
                (ACCEPT, path, Value::Null)
            }
            Act::Challenge => {
                let word = self.chance.choose(&[
                    (40, "winning_evidence"),
                    (40, "losing_evidence"),
                    (20, "it was delivered"),
                ]);
                let body = json!({ "dispute_id": dispute_id, "uncategorized_text": word });
                (CHALLENGE, "/disputes/evidence".to_owned(), body)
            }
        }
    }

    fn judge_dispute(&self, seen: &Seen, refusals: &[&str]) {
        let is_refusal = seen.status < 500 && refusals.contains(&text(&seen.body, "code"));
        if seen.status != 200 && !is_refusal {
            self.client.is_wrong(format!(
                "{} of {} was refused: {seen:?}",
                seen.operation, self.payment_id
            ));
        }
    }
}

pub const ACCEPT: &str = "accept dispute";
pub const CHALLENGE: &str = "challenge dispute";

/// A merchant's reaction to a dispute.
#[derive(Clone, Copy)]
enum Act {
    Accept,
    Challenge,
}
