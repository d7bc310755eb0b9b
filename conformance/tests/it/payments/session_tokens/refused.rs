//! Refusals of a session, and the order of the checks.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, DECLINED, order, order_with, with};
use multirail_conformance::wire::Call;
use serde_json::{Value, json};

use super::{names, session_of};

fn asks(shop: &Shop, body: Value) -> Call {
    shop.server
        .wire
        .call("payments_session_tokens")
        .key(&shop.publishable_key)
        .json(&body)
}

#[tokio::test]
async fn the_members_that_are_needed() {
    let shop = Shop::open().await;
    let payment = shop.creates(order()).await.ok();
    let whole = json!({
        "payment_id": payment["payment_id"], "client_secret": payment["client_secret"], "wallets": [],
    });
    asks(&shop, whole.clone()).await.ok();
    for member in ["payment_id", "client_secret", "wallets"] {
        let body = with(whole.clone(), json!({ member: null }));
        let message = asks(&shop, body).await.refused(400, "IR_04");
        assert!(message.contains(member), "{message}");
    }
    // Missing members are refused before the payment is looked for.
    let stranger = json!({ "payment_id": "pay_unborn", "wallets": [] });
    asks(&shop, stranger).await.refused(400, "IR_04");
    for (member, wrong) in [
        ("wallets", json!("google_pay")),
        ("wallets", json!(["googlepay"])),
        ("wallets", json!(vec!["paypal"; 129])),
        ("payment_id", json!(5)),
        ("client_secret", json!([])),
        ("wallet", json!([])),
    ] {
        let answer = asks(&shop, with(whole.clone(), json!({ member: wrong }))).await;
        assert!(
            matches!(answer.status, 400 | 422),
            "{member}: {}",
            answer.body
        );
        assert!(answer.message().contains(member), "{}", answer.body);
    }
}

#[tokio::test]
async fn keys_of_servers_open_no_session() {
    let shop = Shop::open().await;
    let payment = shop.creates(order()).await.ok();
    let body = json!({
        "payment_id": payment["payment_id"], "client_secret": payment["client_secret"], "wallets": [],
    });
    let call = asks(&shop, body);
    call.clone().key(&shop.api_key).await.refused(401, "IR_01");
    call.clone()
        .key(shop.admin_key())
        .await
        .refused(401, "IR_01");
    call.without_key().await.refused(401, "IR_01");
}

/// The checks come in this order: wrong secret, ended payment, expired secret. An unknown payment counts as a wrong
/// secret.
#[tokio::test]
async fn the_order_of_the_checks() {
    let shop = Shop::open().await;
    let open = shop.creates(order()).await.ok();
    let ended = shop
        .creates(with(order_with(APPROVED), json!({ "confirm": true })))
        .await
        .ok();
    let nobody = shop.payer_of(&open);
    let unborn = json!({ "payment_id": "pay_unborn", "client_secret": "nonsense", "wallets": [] });
    asks(&shop, unborn).await.refused(400, "IR_09");

    let paid = shop.payer_of(&ended);
    let wrong = paid.holding("nonsense").opens_session(&[]).await;
    wrong.refused(400, "IR_09");
    let message = paid.opens_session(&[]).await.refused(400, "IR_16");
    assert!(message.contains("succeeded"), "{message}");

    let wrong = nobody.holding("nonsense");
    wrong.opens_session(&[]).await.refused(400, "IR_09");
    let others = ended["client_secret"].as_str().expect("a secret");
    let others = nobody.holding(others);
    others.opens_session(&[]).await.refused(400, "IR_09");

    shop.time_passes(890).await;
    nobody.opens_session(&[]).await.ok();
    shop.time_passes(20).await;
    wrong.opens_session(&[]).await.refused(400, "IR_09");
    nobody.opens_session(&[]).await.refused(400, "IR_08");
    shop.payer_of(&ended)
        .opens_session(&[])
        .await
        .refused(400, "IR_16");
}

/// The lifetime of a secret comes from the payment, else from the profile, else it is a quarter of an hour.
#[tokio::test]
async fn a_secret_lives_as_long_as_was_said() {
    let shop = Shop::open().await;
    shop.sets_up(json!({ "session_expiry": 120 })).await.ok();
    let by_profile = shop.creates(order()).await.ok();
    let by_payment = shop
        .creates(with(order(), json!({ "session_expiry": 3600 })))
        .await
        .ok();
    shop.time_passes(130).await;
    let (short, long) = (shop.payer_of(&by_profile), shop.payer_of(&by_payment));
    short.opens_session(&[]).await.refused(400, "IR_08");
    long.opens_session(&[]).await.ok();
    shop.time_passes(3_500).await;
    long.opens_session(&[]).await.refused(400, "IR_08");
}

#[tokio::test]
async fn a_payment_that_has_ended_has_no_session() {
    let shop = Shop::open().await;
    let confirmed = json!({ "confirm": true });
    let by_hand = json!({ "confirm": true, "capture_method": "manual" });
    let declined = shop
        .creates(with(order_with(DECLINED), confirmed.clone()))
        .await
        .ok();
    let authorized = shop.creates(with(order_with(APPROVED), by_hand)).await.ok();
    // An authorized payment may still have a session.
    shop.payer_of(&authorized).opens_session(&[]).await.ok();
    let partly = shop
        .captures(&authorized, json!({ "amount_to_capture": 1000 }))
        .await
        .ok();
    let cancelled = shop.creates(order()).await.ok();
    let cancelled = shop.cancels(&cancelled, json!({})).await.ok();
    let voided = shop
        .creates(with(order_with(APPROVED), confirmed))
        .await
        .ok();
    let voided = shop.cancels_post_capture(&voided, json!({})).await.ok();
    for (payment, status) in [
        (&declined, "failed"),
        (&partly, "partially_captured"),
        (&cancelled, "cancelled"),
        (&voided, "cancelled_post_capture"),
    ] {
        assert_eq!(payment["status"], status);
        let payer = shop.payer_of(payment);
        let message = payer.opens_session(&[]).await.refused(400, "IR_16");
        assert!(message.contains(status), "{message}");
    }
}

#[tokio::test]
async fn a_shop_without_wallets_has_none() {
    let shop = Shop::open().await;
    let session = session_of(&shop, json!({}), &[]).await;
    assert_eq!(session["session_token"], json!([]));
    // Methods without a session of their own are ignored.
    let session = session_of(&shop, json!({}), &["ideal", "sepa", "pix"]).await;
    assert_eq!(names(&session), [""; 0]);
}
