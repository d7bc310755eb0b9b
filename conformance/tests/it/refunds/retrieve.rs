//! `GET /refunds/{refund_id}`: the stored refund, or with a sync.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, REFUNDS_FAIL_LATER, REFUNDS_PEND};
use serde_json::json;

use super::{amount, given_back, paid_with, settles, standing};

#[tokio::test]
async fn a_refund_is_read_as_it_was_answered() {
    let shop = Shop::open().await;
    let payment = paid_with(&shop, APPROVED).await;
    let refund = shop.refunds(&payment, amount(2000)).await.ok();
    assert_eq!(shop.retrieves_refund(&refund).await.ok(), refund);
    assert_eq!(
        shop.asks_about_refund(&refund).await.ok(),
        refund,
        "there is nothing left to ask"
    );
    let unforced = shop.retrieves_refund(&refund).query("force_sync", false);
    assert_eq!(unforced.await.ok(), refund);
}

#[tokio::test]
async fn a_pending_one_is_decided_when_the_processor_is_asked() {
    let shop = Shop::open().await;
    for (card, end, code, went_back) in [
        (REFUNDS_PEND, "succeeded", json!(null), 2000),
        (REFUNDS_FAIL_LATER, "failed", json!("DC_08"), 0),
    ] {
        let payment = paid_with(&shop, card).await;
        let refund = shop.refunds(&payment, amount(2000)).await.ok();
        assert_eq!(standing(&refund), ("pending", 2000));
        assert_eq!(refund["error_code"], json!(null), "pending is no trouble");
        assert!(refund["connector_refund_id"].is_string());
        assert_eq!(shop.retrieves_refund(&refund).await.ok(), refund);
        assert_eq!(
            given_back(&shop, &payment).await,
            ("succeeded".to_owned(), 0)
        );
        shop.refunds(&payment, amount(4541))
            .await
            .refused(400, "IR_13");

        let decided = shop.asks_about_refund(&refund).await.ok();
        assert_eq!(standing(&decided), (end, 2000));
        assert_eq!(decided["error_code"], code);
        assert_eq!(shop.retrieves_refund(&refund).await.ok(), decided);
        assert_eq!(
            given_back(&shop, &payment).await,
            ("succeeded".to_owned(), went_back)
        );
        // After a failed refund, its amount is free again.
        let rest = shop.refunds(&payment, amount(6540 - went_back)).await.ok();
        assert_eq!(standing(&rest), ("pending", 6540 - went_back));
    }
    assert_eq!(shop.money().refunded, 2000);
}

#[tokio::test]
async fn a_pending_one_is_asked_about_by_the_worker() {
    let shop = Shop::open().await;
    let mut pending = Vec::new();
    for (card, end) in [(REFUNDS_PEND, "succeeded"), (REFUNDS_FAIL_LATER, "failed")] {
        let payment = paid_with(&shop, card).await;
        let refund = shop.refunds(&payment, json!({})).await.ok();
        assert_eq!(standing(&refund), ("pending", 6540));
        pending.push((refund, end));
    }
    shop.time_passes(120).await;
    for (refund, end) in pending {
        assert_eq!(standing(&settles(&shop, &refund).await), (end, 6540));
    }
    assert_eq!(shop.money().refunded, 6540);
}
