//! The first payment belongs to its subscription, so payment operations can't change it alone. (Facts 3.13, 7.11)

use multirail_conformance::bodies::{APPROVED, DECLINED, PENDING, THREE_DS, card, with};
use multirail_conformance::{Call, Shop};
use multirail_simulator::scripted::{Call as ScriptedCall, Fault};
use serde_json::{Value, json};

use super::{
    call, id, invoice_becomes, now, offers, on, pays_with, reserved, subscribed, until_in_steps,
    wanted, wanted_with,
};

async fn made(shop: &Shop) -> Value {
    let made = call(shop, "subscriptions_create").json(&wanted("reader_monthly"));
    made.await.ok()
}

fn belongs(said: &str, subscription: &Value) {
    let expected = format!(
        "the payment belongs to the subscription {}: it is confirmed with that, and can't be changed",
        id(subscription)
    );
    assert_eq!(said, expected);
}

#[tokio::test]
async fn it_is_confirmed_with_its_subscription_alone() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let made = made(&shop).await;
    let payment = &made["payment"];
    let by_payer = |operation: &str| -> Call {
        let call = shop.server.wire.call(operation).key(&shop.publishable_key);
        call.at("payment_id", payment["payment_id"].as_str().expect("an id"))
    };
    let secret = json!({ "client_secret": payment["client_secret"] });
    for refused in [
        shop.confirms(payment, pays_with(APPROVED)),
        shop.updates(payment, json!({ "amount": 1 })),
        shop.updates(payment, with(card(APPROVED), json!({ "confirm": true }))),
        by_payer("payments_confirm").json(&with(pays_with(APPROVED), secret.clone())),
    ] {
        belongs(&refused.await.refused(400, "IR_16"), &made);
    }
    assert_eq!(shop.money().captured, 0);
    assert_eq!(shop.retrieves(payment).await.ok()["amount"], 990);
    let body = json!({ "payment_details": pays_with(APPROVED) });
    let active = on(&shop, "subscriptions_confirm", &made).json(&body);
    assert_eq!(active.await.ok()["status"], "active");
    assert_eq!(shop.money().captured, 990);
}

/// Cancelling the payment cancels the subscription, in each status in which payments can be cancelled.
#[tokio::test]
async fn a_subscription_is_cancelled_with_its_payment() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let unpaid = made(&shop).await;
    let body = wanted_with("reader_monthly", THREE_DS);
    let at_the_processor = call(&shop, "subscriptions_create_and_confirm").json(&body);
    let at_the_processor = at_the_processor.await.ok();
    let held = reserved(&shop, wanted_with("reader_monthly", APPROVED)).await;
    for (subscription, before) in [
        (unpaid, "requires_payment_method"),
        (at_the_processor, "requires_customer_action"),
        (held, "requires_capture"),
    ] {
        let payment = &subscription["payment"];
        assert_eq!(shop.retrieves(payment).await.ok()["status"], before);
        let cancelled = shop.cancels(payment, json!({})).await.ok();
        assert_eq!(cancelled["status"], "cancelled", "{before}");
        let cancelled =
            until_in_steps(&shop, &subscription, 60, |now| now["status"] == "cancelled").await;
        assert!(cancelled["cancelled_at"].is_string(), "{cancelled}");
    }
    assert_eq!(shop.money().captured, 0);
}

/// The profile allows retries of failed payments, but this one's subscription has failed with it.
#[tokio::test]
async fn a_failed_one_is_not_confirmed_again() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let retries = json!({ "is_manual_retry_enabled": true });
    shop.sets_up(retries).await.ok();
    let body = with(
        wanted_with("reader_monthly", DECLINED),
        json!({ "coupon_code": "TENTH" }),
    );
    let made = call(&shop, "subscriptions_create_and_confirm").json(&body);
    let made = made.await.ok();
    assert_eq!(made["status"], "failed");
    let payment = shop.retrieves(&made["payment"]).await.ok();
    assert_eq!(payment["manual_retry_allowed"], false);
    let again = shop.confirms(&payment, pays_with(APPROVED)).await;
    belongs(&again.refused(400, "IR_16"), &made);
    assert_eq!(shop.money().captured, 0);
    let coupon = call(&shop, "subscription_coupons_retrieve").at("coupon_code", "TENTH");
    assert_eq!(coupon.await.ok()["redemptions"], 0, "it can be had again");
}

#[tokio::test]
async fn one_that_fails_later_fails_its_subscription() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let declines = Fault::PendsThenDeclines {
        code: "DC_08".to_owned(),
        message: "Payment declined: Insufficient funds".to_owned(),
    };
    shop.server
        .next_call_meets(ScriptedCall::Authorize, declines);
    let made = subscribed(&shop, "reader_monthly").await;
    assert_eq!(made["status"], "pending");
    let failed = until_in_steps(&shop, &made, 60, |now| now["status"] == "failed").await;
    assert_eq!(failed["invoice"]["status"], "payment_failed");
    assert!(failed["invoice"]["next_attempt_at"].is_null(), "{failed}");
}

