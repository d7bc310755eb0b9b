//! Refunds on their way: what may have gone back is not given back twice.

use multirail_conformance::bodies::{APPROVED, paid_with};
use serde_json::json;

use super::road::{Mishap, Road};
use super::{mishaps, shop_on};

#[tokio::test]
async fn what_may_have_gone_back_is_reserved_until_it_is_known() {
    let road = Road::new().await;
    let shop = shop_on(&road).await;
    let mut went_back = 0;
    for (mishap, why, is_done) in mishaps() {
        let payment = shop.creates(paid_with(APPROVED)).await.ok();
        road.next("POST /fauxpay/refunds", mishap.clone());
        let refund = shop.refunds(&payment, json!({ "amount": 4000 })).await.ok();
        assert_eq!(
            (&refund["status"], &refund["error_code"]),
            (&json!("pending"), &json!("outcome_unknown")),
            "{mishap:?}"
        );
        let open = shop.operator("unresolved_operations_list").await.ok();
        assert_eq!(
            (&open[0]["refund_id"], &open[0]["reason"]),
            (&refund["refund_id"], &json!(why)),
            "{mishap:?}"
        );
        let too_much = json!({ "amount": 2541 });
        shop.refunds(&payment, too_much).await.refused(400, "IR_13");

        let known = shop.asks_about_refund(&refund).await.ok();
        let (end, left) = if is_done {
            went_back += 4000;
            ("succeeded", 2540)
        } else {
            assert_eq!(known["error_code"], "not_processed", "{mishap:?}");
            ("failed", 6540)
        };
        assert_eq!(known["status"], end, "{mishap:?}");
        let rest = shop.refunds(&payment, json!({ "amount": left })).await.ok();
        assert_eq!(rest["status"], "succeeded", "{mishap:?}");
        went_back += left;
    }
    assert_eq!(road.money().refunded, went_back);
}

/// A question that breaks on its way is put again, and no question makes a refund.
#[tokio::test]
async fn questions_have_mishaps_too() {
    let road = Road::new().await;
    let shop = shop_on(&road).await;
    let payment = shop.creates(paid_with(APPROVED)).await.ok();
    road.next("POST /fauxpay/refunds", Mishap::AnswerReset);
    let refund = shop.refunds(&payment, json!({})).await.ok();
    for (mishap, _, _) in mishaps() {
        road.next("GET /fauxpay/refunds", mishap.clone());
        let asked = shop.asks_about_refund(&refund).await.ok();
        // The worker may have put its own question in between, and met the mishap.
        let is_honest = match asked["status"].as_str() {
            Some("pending") => asked["error_code"] == "outcome_unknown",
            Some("succeeded") => asked["error_code"].is_null(),
            _ => false,
        };
        assert!(is_honest, "{mishap:?}: {asked}");
    }
    road.is_clear();
    let known = shop.asks_about_refund(&refund).await.ok();
    assert_eq!(known["status"], "succeeded");
    assert_eq!(road.seen("POST /fauxpay/refunds"), 1);
    assert_eq!(road.money().refunded, 6540);
}
