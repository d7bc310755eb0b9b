//! `POST /refunds`: the whole payment, a part, several parts. (Facts 3.10, 7.8, trace I)

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, REFUNDS_DECLINED};
use multirail_conformance::evidence::evidence;
use multirail_simulator::scripted::{Call, Fault};
use serde_json::json;

use super::{amount, filed, given_back, paid_with, standing};
use crate::payments::authorized;

/// Trace I of the facts: after 2000 of 6540, another 5000 would be too much.
#[tokio::test]
async fn a_part_goes_back_and_more_than_the_rest_does_not() {
    let shop = Shop::open().await;
    let payment = paid_with(&shop, APPROVED).await;
    let refund = shop.refunds(&payment, amount(2000)).await.ok();
    assert_eq!(standing(&refund), ("succeeded", 2000));
    assert_eq!(refund["payment_id"], payment["payment_id"]);
    let too_much = shop.refunds(&payment, amount(5000)).await;
    insta::assert_snapshot!(too_much.refused(400, "IR_13"), @"amount 5000 is above what was captured and not refunded yet, 4540");
    assert_eq!(
        given_back(&shop, &payment).await,
        ("succeeded".to_owned(), 2000)
    );
    assert_eq!(shop.money().refunded, 2000);
}

#[tokio::test]
async fn the_whole_object_of_a_refund_that_succeeded() {
    let shop = Shop::open().await;
    let payment = paid_with(&shop, APPROVED).await;
    let more = json!({
        "amount": 2000, "reason": "One of the two books came back", "metadata": { "return": "r-2071" },
        "merchant_id": "bookshop", "refund_type": "instant",
    });
    let refund = shop.refunds(&payment, more).await.ok();
    assert_eq!(refund["profile_id"], shop.profile_id.as_str());
    let account = shop.connector_account_id.as_str();
    assert_eq!(refund["merchant_connector_id"], account);
    let filed = filed(&shop);
    assert_eq!(filed.len(), 1);
    assert_eq!(filed[0]["reference"], refund["connector_refund_id"]);
    assert_eq!(
        filed[0]["reason"], refund["reason"],
        "the processor is told why"
    );
    insta::assert_json_snapshot!(evidence(&refund), @r#"
    {
      "refund_id": "ref_[20]",
      "payment_id": "pay_[20]",
      "amount": 2000,
      "currency": "USD",
      "status": "succeeded",
      "connector": "fauxpay",
      "connector_refund_id": "sim_[24]",
      "reason": "One of the two books came back",
      "metadata": {
        "return": "r-2071"
      },
      "error_code": null,
      "error_message": null,
      "unified_code": null,
      "unified_message": null,
      "issuer_error_code": null,
      "issuer_error_message": null,
      "created_at": "[moment]",
      "updated_at": "[moment]",
      "profile_id": "pro_[20]",
      "merchant_connector_id": "mca_[20]",
      "split_refunds": null,
      "raw_connector_response": null
    }
    "#);
}

#[tokio::test]
async fn several_go_back_until_nothing_is_left() {
    let shop = Shop::open().await;
    let payment = paid_with(&shop, APPROVED).await;
    let mut total = 0;
    for part in [1000, 2000, 3540] {
        let refund = shop.refunds(&payment, amount(part)).await.ok();
        assert_eq!(standing(&refund), ("succeeded", part));
        total += part;
        assert_eq!(
            given_back(&shop, &payment).await,
            ("succeeded".to_owned(), total),
            "the payment keeps its status, also when all of it went back"
        );
    }
    for part in [amount(1), json!({})] {
        shop.refunds(&payment, part).await.refused(400, "IR_13");
    }
    assert_eq!(shop.money().refunded, 6540);
}

#[tokio::test]
async fn without_an_amount_all_that_was_captured_goes_back() {
    let shop = Shop::open().await;
    let whole = paid_with(&shop, APPROVED).await;
    let refund = shop.refunds(&whole, json!({})).await.ok();
    assert_eq!(standing(&refund), ("succeeded", 6540));

    let in_part = authorized(&shop, "manual").await;
    let some = json!({ "amount_to_capture": 4000 });
    let captured = shop.captures(&in_part, some).await.ok();
    assert_eq!(captured["status"], "partially_captured");
    let too_much = shop.refunds(&in_part, amount(4001)).await;
    too_much.refused(400, "IR_13");
    let refund = shop.refunds(&in_part, json!({})).await.ok();
    assert_eq!(standing(&refund), ("succeeded", 4000));
    assert_eq!(
        given_back(&shop, &in_part).await,
        ("partially_captured".to_owned(), 4000)
    );

    let several = authorized(&shop, "manual_multiple").await;
    for part in [4000, 2540] {
        let some = json!({ "amount_to_capture": part });
        shop.captures(&several, some).await.ok();
    }
    let refund = shop.refunds(&several, json!({})).await.ok();
    assert_eq!(standing(&refund), ("succeeded", 6540));

    // A full refund means everything that was captured, not the rest.
    let begun = paid_with(&shop, APPROVED).await;
    shop.refunds(&begun, amount(1)).await.ok();
    shop.refunds(&begun, json!({})).await.refused(400, "IR_13");
    assert_eq!(shop.money().refunded, 6540 + 4000 + 6540 + 1);
}

#[tokio::test]
async fn a_refusal_by_the_processor_is_an_answer_and_gives_nothing_back() {
    let shop = Shop::open().await;
    let payment = paid_with(&shop, REFUNDS_DECLINED).await;
    for _ in 0..2 {
        // After a failed refund, its amount can be refunded again.
        let refund = shop.refunds(&payment, json!({})).await.ok();
        assert_eq!(standing(&refund), ("failed", 6540));
        let error = json!({
            "error_code": refund["error_code"], "error_message": refund["error_message"],
            "unified_code": refund["unified_code"], "unified_message": refund["unified_message"],
        });
        insta::allow_duplicates! {
            insta::assert_json_snapshot!(error, @r#"
            {
              "error_code": "DC_08",
              "error_message": "Refund declined: The account of the card is closed",
              "unified_code": "UE_9000",
              "unified_message": "The processor did not carry out the refund as it was asked to"
            }
            "#);
        }
    }
    assert_eq!(
        given_back(&shop, &payment).await,
        ("succeeded".to_owned(), 0)
    );
    assert_eq!(shop.money().refunded, 0);
    let filed = filed(&shop);
    assert_eq!(filed.len(), 2);
    let all_declined = filed.iter().all(|one| one["status"] == "declined");
    assert!(all_declined, "{filed:?}");
}

/// The refund wasn't made, and the merchant can repeat it.
#[tokio::test]
async fn a_throttled_refund_has_failed_and_can_be_made_again() {
    let shop = Shop::open().await;
    let payment = paid_with(&shop, APPROVED).await;
    shop.next_call_meets(Call::Refund, Fault::Throttles);
    let throttled = shop.refunds(&payment, json!({})).await.ok();
    assert_eq!(standing(&throttled), ("failed", 6540));
    assert_eq!(throttled["error_code"], "not_processed");
    let again = shop.refunds(&payment, json!({})).await.ok();
    assert_eq!(standing(&again), ("succeeded", 6540));
    assert_eq!(shop.money().refunded, 6540);
}

#[tokio::test]
async fn an_id_of_ones_own_names_one_refund_only() {
    let shop = Shop::open().await;
    let payment = paid_with(&shop, APPROVED).await;
    let own = json!({ "refund_id": "return-2071", "amount": 2000 });
    let refund = shop.refunds(&payment, own.clone()).await.ok();
    assert_eq!(refund["refund_id"], "return-2071");
    let message = shop.refunds(&payment, own).await.refused(400, "HE_01");
    insta::assert_snapshot!(message, @"there is a refund return-2071 already");
    // This holds for another payment too, and when nothing is left to refund.
    let other = paid_with(&shop, APPROVED).await;
    for (payment, part) in [(&other, 1), (&payment, 6540)] {
        let again = json!({ "refund_id": "return-2071", "amount": part });
        shop.refunds(payment, again).await.refused(400, "HE_01");
    }
    assert_eq!(shop.money().refunded, 2000);

    // Another merchant may use the same id.
    let florist = shop.server.shop("florist").await;
    let sold = paid_with(&florist, APPROVED).await;
    let own = json!({ "refund_id": "return-2071", "amount": 10 });
    let theirs = florist.refunds(&sold, own).await.ok();
    assert_eq!(standing(&theirs), ("succeeded", 10));
    assert_eq!(
        standing(&shop.retrieves_refund(&refund).await.ok()),
        ("succeeded", 2000)
    );
}