/// The payer got nothing, so everything that the payment captures is refunded.
#[tokio::test]
async fn a_cancelled_pending_one_keeps_no_money() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let made = call(&shop, "subscriptions_create_and_confirm");
    let made = made
        .json(&wanted_with("reader_monthly", PENDING))
        .await
        .ok();
    assert_eq!(made["status"], "pending");
    let over = on(&shop, "subscriptions_cancel", &made).json(&json!({}));
    assert_eq!(over.await.ok()["status"], "cancelled");
    let is_settled = |now: &Value| {
        let payment = &now["payment"]["status"];
        let money = shop.money();
        *payment != "processing" && money.captured == money.refunded
    };
    let over = until_in_steps(&shop, &made, 60, is_settled).await;
    assert_eq!(over["status"], "cancelled");
    assert_eq!(over["credit_amount"], 0);
}

/// A saved method's token can pay if the payer has agreed to later charges.
#[tokio::test]
async fn a_payment_token_confirms() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let first = subscribed(&shop, "reader_monthly").await;
    let list = shop.call("customer_payment_methods_list");
    let list = list.at("customer_id", "ada").await.ok();
    let token = &list["customer_payment_methods"][0]["payment_token"];
    assert!(token.is_string(), "{list}");
    let made = made(&shop).await;
    let body = json!({ "payment_details": {
        "payment_method": "card", "payment_token": token,
        "payment_method_data": { "card_token": { "card_cvc": "123" } },
        "customer_acceptance": pays_with(APPROVED)["customer_acceptance"],
    } });
    let active = on(&shop, "subscriptions_confirm", &made).json(&body);
    let active = active.await.ok();
    assert_eq!(active["status"], "active");
    assert_eq!(active["payment_method_id"], first["payment_method_id"]);
    shop.time_passes(31 * super::DAY).await;
    invoice_becomes(&shop, &made, 2, "invoice_paid").await;
    assert_eq!(now(&shop, &made).await["status"], "active");
}

/// Only a part was captured. Voiding the invoice or cancelling refunds that part.
#[tokio::test]
async fn one_that_took_a_part_has_an_end() {
    for (operation, status) in [
        ("subscriptions_void_invoice", "failed"),
        ("subscriptions_cancel", "cancelled"),
    ] {
        let shop = Shop::open().await;
        offers(&shop).await;
        let mut body = wanted_with("reader_monthly", APPROVED);
        body["coupon_code"] = json!("TENTH");
        let made = reserved(&shop, body).await;
        let part = json!({ "amount_to_capture": 1 });
        shop.captures(&made["payment"], part).await.ok();
        let is_reviewed = |now: &Value| now["invoice"]["status"] == "manual_review";
        let reviewed = until_in_steps(&shop, &made, 60, is_reviewed).await;
        let end = match operation {
            "subscriptions_cancel" => on(&shop, operation, &made).json(&json!({})),
            _ => {
                let invoice_id = reviewed["invoice"]["id"].as_str().expect("an id");
                on(&shop, operation, &made).at("invoice_id", invoice_id)
            }
        };
        end.await.ok();
        let is_refunded = |now: &Value| now["refunds"][0]["status"] == "succeeded";
        let over = until_in_steps(&shop, &made, 5, is_refunded).await;
        assert_eq!(over["status"], status);
        assert_eq!(over["invoice"]["status"], "voided");
        assert_eq!(over["credit_amount"], 0);
        assert_eq!((shop.money().captured, shop.money().refunded), (1, 1));
        let coupon = call(&shop, "subscription_coupons_retrieve").at("coupon_code", "TENTH");
        assert_eq!(coupon.await.ok()["redemptions"], 0, "it can be had again");
    }
}

/// A part was captured just before the cancellation, and becomes known only later. It is refunded automatically.
#[tokio::test]
async fn a_part_that_is_heard_of_after_the_end_goes_back() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let made = reserved(&shop, wanted_with("reader_monthly", APPROVED)).await;
    let part = json!({ "amount_to_capture": 300 });
    shop.captures(&made["payment"], part).await.ok();
    let cancel = on(&shop, "subscriptions_cancel", &made).json(&json!({}));
    assert_eq!(cancel.await.ok()["status"], "cancelled");
    let is_refunded = |now: &Value| now["refunds"][0]["status"] == "succeeded";
    let over = until_in_steps(&shop, &made, 5, is_refunded).await;
    assert_eq!(over["invoice"]["status"], "voided");
    assert_eq!(over["credit_amount"], 0);
    assert_eq!((shop.money().captured, shop.money().refunded), (300, 300));
}
