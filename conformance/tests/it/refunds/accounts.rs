//! A refund uses the account that captured the payment, even if that account was disabled or deleted, and keeps the
//! merchant account alive.

use multirail_conformance::bodies::{APPROVED, REFUNDS_PEND};
use multirail_conformance::{Call, Shop};
use multirail_simulator::processor::account_of;
use multirail_simulator::scripted::{Call as ScriptedCall, Fault};
use serde_json::json;

use super::{amount, filed, paid_with, settles, standing};

fn deletes_connector(shop: &Shop) -> Call {
    shop.operator("connector_accounts_delete")
        .at("account_id", &shop.merchant_id)
        .at("merchant_connector_id", &shop.connector_account_id)
}

/// The account is active, disabled or deleted, next to another one that routing would choose today.
#[tokio::test]
async fn it_goes_through_the_account_that_took_the_money() {
    let shop = Shop::open().await;
    let payment = paid_with(&shop, APPROVED).await;
    let pending = paid_with(&shop, REFUNDS_PEND).await;
    shop.connects("stripe_test", json!({})).await.ok();
    let off = shop.reconnects(json!({ "disabled": true })).await.ok();
    assert_eq!(off["disabled"], true);
    let through_disabled = shop.refunds(&payment, amount(1000)).await.ok();
    let begun = shop.refunds(&pending, amount(1000)).await.ok();
    assert_eq!(standing(&begun), ("pending", 1000));

    deletes_connector(&shop).await.ok();
    let through_deleted = shop.refunds(&payment, amount(1000)).await.ok();
    let asked = shop.asks_about_refund(&begun).await.ok();
    let begun = shop.refunds(&pending, amount(2000)).await.ok();
    shop.time_passes(120).await;
    let by_worker = settles(&shop, &begun).await;
    for refund in [through_disabled, through_deleted, asked, by_worker] {
        assert_eq!(refund["status"], "succeeded");
        assert_eq!(refund["connector"], "fauxpay");
        let account = shop.connector_account_id.as_str();
        assert_eq!(refund["merchant_connector_id"], account);
    }
    let filed = filed(&shop);
    assert_eq!(filed.len(), 4);
    let account = account_of("simulator-key");
    let with_its_key = filed.iter().all(|one| one["account"] == account);
    assert!(with_its_key, "{filed:?}");
    assert_eq!(shop.money().refunded, 5000);
}

#[tokio::test]
async fn a_merchant_account_stays_while_a_refund_is_open() {
    let shop = Shop::open().await;
    let payment = paid_with(&shop, REFUNDS_PEND).await;
    let pending = shop.refunds(&payment, json!({})).await.ok();
    let deletes = || {
        shop.operator("merchant_accounts_delete")
            .at("account_id", &shop.merchant_id)
    };
    let message = deletes().await.refused(400, "MR_04");
    insta::assert_snapshot!(message, @"the merchant account is not deleted: 1 of its payments is open; finish them, or have them finished or voided with void_open_payments=true");
    // The processor doesn't answer the sync.
    shop.next_call_meets(ScriptedCall::LookUp, Fault::FailsBefore(500));
    let kept = deletes().query("void_open_payments", true).await;
    insta::assert_snapshot!(kept.refused(400, "MR_04"), @"the merchant account is not deleted: 1 of its payments could not be finished yet; the same request again goes on");
    deletes().query("void_open_payments", true).await.ok();
    assert_eq!(shop.money().refunded, 6540);
    shop.retrieves_refund(&pending).await.refused(401, "IR_01");
}
