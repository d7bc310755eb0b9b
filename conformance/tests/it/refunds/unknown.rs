//! Refunds with an unknown outcome: the amount that stays reserved, and how the outcome becomes known. (Facts 3.10)

use multirail_conformance::bodies::APPROVED;
use multirail_conformance::{Shop, TestServer};
use multirail_server::config::Setting;
use multirail_simulator::scripted::{Call, Fault};
use serde_json::{Value, json};

use super::{amount, becomes, given_back, paid_with, settles, standing};

/// Opens a shop whose server waits two seconds for its processor.
async fn impatient_shop() -> Shop {
    let server = TestServer::start_with(|inputs| inputs.with(Setting::ProcessorDeadlineMs, "2000"));
    server.await.shop("bookshop").await
}

/// Every fault that leaves the outcome unknown, and whether the processor did the operation.
fn faults() -> Vec<(Fault, bool)> {
    vec![
        (Fault::TimesOut, false),
        (Fault::AnswersLate, true),
        (Fault::LosesRequest, false),
        (Fault::LosesAnswer, true),
        (Fault::AnswersNonsense, true),
        (Fault::FailsBefore(502), false),
        (Fault::FailsAfter(500), true),
        (Fault::FailsAfter(503), true),
    ]
}

/// Refunds 4000 of 6540 with this fault, so that the outcome is unknown.
async fn unknown(shop: &Shop, fault: &Fault) -> (Value, Value) {
    let payment = paid_with(shop, APPROVED).await;
    shop.next_call_meets(Call::Refund, fault.clone());
    let refund = shop.refunds(&payment, amount(4000)).await.ok();
    assert_eq!(standing(&refund), ("pending", 4000), "{fault:?}");
    assert_eq!(refund["error_code"], "outcome_unknown", "{fault:?}");
    assert_eq!(shop.processor().script().waiting(), 0, "{fault:?} was met");
    (payment, refund)
}

#[tokio::test]
async fn the_amount_is_reserved_until_the_processor_was_asked() {
    let shop = impatient_shop().await;
    let mut went_back = 0;
    for (fault, is_done) in faults() {
        let (payment, refund) = unknown(&shop, &fault).await;
        let read = shop.retrieves(&payment).await.ok();
        assert_eq!(read["refunds"], json!([refund]));
        assert_eq!(read["state_metadata"], json!(null), "{fault:?}");
        shop.refunds(&payment, amount(2541))
            .await
            .refused(400, "IR_13");

        let known = shop.asks_about_refund(&refund).await.ok();
        let (end, rest) = if is_done {
            went_back += 4000;
            (("succeeded", 4000), 2540)
        } else {
            assert_eq!(known["error_code"], "not_processed", "{fault:?}");
            (("failed", 4000), 6540)
        };
        assert_eq!(standing(&known), end, "{fault:?}");
        assert_eq!(shop.retrieves_refund(&refund).await.ok(), known);
        // Only the rest can be refunded.
        shop.refunds(&payment, amount(rest + 1))
            .await
            .refused(400, "IR_13");
        shop.refunds(&payment, amount(rest)).await.ok();
        went_back += rest;
        let total = if is_done { 4000 + rest } else { rest };
        assert_eq!(
            given_back(&shop, &payment).await,
            ("succeeded".to_owned(), total)
        );
    }
    assert_eq!(shop.money().refunded, went_back);
}

#[tokio::test]
async fn the_worker_asks_within_seconds() {
    let shop = impatient_shop().await;
    let mut waiting = Vec::new();
    let mut went_back = 0;
    for (fault, is_done) in faults() {
        let (_, refund) = unknown(&shop, &fault).await;
        went_back += if is_done { 4000 } else { 0 };
        waiting.push((refund, is_done));
    }
    for (refund, is_done) in waiting {
        let known = settles(&shop, &refund).await;
        let end = if is_done { "succeeded" } else { "failed" };
        assert_eq!(standing(&known), (end, 4000));
    }
    assert_eq!(shop.money().refunded, went_back);
}

