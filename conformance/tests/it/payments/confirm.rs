//! `POST /payments/{payment_id}/confirm`. (Specification 4.12)

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, DECLINED, card, order, order_with, with};
use multirail_conformance::evidence::evidence_of_what_is_set;
use serde_json::json;

use super::{attempt_status, standing};

#[tokio::test]
async fn approved_and_captured_at_once() {
    let shop = Shop::open().await;
    let payment = shop
        .creates(with(
            order_with(APPROVED),
            json!({ "capture_method": "automatic" }),
        ))
        .await
        .ok();
    assert_eq!(standing(&payment), ("requires_confirmation", 6540, 0));
    let paid = shop.confirms(&payment, json!({})).await.ok();
    assert_eq!(standing(&paid), ("succeeded", 0, 6540));
    assert_eq!(attempt_status(&shop, &paid).await, "charged");
    assert_eq!(
        (shop.money().authorized, shop.money().captured),
        (6540, 6540)
    );
    shop.captures(&paid, json!({})).await.refused(400, "IR_14");
    shop.cancels(&paid, json!({})).await.refused(400, "IR_16");
    shop.confirms(&paid, json!({})).await.refused(400, "IR_16");
    insta::assert_snapshot!(
        serde_json::to_string_pretty(&evidence_of_what_is_set(&paid)).expect("JSON")
    );
}

#[tokio::test]
async fn approved_and_waiting_for_the_capture() {
    let shop = Shop::open().await;
    for method in ["manual", "manual_multiple", "scheduled"] {
        let payment = shop
            .creates(with(
                order_with(APPROVED),
                json!({ "capture_method": method }),
            ))
            .await
            .ok();
        let held = shop.confirms(&payment, json!({})).await.ok();
        assert_eq!(standing(&held), ("requires_capture", 6540, 0), "{method}");
        assert_eq!(attempt_status(&shop, &held).await, "authorized", "{method}");
    }
    let payment = shop
        .creates(with(
            order_with(APPROVED),
            json!({ "capture_method": "sequential_automatic" }),
        ))
        .await
        .ok();
    assert_eq!(
        standing(&shop.confirms(&payment, json!({})).await.ok()),
        ("succeeded", 0, 6540)
    );
    assert_eq!(
        (shop.money().authorized, shop.money().captured),
        (4 * 6540, 6540)
    );
}

#[tokio::test]
async fn a_decline_is_an_answer() {
    let shop = Shop::open().await;
    let payment = shop.creates(order_with(DECLINED)).await.ok();
    let failed = shop.confirms(&payment, json!({})).await.ok();
    assert_eq!(standing(&failed), ("failed", 0, 0));
    assert_eq!(attempt_status(&shop, &failed).await, "failure");
    assert_eq!(failed["error_code"], "DC_08");
    assert_eq!(failed["error_message"], "Payment declined: Card declined");
    assert_eq!(failed["unified_code"], "UE_1000");
    assert_eq!(failed["manual_retry_allowed"], true);
    assert_eq!(shop.money().authorized, 0);
    shop.confirms(&failed, json!({}))
        .await
        .refused(400, "IR_16");
    insta::assert_snapshot!(
        serde_json::to_string_pretty(&evidence_of_what_is_set(&failed)).expect("JSON")
    );
}

#[tokio::test]
async fn the_instrument_may_come_with_confirm() {
    let shop = Shop::open().await;
    let payment = shop.creates(order()).await.ok();
    shop.confirms(&payment, json!({}))
        .await
        .refused(422, "IR_06");
    let still = shop.retrieves(&payment).await.ok();
    assert_eq!(
        standing(&still),
        ("requires_payment_method", 6540, 0),
        "a refusal changes nothing"
    );
    let paid = shop.confirms(&payment, card(APPROVED)).await.ok();
    assert_eq!(standing(&paid), ("succeeded", 0, 6540));
}

#[tokio::test]
async fn an_absent_body_counts_as_an_empty_one() {
    let shop = Shop::open().await;
    let payment = shop.creates(order_with(APPROVED)).await.ok();
    let call = shop
        .call("payments_confirm")
        .at("payment_id", multirail_conformance::shop::id(&payment));
    assert_eq!(call.await.ok()["status"], "succeeded");
}

#[tokio::test]
async fn members_of_the_confirm_win() {
    let shop = Shop::open().await;
    let payment = shop
        .creates(with(
            order_with(DECLINED),
            json!({ "description": "first" }),
        ))
        .await
        .ok();
    let body = with(
        card(APPROVED),
        json!({ "amount": 7000, "capture_method": "manual", "description": "second" }),
    );
    let held = shop.confirms(&payment, body).await.ok();
    assert_eq!(standing(&held), ("requires_capture", 7000, 0));
    assert_eq!(held["description"], "second");
    assert_eq!(held["payment_method_data"]["card"]["last4"], "1111");
    assert_eq!(shop.money().authorized, 7000);
}

#[tokio::test]
async fn consent_is_taken() {
    let shop = Shop::open().await;
    let payment = shop.creates(order()).await.ok();
    let consent = json!({ "customer_acceptance": {
        "acceptance_type": "online",
        "accepted_at": "2026-01-05T10:11:12Z",
        "online": { "ip_address": "203.0.113.7", "user_agent": "a browser" },
    } });
    assert_eq!(
        shop.confirms(&payment, with(card(APPROVED), consent))
            .await
            .ok()["status"],
        "succeeded"
    );
}

#[tokio::test]
async fn nothing_is_paid_without_a_connector() {
    let shop = Shop::open().await;
    shop.reconnects(json!({ "disabled": true })).await.ok();
    let payment = shop.creates(order_with(APPROVED)).await.ok();
    shop.confirms(&payment, json!({}))
        .await
        .refused(400, "IR_39");
    assert_eq!(
        standing(&shop.retrieves(&payment).await.ok()),
        ("requires_confirmation", 6540, 0)
    );
    shop.reconnects(json!({ "disabled": false })).await.ok();
    assert_eq!(
        shop.confirms(&payment, json!({})).await.ok()["status"],
        "succeeded"
    );
}

#[tokio::test]
async fn a_payment_that_is_none() {
    let shop = Shop::open().await;
    shop.confirms(&json!({ "payment_id": "pay_unborn" }), json!({}))
        .await
        .refused(404, "HE_02");
}

#[tokio::test]
async fn zero_only_verifies_the_card() {
    let shop = Shop::open().await;
    let saves = json!({ "amount": 0, "customer_id": "ada", "setup_future_usage": "on_session" });
    let body = with(order_with(APPROVED), saves);
    let payment = shop.creates(body).await.ok();
    let verified = shop.confirms(&payment, json!({})).await.ok();
    assert_eq!(standing(&verified), ("succeeded", 0, 0));
    assert_eq!(shop.money().captured, 0);
}
