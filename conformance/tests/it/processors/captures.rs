//! Captures: automatic ones, and later ones by request.

use multirail_peers::CardThat;
use serde_json::json;

use super::of_each;
use super::production_shop::{ProductionShop, account};

#[tokio::test]
async fn taken_at_once() {
    let told = of_each(async |shop: &mut ProductionShop| {
        let payment = shop.pays(CardThat::IsApproved, json!({})).await;
        shop.notes("paid", &payment);
        shop.receives_notices_about(&payment).await;
    });
    insta::assert_snapshot!(told.await, @"
    adyen
      paid: succeeded, 6540 received
      when the processor has told of it: succeeded, 6540 received
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
      nothing waits
    checkout
      paid: succeeded, 6540 received
      when the processor has told of it: succeeded, 6540 received
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
      nothing waits
    stripe
      paid: succeeded, 6540 received
      when the processor has told of it: succeeded, 6540 received
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
      nothing waits
    ");
}

#[tokio::test]
async fn reserved_and_taken_in_part() {
    let told = of_each(async |shop: &mut ProductionShop| {
        let manual = json!({ "capture_method": "manual" });
        let payment = shop.pays(CardThat::IsApproved, manual).await;
        shop.notes("reserved", &payment);
        shop.receives_notices().await;
        let captured = shop.captures(&payment, json!({ "amount_to_capture": 4000 }));
        let captured = captured.await.ok();
        shop.notes("captured 40.00", &captured);
        shop.looks_at_what_waits().await;
        shop.receives_notices_about(&payment).await;
    });
    insta::assert_snapshot!(told.await, @"
    adyen
      reserved: requires_capture, 6540 capturable
      captured 40.00: processing
      capture is pending and waits for notice
      when the processor has told of it: partially_captured, 4000 received
      the processor's books: authorized 6540, captured 4000, released 2540, given back 0
      nothing waits
    checkout
      reserved: requires_capture, 6540 capturable
      captured 40.00: processing
      capture is pending and waits for look_up
      when the processor has told of it: partially_captured, 4000 received
      the processor's books: authorized 6540, captured 4000, released 2540, given back 0
      nothing waits
    stripe
      reserved: requires_capture, 6540 capturable
      captured 40.00: partially_captured, 4000 received
      nothing waits
      when the processor has told of it: partially_captured, 4000 received
      the processor's books: authorized 6540, captured 4000, released 2540, given back 0
      nothing waits
    ");
}

/// The profile asks for features that some connectors lack. Those connectors still take the payment.
#[tokio::test]
async fn the_profiles_wishes_are_sent_where_the_processor_offers_them() {
    let told = of_each(async |shop: &mut ProductionShop| {
        let wishes = json!({
            "always_request_extended_authorization": true, "always_enable_overcapture": true,
        });
        shop.sets_up(wishes).await.ok();
        let manual = json!({ "capture_method": "manual" });
        let payment = shop.pays(CardThat::IsApproved, manual).await;
        shop.notes("reserved", &payment);
        shop.writes(format!(
            "extended {}, overcapture {}",
            payment["extended_authorization_applied"], payment["is_overcapture_enabled"]
        ));
    });
    insta::assert_snapshot!(told.await, @"
    adyen
      reserved: requires_capture, 6540 capturable
      extended null, overcapture null
    checkout
      reserved: requires_capture, 6540 capturable
      extended null, overcapture null
    stripe
      reserved: requires_capture, 7521 capturable
      extended true, overcapture true
    ");
}

/// Stripe lets few accounts capture a payment in several parts, and the account's settings say whether it may.
#[tokio::test]
async fn in_several_parts_where_the_account_may() {
    let told = of_each(async |shop: &mut ProductionShop| {
        let several = json!({ "capture_method": "manual_multiple" });
        let first = shop
            .tries(shop.stand_in.card(CardThat::IsApproved), several.clone())
            .await;
        match first.status {
            200 => {
                let payment = first.ok();
                shop.notes("reserved", &payment);
                let captured = shop.captures(&payment, json!({ "amount_to_capture": 4000 }));
                let captured = captured.await.ok();
                shop.notes("captured 40.00", &captured);
            }
            _ => {
                let message = first.refused(400, "IR_39");
                shop.writes(format!("not offered: {message}"));
            }
        }
        let mut silent = account(&*shop.stand_in, &shop.peer);
        let settings = silent["metadata"].as_object_mut().expect("settings");
        if settings.remove("multicapture").is_some() {
            shop.reconnects(silent).await.ok();
            let refused = shop
                .tries(shop.stand_in.card(CardThat::IsApproved), several)
                .await;
            let message = refused.refused(400, "IR_39");
            shop.writes(format!("without the setting: {message}"));
        }
    });
    insta::assert_snapshot!(told.await, @"
    adyen
      not offered: no connector account of the profile can take this payment: adyen doesn't take capture_method manual_multiple; connectors that could: checkout, stripe
    checkout
      reserved: requires_capture, 6540 capturable
      captured 40.00: processing, 2540 capturable
    stripe
      reserved: requires_capture, 6540 capturable
      captured 40.00: partially_captured_and_capturable, 4000 received, 2540 capturable
      without the setting: no connector account of the profile can take this payment: stripe takes capture_method manual_multiple only if its metadata.multicapture is true; connectors that could: checkout
    ");
}