/// An unanswered sync changes nothing. The worker doesn't sync a pending refund for a minute, so these are the only
/// syncs.
#[tokio::test]
async fn a_question_that_is_not_answered_changes_nothing() {
    let shop = impatient_shop().await;
    let payment = paid_with(&shop, APPROVED).await;
    shop.next_call_meets(Call::Refund, Fault::Pends);
    let refund = shop.refunds(&payment, amount(4000)).await.ok();
    assert_eq!(standing(&refund), ("pending", 4000));
    for fault in [
        Fault::TimesOut,
        Fault::AnswersNonsense,
        Fault::FailsBefore(503),
        Fault::LosesRequest,
        Fault::LosesAnswer,
    ] {
        shop.next_call_meets(Call::LookUp, fault.clone());
        let asked = shop.asks_about_refund(&refund).await.ok();
        assert_eq!(asked, refund, "{fault:?}");
        assert_eq!(shop.processor().script().waiting(), 0, "{fault:?} was met");
    }
    let known = shop.asks_about_refund(&refund).await.ok();
    assert_eq!(standing(&known), ("succeeded", 4000));
}

#[tokio::test]
async fn the_operator_sees_what_waits() {
    let shop = Shop::open().await;
    let list = || shop.operator("unresolved_operations_list");
    let (payment, refund) = unknown(&shop, &Fault::LosesAnswer).await;
    let open = list().await.ok();
    assert_eq!(open.as_array().map(Vec::len), Some(1), "{open}");
    let one = &open[0];
    for (member, value) in [
        ("merchant_id", json!("bookshop")),
        ("payment_id", payment["payment_id"].clone()),
        ("refund_id", refund["refund_id"].clone()),
        ("connector", json!("fauxpay")),
        ("operation", json!("refund")),
        ("progress", json!("unknown")),
        ("reason", json!("connection_lost")),
        ("amount", json!(4000)),
        ("currency", json!("USD")),
    ] {
        assert_eq!(one[member], value, "{member}: {one}");
    }
    let id = payment["payment_id"].as_str().expect("an id");
    assert_eq!(one["attempt_id"], format!("{id}_1"));
    shop.asks_about_refund(&refund).await.ok();
    assert_eq!(list().await.ok(), json!([]));
}

/// The processor had no trace of the refund while the request was still on its way, and the merchant was told that it
/// failed. When the request arrives, the refund is found.
#[tokio::test]
async fn a_request_that_arrives_after_it_never_happened() {
    let shop = impatient_shop().await;
    let (payment, refund) = unknown(&shop, &Fault::HeldOnTheWay).await;
    let told = shop.asks_about_refund(&refund).await.ok();
    assert_eq!(standing(&told), ("failed", 4000));
    assert_eq!(shop.money().refunded, 0);
    assert_eq!(shop.processor().deliver_held(), 1);
    assert_eq!(shop.money().refunded, 4000);
    shop.time_passes(60).await;
    let late = becomes(&shop, &refund, "succeeded").await;
    assert_eq!(late["error_code"], json!(null));
    assert_eq!(
        given_back(&shop, &payment).await,
        ("succeeded".to_owned(), 4000)
    );
    shop.refunds(&payment, amount(2541))
        .await
        .refused(400, "IR_13");
}

/// Another refund for the same amount was made meanwhile and failed, so the late one fits.
#[tokio::test]
async fn a_late_one_whose_amount_was_not_refunded_otherwise() {
    let shop = impatient_shop().await;
    let (payment, refund) = unknown(&shop, &Fault::HeldOnTheWay).await;
    shop.asks_about_refund(&refund).await.ok();
    shop.next_call_meets(Call::Refund, Fault::LosesRequest);
    let other = shop.refunds(&payment, amount(4000)).await.ok();
    let other = shop.asks_about_refund(&other).await.ok();
    assert_eq!(standing(&other), ("failed", 4000));
    assert_eq!(shop.processor().deliver_held(), 1);
    let late = becomes(&shop, &refund, "succeeded").await;
    assert_eq!(late["error_code"], json!(null));
    assert_eq!(
        given_back(&shop, &payment).await,
        ("succeeded".to_owned(), 4000)
    );
    assert_eq!(shop.money().refunded, 4000);
}
