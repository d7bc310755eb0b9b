//! Disputes: announced by the processor, synced, accepted and challenged.

use multirail_conformance::Call;
use multirail_peers::{CardThat, Fault};
use serde_json::{Value, json};

use super::of_each;
use super::production_shop::ProductionShop;
use crate::disputes::evidence::attaches;
use crate::disputes::on;

/// The merchant's statement.
const WORDS: &str = "She read both books & thanked us for them.";
const RECEIPT: &str = "%PDF-1.7 two books, 65.40 dollars";

impl ProductionShop {
    /// Pays 65.40 and disputes it. Returns the payment and the processor's id of the dispute.
    async fn is_disputed(&mut self) -> (Value, String) {
        let payment = self.pays(CardThat::IsApproved, json!({})).await;
        let booked = self.stand_in.all_books();
        let key = &booked.last().expect("it is paid").key;
        let reference = self.stand_in.dispute(key).expect("money was taken");
        self.receives_notices().await;
        (payment, reference)
    }

    /// Returns the payment's only dispute from the list.
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

    /// Attaches a receipt and submits it with a statement, or alone if the processor takes no statements.
    async fn challenges(&mut self, dispute: &Value) -> Value {
        let file = attaches(self, dispute, "receipt", RECEIPT).await.ok();
        let body = json!({
            "dispute_id": dispute["dispute_id"], "receipt": file["file_id"], "uncategorized_text": WORDS,
        });
        let answer = self.call("disputes_challenge").json(&body).await;
        if answer.status == 200 {
            return answer.ok();
        }
        let refused = answer.refused(400, "IR_20");
        self.writes(format!("refused: {refused}"));
        let receipt = json!({ "dispute_id": dispute["dispute_id"] });
        let answer = self.call("disputes_challenge").json(&receipt).await;
        answer.ok()
    }

    /// Writes down the processor's record of a challenge.
    fn looks_at_evidence(&mut self, reference: &str) {
        let books = self.stand_in.dispute_books(reference);
        let times = books.challenged;
        self.writes(format!("the processor was handed evidence {times} times:"));
        for (name, said) in books.evidence {
            self.writes(format!("  {name}: {said}"));
        }
    }

    /// Writes down a dispute's state, in our words and the processor's.
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

