//! `POST /payments/{payment_id}/incremental_authorization`. (Specification 2.10)

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, order_with, with};
use multirail_simulator::scripted::{Call, Fault};
use serde_json::{Value, json};

use super::{authorized, events_of, standing};

/// Authorizes a payment that can be raised.
async fn may_be_raised(shop: &Shop, more: Value) -> Value {
    let members = json!({
        "capture_method": "manual", "confirm": true, "request_incremental_authorization": true,
    });
    let order = with(with(order_with(APPROVED), members), more);
    let payment = shop.creates(order).await.ok();
    assert_eq!(payment["status"], "requires_capture");
    payment
}

/// Returns the payment's raises without their ids.
fn raises(payment: &Value) -> Vec<(i64, i64, &str)> {
    let list = payment["incremental_authorizations"].as_array();
    let all = list.into_iter().flatten();
    all.map(|one| {
        (
            one["previously_authorized_amount"].as_i64().unwrap_or(-1),
            one["amount"].as_i64().unwrap_or(-1),
            one["status"].as_str().unwrap_or_default(),
        )
    })
    .collect()
}

#[tokio::test]
async fn a_new_total_can_be_captured() {
    let shop = Shop::open().await;
    let payment = may_be_raised(&shop, json!({})).await;
    assert_eq!(payment["incremental_authorization_allowed"], true);
    assert_eq!(payment["authorization_count"], json!(null));
    assert_eq!(payment["incremental_authorizations"], json!(null));
    let raised = shop.raises(&payment, 7000).await.ok();
    assert_eq!(standing(&raised), ("requires_capture", 7000, 0));
    let body = json!({ "amount": 9000, "reason": "a second night" });
    let raised = shop.raises(&raised, 0).json(&body).await.ok();
    assert_eq!(standing(&raised), ("requires_capture", 9000, 0));
    assert_eq!(
        (&raised["amount"], &raised["net_amount"]),
        (&json!(9000), &json!(9000))
    );
    assert_eq!(raised["authorization_count"], 2);
    let expected = [(6540, 7000, "success"), (7000, 9000, "success")];
    assert_eq!(raises(&raised), expected);
    let id = raised["incremental_authorizations"][1]["authorization_id"].as_str();
    let id = id.expect("an id");
    assert!(
        id.starts_with("auth_") && id.ends_with("_2") && id.len() == 27,
        "{id}"
    );
    let filed = shop.processor().ledger().increments().expect("the books");
    assert_eq!(filed[1].reason.as_deref(), Some("a second night"));
    let paid = shop.captures(&payment, json!({})).await.ok();
    assert_eq!(standing(&paid), ("succeeded", 0, 9000));
    assert_eq!(raises(&paid), expected);
    let books = shop.money();
    assert_eq!(
        (books.authorized, books.captured, books.released),
        (9000, 9000, 0)
    );
    let told: Vec<_> = events_of(&shop, &payment).await;
    let told: Vec<_> = told.iter().map(|(event, _)| event.as_str()).collect();
    assert_eq!(told, ["payment_authorized", "payment_succeeded"]);
}

#[tokio::test]
async fn a_raised_authorization_can_be_voided_and_captured_in_parts() {
    let shop = Shop::open().await;
    let cancelled = may_be_raised(&shop, json!({})).await;
    shop.raises(&cancelled, 9000).await.ok();
    let cancelled = shop.cancels(&cancelled, json!({})).await.ok();
    assert_eq!(standing(&cancelled), ("cancelled", 0, 0));
    assert_eq!(shop.money().released, 9000);
    let several = may_be_raised(&shop, json!({ "capture_method": "manual_multiple" })).await;
    shop.raises(&several, 9000).await.ok();
    let part = shop
        .captures(&several, json!({ "amount_to_capture": 6540 }))
        .await
        .ok();
    assert_eq!(
        standing(&part),
        ("partially_captured_and_capturable", 2460, 6540)
    );
    shop.raises(&several, 10_000).await.refused(400, "IR_16");
}

