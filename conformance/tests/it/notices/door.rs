//! The endpoint for notices: who is let in, and what strangers learn.

use multirail_conformance::notice::{SECRET, approved, signed, webhook_details};
use serde_json::json;

use super::{door, door_of, last_notice, shop_with_notice_secret, tells};

#[tokio::test]
async fn only_what_the_processor_signed_gets_in() {
    let shop = shop_with_notice_secret().await;
    let notice = approved("mrk_1", 6540);
    let forged = signed(door(&shop), "a guess", &notice)
        .await
        .refused(401, "WE_01");
    door(&shop).json(&notice).await.refused(401, "WE_01");
    let altered = signed(door(&shop), SECRET, &notice).json(&approved("mrk_1", 9999));
    altered.await.refused(401, "WE_01");

    // Wrong addresses get the same answer, word for word.
    for (merchant_id, account) in [
        (shop.merchant_id.as_str(), "mca_unknown"),
        (shop.merchant_id.as_str(), "stripe"),
        ("nobody", shop.connector_account_id.as_str()),
    ] {
        let elsewhere = door_of(&shop, merchant_id, account);
        let call = signed(elsewhere, SECRET, &notice);
        assert_eq!(
            call.await.refused(401, "WE_01"),
            forged,
            "{merchant_id}/{account}"
        );
    }
    assert_eq!(shop.server.operator("notices_list").await.ok(), json!([]));
}

#[tokio::test]
async fn an_account_without_a_secret_hears_nothing() {
    let shop = multirail_conformance::Shop::open().await;
    for secret in ["", SECRET] {
        let call = signed(door(&shop), secret, &approved("mrk_1", 6540));
        call.await.refused(401, "WE_01");
    }
}

#[tokio::test]
async fn the_name_of_the_connector_finds_its_only_account() {
    let shop = shop_with_notice_secret().await;
    let by_name = || {
        let call = door_of(&shop, &shop.merchant_id, "fauxpay");
        signed(call, SECRET, &approved("mrk_1", 6540))
    };
    assert_eq!(by_name().await.ok(), json!(""));
    let filed = last_notice(&shop, "waiting").await;
    assert_eq!(
        filed["merchant_connector_id"],
        shop.connector_account_id.as_str()
    );

    let second = json!({ "connector_label": "second" });
    shop.connects("fauxpay", second).await.ok();
    by_name().await.refused(401, "WE_01");
}

#[tokio::test]
async fn while_a_secret_is_replaced_both_are_good() {
    let shop = shop_with_notice_secret().await;
    let mut both = webhook_details();
    both["connector_webhook_details"]["additional_secret"] = json!("the next one");
    shop.reconnects(both).await.ok();
    for secret in [SECRET, "the next one"] {
        let call = signed(door(&shop), secret, &approved("mrk_1", 6540));
        call.await.ok();
    }
}

#[tokio::test]
async fn a_body_has_its_bound() {
    let shop = shop_with_notice_secret().await;
    let mut notice = approved("mrk_1", 6540);
    // The notice is longer than other requests may be.
    notice["answer"]["padding"] = json!("x".repeat(200_000));
    tells(&shop, &notice).await.ok();
    notice["answer"]["padding"] = json!("x".repeat(262_144));
    tells(&shop, &notice).await.refused(413, "IR_06");
    let bytes = door(&shop).text("application/octet-stream", "\u{0}");
    bytes.await.refused(401, "WE_01");
}
