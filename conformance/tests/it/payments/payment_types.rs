//! `payment_type`, `retry_action` and amounts of 0: the words must fit the payment, and a verification needs a
//! purpose.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, DECLINED, order_with, with};
use serde_json::{Value, json};

use super::authorized;

/// A card that is saved for charges without its payer.
fn to_save(amount: i64, payment_type: &str) -> Value {
    let saves = json!({
        "amount": amount, "customer_id": "ada", "setup_future_usage": "off_session", "confirm": true,
        "payment_type": payment_type,
        "customer_acceptance": {
            "acceptance_type": "online",
            "online": { "ip_address": "203.0.113.5", "user_agent": "Firefox" },
        },
    });
    with(order_with(APPROVED), saves)
}

#[tokio::test]
async fn the_words_of_mandates_work_where_they_fit() {
    let shop = Shop::open().await;
    for (amount, word) in [
        (6540, "new_mandate"),
        (0, "new_mandate"),
        (0, "setup_mandate"),
        (6540, "normal"),
    ] {
        let paid = shop.creates(to_save(amount, word)).await.ok();
        assert_eq!(paid["status"], "succeeded", "{amount} {word}: {paid}");
    }
    let listed = shop.call("customer_payment_methods_list");
    let listed = listed.at("customer_id", "ada").await.ok();
    let method = &listed["customer_payment_methods"][0]["payment_method_id"];
    let charge = json!({
        "amount": 6540, "currency": "USD", "customer_id": "ada", "off_session": true, "confirm": true,
        "payment_type": "recurring_mandate",
        "recurring_details": { "type": "payment_method_id", "data": method },
    });
    let charged = shop.creates(charge).await.ok();
    assert_eq!(charged["status"], "succeeded", "{charged}");
}

#[tokio::test]
async fn a_word_that_does_not_fit_is_refused_when_the_payment_is_confirmed() {
    let shop = Shop::open().await;
    for (body, word) in [
        (order_with(APPROVED), "new_mandate"),
        (order_with(APPROVED), "recurring_mandate"),
        (to_save(6540, ""), "setup_mandate"),
        (to_save(6540, ""), "recurring_mandate"),
    ] {
        let said = json!({ "payment_type": word, "confirm": true });
        let message = shop.creates(with(body, said)).await.refused(400, "IR_16");
        assert!(
            message.contains(&format!("payment_type {word}")),
            "{message}"
        );
    }
    assert_eq!(shop.money().captured, 0);
    let kept = json!({ "payment_type": "new_mandate" });
    let kept = shop.creates(with(order_with(APPROVED), kept)).await.ok();
    shop.confirms(&kept, json!({})).await.refused(400, "IR_16");
    let normal = json!({ "payment_type": "normal" });
    let paid = shop.confirms(&kept, normal).await.ok();
    assert_eq!(paid["status"], "succeeded");
}

/// The creation of such a payment is accepted, because a later request can give the verification a purpose.
#[tokio::test]
async fn an_amount_of_0_that_saves_nothing_is_not_confirmed() {
    let shop = Shop::open().await;
    let order = with(order_with(APPROVED), json!({ "amount": 0 }));
    let at_once = with(order.clone(), json!({ "confirm": true }));
    let message = shop.creates(at_once).await.refused(400, "IR_16");
    assert!(message.contains("amount of 0"), "{message}");
    let made = shop.creates(order).await.ok();
    assert_eq!(made["status"], "requires_confirmation");
    shop.confirms(&made, json!({})).await.refused(400, "IR_16");
    assert_eq!(shop.retrieves(&made).await.ok(), made);
    let priced = shop.confirms(&made, json!({ "amount": 500 })).await.ok();
    assert_eq!(priced["amount_received"], 500);
}

#[tokio::test]
async fn a_manual_retry_is_for_what_has_failed() {
    let shop = Shop::open().await;
    shop.sets_up(json!({ "is_manual_retry_enabled": true }))
        .await
        .ok();
    let retries = json!({ "retry_action": "manual_retry" });
    let made = shop.creates(order_with(DECLINED)).await.ok();
    let early = shop.confirms(&made, retries.clone()).await;
    assert!(early.refused(400, "IR_16").contains("retry_action"));
    let failed = shop.confirms(&made, json!({})).await.ok();
    assert_eq!(failed["status"], "failed");
    let again = with(order_with(APPROVED), retries);
    let card = json!({
        "retry_action": "manual_retry", "payment_method": again["payment_method"],
        "payment_method_data": again["payment_method_data"],
    });
    let paid = shop.confirms(&failed, card).await.ok();
    assert_eq!(paid["status"], "succeeded");
}

#[tokio::test]
async fn words_without_an_effect_are_refused_by_name() {
    let shop = Shop::open().await;
    let held = authorized(&shop, "manual").await;
    let raw = json!({ "all_keys_required": true });
    for call in [
        shop.captures(&held, json!({ "refund_uncaptured_amount": true })),
        shop.captures(&held, raw.clone()),
        shop.cancels(&held, raw),
        shop.retrieves(&held).query("all_keys_required", true),
        shop.sets_up(json!({ "webhook_details": { "payout_statuses_enabled": ["success"] } })),
        shop.sets_up(json!({ "is_iframe_redirection_enabled": true })),
        shop.reconnects(json!({ "frm_configs": [{ "gateway": "payment_processor" }] })),
    ] {
        call.await.refused(400, "IR_20");
    }
    let another = shop.captures(&held, json!({ "merchant_id": "florist" }));
    another.await.refused(404, "HE_02");
    let asks_nothing = [
        shop.sets_up(json!({ "webhook_details": { "payout_statuses_enabled": [] } })),
        shop.reconnects(json!({ "frm_configs": [] })),
        shop.retrieves(&held).query("all_keys_required", false),
        shop.captures(
            &held,
            json!({ "merchant_id": "bookshop", "refund_uncaptured_amount": false, "all_keys_required": false }),
        ),
    ];
    for call in asks_nothing {
        call.await.ok();
    }
}
