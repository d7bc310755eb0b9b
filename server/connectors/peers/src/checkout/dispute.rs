//! Disputes of Checkout.com's.

use serde_json::{Value, json};

use super::ledger::{Ledger, Said, invalid, text};
use super::payment::NOW;
use crate::{Call, DisputeBooks};

pub struct Dispute {
    id: String,
    payment: String,
    amount: i64,
    currency: String,
    status: &'static str,
    books: DisputeBooks,
}

impl Dispute {
    /// As lists and events have it.
    fn summary(&self) -> Value {
        json!({
            "id": self.id, "category": "fraudulent", "amount": self.amount, "currency": self.currency,
            "reason_code": "10.4", "payment_id": self.payment, "payment_action_id": "act_0",
            "payment_method": "Visa",
        })
    }

    fn details(&self) -> Value {
        json!({
            "id": self.id, "category": "fraudulent", "amount": self.amount, "currency": self.currency,
            "reason_code": "10.4", "status": self.status, "evidence_required_by": "2026-02-20T00:00:00Z",
            "received_on": NOW, "last_update": NOW, "payment": { "id": self.payment, "action_id": "act_0" },
            "_links": {},
        })
    }
}

impl Ledger {
    /// The issuer claims back what was taken under this name of ours and wasn't given back.
    pub fn raise_dispute(&mut self, authorization: &str) -> Option<String> {
        let mut payments = self.payments.values();
        let payment = payments.find(|own| text(&own.metadata["multirail_key"]) == authorization)?;
        let amount = payment.captured - payment.refunded;
        let (payment, currency) = (payment.id.clone(), payment.currency.clone());
        let dispute = Dispute {
            id: self.next("dsp"),
            payment,
            amount: Some(amount).filter(|amount| *amount > 0)?,
            currency,
            status: "evidence_required",
            books: DisputeBooks::default(),
        };
        let id = dispute.id.clone();
        self.disputes.push(dispute);
        self.tell_dispute("dispute_evidence_required", &id);
        Some(id)
    }

    /// What the merchant did about it.
    pub fn dispute_books(&self, id: &str) -> DisputeBooks {
        let mut disputes = self.disputes.iter();
        let found = disputes.find(|own| own.id == id);
        found.map_or_else(DisputeBooks::default, |own| own.books.clone())
    }

    /// The issuer has the last word.
    pub fn decide_dispute(&mut self, id: &str, is_won: bool) {
        let (status, event) = if is_won {
            ("won", "dispute_won")
        } else {
            ("lost", "dispute_lost")
        };
        self.dispute(id).expect("a dispute").status = status;
        self.tell_dispute(event, id);
    }

    /// `None` where the request is about no dispute.
    pub(super) fn answer_dispute(&mut self, call: &Call) -> Option<Said> {
        let id = call.path.get("dispute_id").map_or("", String::as_str);
        match call.operation.as_str() {
            "GET /disputes/{dispute_id}" => Some(match self.dispute(id) {
                Some(dispute) => (200, dispute.details()),
                None => (404, Value::Null),
            }),
            "POST /disputes/{dispute_id}/accept" => Some(self.accept_dispute(id)),
            _ => None,
        }
    }

    fn accept_dispute(&mut self, id: &str) -> Said {
        let Some(dispute) = self.dispute(id) else {
            return (404, Value::Null);
        };
        if dispute.status != "evidence_required" {
            return invalid("dispute_cannot_be_accepted");
        }
        dispute.status = "accepted";
        dispute.books.accepted += 1;
        self.tell_dispute("dispute_accepted", id);
        (204, Value::Null)
    }

    fn dispute(&mut self, id: &str) -> Option<&mut Dispute> {
        self.disputes.iter_mut().find(|own| own.id == id)
    }

    fn tell_dispute(&mut self, event: &str, id: &str) {
        let mut data = self.dispute(id).expect("a dispute").summary();
        data["date"] = NOW.into();
        if event == "dispute_evidence_required" {
            data["evidence_required_by"] = "2026-02-20T00:00:00Z".into();
        }
        let event =
            json!({ "id": self.next("evt"), "type": event, "created_on": NOW, "data": data });
        self.events.push(event);
    }
}
