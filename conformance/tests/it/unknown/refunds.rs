//! Refunds in flight: an amount that may be refunded isn't refunded twice.

use multirail_conformance::TestServer;
use multirail_conformance::bodies::{APPROVED, paid_with};
use multirail_conformance::patience::until;
use multirail_server::config::Setting;
use serde_json::json;

use super::{network_faults, shop_on};
use crate::fault_proxy::{FaultProxy, NetworkFault};

#[tokio::test]
async fn an_unknown_refund_stays_reserved_until_it_is_known() {
    let proxy = FaultProxy::new().await;
    let shop = shop_on(&proxy).await;
    let mut went_back = 0;
    for (network_fault, why, is_done) in network_faults() {
        let payment = shop.creates(paid_with(APPROVED)).await.ok();
        proxy.next("POST /fauxpay/refunds", network_fault.clone());
        let refund = shop.refunds(&payment, json!({ "amount": 4000 })).await.ok();
        assert_eq!(
            (&refund["status"], &refund["error_code"]),
            (&json!("pending"), &json!("outcome_unknown")),
            "{network_fault:?}"
        );
        let open = shop.operator("unresolved_operations_list").await.ok();
        assert_eq!(
            (&open[0]["refund_id"], &open[0]["reason"]),
            (&refund["refund_id"], &json!(why)),
            "{network_fault:?}"
        );
        let too_much = json!({ "amount": 2541 });
        shop.refunds(&payment, too_much).await.refused(400, "IR_13");

        let known = shop.asks_about_refund(&refund).await.ok();
        let (end, left) = if is_done {
            went_back += 4000;
            ("succeeded", 2540)
        } else {
            assert_eq!(known["error_code"], "not_processed", "{network_fault:?}");
            ("failed", 6540)
        };
        assert_eq!(known["status"], end, "{network_fault:?}");
        let rest = shop.refunds(&payment, json!({ "amount": left })).await.ok();
        assert_eq!(rest["status"], "succeeded", "{network_fault:?}");
        went_back += left;
    }
    assert_eq!(proxy.money().refunded, went_back);
}

/// A failed sync is repeated, and a sync never makes a refund.
#[tokio::test]
async fn questions_have_mishaps_too() {
    let proxy = FaultProxy::new().await;
    let shop = shop_on(&proxy).await;
    let payment = shop.creates(paid_with(APPROVED)).await.ok();
    proxy.next("POST /fauxpay/refunds", NetworkFault::AnswerReset);
    let refund = shop.refunds(&payment, json!({})).await.ok();
    for (network_fault, _, _) in network_faults() {
        proxy.next("GET /fauxpay/refunds", network_fault.clone());
        let asked = shop.asks_about_refund(&refund).await.ok();
        // The worker's sync may have come first and met the fault.
        let is_honest = match asked["status"].as_str() {
            Some("pending") => asked["error_code"] == "outcome_unknown",
            Some("succeeded") => asked["error_code"].is_null(),
            _ => false,
        };
        assert!(is_honest, "{network_fault:?}: {asked}");
    }
    proxy.is_clear();
    let known = shop.asks_about_refund(&refund).await.ok();
    assert_eq!(known["status"], "succeeded");
    assert_eq!(proxy.seen("POST /fauxpay/refunds"), 1);
    assert_eq!(proxy.money().refunded, 6540);
}

/// The processor had no trace of a refund whose request was held on the way. When it arrives, another refund for the
/// same amount is in flight. The money may be refunded twice, so a person must decide: the database accepts both, and
/// nothing more is refunded.
#[tokio::test]
async fn a_late_one_whose_amount_may_go_back_otherwise() {
    let proxy = FaultProxy::new().await;
    // Longer than the test, so that the other refund's outcome stays unknown.
    let server = TestServer::start_with(|inputs| {
        inputs
            .with(Setting::SimulatorUrl, proxy.url())
            .with(Setting::ProcessorDeadlineMs, "60000")
    });
    let shop = server.await.shop("bookshop").await;
    let payment = shop.creates(paid_with(APPROVED)).await.ok();
    let most = json!({ "amount": 4000 });
    proxy.next("POST /fauxpay/refunds", NetworkFault::Held);
    let late = shop.refunds(&payment, most.clone()).await.ok();
    let failed = shop.asks_about_refund(&late).await.ok();
    assert_eq!(
        (&failed["status"], &failed["error_code"]),
        (&json!("failed"), &json!("not_processed"))
    );

    proxy.next("POST /fauxpay/refunds", NetworkFault::Swallowed);
    let other = tokio::spawn(shop.refunds(&payment, most).send());
    let sent = async || proxy.seen("POST /fauxpay/refunds");
    until("both have left", sent, |sent| *sent >= 2).await;
    proxy.lets_go().await;
    assert_eq!(proxy.money().refunded, 4000);
    let review = until(
        "a worker asks about it",
        async || shop.retrieves_refund(&late).await.ok(),
        |now| now["status"] != "failed",
    );
    let review = review.await;
    assert_eq!(review["status"], "review");
    assert_eq!(review["error_code"], "integrity_failure");
    let why = review["error_message"].as_str().expect("a reason");
    insta::assert_snapshot!(why, @"the processor carried out a refund that had failed, after its amount was refunded otherwise or disputed");

    let read = shop.retrieves(&payment).await.ok();
    let statuses: Vec<_> = read["refunds"]
        .as_array()
        .expect("refunds")
        .iter()
        .map(|one| one["status"].as_str().expect("a status"))
        .collect();
    assert_eq!(statuses, ["review", "pending"]);
    assert_eq!(
        read["state_metadata"],
        json!(null),
        "what is in review does not count as given back"
    );
    shop.refunds(&payment, json!({ "amount": 1 }))
        .await
        .refused(400, "IR_13");
    let told = shop.operator("events_list").at("merchant_id", "bookshop");
    let told = told.json(&json!({ "object_id": late["refund_id"] }));
    let told = told.await.ok();
    assert_eq!(
        (&told["total_count"], &told["events"][0]["event_type"]),
        (&json!(1), &json!("refund_failed")),
        "a review is not announced"
    );
    let listed = shop.call("refunds_list");
    let listed = listed.json(&json!({ "refund_status": ["review"] }));
    assert_eq!(listed.await.ok()["data"], json!([review]));
    other.abort();
}
