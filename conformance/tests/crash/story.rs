//! The life of one payment of the load.

use std::sync::Arc;

use multirail_conformance::bodies::{
    APPROVED, CAPTURES_REFUSED, DECLINED, DISPUTED, LAPSING, PENDING, REFUNDS_DECLINED,
    REFUNDS_FAIL_LATER, REFUNDS_PEND, THREE_DS, UNKNOWN, card, with,
};
use serde_json::{Value, json};

use crate::chance::Chance;
use crate::client::Client;
use crate::payer;
use crate::seen::Seen;

/// Plays one payment from start to end. Every request has its own key.
pub struct Story<'a> {
    pub(super) client: &'a Client,
    pub(super) chance: &'a mut Chance,
    pub(super) payment_id: String,
    steps: u32,
}

/// A step's concurrency, which decides whether a refusal is allowed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Race {
    Alone,
    Against,
}

impl<'a> Story<'a> {
    pub fn new(client: &'a Client, chance: &'a mut Chance, payment_id: String) -> Self {
        Story {
            client,
            chance,
            payment_id,
            steps: 0,
        }
    }

    pub async fn happens(mut self) {
        if self.chance.percent(25) {
            self.by_method().await;
        } else if self.client.processor.debits() && self.chance.percent(20) {
            self.by_debit().await;
        } else {
            self.by_card().await;
        }
    }

    async fn by_card(&mut self) {
        let amount = self.chance.between(100, 20_000) as i64;
        let method =
            self.chance
                .choose(&[(40, "automatic"), (30, "manual"), (30, "manual_multiple")]);
        let number = self.chance.choose(&[
            (51, APPROVED),
            (8, DISPUTED),
            (7, REFUNDS_PEND),
            (4, REFUNDS_FAIL_LATER),
            (4, REFUNDS_DECLINED),
            (3, CAPTURES_REFUSED),
            (3, LAPSING),
            (7, DECLINED),
            (5, PENDING),
            (4, UNKNOWN),
            (4, THREE_DS),
        ]);
        let is_disputed = number == DISPUTED && self.client.processor.disputes();
        let amount = Self::amount_of(number, amount);
        let number = self.client.processor.card(number);
        let at_once = self.chance.percent(40);
        let order = json!({
            "payment_id": self.payment_id,
            "amount": amount,
            "currency": "USD",
            "capture_method": method,
            "confirm": at_once,
            "return_url": "https://shop.example/back",
        });
        let card_now = at_once || self.chance.percent(50);
        let body = if card_now {
            with(order, card(number))
        } else {
            order
        };
        let mut answer = self.create(&body).await;
        if !at_once {
            let body = if card_now { json!({}) } else { card(number) };
            answer = self.asks("confirm", &body, Race::Alone).await;
        }
        match answer["status"].as_str().unwrap_or_default() {
            "requires_capture" if method == "manual" => self.single_capture(amount).await,
            "requires_capture" => self.several_captures(amount).await,
            "requires_customer_action" => self.payer(&answer).await,
            // The payment is done, declined, or left to operation_sync.
            _ => {}
        }
        if is_disputed {
            self.is_disputed().await;
        } else {
            self.gives_back().await;
        }
    }

    pub(super) async fn single_capture(&mut self, amount: i64) {
        let part = self.chance.between(1, amount as u64) as i64;
        match self
            .chance
            .choose(&[(45, "all"), (25, "part"), (20, "cancel"), (10, "both")])
        {
            "all" => {
                self.asks("capture", &json!({}), Race::Alone).await;
            }
            "part" => {
                self.asks(
                    "capture",
                    &json!({ "amount_to_capture": part }),
                    Race::Alone,
                )
                .await;
            }
            "cancel" => {
                self.asks(
                    "cancel",
                    &json!({ "cancellation_reason": "changed their mind" }),
                    Race::Alone,
                )
                .await;
            }
            _ => {
                self.at_the_same_time(("capture", json!({})), ("cancel", json!({})))
                    .await
            }
        }
    }

    async fn several_captures(&mut self, amount: i64) {
        if self.chance.percent(15) {
            self.asks("cancel", &json!({}), Race::Alone).await;
            return;
        }
        if self.chance.percent(10) {
            let part = json!({ "amount_to_capture": self.chance.between(1, amount as u64) });
            self.at_the_same_time(("capture", part), ("cancel", json!({})))
                .await;
            return;
        }
        let mut left = amount;
        for _ in 0..self.chance.between(1, 4) {
            if left < 2 {
                return;
            }
            let part = self.chance.between(1, left as u64) as i64;
            if self.chance.percent(25) {
                let other = self.chance.between(1, left as u64) as i64;
                let body = |amount: i64| json!({ "amount_to_capture": amount });
                self.at_the_same_time(("capture", body(part)), ("capture", body(other)))
                    .await;
                // None, one or both captures succeeded. The next answer shows the rest.
                return;
            }
            let answer = self
                .asks(
                    "capture",
                    &json!({ "amount_to_capture": part }),
                    Race::Alone,
                )
                .await;
            match answer["status"].as_str() {
                // If a crash kept the capture from reaching the processor, the capturable amount is unchanged.
                Some("partially_captured_and_capturable" | "requires_capture") => {
                    left = answer["amount_capturable"].as_i64().unwrap_or(0);
                }
                _ => return,
            }
        }
    }

