//! Manual retries of a failed payment, if the profile allows them.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, DECLINED, card, order_with, with};
use serde_json::json;

use super::standing;

async fn shop_that_retries() -> Shop {
    let shop = Shop::open().await;
    shop.sets_up(json!({ "is_manual_retry_enabled": true }))
        .await
        .ok();
    shop
}

#[tokio::test]
async fn a_second_attempt() {
    let shop = shop_that_retries().await;
    let failed = shop
        .creates(with(order_with(DECLINED), json!({ "confirm": true })))
        .await
        .ok();
    assert_eq!(
        (&failed["attempt_count"], &failed["manual_retry_allowed"]),
        (&json!(1), &json!(true))
    );
    let paid = shop.confirms(&failed, card(APPROVED)).await.ok();
    assert_eq!(standing(&paid), ("succeeded", 0, 6540));
    assert_eq!(paid["attempt_count"], 2);
    assert_eq!(
        paid["error_code"],
        json!(null),
        "the last attempt had no error"
    );
    let shown = shop
        .retrieves(&failed)
        .query("expand_attempts", true)
        .await
        .ok();
    let words: Vec<_> = shown["attempts"]
        .as_array()
        .expect("attempts")
        .iter()
        .map(|a| &a["status"])
        .collect();
    assert_eq!(words, ["failure", "charged"]);
    assert_eq!(shown["attempts"][0]["error_code"], "DC_08");
}

#[tokio::test]
async fn declined_again_and_again() {
    let shop = shop_that_retries().await;
    let payment = shop
        .creates(with(order_with(DECLINED), json!({ "confirm": true })))
        .await
        .ok();
    for attempt in 2..=4 {
        let failed = shop.confirms(&payment, card(DECLINED)).await.ok();
        assert_eq!(
            (standing(&failed).0, &failed["attempt_count"]),
            ("failed", &json!(attempt))
        );
    }
    assert_eq!(
        shop.confirms(&payment, card(APPROVED)).await.ok()["attempt_count"],
        5
    );
    assert_eq!(shop.money().captured, 6540);
}

#[tokio::test]
async fn only_where_the_profile_says_so() {
    let shop = Shop::open().await;
    let failed = shop
        .creates(with(order_with(DECLINED), json!({ "confirm": true })))
        .await
        .ok();
    let message = shop
        .confirms(&failed, card(APPROVED))
        .await
        .refused(400, "IR_16");
    assert!(message.contains("is_manual_retry_enabled"), "{message}");
    shop.sets_up(json!({ "is_manual_retry_enabled": true }))
        .await
        .ok();
    assert_eq!(
        shop.confirms(&failed, card(APPROVED)).await.ok()["status"],
        "succeeded"
    );
}

#[tokio::test]
async fn only_in_the_first_half_of_the_session() {
    let shop = shop_that_retries().await;
    let failed = shop
        .creates(with(order_with(DECLINED), json!({ "confirm": true })))
        .await
        .ok();
    shop.time_passes(460).await;
    shop.confirms(&failed, card(APPROVED))
        .await
        .refused(400, "IR_16");
}

#[tokio::test]
async fn a_new_card_is_needed() {
    let shop = shop_that_retries().await;
    let failed = shop
        .creates(with(order_with(DECLINED), json!({ "confirm": true })))
        .await
        .ok();
    shop.confirms(&failed, json!({}))
        .await
        .refused(422, "IR_06");
    assert_eq!(
        shop.retrieves(&failed).await.ok()["attempt_count"],
        1,
        "a refusal changes nothing"
    );
}

/// A holder of a client secret could use retries to test cards. The shop isn't told whether another retry is
/// possible.
#[tokio::test]
async fn no_more_than_twenty_times() {
    let shop = shop_that_retries().await;
    let order = with(order_with(DECLINED), json!({ "confirm": true }));
    let payment = shop.creates(order).await.ok();
    let payer = shop.payer_of(&payment);
    for attempt in 2..=20 {
        let failed = payer.confirms(card(DECLINED)).await.ok();
        assert_eq!(failed["attempt_count"], attempt);
        assert_eq!(failed["manual_retry_allowed"], attempt < 20);
    }
    for refused in [
        payer.confirms(card(APPROVED)).await,
        shop.confirms(&payment, card(APPROVED)).await,
    ] {
        let message = refused.refused(400, "IR_16");
        assert!(message.contains("20 attempts"), "{message}");
    }
    assert_eq!(shop.retrieves(&payment).await.ok()["attempt_count"], 20);
    assert_eq!(shop.money().captured, 0);
}
