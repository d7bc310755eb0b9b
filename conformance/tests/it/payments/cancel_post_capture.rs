//! `POST /payments/{payment_id}/cancel_post_capture`: voids a captured payment.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, DISPUTED, paid_with};
use multirail_simulator::scripted::{Call, Fault};
use serde_json::{Value, json};

use super::{attempt_status, authorized, events_of, standing};
use crate::disputes::raised;

/// Returns the void's status, and why it failed.
fn void(payment: &Value) -> (&str, Option<&str>) {
    let void = &payment["state_metadata"]["post_capture_void"];
    let status = void["status"].as_str().expect("a status");
    (status, void["description"].as_str())
}

async fn announced(shop: &Shop, payment: &Value) -> Vec<String> {
    let events = events_of(shop, payment).await;
    events.into_iter().map(|(event, _)| event).collect()
}

#[tokio::test]
async fn everything_goes_back_and_nothing_can_follow() {
    let shop = Shop::open().await;
    let paid = shop.creates(paid_with(APPROVED)).await.ok();
    let reason = json!({ "cancellation_reason": "charged twice" });
    let voided = shop.cancels_post_capture(&paid, reason).await.ok();
    assert_eq!(standing(&voided), ("cancelled_post_capture", 0, 0));
    assert_eq!(void(&voided), ("succeeded", None));
    assert_eq!(voided["cancellation_reason"], "charged twice");
    let told = &voided["state_metadata"]["post_capture_void"];
    let reference = told["connector_reference_id"].as_str().expect("one");
    assert!(reference.starts_with("sim_"), "{reference}");
    assert_eq!(told["updated_at"], voided["modified_at"]);
    assert_eq!(attempt_status(&shop, &voided).await, "voided_post_charge");
    assert_eq!(
        announced(&shop, &paid).await,
        ["payment_succeeded", "payment_cancelled_post_capture"]
    );
    let books = shop.money();
    assert_eq!((books.captured, books.reversed), (6540, 6540));
    let again = shop.cancels_post_capture(&paid, json!({}));
    again.await.refused(400, "IR_16");
    let refund = shop.refunds(&paid, json!({}));
    refund.await.refused(400, "IR_14");
    let stored = shop.retrieves(&paid).await.ok();
    assert_eq!(stored["state_metadata"], voided["state_metadata"]);
}

#[tokio::test]
async fn after_a_capture_of_a_part_the_rest_is_free_too() {
    let shop = Shop::open().await;
    let payment = authorized(&shop, "manual_multiple").await;
    let part = json!({ "amount_to_capture": 4000 });
    let captured = shop.captures(&payment, part).await.ok();
    assert_eq!(captured["status"], "partially_captured_and_capturable");
    let voided = shop.cancels_post_capture(&payment, json!({})).await.ok();
    assert_eq!(standing(&voided), ("cancelled_post_capture", 0, 0));
    let books = shop.money();
    let sums = (books.captured, books.reversed, books.released);
    assert_eq!(sums, (4000, 4000, 2540));
    let rest = shop.captures(&payment, json!({ "amount_to_capture": 1 }));
    rest.await.refused(400, "IR_14");
}

#[tokio::test]
async fn not_before_a_capture() {
    let shop = Shop::open().await;
    let held = authorized(&shop, "manual").await;
    let refused = shop.cancels_post_capture(&held, json!({}));
    refused.await.refused(400, "IR_16");
    assert_eq!(shop.money().released, 0);
    shop.cancels(&held, json!({})).await.ok();
}

