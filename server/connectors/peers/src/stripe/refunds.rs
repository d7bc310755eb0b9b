//! Refunds of an account's payments.

use serde_json::Value;

use super::cards::Card;
use super::ledger::{Ledger, Said, int, invalid, map, missing, text};
use super::methods::Refunds;
use super::objects::Refund;

impl Ledger {
    pub fn refund(&mut self, params: &Value) -> Said {
        let refund_id = self.id("re");
        let id = text(&params["payment_intent"]);
        let Some(payment) = self.payment(id) else {
            return missing(id);
        };
        let left = payment.received - payment.refunded;
        let amount = match &params["amount"] {
            Value::Null => left,
            said => int(said),
        };
        let by_method = payment.card.method().map(|method| method.refunds);
        if by_method == Some(Refunds::Never) {
            let message = "The method has no refunds";
            return invalid("charge_not_refundable", message, "payment_intent");
        }
        if left == 0 {
            let message = "Nothing is left to be given back";
            return invalid("charge_already_refunded", message, "payment_intent");
        }
        if amount > left {
            return invalid("charge_invalid_parameter", "More than is left", "amount");
        }
        payment.refunded += amount;
        let refund = Refund {
            id: refund_id,
            payment: id.to_owned(),
            amount,
            currency: payment.currency.clone(),
            metadata: map(&params["metadata"]),
            status: match payment.card {
                Card::SlowRefunds => "pending",
                _ if by_method == Some(Refunds::Later) => "pending",
                _ => "succeeded",
            },
            is_done_soon: by_method == Some(Refunds::Later),
            failure_reason: None,
            fails_later: payment.card == Card::FailingRefunds,
        };
        let shown = refund.show();
        self.events.push(("refund.created", shown.clone()));
        self.refunds.push(refund);
        (200, shown)
    }

    /// Completes pending refunds, as after some time.
    pub fn settle_refunds(&mut self) {
        for refund in &mut self.refunds {
            let kind = match (refund.status, refund.fails_later) {
                ("pending", _) => {
                    refund.status = "succeeded";
                    "refund.updated"
                }
                ("succeeded", true) => {
                    refund.status = "failed";
                    refund.failure_reason = Some("expired_or_canceled_card");
                    "refund.failed"
                }
                _ => continue,
            };
            self.events.push((kind, refund.show()));
        }
    }

    /// Completes a refund that is done by the time somebody asks again.
    pub fn finish_refund(&mut self, id: &str) {
        let mut refunds = self.refunds.iter_mut();
        let waits = |own: &&mut Refund| own.id == id && own.is_done_soon && own.status == "pending";
        if let Some(refund) = refunds.find(waits) {
            refund.status = "succeeded";
            self.events.push(("refund.updated", refund.show()));
        }
    }
}
