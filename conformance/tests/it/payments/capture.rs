//! `POST /payments/{payment_id}/capture`. (Specification 3, 4.11)

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, order_with, with};
use multirail_conformance::evidence::evidence_of_what_is_set;
use multirail_simulator::scripted::{Call, Fault};
use serde_json::{Value, json};

use super::{attempt_status, authorized, events_of, standing};

#[tokio::test]
async fn all_of_it() {
    let shop = Shop::open().await;
    for method in ["manual", "scheduled"] {
        let payment = authorized(&shop, method).await;
        let paid = shop.captures(&payment, json!({})).await.ok();
        assert_eq!(standing(&paid), ("succeeded", 0, 6540), "{method}");
        assert_eq!(
            paid["captures"],
            json!(null),
            "a single capture makes no record"
        );
        assert_eq!(attempt_status(&shop, &paid).await, "charged");
        shop.captures(&paid, json!({})).await.refused(400, "IR_14");
    }
    assert_eq!(shop.money().captured, 2 * 6540);
}

#[tokio::test]
async fn all_of_it_despite_an_amount_at_the_create() {
    let shop = Shop::open().await;
    let wish = json!({ "amount_to_capture": 4000 });
    for method in ["manual", "scheduled"] {
        let order = json!({ "capture_method": method, "confirm": true });
        let order = with(with(order_with(APPROVED), order), wish.clone());
        let payment = shop.creates(order).await.ok();
        assert_eq!(standing(&payment), ("requires_capture", 6540, 0));
        let paid = shop.captures(&payment, json!({})).await.ok();
        assert_eq!(standing(&paid), ("succeeded", 0, 6540), "{method}");
    }
}

#[tokio::test]
async fn a_part_of_it_releases_the_rest() {
    let shop = Shop::open().await;
    let payment = authorized(&shop, "manual").await;
    let captured = shop
        .captures(&payment, json!({ "amount_to_capture": 4000 }))
        .await
        .ok();
    assert_eq!(standing(&captured), ("partially_captured", 0, 4000));
    assert_eq!(attempt_status(&shop, &captured).await, "partial_charged");
    let books = shop.money();
    assert_eq!((books.captured, books.released), (4000, 2540));
    shop.captures(&captured, json!({ "amount_to_capture": 2540 }))
        .await
        .refused(400, "IR_14");
    shop.cancels(&captured, json!({}))
        .await
        .refused(400, "IR_16");
}

#[tokio::test]
async fn amounts_that_cant_be_captured() {
    let shop = Shop::open().await;
    let payment = authorized(&shop, "manual").await;
    for (amount, status, code) in [
        (0, 422, "IR_05"),
        (-1, 422, "IR_05"),
        (6541, 422, "IR_06"),
        (7000, 422, "IR_06"),
    ] {
        let answer = shop
            .captures(&payment, json!({ "amount_to_capture": amount }))
            .await;
        assert!(
            answer.refused(status, code).contains("amount_to_capture"),
            "{amount}"
        );
    }
    assert_eq!(
        standing(&shop.retrieves(&payment).await.ok()),
        ("requires_capture", 6540, 0)
    );
    assert_eq!(shop.money().captured, 0);
}

#[tokio::test]
async fn in_several_parts() {
    let shop = Shop::open().await;
    let payment = authorized(&shop, "manual_multiple").await;
    let first = shop
        .captures(&payment, json!({ "amount_to_capture": 4000 }))
        .await
        .ok();
    assert_eq!(
        standing(&first),
        ("partially_captured_and_capturable", 2540, 4000)
    );
    assert_eq!(
        attempt_status(&shop, &first).await,
        "partial_charged_and_chargeable"
    );
    shop.captures(&payment, json!({ "amount_to_capture": 2541 }))
        .await
        .refused(422, "IR_06");
    shop.cancels(&payment, json!({}))
        .await
        .refused(400, "IR_16");
    shop.confirms(&payment, json!({}))
        .await
        .refused(400, "IR_16");
    // A capture without an amount takes the whole rest.
    let second = shop.captures(&payment, json!({})).await.ok();
    assert_eq!(standing(&second), ("succeeded", 0, 6540));
    assert_eq!(shop.money().captured, 6540);
    let shown = shop
        .retrieves(&payment)
        .query("expand_captures", true)
        .await
        .ok();
    insta::assert_snapshot!(
        serde_json::to_string_pretty(&evidence_of_what_is_set(&shown["captures"])).expect("JSON")
    );
}

