//! Payments by methods that payers finish elsewhere.

use std::collections::VecDeque;

use multirail_conformance::bodies::with;
use serde_json::{Value, json};

use crate::ledger::{number, text};
use crate::method::Method;
use crate::payer;
use crate::payers::{APPROVES, Away, DOUBLE, HALF, REJECTS};
use crate::story::{Race, Story};

/// The refusal of a refund that the method can't carry out.
const NOT_SUPPORTED: &str = "IR_20";

impl Story<'_> {
    /// Plays a payment by such a method.
    pub(super) async fn by_method(&mut self) {
        let method = self.chance.choose(self.client.processor.methods());
        let reserves = method == Method::Klarna && self.chance.percent(50);
        let amount = self.chance.between(100, 20_000) as i64;
        let at_once = method.has_secret() || self.chance.percent(50);
        let order = json!({
            "payment_id": self.payment_id,
            "amount": amount,
            "currency": method.currency(),
            "capture_method": if reserves { "manual" } else { "automatic" },
            "confirm": at_once,
            "return_url": "https://shop.example/back",
        });
        let mut answer = self.create(&with(order, method.members())).await;
        if !at_once {
            answer = self.asks("confirm", &json!({}), Race::Alone).await;
        }
        // Without an answer of the processor, operation_sync finds the page, and no payer comes.
        if answer["status"] == "requires_customer_action"
            && let Some(page) = self.page(&answer["next_action"]).await
        {
            self.has_a_payer(method, page, amount).await;
        }
    }

    /// Returns the processor's page of a step, or `None` if the payer's browser got no answer.
    async fn page(&self, next_action: &Value) -> Option<String> {
        if let Some(start) = next_action["redirect_to_url"].as_str() {
            return payer::opens(self.client, start).await;
        }
        let places = [
            "/qr_code_url",
            "/voucher_details/instructions_url",
            "/bank_transfer_steps_and_charges_details/instructions_url",
        ];
        let mut pages = places
            .iter()
            .filter_map(|place| next_action.pointer(place)?.as_str());
        let page = pages.next();
        if page.is_none() {
            let id = &self.payment_id;
            self.client
                .is_wrong(format!("{id} names no page: {next_action}"));
        }
        page.map(str::to_owned)
    }

    /// The payer acts now or much later, the merchant cancels, or both.
    async fn has_a_payer(&mut self, method: Method, page: String, amount: i64) {
        match self.chance.choose(&[
            (30, "now"),
            (40, "later"),
            (10, "cancel"),
            (10, "both"),
            (10, "nothing"),
        ]) {
            "now" => self.payer_acts(method, &page, amount).await,
            "later" => self.payer_leaves(method, page, false),
            "cancel" => {
                self.asks("cancel", &json!({}), Race::Alone).await;
            }
            "both" => {
                self.payer_leaves(method, page, true);
                self.asks("cancel", &json!({}), Race::Against).await;
            }
            _ => {}
        }
    }

    fn payer_leaves(&mut self, method: Method, page: String, is_cancelled: bool) {
        self.client.payers.leave([Away {
            payment_id: self.payment_id.clone(),
            page,
            buttons: self.buttons(method),
            pause: self.chance.between(0, 2),
            is_cancelled,
        }]);
    }

    /// Chooses the buttons that a payer presses.
    fn buttons(&mut self, method: Method) -> VecDeque<&'static str> {
        let in_parts: &[&[&'static str]] =
            &[&[HALF, APPROVES], &[HALF, HALF, DOUBLE], &[DOUBLE], &[HALF]];
        if method.is_transfer() && self.chance.percent(70) {
            let chosen = self.chance.between(1, in_parts.len() as u64) as usize;
            return in_parts[chosen - 1].iter().copied().collect();
        }
        let button = self.chance.choose(&[(75, APPROVES), (25, REJECTS)]);
        VecDeque::from([button])
    }

    /// The payer acts at once, and the merchant goes on with the payment.
    async fn payer_acts(&mut self, method: Method, page: &str, amount: i64) {
        for button in self.buttons(method) {
            let Some(back) = payer::presses(self.client, page, button).await else {
                return;
            };
            payer::goes_back(self.client, &back).await;
            self.client.payers.finishes(&self.payment_id, button);
        }
        let payment = self.is_asked_about().await;
        match text(&payment, "status") {
            "requires_capture" => self.single_capture(amount).await,
            "succeeded" if method.is_voucher() => {
                let all = json!({
                    "payment_id": self.payment_id, "amount": number(&payment, "amount_received"),
                });
                self.is_refused(&all, NOT_SUPPORTED).await;
                return;
            }
            // It failed, or the processor couldn't be asked.
            _ => {}
        }
        if !method.is_voucher() {
            self.gives_back().await;
        }
    }
}
