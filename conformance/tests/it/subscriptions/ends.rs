//! Lifetimes: customers, merchant accounts and connector accounts with subscriptions.

use multirail_conformance::Shop;
use serde_json::json;

use super::{
    DAY, HOUR, invoice_becomes, now, offers, on, subscribed, until, until_in_steps,
    with_an_open_invoice,
};

#[tokio::test]
async fn a_customer_cannot_be_deleted_during_a_subscription() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let active = subscribed(&shop, "reader_monthly").await;
    let delete = || shop.call("customers_delete").at("customer_id", "ada");
    let said = delete().await.refused(400, "IR_10");
    assert_eq!(
        said,
        "the customer has subscriptions that go on: cancel them first"
    );
    on(&shop, "subscriptions_pause", &active).await.ok();
    delete().await.refused(400, "IR_10");
    on(&shop, "subscriptions_cancel", &active)
        .json(&json!({}))
        .await
        .ok();
    delete().await.ok();
}

#[tokio::test]
async fn a_merchant_account_cannot_be_deleted_during_a_subscription() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let active = subscribed(&shop, "reader_monthly").await;
    let delete = || {
        let call = shop.operator("merchant_accounts_delete");
        call.at("account_id", &shop.merchant_id)
    };
    let said = delete().await.refused(400, "MR_04");
    assert_eq!(
        said,
        "the merchant account has subscriptions that go on: cancel them first"
    );
    delete()
        .query("void_open_payments", true)
        .await
        .refused(400, "MR_04");
    on(&shop, "subscriptions_cancel", &active)
        .json(&json!({}))
        .await
        .ok();
    delete().await.ok();
}

/// The methods were deleted with the customer. No charge was declined, so there is no dunning.
#[tokio::test]
async fn a_redacted_customer_is_not_dunned() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let open = with_an_open_invoice(&shop).await;
    let cancel = on(&shop, "subscriptions_cancel", &open).json(&json!({}));
    cancel.await.ok();
    let customer = open["customer_id"].as_str().expect("an id");
    let delete = shop.call("customers_delete").at("customer_id", customer);
    delete.await.ok();
    let invoice = open["invoice"]["id"].as_str().expect("an id");
    let collect = on(&shop, "subscriptions_collect_invoice", &open).at("invoice_id", invoice);
    collect.await.ok();
    let failed = until(&shop, &open, |now| {
        let invoice = &now["invoice"];
        invoice["attempt_count"] == 2 && invoice["status"] == "payment_failed"
    });
    let failed = failed.await;
    assert!(failed["invoice"]["next_attempt_at"].is_null(), "{failed}");
}

/// The shop has disabled every account that could take the payment. The payer isn't at fault, so there is no dunning.
#[tokio::test]
async fn a_shop_without_an_account_does_not_dun() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let active = subscribed(&shop, "reader_daily").await;
    shop.reconnects(json!({ "disabled": true })).await.ok();
    shop.time_passes(DAY).await;
    invoice_becomes(&shop, &active, 2, "payment_failed").await;
    // Longer than all tries of a declined card.
    for _ in 0..6 {
        shop.time_passes(4 * 3_600).await;
        assert_eq!(now(&shop, &active).await["status"], "active");
    }
    shop.reconnects(json!({ "disabled": false })).await.ok();
    let is_paid = |now: &serde_json::Value| now["invoice"]["status"] == "invoice_paid";
    until_in_steps(&shop, &active, HOUR, is_paid).await;
    assert_eq!(now(&shop, &active).await["status"], "active");
}
