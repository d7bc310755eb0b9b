//! Checkout.com's disputes.

use serde_json::{Value, json};

use super::ledger::{Ledger, Said, invalid, text};
use super::payment::NOW;
use crate::{Call, DisputeBooks};

pub struct Dispute {
    pub id: String,
    pub payment: String,
    pub amount: i64,
    pub currency: String,
    pub status: &'static str,
    pub books: DisputeBooks,
}

impl Dispute {
    /// Returns the dispute as in lists and events.
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
    /// Answers a dispute request; `None` for all other requests.
    pub(super) fn answer_dispute(&mut self, call: &Call) -> Option<Said> {
        let id = call.path.get("dispute_id").map_or("", String::as_str);
        match call.operation.as_str() {
            "GET /disputes/{dispute_id}" => Some(match self.dispute(id) {
                Some(dispute) => (200, dispute.details()),
                None => (404, Value::Null),
            }),
            "POST /disputes/{dispute_id}/accept" => Some(self.accept_dispute(id)),
            "PUT /disputes/{dispute_id}/evidence" => Some(self.provide_evidence(id, &call.body)),
            "POST /disputes/{dispute_id}/evidence" => Some(self.submit_evidence(id)),
            "POST /files" => Some(self.upload(&call.body)),
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

    /// Stores an uploaded file.
    fn upload(&mut self, body: &Value) -> Said {
        let id = self.next("file");
        self.files.insert(id.clone(), text(&body["file"]));
        (200, json!({ "id": id, "_links": {} }))
    }

    fn provide_evidence(&mut self, id: &str, body: &Value) -> Said {
        let files = self.files.clone();
        let Some(dispute) = self.dispute(id) else {
            return (404, Value::Null);
        };
        if dispute.status != "evidence_required" {
            return invalid("evidence_previously_submitted");
        }
        for (place, given) in body.as_object().into_iter().flatten() {
            let given = text(given);
            let said = match (place.ends_with("_file"), files.get(&given)) {
                (false, _) => given,
                (true, Some(content)) => content.clone(),
                (true, None) => return invalid("file_not_found"),
            };
            dispute.books.evidence.insert(place.clone(), said);
        }
        (204, Value::Null)
    }

    fn submit_evidence(&mut self, id: &str) -> Said {
        let Some(dispute) = self.dispute(id) else {
            return (404, Value::Null);
        };
        if dispute.status != "evidence_required" || dispute.books.evidence.is_empty() {
            return invalid("dispute_evidence_cannot_be_submitted");
        }
        dispute.status = "evidence_under_review";
        dispute.books.challenged += 1;
        self.tell_dispute("dispute_evidence_submitted", id);
        (204, Value::Null)
    }

    pub(super) fn dispute(&mut self, id: &str) -> Option<&mut Dispute> {
        self.disputes.iter_mut().find(|own| own.id == id)
    }

    pub(super) fn tell_dispute(&mut self, event: &str, id: &str) {
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
