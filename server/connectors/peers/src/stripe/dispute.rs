//! Stripe's disputes. The payer's bank raises them. They are closed by the merchant's acceptance or
//! by the bank's decision.

use serde_json::{Value, json};

use super::ledger::{Ledger, Said, missing};
use crate::DisputeBooks;

/// Seconds that a merchant has to answer.
const TO_ANSWER: i64 = 7 * 86_400;

pub struct Dispute {
    pub id: String,
    payment: String,
    amount: i64,
    currency: String,
    status: &'static str,
    /// The payer's bank returned a debit, which nobody can contest.
    is_return: bool,
    /// Seconds since 1970.
    pub created: i64,
    pub books: DisputeBooks,
}

impl Dispute {
    fn waits(&self) -> bool {
        ["needs_response", "warning_needs_response"].contains(&self.status)
    }

    pub fn show(&self) -> Value {
        let (due_by, network_reason_code, reason) = match self.is_return {
            true => (Value::Null, Value::Null, "debit_not_authorized"),
            false => (
                (self.created + TO_ANSWER).into(),
                "10.4".into(),
                "fraudulent",
            ),
        };
        json!({
            "id": self.id,
            "object": "dispute",
            "metadata": {},
            "amount": self.amount,
            "created": self.created,
            "currency": self.currency,
            "evidence_details": { "due_by": due_by },
            "network_reason_code": network_reason_code,
            "payment_intent": self.payment,
            "reason": reason,
            "status": self.status,
        })
    }
}

impl Ledger {
    /// Disputes the captured and unrefunded money of a payment, and returns the dispute's id.
    pub fn raise_dispute(&mut self, payment: &str, now: i64) -> Option<String> {
        let id = self.id("du");
        let payment = self.payment(payment)?;
        let amount = payment.received - payment.refunded;
        let is_return = payment.card.account().is_some();
        let dispute = Dispute {
            id: id.clone(),
            payment: payment.id.clone(),
            amount: Some(amount).filter(|amount| *amount > 0)?,
            currency: payment.currency.clone(),
            status: if is_return { "lost" } else { "needs_response" },
            is_return,
            created: now,
            books: DisputeBooks::default(),
        };
        self.events.push(("charge.dispute.created", dispute.show()));
        if is_return {
            self.events.push(("charge.dispute.closed", dispute.show()));
        }
        self.disputes.push(dispute);
        Some(id)
    }

    pub fn dispute(&mut self, id: &str) -> Option<&mut Dispute> {
        self.disputes.iter_mut().find(|own| own.id == id)
    }

    pub fn look_at_dispute(&mut self, id: &str) -> Said {
        let found = self.dispute(id);
        found.map_or_else(|| missing(id), |dispute| (200, dispute.show()))
    }

    /// Accepts a dispute.
    pub fn close_dispute(&mut self, id: &str) -> Said {
        let Some(dispute) = self.dispute(id) else {
            return missing(id);
        };
        if !dispute.waits() {
            // Stripe has no error code for this.
            let error = json!({"type": "invalid_request_error", "message": "This dispute isn't open any more"});
            return (400, json!({ "error": error }));
        }
        dispute.status = "lost";
        dispute.books.accepted += 1;
        let shown = dispute.show();
        self.events.push(("charge.dispute.closed", shown.clone()));
        (200, shown)
    }

    /// Stores an uploaded file.
    pub fn upload(&mut self, params: &Value) -> Said {
        let id = self.id("file");
        let content = params["file"].as_str().unwrap_or_default().to_owned();
        self.files.insert(id.clone(), content);
        let shown = json!({"id": id, "object": "file", "purpose": params["purpose"]});
        (200, shown)
    }

    /// Files evidence. The dispute is under review from then on.
    pub fn challenge_dispute(&mut self, id: &str, params: &Value) -> Said {
        let files = self.files.clone();
        let Some(dispute) = self.dispute(id) else {
            return missing(id);
        };
        if !dispute.waits() {
            let error = json!({"type": "invalid_request_error", "message": "This dispute isn't open any more"});
            return (400, json!({ "error": error }));
        }
        for (name, said) in params["evidence"].as_object().into_iter().flatten() {
            let said = said.as_str().unwrap_or_default();
            let content = files.get(said).map_or(said, String::as_str);
            dispute
                .books
                .evidence
                .insert(name.clone(), content.to_owned());
        }
        if params["submit"] != false {
            dispute.status = "under_review";
            dispute.books.challenged += 1;
        }
        let shown = dispute.show();
        self.events.push(("charge.dispute.updated", shown.clone()));
        (200, shown)
    }

    /// Decides a dispute on the bank's behalf.
    pub fn decide_dispute(&mut self, id: &str, is_won: bool) {
        let dispute = self.dispute(id).expect("a dispute");
        dispute.status = if is_won { "won" } else { "lost" };
        let shown = dispute.show();
        self.events.push(("charge.dispute.closed", shown));
    }
}
