//! Authorizations are raised before the capture.

use multirail_peers::{CardThat, Fault};
use serde_json::{Value, json};

use super::of_each;
use super::production_shop::ProductionShop;

/// If a connector can't raise authorizations, it still takes the payment, which says that it can't be raised.
#[tokio::test]
async fn an_authorization_is_raised_and_captured() {
    let told = of_each(async |shop: &mut ProductionShop| {
        let payment = raisable(shop).await;
        if payment["incremental_authorization_allowed"] == false {
            let why = shop.raises(&payment, 9000).await.refused(400, "IR_20");
            shop.writes(why);
            shop.looks_into_the_books();
            shop.looks_at_what_waits().await;
            return;
        }
        let asked = shop.raises(&payment, 9000).await.ok();
        shop.writes(raises(&asked));
        shop.looks_at_what_waits().await;
        shop.receives_notices().await;
        let raised = shop.retrieves(&payment).await.ok();
        shop.writes(raises(&raised));
        shop.notes("raised", &raised);
        shop.captures(&payment, json!({})).await.ok();
        shop.receives_notices_about(&payment).await;
    });
    insta::assert_snapshot!(told.await, @"
    adyen
      reserved: requires_capture, 6540 capturable
      6540 to 9000 processing
      increment is pending and waits for notice
      6540 to 9000 success
      raised: requires_capture, 9000 capturable
      when the processor has told of it: succeeded, 9000 received
      the processor's books: authorized 9000, captured 9000, released 0, given back 0
      nothing waits
    checkout
      reserved: requires_capture, 6540 capturable
      raising an authorization through checkout is not supported
      the processor's books: authorized 6540, captured 0, released 0, given back 0
      nothing waits
    stripe
      reserved: requires_capture, 6540 capturable
      6540 to 9000 success
      nothing waits
      6540 to 9000 success
      raised: requires_capture, 9000 capturable
      when the processor has told of it: succeeded, 9000 received
      the processor's books: authorized 9000, captured 9000, released 0, given back 0
      nothing waits
    ");
}

/// The answer to one raise is lost; the issuer refuses another one.
#[tokio::test]
async fn a_raise_whose_answer_is_lost_and_one_that_is_refused() {
    let told = of_each(async |shop: &mut ProductionShop| {
        let payment = raisable(shop).await;
        if payment["incremental_authorization_allowed"] == false {
            return;
        }
        shop.peer.faults().next(Fault::LosesAnswer);
        let asked = shop.raises(&payment, 9000).await.ok();
        shop.writes(raises(&asked));
        shop.looks_at_what_waits().await;
        let known = shop.asks_about(&payment).await.ok();
        shop.writes(raises(&known));
        shop.receives_notices().await;
        shop.raises(&payment, 1_000_001).await.ok();
        shop.receives_notices().await;
        let refused = shop.retrieves(&payment).await.ok();
        shop.writes(raises(&refused));
        let why = &refused["incremental_authorizations"][1];
        shop.writes(format!("{} {}", why["error_code"], why["error_message"]));
        shop.notes("refused", &refused);
        shop.cancels(&payment, json!({})).await.ok();
        shop.receives_notices_about(&payment).await;
    });
    insta::assert_snapshot!(told.await, @r#"
    adyen
      reserved: requires_capture, 6540 capturable
      6540 to 9000 processing
      increment is pending and waits for notice
      6540 to 9000 processing
      6540 to 9000 success, 9000 to 1000001 failure
      "12" "Not enough balance"
      refused: requires_capture, 9000 capturable
      when the processor has told of it: cancelled
      the processor's books: authorized 9000, captured 0, released 9000, given back 0
      nothing waits
    checkout
      reserved: requires_capture, 6540 capturable
    stripe
      reserved: requires_capture, 6540 capturable
      6540 to 9000 success
      nothing waits
      6540 to 9000 success
      6540 to 9000 success, 9000 to 1000001 failure
      "insufficient_funds" "The card was not charged: insufficient_funds."
      refused: requires_capture, 9000 capturable
      when the processor has told of it: cancelled
      the processor's books: authorized 9000, captured 0, released 9000, given back 0
      nothing waits
    "#);
}

/// Authorizes a payment that can be raised.
async fn raisable(shop: &mut ProductionShop) -> Value {
    let wish = json!({ "capture_method": "manual", "request_incremental_authorization": true });
    let payment = shop.pays(CardThat::IsApproved, wish).await;
    shop.notes("reserved", &payment);
    payment
}

pub fn raises(payment: &Value) -> String {
    let all = payment["incremental_authorizations"].as_array();
    let lines = all.into_iter().flatten().map(|one| {
        let status = one["status"].as_str().unwrap_or_default();
        format!(
            "{} to {} {status}",
            one["previously_authorized_amount"], one["amount"]
        )
    });
    lines.collect::<Vec<_>>().join(", ")
}
