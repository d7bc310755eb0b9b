//! Notices about disputes, and their effect on the payment.

use std::time::Duration;

use multirail_conformance::Receiver;
use multirail_conformance::evidence::evidence;
use multirail_conformance::notice::disputed;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::{on, paid, raised, shop_with_notice_secret, stands, tells};

#[tokio::test]
async fn each_change_of_a_dispute_is_announced() {
    let shop = shop_with_notice_secret().await;
    let receiver = Receiver::open().await;
    shop.sets_up(json!({ "webhook_details": { "webhook_url": receiver.url() } }))
        .await
        .ok();
    let payment = paid(&shop).await;
    receiver.has(1).await;
    let way = [
        ("pre_dispute", "dispute_opened"),
        ("dispute", "dispute_opened"),
        ("dispute", "dispute_challenged"),
        ("dispute", "dispute_won"),
        ("pre_arbitration", "dispute_lost"),
    ];
    for (stage, status) in way {
        raised(&shop, &payment, stage, status).await;
    }
    // Late and repeated notices change nothing.
    for (stage, status) in [way[1], way[4], way[0]] {
        tells(&shop, &disputed(&payment, stage, status)).await;
    }
    let dispute = stands(&shop, &payment, "pre_arbitration", "dispute_lost").await;
    insta::assert_json_snapshot!(evidence(&dispute), @r#"
    {
      "dispute_id": "dp_[20]",
      "payment_id": "pay_[20]",
      "attempt_id": "pay_[20]_1",
      "amount": "6540",
      "currency": "USD",
      "dispute_stage": "pre_arbitration",
      "dispute_status": "dispute_lost",
      "connector": "fauxpay",
      "connector_status": "dispute_lost",
      "connector_dispute_id": "sim_[24]_dispute",
      "connector_reason": "fraudulent",
      "connector_reason_code": "10.4",
      "challenge_required_by": null,
      "connector_created_at": null,
      "connector_updated_at": "2026-11-21T10:15:00.000Z",
      "created_at": "[moment]",
      "profile_id": "pro_[20]",
      "merchant_connector_id": "mca_[20]",
      "is_already_refunded": false
    }
    "#);
    let told = receiver.has(1 + way.len()).await;
    let told: Vec<Value> = told.iter().skip(1).map(|one| one.json()).collect();
    let types: Vec<&str> = told
        .iter()
        .filter_map(|one| one["event_type"].as_str())
        .collect();
    assert_eq!(types, way.map(|(_, status)| status));
    assert_eq!(told[4]["content"]["object"], dispute);

    let counted = shop.retrieves(&payment).await.ok();
    assert_eq!(counted["status"], "succeeded");
    assert_eq!(counted["state_metadata"]["total_disputed_amount"], 6540);
    assert_eq!(counted["disputes"][0]["dispute_status"], "dispute_lost");
}

#[tokio::test]
async fn earlier_refunds_are_shown_next_to_lost_disputes() {
    let shop = shop_with_notice_secret().await;
    let payment = paid(&shop).await;
    shop.refunds(&payment, json!({ "amount": 2000 })).await.ok();
    let opened = raised(&shop, &payment, "dispute", "dispute_opened").await;
    assert_eq!(opened["is_already_refunded"], false);
    let refused = shop.refunds(&payment, json!({ "amount": 1 })).await;
    assert_eq!(
        (refused.status, &refused.body["code"]),
        (400, &json!("IR_13"))
    );
    raised(&shop, &payment, "dispute", "dispute_lost").await;
    let lost = on(&shop, "disputes_retrieve", &opened).await.ok();
    assert_eq!(lost["is_already_refunded"], true);
}

/// A worker may be quicker than the dispute. Then the refund was already sent, and another one is scheduled.
#[tokio::test]
async fn a_scheduled_refund_of_a_disputed_amount_is_not_sent() {
    let shop = shop_with_notice_secret().await;
    let limit = Instant::now() + Duration::from_secs(20);
    let mut sent = 0;
    let failed = loop {
        let payment = paid(&shop).await;
        let scheduled = json!({ "amount": 2000, "refund_type": "scheduled" });
        let refund = shop.refunds(&payment, scheduled).await.ok();
        raised(&shop, &payment, "dispute", "dispute_opened").await;
        let asked = shop.asks_about_refund(&refund).await.ok();
        if asked["status"] == "failed" {
            break asked;
        }
        assert_eq!(asked["status"], "succeeded");
        sent += 1;
        assert!(Instant::now() < limit, "all of {sent} were sent");
    };
    assert_eq!(failed["error_code"], "refund_not_covered");
    insta::assert_snapshot!(failed["error_message"].as_str().expect("words"), @"the refund was not sent: 0 of what was captured is left for it, and disputes hold 6540");
    assert_eq!(shop.money().refunded, 2000 * sent);
    let about = json!({ "object_id": failed["refund_id"] });
    let told = shop.operator("events_list").json(&about);
    let told = told.at("merchant_id", &shop.merchant_id).await.ok();
    assert_eq!(told["total_count"], 1, "{told}");
    assert_eq!(told["events"][0]["event_type"], "refund_failed");
    let open = shop.operator("unresolved_operations_list").await.ok();
    assert_eq!(open, json!([]));
}
