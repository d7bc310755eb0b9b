//! Changes of a payment: by request, or by hand in the Customer Area.

use serde_json::{Value, json};

use super::ledger::{
    CANCEL, CAPTURE, Ledger, Payment, REFUND, REVERSE, Said, UPDATE_AMOUNT, error, text,
};
use super::payer_methods;
use crate::{ByHand, Call};

/// The highest total that issuers approve in an increment.
const ISSUERS_LIMIT: i64 = 1_000_000;

impl Ledger {
    pub(super) fn modify(&mut self, call: &Call) -> Said {
        let original = call.path["paymentPspReference"].clone();
        let Some(mut payment) = self.payments.get(&original).cloned() else {
            let message = "Original pspReference required for this operation";
            return error(422, "167", message, "validation");
        };
        let body = &call.body;
        let amount = body["amount"]["value"].as_i64().unwrap_or(payment.amount);
        let currency = body["amount"]["currency"]
            .as_str()
            .unwrap_or(&payment.currency);
        if currency != payment.currency || amount <= 0 {
            return error(422, "137", "Invalid amount specified", "validation");
        }
        let is_in_parts = matches!(call.operation.as_str(), CAPTURE | REFUND);
        if is_in_parts && payer_methods::lacks_lines(&payment.method, body, payment.amount) {
            let message = "Required field 'lineItems' is not provided";
            return error(422, "14_030", message, "validation");
        }
        let (event, done) = match call.operation.as_str() {
            UPDATE_AMOUNT if !payment.is_preauthorised || payment.left() < payment.amount => (
                "AUTHORISATION_ADJUSTMENT",
                Err("Transaction can't be adjusted"),
            ),
            UPDATE_AMOUNT if amount > ISSUERS_LIMIT => {
                ("AUTHORISATION_ADJUSTMENT", Err("Not enough balance"))
            }
            UPDATE_AMOUNT => {
                payment.amount = amount;
                ("AUTHORISATION_ADJUSTMENT", Ok(()))
            }
            CAPTURE if amount <= payment.left() => {
                payment.captured = amount;
                payment.released = payment.amount - amount;
                ("CAPTURE", Ok(()))
            }
            CAPTURE => ("CAPTURE", Err("Insufficient balance on payment")),
            CANCEL => ("CANCELLATION", cancel(&mut payment)),
            REVERSE if payment.captured > payment.refunded => {
                payment.refunded = payment.captured;
                ("CANCEL_OR_REFUND", Ok(()))
            }
            REVERSE => ("CANCEL_OR_REFUND", cancel(&mut payment)),
            REFUND if payer_methods::is_unreturnable(&payment.method) => {
                ("REFUND", Err("Refund not supported"))
            }
            REFUND if payment.refunded + amount <= payment.captured => {
                payment.refunded += amount;
                ("REFUND", Ok(()))
            }
            _ => ("REFUND", Err("Insufficient balance on payment")),
        };
        let psp = self.next();
        let mut answer = json!({
            "merchantAccount": self.merchant_account, "paymentPspReference": original, "pspReference": psp,
            "reference": body["reference"], "status": "received",
        });
        for name in ["amount", "industryUsage"] {
            if let Some(said) = body.get(name) {
                answer[name] = said.clone();
            }
        }
        let mut told = payment.clone();
        told.reference = text(&body["reference"]);
        self.tell(event, &psp, Some(&original), &told, amount, done);
        self.payments.insert(original, payment);
        (201, answer)
    }

    /// Performs an operation that no request asked for. It has the payment's own reference.
    pub(super) fn do_by_hand(&mut self, authorization: &str, what: ByHand) {
        let mut payments = self.payments.iter();
        let found = payments.find(|(_, payment)| payment.reference == authorization);
        let (original, payment) = found.expect("a payment");
        let (original, mut payment) = (original.clone(), payment.clone());
        let (event, amount) = match what {
            ByHand::Captures(amount) => {
                payment.captured = amount;
                payment.released = payment.amount - amount;
                ("CAPTURE", amount)
            }
            ByHand::Refunds(amount) => {
                payment.refunded += amount;
                ("REFUND", amount)
            }
            ByHand::Cancels => {
                cancel(&mut payment).expect("something is reserved");
                ("CANCELLATION", payment.amount)
            }
            ByHand::Adjusts(amount) => {
                payment.amount = amount;
                ("AUTHORISATION_ADJUSTMENT", amount)
            }
        };
        let psp = self.next();
        self.tell(event, &psp, Some(&original), &payment, amount, Ok(()));
        self.payments.insert(original, payment);
    }

    pub(super) fn cancel_by_reference(&mut self, body: &Value) -> Said {
        let reference = text(&body["paymentReference"]);
        let psp = self.next();
        let mut payments = self.payments.iter();
        let found = payments.find(|(_, payment)| payment.reference == reference);
        let found = found.map(|(psp, payment)| (psp.clone(), payment.clone()));
        if let Some((original, mut payment)) = found {
            let done = cancel(&mut payment);
            let amount = payment.amount;
            self.tell(
                "TECHNICAL_CANCEL",
                &psp,
                Some(&original),
                &payment,
                amount,
                done,
            );
            self.payments.insert(original, payment);
        }
        let answer = json!({
            "merchantAccount": self.merchant_account, "paymentReference": reference, "pspReference": psp,
            "reference": body["reference"], "status": "received",
        });
        (201, answer)
    }
}

/// Releases the uncaptured rest.
fn cancel(payment: &mut Payment) -> Result<(), &'static str> {
    if payment.left() == 0 {
        return Err("Transaction was already captured or cancelled");
    }
    payment.released += payment.left();
    Ok(())
}
