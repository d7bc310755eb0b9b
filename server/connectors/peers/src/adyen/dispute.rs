//! Disputes of Adyen's, which are told by notices and answered at an interface of their own.

use serde_json::{Value, json};

use super::ledger::{Ledger, Said, error, text};
use crate::{Call, DisputeBooks};

const ACCEPT: &str = "POST /acceptDispute";

pub struct Dispute {
    /// Adyen's reference of it, which each notice about it has.
    reference: String,
    payment: String,
    amount: i64,
    is_open: bool,
    books: DisputeBooks,
}

impl Ledger {
    /// The bank of the payer claims back what was taken under this name of ours and wasn't given back.
    pub fn raise_dispute(&mut self, authorization: &str) -> Option<String> {
        let mut payments = self.payments.iter();
        let found = payments.find(|(_, payment)| payment.reference == authorization);
        let (original, payment) = found?;
        let amount = payment.captured - payment.refunded;
        let original = original.clone();
        let dispute = Dispute {
            reference: self.next(),
            payment: original,
            amount: Some(amount).filter(|amount| *amount > 0)?,
            is_open: true,
            books: DisputeBooks::default(),
        };
        let reference = dispute.reference.clone();
        self.disputes.push(dispute);
        self.tell_dispute("NOTIFICATION_OF_CHARGEBACK", &reference);
        self.tell_dispute("CHARGEBACK", &reference);
        Some(reference)
    }

    /// What the merchant did about it.
    pub fn dispute_books(&self, reference: &str) -> DisputeBooks {
        let mut disputes = self.disputes.iter();
        let found = disputes.find(|own| own.reference == reference);
        found.map_or_else(DisputeBooks::default, |own| own.books.clone())
    }

    /// The issuer takes the money back to the merchant, or claims it for good.
    pub fn decide_dispute(&mut self, reference: &str, is_won: bool) {
        let dispute = self.dispute(reference).expect("a dispute");
        dispute.is_open = false;
        let event = if is_won {
            "CHARGEBACK_REVERSED"
        } else {
            "SECOND_CHARGEBACK"
        };
        self.tell_dispute(event, reference);
    }

    /// `None` where the request is about no dispute.
    pub(super) fn answer_dispute(&mut self, call: &Call) -> Option<Said> {
        match call.operation.as_str() {
            ACCEPT => Some(self.accept_dispute(&call.body)),
            _ => None,
        }
    }

    fn accept_dispute(&mut self, body: &Value) -> Said {
        let reference = text(&body["disputePspReference"]);
        let Some(dispute) = self.dispute(&reference) else {
            return error(422, "176", "The dispute is not known", "validation");
        };
        if !dispute.is_open {
            let message = "The dispute can't be accepted any more";
            let result = json!({ "success": false, "errorMessage": message });
            return (200, json!({ "disputeServiceResult": result }));
        }
        dispute.is_open = false;
        dispute.books.accepted += 1;
        self.tell_dispute("DISPUTE_DEFENSE_PERIOD_ENDED", &reference);
        let told = self.notices.last_mut().expect("it is told");
        told["additionalData"]["disputeStatus"] = "Accepted".into();
        let result = json!({ "success": true });
        (200, json!({ "disputeServiceResult": result }))
    }

    fn dispute(&mut self, reference: &str) -> Option<&mut Dispute> {
        let mut disputes = self.disputes.iter_mut();
        disputes.find(|own| own.reference == reference)
    }

    fn tell_dispute(&mut self, event: &str, reference: &str) {
        let dispute = self.dispute(reference).expect("a dispute");
        let (original, amount) = (dispute.payment.clone(), dispute.amount);
        let about = self.payments[&original].clone();
        self.tell(event, reference, Some(&original), &about, amount, Ok(()));
        // Nobody signs them.
        let told = self.notices.last_mut().expect("it is told");
        told["additionalData"]["chargebackReasonCode"] = "10.4".into();
        told["additionalData"]["defensePeriodEndsAt"] = "2026-02-28T12:00:00+01:00".into();
    }
}
