//! Debits through Adyen and Stripe: paid, then returned by the payer's bank.

use std::sync::Arc;

use multirail_conformance::bodies::with;
use multirail_peers::adyen::Adyen;
use multirail_peers::stripe::Stripe;
use multirail_peers::{StandIn, system_time};
use serde_json::json;

use super::{SEPA_PAYS, consent, sepa};
use crate::processors::production_shop::ProductionShop;

/// Adyen calls the debit paid at once, Stripe some days later.
#[tokio::test]
async fn a_return_is_a_lost_dispute_and_the_payment_stays_succeeded() {
    let processors: [(&str, Arc<dyn StandIn>); 2] = [
        ("adyen", Arc::new(Adyen::new())),
        ("stripe", Arc::new(Stripe::new(system_time))),
    ];
    let mut told = String::new();
    for (connector, stand_in) in processors {
        let mut shop = ProductionShop::open(connector, stand_in).await;
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
        told.push_str(&shop.evidence());
    }
    insta::assert_snapshot!(told, @r#"
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
