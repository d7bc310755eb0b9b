//! Accepting a dispute.

use multirail_simulator::scripted::{Call, Fault};
use serde_json::json;

use super::{on, paid, raised, shop_with_notice_secret};

#[tokio::test]
async fn a_refusal_of_the_processor_changes_nothing_and_can_be_tried_again() {
    let shop = shop_with_notice_secret().await;
    let payment = paid(&shop).await;
    let dispute = raised(&shop, &payment, "dispute", "dispute_opened").await;
    let throttled = || on(&shop, "disputes_accept", &dispute).header("Idempotency-Key", "one");
    shop.next_call_meets(Call::AcceptDispute, Fault::Throttles);
    let refused = throttled().await;
    assert_eq!(
        (refused.status, &refused.body["code"]),
        (400, &json!("CE_08"))
    );
    let still = on(&shop, "disputes_retrieve", &dispute).await.ok();
    assert_eq!(still["dispute_status"], "dispute_opened");
    // The throttled call didn't use up the key.
    let accepted = throttled().await.ok();
    assert_eq!(accepted["dispute_status"], "dispute_accepted");
    let again = throttled().await.ok();
    assert_eq!(again, accepted, "the stored answer");
    let other = on(&shop, "disputes_accept", &dispute).await;
    assert_eq!((other.status, &other.body["code"]), (400, &json!("HE_03")));
}

#[tokio::test]
async fn an_answer_that_is_lost_is_found() {
    let shop = shop_with_notice_secret().await;
    let payment = paid(&shop).await;
    let dispute = raised(&shop, &payment, "dispute", "dispute_opened").await;
    shop.next_call_meets(Call::AcceptDispute, Fault::LosesAnswer);
    let open = on(&shop, "disputes_accept", &dispute).await.ok();
    assert_eq!(open["dispute_status"], "dispute_opened");
    let waiting = shop.server.operator("unresolved_operations_list");
    let waiting = waiting.await.ok();
    assert_eq!(
        (
            &waiting[0]["operation"],
            &waiting[0]["dispute_id"],
            &waiting[0]["waits_for"]
        ),
        (
            &json!("accept_dispute"),
            &dispute["dispute_id"],
            &json!("look_up")
        )
    );
    let found = on(&shop, "disputes_retrieve", &dispute).query("force_sync", true);
    assert_eq!(found.await.ok()["dispute_status"], "dispute_accepted");
    let waiting = shop.server.operator("unresolved_operations_list");
    assert_eq!(waiting.await.ok(), json!([]));
}

#[tokio::test]
async fn a_refunded_amount_is_not_paid_again() {
    let shop = shop_with_notice_secret().await;
    let payment = paid(&shop).await;
    let refund = json!({ "payment_id": payment["payment_id"] });
    let refund = shop.call("refunds_create").json(&refund).await.ok();
    assert_eq!(refund["status"], "succeeded");
    let dispute = raised(&shop, &payment, "dispute", "dispute_opened").await;
    let said = on(&shop, "disputes_accept", &dispute)
        .await
        .refused(400, "HE_03");
    assert_eq!(
        said,
        "the dispute can't be accepted: its payer would be paid twice: 6540 were captured, refunds come to 6540 and \
         other disputes to 0; challenge it with proof of that"
    );
    let still = on(&shop, "disputes_retrieve", &dispute).await.ok();
    assert_eq!(still["dispute_status"], "dispute_opened");
}
