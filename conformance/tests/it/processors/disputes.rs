//! Money that payers claim back: told by the processor, asked for, and given up.

use multirail_conformance::Call;
use multirail_peers::{CardThat, Fault};
use serde_json::{Value, json};

use super::of_each;
use super::production_shop::ProductionShop;
use crate::disputes::on;

impl ProductionShop {
    /// 65.40 is paid and claimed back, and the server is told so: the payment and the processor's id of the dispute.
    async fn is_disputed(&mut self) -> (Value, String) {
        let payment = self.pays(CardThat::IsApproved, json!({})).await;
        let booked = self.stand_in.all_books();
        let key = &booked.last().expect("it is paid").key;
        let reference = self.stand_in.dispute(key).expect("money was taken");
        self.is_told().await;
        (payment, reference)
    }

    /// The payment's one dispute, as the list has it.
    async fn dispute_of(&self, payment: &Value) -> Value {
        let id = payment["payment_id"].as_str().expect("an id");
        let listed = self.call("disputes_list").query("payment_id", id);
        let listed = listed.await.ok();
        let [dispute] = listed.as_array().expect("a list").as_slice() else {
            panic!("{listed}")
        };
        dispute.clone()
    }

    fn accepts(&self, dispute: &Value) -> Call {
        on(self, "disputes_accept", dispute)
    }

    /// Writes down how a dispute stands, in our words and the processor's.
    fn notes_dispute(&mut self, what: &str, dispute: &Value) {
        let text = |name: &str| dispute[name].as_str().unwrap_or("-").to_owned();
        self.writes(format!(
            "{what}: {} {}, {} {} ({})",
            text("dispute_stage"),
            text("dispute_status"),
            text("amount"),
            text("currency"),
            text("connector_status"),
        ));
    }

    /// The processor tells all that it hasn't told; writes down how dispute and payment stand then, and what its books say.
    async fn is_told_the_end_of_dispute(&mut self, payment: &Value, reference: &str) {
        self.is_told().await;
        let dispute = self.dispute_of(payment).await;
        self.notes_dispute("when the processor has told of it", &dispute);
        let payment = self.retrieves(payment).await.ok();
        let disputed = &payment["state_metadata"]["total_disputed_amount"];
        let accepted = self.stand_in.dispute_books(reference).accepted;
        self.writes(format!(
            "disputed of the payment: {disputed}; given up {accepted} times"
        ));
        self.looks_at_what_waits().await;
    }
}

#[tokio::test]
async fn raised_asked_for_and_given_up() {
    let told = of_each(async |shop: &mut ProductionShop| {
        let (payment, reference) = shop.is_disputed().await;
        let dispute = shop.dispute_of(&payment).await;
        assert_eq!(dispute["connector_dispute_id"], reference.as_str());
        shop.notes_dispute("raised", &dispute);
        let asked = on(shop, "disputes_retrieve", &dispute).query("force_sync", true);
        let asked = asked.await.ok();
        shop.notes_dispute("asked for", &asked);
        let accepted = shop.accepts(&dispute).await.ok();
        shop.notes_dispute("given up", &accepted);
        shop.is_told_the_end_of_dispute(&payment, &reference).await;
    });
    insta::assert_snapshot!(told.await, @"
    adyen
      raised: dispute dispute_opened, 6540 USD (CHARGEBACK)
      asked for: dispute dispute_opened, 6540 USD (CHARGEBACK)
      given up: dispute dispute_accepted, 6540 USD (CHARGEBACK)
      when the processor has told of it: dispute dispute_accepted, 6540 USD (DISPUTE_DEFENSE_PERIOD_ENDED)
      disputed of the payment: 6540; given up 1 times
      nothing waits
    checkout
      raised: dispute dispute_opened, 6540 USD (evidence_required)
      asked for: dispute dispute_opened, 6540 USD (evidence_required)
      given up: dispute dispute_accepted, 6540 USD (accepted)
      when the processor has told of it: dispute dispute_accepted, 6540 USD (accepted)
      disputed of the payment: 6540; given up 1 times
      nothing waits
    stripe
      raised: dispute dispute_opened, 6540 USD (needs_response)
      asked for: dispute dispute_opened, 6540 USD (needs_response)
      given up: dispute dispute_accepted, 6540 USD (lost)
      when the processor has told of it: dispute dispute_accepted, 6540 USD (lost)
      disputed of the payment: 6540; given up 1 times
      nothing waits
    ");
}

#[tokio::test]
async fn decided_before_it_was_given_up() {
    let told = of_each(async |shop: &mut ProductionShop| {
        let (payment, reference) = shop.is_disputed().await;
        let dispute = shop.dispute_of(&payment).await;
        shop.stand_in.decide_dispute(&reference, true);
        let refused = shop.accepts(&dispute).await.refused(400, "CE_08");
        shop.writes(format!("refused: {refused}"));
        shop.is_told_the_end_of_dispute(&payment, &reference).await;
    });
    insta::assert_snapshot!(told.await, @"
    adyen
      refused: the processor did not do that about the dispute: dispute_not_accepted: The dispute can't be accepted any more
      when the processor has told of it: dispute dispute_won, 6540 USD (CHARGEBACK_REVERSED)
      disputed of the payment: null; given up 0 times
      nothing waits
    checkout
      refused: the processor did not do that about the dispute: dispute_cannot_be_accepted: the processor refuses the request: dispute_cannot_be_accepted
      when the processor has told of it: dispute dispute_won, 6540 USD (won)
      disputed of the payment: null; given up 0 times
      nothing waits
    stripe
      refused: the processor did not do that about the dispute: invalid_request_error: This dispute isn't open any more
      when the processor has told of it: dispute dispute_won, 6540 USD (won)
      disputed of the payment: null; given up 0 times
      nothing waits
    ");
}

#[tokio::test]
async fn given_up_without_an_answer() {
    let told = of_each(async |shop: &mut ProductionShop| {
        let (payment, reference) = shop.is_disputed().await;
        let dispute = shop.dispute_of(&payment).await;
        shop.peer.faults().next(Fault::LosesAnswer);
        let open = shop.accepts(&dispute).await.ok();
        shop.notes_dispute("given up", &open);
        shop.looks_at_what_waits().await;
        shop.is_told_the_end_of_dispute(&payment, &reference).await;
    });
    insta::assert_snapshot!(told.await, @"
    adyen
      given up: dispute dispute_opened, 6540 USD (CHARGEBACK)
      accept_dispute is unknown and waits for notice
      when the processor has told of it: dispute dispute_accepted, 6540 USD (DISPUTE_DEFENSE_PERIOD_ENDED)
      disputed of the payment: 6540; given up 1 times
      nothing waits
    checkout
      given up: dispute dispute_opened, 6540 USD (evidence_required)
      accept_dispute is unknown and waits for look_up
      when the processor has told of it: dispute dispute_accepted, 6540 USD (accepted)
      disputed of the payment: 6540; given up 1 times
      nothing waits
    stripe
      given up: dispute dispute_opened, 6540 USD (needs_response)
      accept_dispute is unknown and waits for repeat
      when the processor has told of it: dispute dispute_accepted, 6540 USD (lost)
      disputed of the payment: 6540; given up 1 times
      nothing waits
    ");
}
