//! Translates the records of Stripe's stand-in into the simulator's ledger.

use multirail_peers::stripe::Stripe;
use serde_json::json;

use crate::ledger::Ledger;

pub fn read(stripe: &Stripe) -> Ledger {
    let mut accounts = stripe.accounts();
    let books = accounts.ledger();
    let mut ledger = Ledger {
        authorizations: Vec::new(),
        captures: Vec::new(),
        voids: Vec::new(),
        refunds: Vec::new(),
        // The load can't raise disputes here. It uses only the processor's API, and Stripe's stand-in has no cards
        // that are disputed.
        disputes: Vec::new(),
        dispute_requests: Vec::new(),
    };
    for payment in &books.payments {
        let key = &payment.metadata["multirail_key"];
        ledger.authorizations.push(json!({
            "key": key,
            "reference": payment.id,
            "return_url": payment.return_url,
            "status": match (payment.authorized, payment.status) {
                (1.., _) => "approved",
                (_, "requires_action") => "awaiting_customer",
                _ => "declined",
            },
            "approved_amount": payment.authorized,
            "captured_at_once": payment.capture_method == "automatic",
        }));
        for capture in &payment.captures {
            ledger.captures.push(json!({
                "key": capture.metadata.keys().next(),
                "authorization_key": key,
                "reference": payment.id,
                "status": "done",
                "amount": capture.amount,
                "is_final": capture.is_final,
            }));
        }
        if payment.status == "canceled" {
            ledger.voids.push(json!({
                "authorization_key": key,
                "status": "done",
                "kind": "release",
                "amount": payment.authorized - payment.received,
            }));
        }
    }
    for refund in &books.refunds {
        let payments = books.payments.iter();
        let mut own = payments.filter(|payment| payment.id == refund.payment);
        let key = own.next().map(|payment| &payment.metadata["multirail_key"]);
        let named = |name: &str| refund.metadata.get(name).filter(|own| own.is_string());
        let (void, own) = (named("multirail_void"), named("multirail_key"));
        let record = json!({
            "key": void.or(own),
            "authorization_key": key,
            "reference": refund.id,
            "status": match refund.status {
                "succeeded" => "done",
                "failed" => "declined",
                other => other,
            },
            "kind": "reversal",
            "amount": refund.amount,
        });
        if void.is_some() {
            ledger.voids.push(record);
        } else {
            ledger.refunds.push(record);
        }
    }
    ledger
}
