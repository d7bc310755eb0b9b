//! Debits of bank accounts: paid later, refused, saved and debited again, returned by the bank.

mod paid;
mod refused;
mod returned;
mod saved;
mod through_processors;

use multirail_conformance::Shop;
use multirail_conformance::bodies::with;
pub use multirail_conformance::bodies::{SEPA_PAYS, debit, sepa};
use serde_json::{Value, json};

/// The test accounts of the simulated processor, by their behavior.
pub const SEPA_LACKS_FUNDS: &str = "DE62370400440532013001";
pub const SEPA_IS_CLOSED: &str = "DE08370400440532013003";
pub const SEPA_RETURNS: &str = "DE35370400440532013002";

/// The payer's consent, given online.
pub fn consent() -> Value {
    json!({
        "customer_acceptance": {
            "acceptance_type": "online", "accepted_at": "2026-01-05T10:11:12.345Z",
            "online": { "ip_address": "192.0.2.7", "user_agent": "Browser/1.0" },
        },
    })
}

/// Creates and confirms a debit, with the payer's consent.
pub async fn debited(shop: &Shop, order: Value) -> Value {
    let body = with(with(order, consent()), json!({ "confirm": true }));
    let payment = shop.creates(body).await.ok();
    assert_eq!(payment["status"], "processing", "{payment}");
    payment
}

/// Creates a debit of Ada's that saves the account, and has the processor pay it.
pub async fn saved(shop: &Shop, order: Value, more: Value) -> Value {
    let ada = json!({ "customer_id": "ada" });
    let payment = debited(shop, with(with(order, ada), more)).await;
    paid(shop, &payment).await
}

/// Asks the processor about a debit, which it then pays.
pub async fn paid(shop: &Shop, payment: &Value) -> Value {
    let payment = shop.asks_about(payment).await.ok();
    assert_eq!(payment["status"], "succeeded", "{payment}");
    payment
}