#[tokio::test]
async fn automatic_payments_are_not_captured_again() {
    let shop = Shop::open().await;
    let payment = shop.creates(order_with(APPROVED)).await.ok();
    shop.captures(&payment, json!({}))
        .await
        .refused(400, "IR_14");
    let paid = shop.confirms(&payment, json!({})).await.ok();
    let message = shop.captures(&paid, json!({})).await.refused(400, "IR_14");
    assert!(message.contains("succeeded"), "{message}");
    assert_eq!(shop.money().captured, 6540);
}

#[tokio::test]
async fn a_throttled_capture_changes_nothing() {
    let shop = Shop::open().await;
    let payment = authorized(&shop, "manual").await;
    shop.next_call_meets(Call::Capture, Fault::Throttles);
    shop.captures(&payment, json!({})).await;
    let still = shop.retrieves(&payment).await.ok();
    assert_eq!(standing(&still), ("requires_capture", 6540, 0));
    assert_eq!(
        standing(&shop.captures(&payment, json!({})).await.ok()),
        ("succeeded", 0, 6540)
    );
}

/// Creates an order that was approved for 5000 of 6540.
async fn approved_for_less(shop: &Shop, method: &str, consent: bool) -> Value {
    shop.next_call_meets(Call::Authorize, Fault::ApprovesOnly(5000));
    let more = json!({ "capture_method": method, "enable_partial_authorization": consent, "confirm": true });
    shop.creates(with(order_with(APPROVED), more)).await.ok()
}

#[tokio::test]
async fn approved_for_less_where_that_is_allowed() {
    let shop = Shop::open().await;
    for (method, part) in [
        ("manual", json!({})),
        ("scheduled", json!({ "amount_to_capture": 5000 })),
    ] {
        let held = approved_for_less(&shop, method, true).await;
        assert_eq!(
            standing(&held),
            ("partially_authorized_and_requires_capture", 5000, 0)
        );
        shop.cancels(&held, json!({})).await.refused(400, "IR_16");
        shop.captures(&held, json!({ "amount_to_capture": 5001 }))
            .await
            .refused(422, "IR_06");
        let paid = shop.captures(&held, part).await.ok();
        assert_eq!(standing(&paid), ("partially_captured", 0, 5000), "{method}");
        assert_eq!(attempt_status(&shop, &paid).await, "partial_charged");
        let told: Vec<_> = events_of(&shop, &held).await;
        let told: Vec<_> = told.iter().map(|(event, _)| event.as_str()).collect();
        assert_eq!(told, ["payment_partially_authorized", "payment_captured"]);
    }
    let at_once = approved_for_less(&shop, "automatic", true).await;
    assert_eq!(
        standing(&at_once),
        ("partially_captured", 0, 5000),
        "the same money has one word"
    );
    assert_eq!(shop.money().captured, 3 * 5000);
}

#[tokio::test]
async fn approved_for_less_and_captured_in_parts() {
    let shop = Shop::open().await;
    let held = approved_for_less(&shop, "manual_multiple", true).await;
    let first = shop
        .captures(&held, json!({ "amount_to_capture": 2000 }))
        .await
        .ok();
    assert_eq!(
        standing(&first),
        ("partially_captured_and_capturable", 3000, 2000)
    );
    let paid = shop
        .captures(&held, json!({ "amount_to_capture": 3000 }))
        .await
        .ok();
    assert_eq!(standing(&paid), ("partially_captured", 0, 5000));
    assert_eq!(shop.money().captured, 5000);
}

#[tokio::test]
async fn approved_for_less_without_consent_needs_a_person() {
    let shop = Shop::open().await;
    for method in ["manual", "automatic"] {
        let conflicted = approved_for_less(&shop, method, false).await;
        assert_eq!(conflicted["status"], "conflicted", "{method}");
        assert_eq!(conflicted["error_code"], "integrity_failure");
        shop.captures(&conflicted, json!({}))
            .await
            .refused(400, "IR_14");
    }
}