#[tokio::test]
async fn refused_it_changes_nothing_and_the_money_is_refunded() {
    let shop = Shop::open().await;
    let paid = shop.creates(paid_with(APPROVED)).await.ok();
    let settled = Fault::Declines {
        code: "DC_98".into(),
        message: "Settled already".into(),
    };
    shop.next_call_meets(Call::Void, settled);
    let refused = shop.cancels_post_capture(&paid, json!({ "cancellation_reason": "twice" }));
    let refused = refused.await.ok();
    assert_eq!(standing(&refused), ("succeeded", 0, 6540));
    assert_eq!(void(&refused), ("failed", Some("DC_98: Settled already")));
    assert_eq!(
        (&refused["error_code"], &refused["cancellation_reason"]),
        (&json!(null), &json!(null))
    );
    assert_eq!(
        announced(&shop, &paid).await,
        ["payment_succeeded", "action_required"]
    );
    let refunded = shop.refunds(&paid, json!({})).await.ok();
    assert_eq!(refunded["status"], "succeeded");
    let books = shop.money();
    assert_eq!((books.reversed, books.refunded), (0, 6540));
}

#[tokio::test]
async fn while_it_is_not_known_nothing_else_is_done_with_the_money() {
    for (fault, is_done) in [
        (Fault::Pends, true),
        (Fault::LosesAnswer, true),
        (Fault::FailsAfter(500), true),
        (Fault::LosesRequest, false),
    ] {
        let shop = Shop::open().await;
        let paid = shop.creates(paid_with(APPROVED)).await.ok();
        shop.next_call_meets(Call::Void, fault.clone());
        let unknown = shop.cancels_post_capture(&paid, json!({})).await.ok();
        assert_eq!(standing(&unknown), ("succeeded", 0, 6540), "{fault:?}");
        assert_eq!(void(&unknown), ("pending", None), "{fault:?}");
        shop.refunds(&paid, json!({ "amount": 1 }))
            .await
            .refused(400, "IR_14");
        shop.cancels_post_capture(&paid, json!({}))
            .await
            .refused(400, "IR_16");
        let listed = shop.operator("unresolved_operations_list").await.ok();
        assert_eq!(listed[0]["operation"], "void", "{listed}");
        let known = shop.asks_about(&paid).await.ok();
        let listed = shop.operator("unresolved_operations_list").await.ok();
        assert_eq!(listed, json!([]), "{fault:?}");
        if is_done {
            assert_eq!(standing(&known), ("cancelled_post_capture", 0, 0));
            assert_eq!(shop.money().reversed, 6540, "{fault:?}");
        } else {
            assert_eq!(standing(&known), ("succeeded", 0, 6540));
            assert_eq!(void(&known).0, "failed");
            let again = shop.cancels_post_capture(&paid, json!({})).await.ok();
            assert_eq!(standing(&again), ("cancelled_post_capture", 0, 0));
            assert_eq!(shop.money().reversed, 6540);
        }
    }
}

#[tokio::test]
async fn refunded_and_disputed_payments_are_not_voided_too() {
    let shop = Shop::open().await;
    let refunded = shop.creates(paid_with(APPROVED)).await.ok();
    shop.refunds(&refunded, json!({ "amount": 1 })).await.ok();
    let refused = shop.cancels_post_capture(&refunded, json!({}));
    let why = refused.await.refused(400, "IR_16");
    assert!(why.contains("refunded"), "{why}");

    let account = multirail_conformance::notice::webhook_details();
    shop.reconnects(account).await.ok();
    let disputed = shop.creates(paid_with(DISPUTED)).await.ok();
    raised(&shop, &disputed, "dispute", "dispute_opened").await;
    let refused = shop.cancels_post_capture(&disputed, json!({}));
    let why = refused.await.refused(400, "IR_16");
    assert!(why.contains("dispute"), "{why}");
    // An inquiry holds no money, and a void settles it.
    let asked = shop.creates(paid_with(DISPUTED)).await.ok();
    raised(&shop, &asked, "pre_dispute", "dispute_opened").await;
    let voided = shop.cancels_post_capture(&asked, json!({})).await.ok();
    assert_eq!(standing(&voided), ("cancelled_post_capture", 0, 0));
    assert_eq!(shop.money().reversed, 6540);
}
