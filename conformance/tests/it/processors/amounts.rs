//! Amounts that a processor can't express, or that are below its minimum.

use multirail_conformance::bodies::with;
use multirail_peers::CardThat;
use serde_json::{Value, json};

use super::of_each;
use super::production_shop::ProductionShop;

/// Each payment can only go to one account. An amount that its processor can't express or accept is refused before it
/// is sent.
#[tokio::test]
async fn an_amount_that_can_not_be_charged_is_refused_with_the_reason() {
    let told = of_each(async |shop: &mut ProductionShop| {
        for (amount, currency) in [
            (6_541, "KWD"),
            (6_540, "KWD"),
            (6_540, "ISK"),
            (6_500, "ISK"),
            (6_540, "IDR"),
            (49, "USD"),
            (50, "USD"),
        ] {
            let body = json!({ "amount": amount, "currency": currency });
            let body = with(body, json!({ "authentication_type": "no_three_ds" }));
            let card = shop.stand_in.card(CardThat::IsApproved);
            let answer = shop.tries(card, body).await;
            let said = match answer.status {
                200 => answer.body["status"].to_string(),
                status => format!(
                    "{status} {} {}",
                    answer.body["code"], answer.body["message"]
                ),
            };
            shop.writes(format!("{amount} {currency}: {said}"));
        }
        shop.looks_into_the_books();
    });
    insta::assert_snapshot!(told.await, @r#"
    adyen
      6541 KWD: "succeeded"
      6540 KWD: "succeeded"
      6540 ISK: "succeeded"
      6500 ISK: "succeeded"
      6540 IDR: 400 "IR_39" "no connector account of the profile can charge 65.40 IDR: adyen takes only multiples of 1.00 IDR; connectors that could: checkout, stripe"
      49 USD: "succeeded"
      50 USD: "succeeded"
      the processor's books: authorized 6541, captured 6541, released 0, given back 0
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
      the processor's books: authorized 6500, captured 6500, released 0, given back 0
      the processor's books: authorized 49, captured 49, released 0, given back 0
      the processor's books: authorized 50, captured 50, released 0, given back 0
    checkout
      6541 KWD: 400 "IR_39" "no connector account of the profile can charge 6.541 KWD: checkout takes only multiples of 0.010 KWD; connectors that could: adyen"
      6540 KWD: "succeeded"
      6540 ISK: 400 "IR_39" "no connector account of the profile can charge 65.40 ISK: checkout takes only multiples of 1.00 ISK; connectors that could: adyen"
      6500 ISK: "succeeded"
      6540 IDR: "succeeded"
      49 USD: "succeeded"
      50 USD: "succeeded"
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
      the processor's books: authorized 65, captured 65, released 0, given back 0
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
      the processor's books: authorized 49, captured 49, released 0, given back 0
      the processor's books: authorized 50, captured 50, released 0, given back 0
    stripe
      6541 KWD: 400 "IR_39" "no connector account of the profile can charge 6.541 KWD: stripe takes only multiples of 0.010 KWD; connectors that could: adyen"
      6540 KWD: "succeeded"
      6540 ISK: 400 "IR_39" "no connector account of the profile can charge 65.40 ISK: stripe takes only multiples of 1.00 ISK; connectors that could: adyen"
      6500 ISK: "succeeded"
      6540 IDR: "succeeded"
      49 USD: 400 "IR_39" "no connector account of the profile can charge 0.49 USD: stripe charges no less than 0.50 USD; connectors that could: adyen, checkout"
      50 USD: "succeeded"
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
      the processor's books: authorized 6500, captured 6500, released 0, given back 0
      the processor's books: authorized 6540, captured 6540, released 0, given back 0
      the processor's books: authorized 50, captured 50, released 0, given back 0
    "#);
}

/// Captures and refunds accept only amounts that the processor can express.
#[tokio::test]
async fn captures_and_refunds_are_counted_too() {
    let told = of_each(async |shop: &mut ProductionShop| {
        let body = json!({ "amount": 6_540, "currency": "KWD", "capture_method": "manual" });
        let held = shop.pays(CardThat::IsApproved, body).await;
        let capture = json!({ "amount_to_capture": 4_321 });
        let captured = shop.captures(&held, capture).await;
        shop.writes(format!(
            "capture of 4321: {} {}",
            captured.status,
            said(&captured.body)
        ));
    });
    insta::assert_snapshot!(told.await, @"
    adyen
      capture of 4321: 200 done
    checkout
      capture of 4321: 422 amount_to_capture is 4.321 KWD: checkout takes only multiples of 0.010 KWD
    stripe
      capture of 4321: 422 amount_to_capture is 4.321 KWD: stripe takes only multiples of 0.010 KWD
    ");
}

fn said(body: &Value) -> String {
    body["message"].as_str().unwrap_or("done").to_owned()
}

/// A dry run of routing names the account's obstacle.
#[tokio::test]
async fn a_trial_names_what_stands_in_the_way() {
    let told = of_each(async |shop: &mut ProductionShop| {
        for (what, more) in [
            ("65.40 IDR", json!({ "currency": "IDR" })),
            (
                "an authentication",
                json!({ "currency": "EUR", "authentication_type": "three_ds" }),
            ),
        ] {
            let trial = with(json!({ "amount": 6_540 }), more);
            let tried = shop.call("routing_evaluate").json(&trial).await.ok();
            let why = &tried["routing"]["candidates"][0]["dropped_because"];
            shop.writes(format!("{what}: {why}"));
        }
    });
    insta::assert_snapshot!(told.await, @r#"
    adyen
      65.40 IDR: "processor_amount"
      an authentication: "browser_info"
    checkout
      65.40 IDR: null
      an authentication: null
    stripe
      65.40 IDR: null
      an authentication: null
    "#);
}
