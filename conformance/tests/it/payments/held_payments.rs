//! Payments that their processor holds for review, and `POST /payments/{payment_id}/approve` and `/reject`.
//! (Specification 3)

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, HELD, THREE_DS, order_with, with};
use multirail_simulator::scripted::{Call, Fault};
use serde_json::{Value, json};

use super::{attempt_status, authorized, events_of, standing};

/// Creates a payment that is held for review.
async fn held(shop: &Shop, capture_method: &str) -> Value {
    let more = json!({ "capture_method": capture_method, "confirm": true });
    let payment = shop.creates(with(order_with(HELD), more)).await.ok();
    assert_eq!(standing(&payment), ("requires_merchant_action", 0, 0));
    payment
}

/// Returns the types of the payment's events.
async fn event_types(shop: &Shop, payment: &Value) -> Vec<String> {
    let events = events_of(shop, payment).await;
    events.into_iter().map(|(event, _)| event).collect()
}

#[tokio::test]
async fn a_held_payment_has_a_reason_and_waits() {
    let shop = Shop::open().await;
    let payment = held(&shop, "automatic").await;
    let message = &payment["frm_message"];
    assert_eq!(message["frm_name"], "simulated_screening");
    assert_eq!(message["frm_status"], "manual_review");
    assert_eq!(message["frm_score"], 75);
    assert_eq!(message["frm_reason"]["code"], "elevated_risk");
    assert_eq!(payment["merchant_decision"], json!(null));
    assert_eq!(attempt_status(&shop, &payment).await, "unresolved");
    assert_eq!(event_types(&shop, &payment).await, ["action_required"]);
    let money = shop.money();
    assert_eq!((money.authorized, money.captured), (6540, 0));
    let asked = shop.asks_about(&payment).await.ok();
    assert_eq!(asked["status"], "requires_merchant_action");
    shop.captures(&payment, json!({}))
        .await
        .refused(400, "IR_14");
    shop.cancels(&payment, json!({}))
        .await
        .refused(400, "IR_16");
    shop.confirms(&payment, json!({}))
        .await
        .refused(400, "IR_16");
    let payers = shop.payer_of(&payment).retrieves().await.ok();
    assert_eq!(payers["status"], "requires_merchant_action");
    assert_eq!(payers["frm_message"], json!(null), "it is the merchant's");
}

#[tokio::test]
async fn an_approved_payment_goes_on_by_its_capture_method() {
    let shop = Shop::open().await;
    let payment = held(&shop, "automatic").await;
    let paid = shop.approves(&payment).await.ok();
    assert_eq!(standing(&paid), ("succeeded", 0, 6540));
    assert_eq!(paid["merchant_decision"], "approved");
    assert_eq!(
        event_types(&shop, &payment).await,
        ["action_required", "payment_succeeded"]
    );
    let money = shop.money();
    assert_eq!((money.captured, money.released), (6540, 0));
    let refund = shop.refunds(&paid, json!({})).await.ok();
    assert_eq!(refund["status"], "succeeded");

    let payment = held(&shop, "manual").await;
    let approved = shop.approves(&payment).await.ok();
    assert_eq!(standing(&approved), ("requires_capture", 6540, 0));
    assert_eq!(
        event_types(&shop, &payment).await,
        ["action_required", "payment_authorized"]
    );
    let part = json!({ "amount_to_capture": 4000 });
    let paid = shop.captures(&payment, part).await.ok();
    assert_eq!(standing(&paid), ("partially_captured", 0, 4000));
}

#[tokio::test]
async fn a_rejected_payment_has_failed_and_is_voided() {
    let shop = Shop::open().await;
    shop.sets_up(json!({ "is_manual_retry_enabled": true }))
        .await
        .ok();
    for capture_method in ["automatic", "manual"] {
        let payment = held(&shop, capture_method).await;
        let rejected = shop.rejects(&payment).await.ok();
        assert_eq!(standing(&rejected), ("failed", 0, 0));
        assert_eq!(rejected["merchant_decision"], "rejected");
        assert_eq!(rejected["error_code"], "merchant_rejected");
        assert_eq!(rejected["manual_retry_allowed"], false);
        assert_eq!(attempt_status(&shop, &payment).await, "router_declined");
        assert_eq!(
            event_types(&shop, &payment).await,
            ["action_required", "payment_failed"]
        );
        shop.confirms(&payment, json!({}))
            .await
            .refused(400, "IR_16");
    }
    let money = shop.money();
    assert_eq!((money.captured, money.released), (0, 2 * 6540));
}

#[tokio::test]
async fn only_what_is_held_can_be_decided() {
    let shop = Shop::open().await;
    let created = shop.creates(order_with(APPROVED)).await.ok();
    let open = authorized(&shop, "manual").await;
    let approved = held(&shop, "manual").await;
    shop.approves(&approved).await.ok();
    let rejected = held(&shop, "automatic").await;
    shop.rejects(&rejected).await.ok();
    let more = json!({ "confirm": true });
    let with_payer = shop.creates(with(order_with(THREE_DS), more)).await.ok();
    for payment in [&created, &open, &approved, &rejected, &with_payer] {
        let before = shop.retrieves(payment).await.ok();
        shop.approves(payment).await.refused(400, "IR_16");
        shop.rejects(payment).await.refused(400, "IR_16");
        assert_eq!(shop.retrieves(payment).await.ok(), before);
    }
    let nobodys = json!({ "payment_id": "pay_nobodys" });
    shop.approves(&nobodys).await.refused(404, "HE_02");
    shop.rejects(&nobodys).await.refused(404, "HE_02");
}

