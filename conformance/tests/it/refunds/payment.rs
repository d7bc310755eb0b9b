//! A payment's members about its refunds: the list and the total. (Specification 2.10; facts 2.12.5)

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, REFUNDS_PEND};
use multirail_simulator::scripted::{Call, Fault};
use serde_json::{Value, json};

use super::{amount, paid_with, standing};

fn declined() -> Fault {
    Fault::Declines {
        code: "DC_99".to_owned(),
        message: "Not today".to_owned(),
    }
}

#[tokio::test]
async fn nothing_is_said_until_there_is_something_to_say() {
    let shop = Shop::open().await;
    let payment = paid_with(&shop, REFUNDS_PEND).await;
    let read = shop.retrieves(&payment).await.ok();
    assert_eq!(
        (&read["refunds"], &read["state_metadata"]),
        (&json!(null), &json!(null))
    );
    // Pending and failed refunds are listed, but add nothing to the total.
    let pending = shop.refunds(&payment, amount(2000)).await.ok();
    shop.next_call_meets(Call::Refund, declined());
    let failed = shop.refunds(&payment, amount(1000)).await.ok();
    assert_eq!(standing(&failed), ("failed", 1000));
    let read = shop.retrieves(&payment).await.ok();
    assert_eq!(read["refunds"], json!([pending, failed]), "oldest first");
    assert_eq!(read["state_metadata"], json!(null));
    let done = shop.asks_about_refund(&pending).await.ok();
    let read = shop.retrieves(&payment).await.ok();
    assert_eq!(read["refunds"], json!([done, failed]));
    insta::assert_json_snapshot!(read["state_metadata"], @r#"
    {
      "total_refunded_amount": 2000,
      "total_disputed_amount": 0,
      "post_capture_void": null
    }
    "#);
}

#[tokio::test]
async fn all_of_them_where_one_payment_is_read_and_none_in_lists() {
    let shop = Shop::open().await;
    let payment = paid_with(&shop, APPROVED).await;
    let mut made = Vec::new();
    for part in [1000, 2000, 3000] {
        shop.time_passes(60).await;
        made.push(shop.refunds(&payment, amount(part)).await.ok());
    }
    let read = shop.retrieves(&payment).await.ok();
    assert_eq!(read["refunds"], Value::from(made.clone()));
    let synced = shop.asks_about(&payment).await.ok();
    assert_eq!(synced["refunds"], Value::from(made.clone()));
    let total = json!({ "total_refunded_amount": 6000, "total_disputed_amount": 0, "post_capture_void": null });
    assert_eq!(read["state_metadata"], total);
    assert_eq!(
        read["modified_at"], made[2]["updated_at"],
        "a refund changes its payment"
    );
    for list in [
        shop.call("payments_list"),
        shop.call("payments_filter").json(&json!({})),
    ] {
        let page = list.await.ok();
        let listed = &page["data"][0];
        assert_eq!(listed["refunds"], json!(null));
        assert_eq!(listed["state_metadata"], total);
    }
}

#[tokio::test]
async fn refunds_are_between_merchant_and_processor() {
    let shop = Shop::open().await;
    let payment = paid_with(&shop, APPROVED).await;
    shop.refunds(&payment, json!({ "reason": "a goodwill gesture" }))
        .await
        .ok();
    let seen = shop.payer_of(&payment).retrieves().await.ok();
    assert_eq!(seen["refunds"], json!(null));
    assert!(!seen.to_string().contains("goodwill"), "{seen}");
    // The payer may know the refunded total.
    assert_eq!(seen["state_metadata"]["total_refunded_amount"], 6540);
    for operation in ["refunds_create", "refunds_list"] {
        let call = shop.call(operation).key(&shop.publishable_key);
        call.json(&json!({ "payment_id": payment["payment_id"] }))
            .await
            .refused(401, "IR_01");
    }
}
