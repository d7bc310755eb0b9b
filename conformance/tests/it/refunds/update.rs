//! `POST /refunds/{refund_id}`: the merchant's notes about a refund.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, REFUNDS_DECLINED, REFUNDS_PEND, with};
use multirail_simulator::scripted::{Call, Fault};
use serde_json::{Value, json};

use super::{filed, paid_with};

/// Returns the refund without the time of its change.
fn undated(refund: &Value) -> Value {
    with(refund.clone(), json!({ "updated_at": null }))
}

#[tokio::test]
async fn sent_members_are_replaced_and_the_others_stay() {
    let shop = Shop::open().await;
    // The refund stays pending however long this takes, because syncs fail.
    let script = shop.processor().script();
    script.next_times(50, Call::LookUp, &Fault::FailsBefore(503));
    for card in [APPROVED, REFUNDS_PEND, REFUNDS_DECLINED] {
        let payment = paid_with(&shop, card).await;
        let noted = json!({ "reason": "Too late", "metadata": { "return": "r-1", "shelf": 4 } });
        let refund = shop.refunds(&payment, noted).await.ok();
        shop.time_passes(60).await;

        let reason = json!({ "reason": "Damaged in transit" });
        let updated = shop.updates_refund(&refund, reason.clone()).await.ok();
        assert_eq!(undated(&updated), undated(&with(refund.clone(), reason)));
        assert!(updated["updated_at"].as_str() > refund["updated_at"].as_str());

        // Metadata is replaced as a whole, not member by member.
        let notes = json!({ "metadata": { "box": 9 } });
        let updated = shop.updates_refund(&refund, notes).await.ok();
        assert_eq!(updated["metadata"], json!({ "box": 9 }));
        assert_eq!(updated["reason"], "Damaged in transit");
        assert_eq!(shop.retrieves_refund(&refund).await.ok(), updated);

        // An empty update or an equal value is no change.
        for same in [
            json!({}),
            json!({ "reason": null, "metadata": null }),
            json!({ "metadata": { "box": 9 } }),
        ] {
            let unchanged = shop.updates_refund(&refund, same).await.ok();
            assert_eq!(unchanged, updated);
        }
        let bare = shop.call("refunds_update");
        let bare = bare.at("refund_id", refund["refund_id"].as_str().expect("an id"));
        assert_eq!(bare.await.ok(), updated, "an absent body changes nothing");
    }
    shop.processor().script().clear();
}

#[tokio::test]
async fn the_processor_is_not_called_and_the_payment_not_changed() {
    let shop = Shop::open().await;
    let payment = paid_with(&shop, APPROVED).await;
    let refund = shop.refunds(&payment, json!({ "reason": "first" })).await;
    let refund = refund.ok();
    let before = shop.retrieves(&payment).await.ok();
    let before_it = filed(&shop);
    shop.time_passes(60).await;
    let second = json!({ "reason": "second" });
    let updated = shop.updates_refund(&refund, second).await.ok();
    assert_eq!(filed(&shop), before_it);
    let after = shop.retrieves(&payment).await.ok();
    assert_eq!(after["modified_at"], before["modified_at"]);
    assert_eq!(after["refunds"], json!([updated]));
}

#[tokio::test]
async fn wrong_requests_are_refused() {
    let shop = Shop::open().await;
    let payment = paid_with(&shop, APPROVED).await;
    let refund = shop.refunds(&payment, json!({})).await.ok();
    let mut told = String::new();
    for body in [
        json!({ "reason": "r".repeat(256) }),
        json!({ "reason": 7 }),
        json!({ "metadata": "text" }),
        json!({ "amount": 1 }),
    ] {
        let answer = shop.updates_refund(&refund, body).await;
        let code = answer.body["code"].as_str().unwrap_or("-");
        told.push_str(&format!("{} {code} {}\n", answer.status, answer.message()));
    }
    insta::assert_snapshot!(told, @r"
    422 IR_05 `reason` must be at most 255 characters long.
    400 IR_06 `reason` must be text.
    400 IR_06 `metadata` must be an object.
    400 IR_06 `amount` is not a known member here.
    ");
    assert_eq!(shop.retrieves_refund(&refund).await.ok(), refund);
}