    /// The payer decides at the processor's page, or the merchant cancels, or both.
    async fn payer(&mut self, answer: &Value) {
        let page = answer["next_action"]["redirect_to_url"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        match self.chance.choose(&[
            (40, "decides"),
            (30, "cancel"),
            (20, "both"),
            (10, "nothing"),
        ]) {
            "decides" => payer::decides(self.client, &page, self.chance.percent(70)).await,
            "cancel" => {
                self.asks("cancel", &json!({}), Race::Alone).await;
            }
            "both" => {
                payer::decides(self.client, &page, true).await;
                self.asks("cancel", &json!({}), Race::Against).await;
            }
            _ => {}
        }
    }

    pub(super) async fn create(&mut self, body: &Value) -> Value {
        let seen = self.send("create", "/payments".to_owned(), body).await;
        self.judge(seen, Race::Alone)
    }

    /// Confirms, captures or cancels, and sometimes repeats the request.
    pub(super) async fn asks(&mut self, verb: &'static str, body: &Value, race: Race) -> Value {
        let path = format!("/payments/{}/{verb}", self.payment_id);
        let seen = self.send(verb, path, body).await;
        self.judge(seen, race)
    }

    /// Reads the payment after the server has asked the processor about it.
    pub(super) async fn is_asked_about(&self) -> Value {
        let path = format!("/payments/{}?force_sync=true", self.payment_id);
        self.client.read("sync", &self.payment_id, &path).await.body
    }

    async fn at_the_same_time(&mut self, one: (&'static str, Value), other: (&'static str, Value)) {
        let key = self.key();
        let (left, right) = (format!("{key}-l"), format!("{key}-r"));
        let path = |verb: &str| format!("/payments/{}/{verb}", self.payment_id);
        let (one_path, other_path) = (path(one.0), path(other.0));
        let (first, second) = tokio::join!(
            self.client
                .post(one.0, &self.payment_id, &one_path, &one.1, Some(&left)),
            self.client.post(
                other.0,
                &self.payment_id,
                &other_path,
                &other.1,
                Some(&right)
            ),
        );
        self.judge(first, Race::Against);
        self.judge(second, Race::Against);
    }

    /// Sends a request with a new key, and sometimes repeats it with the same key.
    pub(super) async fn send(&mut self, verb: &'static str, path: String, body: &Value) -> Seen {
        let key = self.key();
        let seen = self
            .client
            .post(verb, &self.payment_id, &path, body, Some(&key))
            .await;
        if seen.status == 200 && self.chance.percent(8) {
            let again = self
                .client
                .post(verb, &self.payment_id, &path, body, Some(&key))
                .await;
            if (again.status, &again.body, again.replayed) != (200, &seen.body, true) {
                self.client.is_wrong(format!(
                    "{verb} {} repeated: {seen:?}, then {again:?}",
                    self.payment_id
                ));
            }
        }
        seen
    }

    /// Checks the answer. Without a race nobody else touches this payment, so the step must succeed.
    fn judge(&self, seen: Seen, race: Race) -> Value {
        let lost_a_race = race == Race::Against
            && seen.status < 500
            && matches!(
                seen.body["code"].as_str(),
                Some("IR_06" | "IR_14" | "IR_16" | "HE_00")
            );
        if seen.status != 200 && !lost_a_race {
            self.client.is_wrong(format!(
                "{} {} was refused: {seen:?}",
                seen.operation, self.payment_id
            ));
        }
        seen.body
    }

    /// Returns a name that is unique within this payment.
    pub(super) fn key(&mut self) -> String {
        self.steps += 1;
        format!("{}-{}", self.payment_id, self.steps)
    }
}

/// Plays payments one after the other until the load ends.
pub async fn worker(
    client: Arc<Client>,
    mut chance: Chance,
    number: u64,
    ends: tokio::sync::watch::Receiver<bool>,
) -> u64 {
    let mut payments = 0;
    while !*ends.borrow() {
        payments += 1;
        let payment_id = format!("pay_{number}_{payments}");
        Story::new(&client, &mut chance, payment_id).happens().await;
    }
    payments
}
