//! Debits of bank accounts: by payers who are there, and again without them.

use multirail_conformance::bodies::{SEPA_PAYS, sepa, with};
use serde_json::{Value, json};

use crate::ledger::text;
use crate::story::{Race, Story};

/// The other test accounts of the simulator, by their behavior.
const LACKS_FUNDS: &str = "DE62370400440532013001";
const IS_CLOSED: &str = "DE08370400440532013003";
const RETURNS: &str = "DE35370400440532013002";

impl Story<'_> {
    /// Plays a debit. Some payers agree to further debits, and are debited again without them.
    pub(super) async fn by_debit(&mut self) {
        let iban = self.chance.choose(&[
            (45, SEPA_PAYS),
            (35, RETURNS),
            (15, LACKS_FUNDS),
            (5, IS_CLOSED),
        ]);
        let (at_once, agrees) = (self.chance.percent(50), self.chance.percent(60));
        let usage = if agrees { "off_session" } else { "on_session" };
        let customer_id = format!("cus_of_{}", self.payment_id);
        let order = with(
            sepa(iban),
            json!({
                "payment_id": self.payment_id, "amount": self.chance.between(100, 20_000),
                "customer_id": customer_id, "setup_future_usage": usage, "confirm": at_once,
            }),
        );
        let consent = json!({ "customer_acceptance": { "acceptance_type": "offline" } });
        if at_once {
            self.create(&with(order, consent)).await;
        } else {
            self.create(&order).await;
            self.asks("confirm", &consent, Race::Alone).await;
        }
        let first = self.is_asked_about().await;
        if agrees && text(&first, "status") == "succeeded" {
            self.is_debited_again(&first, &customer_id).await;
        }
        // A returned debit can't be refunded, too.
        if iban == SEPA_PAYS {
            self.gives_back().await;
        }
    }

    /// Debits the saved account without its payer. The story goes on with that payment.
    async fn is_debited_again(&mut self, first: &Value, customer_id: &str) {
        let method = &first["payment_method_id"];
        self.payment_id = format!("{}_again", self.payment_id);
        let charge = json!({
            "payment_id": self.payment_id, "amount": self.chance.between(100, 20_000), "currency": "EUR",
            "customer_id": customer_id, "confirm": true, "off_session": true,
            "recurring_details": { "type": "payment_method_id", "data": method },
        });
        self.create(&charge).await;
        let again = self.is_asked_about().await;
        if again["payment_method_id"] != *method {
            let id = &self.payment_id;
            self.client
                .is_wrong(format!("{id} doesn't debit {method}: {again}"));
        }
    }
}