/// The capture of an approval has no answer or a pending one, and is synced like any other.
#[tokio::test]
async fn an_approval_of_unknown_outcome_is_found_out() {
    let shop = Shop::open().await;
    for (fault, then) in [
        (Fault::LosesAnswer, ("succeeded", 0, 6540)),
        (Fault::Pends, ("succeeded", 0, 6540)),
        (Fault::LosesRequest, ("requires_capture", 6540, 0)),
    ] {
        let payment = held(&shop, "automatic").await;
        shop.next_call_meets(Call::Capture, fault.clone());
        let open = shop.approves(&payment).await.ok();
        assert_eq!(standing(&open), ("processing", 0, 0), "{fault:?}");
        shop.rejects(&payment).await.refused(400, "IR_16");
        let unresolved = shop.operator("unresolved_operations_list").await.ok();
        assert_eq!(unresolved[0]["operation"], "capture", "{unresolved}");
        let known = shop.asks_about(&payment).await.ok();
        assert_eq!(standing(&known), then, "{fault:?}");
        let unresolved = shop.operator("unresolved_operations_list").await.ok();
        assert_eq!(unresolved, json!([]));
    }
    let payment = held(&shop, "automatic").await;
    let refusal = Fault::Declines {
        code: "DC_08".to_owned(),
        message: "no".to_owned(),
    };
    shop.next_call_meets(Call::Capture, refusal);
    let refused = shop.approves(&payment).await.ok();
    assert_eq!(standing(&refused), ("requires_capture", 6540, 0));
    assert_eq!(refused["error_code"], "DC_08");
    assert_eq!(
        event_types(&shop, &payment).await,
        ["action_required", "action_required"]
    );
    let paid = shop.captures(&payment, json!({})).await.ok();
    assert_eq!(standing(&paid), ("succeeded", 0, 6540));
}

/// The void of a rejection has no answer or never arrives. The payment has failed nevertheless, and the authorization
/// is released.
#[tokio::test]
async fn a_rejection_of_unknown_outcome_is_found_out() {
    let shop = Shop::open().await;
    let mut released = 0;
    for fault in [Fault::LosesAnswer, Fault::Pends, Fault::LosesRequest] {
        let payment = held(&shop, "automatic").await;
        shop.next_call_meets(Call::Void, fault.clone());
        let rejected = shop.rejects(&payment).await.ok();
        assert_eq!(standing(&rejected), ("failed", 0, 0), "{fault:?}");
        let unresolved = shop.operator("unresolved_operations_list").await.ok();
        assert_eq!(unresolved[0]["operation"], "void", "{unresolved}");
        // The processor has no trace of the void, so it is sent again.
        shop.asks_about(&payment).await.ok();
        let known = shop.asks_about(&payment).await.ok();
        assert_eq!(standing(&known), ("failed", 0, 0), "{fault:?}");
        assert_eq!(known["error_code"], "merchant_rejected");
        let unresolved = shop.operator("unresolved_operations_list").await.ok();
        assert_eq!(unresolved, json!([]));
        released += 6540;
        assert_eq!(shop.money().released, released, "{fault:?}");
        assert_eq!(event_types(&shop, &payment).await.len(), 2);
    }
    let payment = held(&shop, "manual").await;
    let refusal = Fault::Declines {
        code: "DC_08".to_owned(),
        message: "no".to_owned(),
    };
    shop.next_call_meets(Call::Void, refusal);
    let rejected = shop.rejects(&payment).await.ok();
    assert_eq!(rejected["status"], "conflicted");
}

/// The answer to the authorization was lost, and the sync finds the payment held.
#[tokio::test]
async fn a_sync_can_find_a_payment_held() {
    let shop = Shop::open().await;
    shop.next_call_meets(Call::Authorize, Fault::LosesAnswer);
    let more = json!({ "confirm": true });
    let payment = shop.creates(with(order_with(HELD), more)).await.ok();
    assert_eq!(payment["status"], "processing");
    let known = shop.asks_about(&payment).await.ok();
    assert_eq!(standing(&known), ("requires_merchant_action", 0, 0));
    let paid = shop.approves(&payment).await.ok();
    assert_eq!(standing(&paid), ("succeeded", 0, 6540));
}

#[tokio::test]
async fn nothing_is_held_of_a_card_check() {
    let shop = Shop::open().await;
    let more = json!({
        "amount": 0, "confirm": true, "customer_id": "ada", "setup_future_usage": "on_session",
    });
    let payment = shop.creates(with(order_with(HELD), more)).await.ok();
    assert_eq!(payment["status"], "succeeded");
}
