//! Debits through Adyen and Stripe: paid, then returned by the payer's bank.

use multirail_conformance::bodies::with;
use serde_json::json;

use super::{SEPA_PAYS, consent, sepa};
use crate::processors::of_these;
use crate::processors::production_shop::ProductionShop;

/// Adyen calls the debit paid at once, Stripe some days later.
#[tokio::test]
async fn a_return_is_a_lost_dispute_and_the_payment_stays_succeeded() {
    let told = of_these(&["adyen", "stripe"], async |shop: &mut ProductionShop| {
        let email = json!({
            "confirm": true, "payment_method_data": { "billing": { "email": "ada@example.com" } },
        });
        let order = with(with(sepa(SEPA_PAYS), consent()), email);
        let payment = shop.creates(order).await.ok();
        shop.notes("debited", &payment);
        shop.receives_notices().await;
        shop.reads("when the bank has paid", &payment).await;

        let booked = shop.stand_in.all_books().pop().expect("a debit");
        let reference = shop.stand_in.dispute(&booked.key).expect("money was taken");
        shop.receives_notices().await;
        let id = payment["payment_id"].as_str().expect("an id");
        let listed = shop.call("disputes_list").query("payment_id", id);
        let listed = listed.await.ok();
        assert_eq!(listed.as_array().map(Vec::len), Some(1), "{listed}");
        let dispute = &listed[0];
        assert_eq!(dispute["connector_dispute_id"], reference.as_str());
        let paid = shop.retrieves(&payment).await.ok();
        shop.writes(format!(
            "returned: {} of {}, disputed of the payment: {}",
            dispute["dispute_status"],
            dispute["amount"],
            paid["state_metadata"]["total_disputed_amount"]
        ));
        // The returned money can't be refunded, too.
        let refund = shop.refunds(&payment, json!({ "amount": 1 }));
        refund.await.refused(400, "IR_13");
        shop.receives_notices_about(&payment).await;
    });
    insta::assert_snapshot!(told.await, @r#"
    adyen
      debited: succeeded, 6540 received
      when the bank has paid: succeeded, 6540 received
      returned: "dispute_lost" of "6540", disputed of the payment: 6540
      when the processor has told of it: succeeded, 6540 received
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
      nothing waits
    stripe
      debited: processing
      when the bank has paid: succeeded, 6540 received
      returned: "dispute_lost" of "6540", disputed of the payment: 6540
      when the processor has told of it: succeeded, 6540 received
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
      nothing waits
    "#);
}