#[tokio::test]
async fn wrong_raises_are_refused() {
    let shop = Shop::open().await;
    let payment = may_be_raised(&shop, json!({})).await;
    for amount in [6540, 100, 0, -1] {
        let told = shop.raises(&payment, amount).await.refused(400, "IR_16");
        assert!(told.contains("amount"), "{told}");
    }
    shop.raises(&payment, 1_000_000_000_000_i64)
        .await
        .refused(400, "IR_16");
    let plain = authorized(&shop, "manual").await;
    assert_eq!(plain["incremental_authorization_allowed"], false);
    shop.raises(&plain, 7000).await.refused(400, "IR_16");
    let unsent = json!({ "request_incremental_authorization": true });
    let unsent = shop.creates(with(order_with(APPROVED), unsent)).await.ok();
    assert_eq!(unsent["incremental_authorization_allowed"], json!(null));
    shop.raises(&unsent, 7000).await.refused(400, "IR_16");
    let paid = shop.confirms(&unsent, json!({})).await.ok();
    assert_eq!(paid["status"], "succeeded");
    assert_eq!(paid["incremental_authorization_allowed"], false);
    shop.raises(&paid, 7000).await.refused(400, "IR_16");
    shop.next_call_meets(Call::Authorize, Fault::ApprovesOnly(5000));
    let less = json!({
        "capture_method": "manual", "confirm": true, "request_incremental_authorization": true,
        "enable_partial_authorization": true,
    });
    let less = shop.creates(with(order_with(APPROVED), less)).await.ok();
    assert_eq!(less["status"], "partially_authorized_and_requires_capture");
    shop.raises(&less, 7000).await.refused(400, "IR_16");
    let nobodys = json!({ "payment_id": "pay_nobodys" });
    shop.raises(&nobodys, 7000).await.refused(404, "HE_02");
    assert_eq!(
        shop.processor().ledger().increments().expect("the books"),
        []
    );
}

#[tokio::test]
async fn a_declined_raise_changes_nothing() {
    let shop = Shop::open().await;
    let payment = may_be_raised(&shop, json!({})).await;
    let refusal = Fault::Declines {
        code: "DC_08".to_owned(),
        message: "no".to_owned(),
    };
    shop.next_call_meets(Call::Increment, refusal);
    let refused = shop.raises(&payment, 9000).await.ok();
    assert_eq!(standing(&refused), ("requires_capture", 6540, 0));
    assert_eq!(raises(&refused), [(6540, 9000, "failure")]);
    let record = &refused["incremental_authorizations"][0];
    assert_eq!(
        (&record["error_code"], &record["error_message"]),
        (&json!("DC_08"), &json!("no"))
    );
    assert_eq!(refused["error_code"], json!(null), "the payment is well");
    let again = shop.raises(&payment, 9000).await.ok();
    assert_eq!(raises(&again)[1], (6540, 9000, "success"));
}

/// The processor leaves the raise pending or its answer is lost. A sync or a notice tells the outcome.
#[tokio::test]
async fn an_unknown_raise_is_found_out() {
    let shop = Shop::open().await;
    for (fault, at_first, then, total) in [
        (Fault::Pends, "processing", "success", 9000),
        (Fault::LosesAnswer, "unresolved", "success", 9000),
        (Fault::LosesRequest, "unresolved", "failure", 6540),
        (Fault::FailsBefore(503), "unresolved", "failure", 6540),
    ] {
        let payment = may_be_raised(&shop, json!({})).await;
        shop.next_call_meets(Call::Increment, fault.clone());
        let open = shop.raises(&payment, 9000).await.ok();
        assert_eq!(raises(&open), [(6540, 9000, at_first)], "{fault:?}");
        assert_eq!(standing(&open), ("requires_capture", 6540, 0));
        shop.raises(&payment, 9500).await.refused(400, "IR_16");
        let unresolved = shop.operator("unresolved_operations_list").await.ok();
        assert_eq!(unresolved[0]["operation"], "increment", "{unresolved}");
        let known = shop.asks_about(&payment).await.ok();
        assert_eq!(raises(&known), [(6540, 9000, then)], "{fault:?}");
        assert_eq!(standing(&known), ("requires_capture", total, 0));
        let unresolved = shop.operator("unresolved_operations_list").await.ok();
        assert_eq!(unresolved, json!([]));
        shop.cancels(&payment, json!({})).await.ok();
    }
}

/// A capture during the raise takes from the amount that was known to be authorized.
#[tokio::test]
async fn a_capture_does_not_wait_for_it() {
    let shop = Shop::open().await;
    let payment = may_be_raised(&shop, json!({})).await;
    shop.next_call_meets(Call::Increment, Fault::LosesAnswer);
    shop.raises(&payment, 9000).await.ok();
    let paid = shop.captures(&payment, json!({})).await.ok();
    assert_eq!(standing(&paid), ("succeeded", 0, 6540));
    let known = shop.asks_about(&payment).await.ok();
    assert_eq!(standing(&known), ("succeeded", 0, 6540));
    assert_eq!(known["amount"], 6540);
    assert_eq!(raises(&known), [(6540, 9000, "success")]);
    let books = shop.money();
    assert_eq!((books.captured, books.released), (6540, 2460));
}

#[tokio::test]
async fn an_answer_is_given_once_for_each_key() {
    let shop = Shop::open().await;
    let payment = may_be_raised(&shop, json!({})).await;
    let call = shop.raises(&payment, 9000).header("idempotency-key", "k");
    let first = call.clone().await.ok();
    assert_eq!(call.await.ok(), first);
    assert_eq!(raises(&first).len(), 1);
    assert_eq!(
        shop.processor()
            .ledger()
            .increments()
            .expect("the books")
            .len(),
        1
    );
}
