//! Steps of Adyen and Stripe that the shop shows, without a page: codes and vouchers.

use std::sync::Arc;

use multirail_peers::stripe::Stripe;
use multirail_peers::system_time;
use serde_json::{Value, json};

use super::at_once;
use super::qr_codes::pix;
use super::vouchers::oxxo;
use crate::processors::of_these;
use crate::processors::production_shop::ProductionShop;

/// Confirms an order by this method, shows the step, and has the payer pay.
async fn paid(shop: &mut ProductionShop, name: &str, method: Value) -> Value {
    let payment = shop.creates(at_once(method)).await.ok();
    let (status, action) = (&payment["status"], &payment["next_action"]["type"]);
    shop.writes(format!("{name}: {status} by {action}"));
    let booked = shop.stand_in.all_books().pop().expect("a payment");
    shop.stand_in.decide(&booked.reference, true);
    shop.receives_notices().await;
    shop.reads("when the processor has told of it", &payment)
        .await;
    payment
}

#[tokio::test]
async fn a_code_is_scanned_and_its_money_goes_back_in_part() {
    let mut shop = ProductionShop::open("stripe", Arc::new(Stripe::new(system_time))).await;
    let payment = paid(&mut shop, "Pix", pix()).await;
    let refund = shop.refunds(&payment, json!({ "amount": 1540 }));
    let refund = refund.await.ok();
    shop.notes("given back", &refund);
    shop.receives_notices_about(&payment).await;
    insta::assert_snapshot!(shop.evidence(), @r#"
    stripe
      Pix: "requires_customer_action" by "qr_code_information"
      when the processor has told of it: succeeded, 6540 received
      given back: succeeded
      when the processor has told of it: succeeded, 6540 received
      the processor's books: authorized 6540, captured 6540, released 0, given back 1540
      nothing waits
    "#);
}

#[tokio::test]
async fn a_voucher_is_paid_in_cash_for_good() {
    let told = of_these(&["adyen", "stripe"], async |shop: &mut ProductionShop| {
        let payment = paid(shop, "OXXO", oxxo()).await;
        let refund = shop.refunds(&payment, json!({ "amount": 1540 })).await;
        let refused = refund.refused(400, "IR_20");
        shop.writes(format!("a refund: {refused}"));
        shop.looks_into_the_books();
        shop.looks_at_what_waits().await;
    });
    insta::assert_snapshot!(told.await, @r#"
    adyen
      OXXO: "requires_customer_action" by "display_voucher_information"
      when the processor has told of it: succeeded, 6540 received
      a refund: a refund of a voucher, which its payer paid in cash, is not supported
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
      nothing waits
    stripe
      OXXO: "requires_customer_action" by "display_voucher_information"
      when the processor has told of it: succeeded, 6540 received
      a refund: a refund of a voucher, which its payer paid in cash, is not supported
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
      nothing waits
    "#);
}