    /// Delivers the processor's remaining notices; writes down the dispute, the payment and the processor's books.
    async fn receives_notices_about_dispute(&mut self, payment: &Value, reference: &str) {
        self.receives_notices().await;
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
        shop.receives_notices_about_dispute(&payment, &reference)
            .await;
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
        shop.receives_notices_about_dispute(&payment, &reference)
            .await;
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
        shop.receives_notices_about_dispute(&payment, &reference)
            .await;
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

#[tokio::test]
async fn challenged_and_lost() {
    let told = of_each(async |shop: &mut ProductionShop| {
        let (payment, reference) = shop.is_disputed().await;
        let dispute = shop.dispute_of(&payment).await;
        let challenged = shop.challenges(&dispute).await;
        shop.notes_dispute("challenged", &challenged);
        shop.looks_at_evidence(&reference);
        shop.stand_in.decide_dispute(&reference, false);
        shop.receives_notices_about_dispute(&payment, &reference)
            .await;
    });
    insta::assert_snapshot!(told.await, @"
    adyen
      refused: uncategorized_text (a text, not a file) as evidence through adyen is not supported
      challenged: dispute dispute_challenged, 6540 USD (CHARGEBACK)
      the processor was handed evidence 1 times:
        DefenseMaterial: %PDF-1.7 two books, 65.40 dollars
      when the processor has told of it: pre_arbitration dispute_lost, 6540 USD (SECOND_CHARGEBACK)
      disputed of the payment: 6540; given up 0 times
      nothing waits
    checkout
      challenged: dispute dispute_challenged, 6540 USD (evidence_under_review)
      the processor was handed evidence 1 times:
        additional_evidence_text: She read both books & thanked us for them.
        invoice_or_receipt_file: %PDF-1.7 two books, 65.40 dollars
      when the processor has told of it: dispute dispute_lost, 6540 USD (lost)
      disputed of the payment: 6540; given up 0 times
      nothing waits
    stripe
      challenged: dispute dispute_challenged, 6540 USD (under_review)
      the processor was handed evidence 1 times:
        receipt: %PDF-1.7 two books, 65.40 dollars
        uncategorized_text: She read both books & thanked us for them.
      when the processor has told of it: dispute dispute_lost, 6540 USD (lost)
      disputed of the payment: 6540; given up 0 times
      nothing waits
    ");
}

/// Returns the number of requests that submit a receipt.
fn requests_of_a_challenge(connector: &str) -> usize {
    match connector {
        // The file, and the request that names it.
        "stripe" => 2,
        // The file, the request that names it, and the final submission.
        "checkout" => 3,
        // The request for accepted evidence, the file, and the submission.
        "adyen" => 3,
        other => panic!("{other}"),
    }
}

#[tokio::test]
async fn challenged_without_an_answer() {
    let told = of_each(async |shop: &mut ProductionShop| {
        let (payment, reference) = shop.is_disputed().await;
        let dispute = shop.dispute_of(&payment).await;
        for _ in 1..requests_of_a_challenge(shop.connector()) {
            shop.peer.faults().next(Fault::AnswersAndLeaves);
        }
        shop.peer.faults().next(Fault::LosesAnswer);
        let open = shop.challenges(&dispute).await;
        shop.notes_dispute("challenged", &open);
        shop.looks_at_what_waits().await;
        let asked = on(shop, "disputes_retrieve", &dispute).query("force_sync", true);
        let asked = asked.await.ok();
        shop.notes_dispute("asked for", &asked);
        shop.looks_at_evidence(&reference);
        shop.stand_in.decide_dispute(&reference, true);
        shop.receives_notices_about_dispute(&payment, &reference)
            .await;
    });
    insta::assert_snapshot!(told.await, @"
    adyen
      refused: uncategorized_text (a text, not a file) as evidence through adyen is not supported
      challenged: dispute dispute_opened, 6540 USD (CHARGEBACK)
      challenge_dispute is unknown and waits for notice
      asked for: dispute dispute_opened, 6540 USD (CHARGEBACK)
      the processor was handed evidence 1 times:
        DefenseMaterial: %PDF-1.7 two books, 65.40 dollars
      when the processor has told of it: dispute dispute_won, 6540 USD (CHARGEBACK_REVERSED)
      disputed of the payment: null; given up 0 times
      nothing waits
    checkout
      challenged: dispute dispute_opened, 6540 USD (evidence_required)
      challenge_dispute is unknown and waits for look_up
      asked for: dispute dispute_challenged, 6540 USD (evidence_under_review)
      the processor was handed evidence 1 times:
        additional_evidence_text: She read both books & thanked us for them.
        invoice_or_receipt_file: %PDF-1.7 two books, 65.40 dollars
      when the processor has told of it: dispute dispute_won, 6540 USD (won)
      disputed of the payment: null; given up 0 times
      nothing waits
    stripe
      challenged: dispute dispute_opened, 6540 USD (needs_response)
      challenge_dispute is unknown and waits for look_up
      asked for: dispute dispute_challenged, 6540 USD (under_review)
      the processor was handed evidence 1 times:
        receipt: %PDF-1.7 two books, 65.40 dollars
        uncategorized_text: She read both books & thanked us for them.
      when the processor has told of it: dispute dispute_won, 6540 USD (won)
      disputed of the payment: null; given up 0 times
      nothing waits
    ");
}

#[tokio::test]
async fn evidence_that_has_no_place() {
    let told = of_each(async |shop: &mut ProductionShop| {
        let (payment, reference) = shop.is_disputed().await;
        let dispute = shop.dispute_of(&payment).await;
        let large = format!("{RECEIPT}{}", " ".repeat(2_000_000));
        for (item, file) in [
            ("recurring_transaction_agreement", large.as_str()),
            ("refund_policy", RECEIPT),
            ("uncategorized_file", RECEIPT),
            ("cancellation_policy", RECEIPT),
        ] {
            let attached = attaches(shop, &dispute, item, file).await;
            if attached.status != 200 {
                let refused = attached.refused(400, "IR_20");
                shop.writes(format!("refused: {refused}"));
            }
        }
        let long = json!({ "dispute_id": dispute["dispute_id"], "service_date": WORDS.repeat(20) });
        let challenged = shop.call("disputes_challenge").json(&long).await;
        if challenged.status != 200 {
            let refused = challenged.refused(400, "IR_20");
            shop.writes(format!("refused: {refused}"));
        }
        let kept = on(shop, "disputes_retrieve_evidence", &dispute);
        let kept = kept.await.ok();
        for file in kept["files"].as_array().expect("a list") {
            shop.writes(format!("kept: {}", file["evidence_type"]));
        }
        let times = shop.stand_in.dispute_books(&reference).challenged;
        shop.writes(format!("the processor was handed evidence {times} times"));
    });
    insta::assert_snapshot!(told.await, @r#"
    adyen
      refused: recurring_transaction_agreement (a PDF of more than 2000000 bytes) as evidence through adyen is not supported
      refused: service_date (a text, not a file) as evidence through adyen is not supported
      kept: "refund_policy"
      kept: "uncategorized_file"
      kept: "cancellation_policy"
      the processor was handed evidence 0 times
    checkout
      refused: cancellation_policy (a file beside refund_policy, whose place it would take) as evidence through checkout is not supported
      refused: service_date (a text that makes proof_of_delivery_or_service_date_text longer than 500 characters) as evidence through checkout is not supported
      kept: "recurring_transaction_agreement"
      kept: "refund_policy"
      kept: "uncategorized_file"
      the processor was handed evidence 0 times
    stripe
      refused: uncategorized_file (a file beside recurring_transaction_agreement, whose place it would take) as evidence through stripe is not supported
      kept: "recurring_transaction_agreement"
      kept: "refund_policy"
      kept: "cancellation_policy"
      the processor was handed evidence 1 times
    "#);
}
