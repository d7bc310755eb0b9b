//! Captures that are pending at the processor: the payment's status meanwhile, and its capturable rest.
//! (Specification 3, 4.11)

use multirail_conformance::Shop;
use multirail_simulator::scripted::{Call, Fault};
use serde_json::{Value, json};

use super::{authorized, standing};

async fn captures(shop: &Shop, payment: &Value, amount: i64) -> Value {
    let body = json!({ "amount_to_capture": amount });
    shop.captures(payment, body).await.ok()
}

#[tokio::test]
async fn it_is_asked_about() {
    let shop = Shop::open().await;
    let payment = authorized(&shop, "manual").await;
    shop.next_call_meets(Call::Capture, Fault::Pends);
    let pending = shop.captures(&payment, json!({})).await.ok();
    assert_eq!(standing(&pending), ("processing", 0, 0));
    let message = shop
        .captures(&payment, json!({}))
        .await
        .refused(400, "IR_14");
    assert!(message.contains("capture_method"), "{message}");
    let settled = shop.asks_about(&payment).await.ok();
    assert_eq!(standing(&settled), ("succeeded", 0, 6540));
    assert_eq!(shop.money().captured, 6540);
}

#[tokio::test]
async fn the_first_of_several_may_be_pending_too() {
    let shop = Shop::open().await;
    let payment = authorized(&shop, "manual_multiple").await;
    shop.next_call_meets(Call::Capture, Fault::Pends);
    let pending = captures(&shop, &payment, 4000).await;
    assert_eq!(standing(&pending), ("processing", 2540, 0));
    let second = captures(&shop, &payment, 2000).await;
    assert_eq!(
        standing(&second),
        ("partially_captured_and_capturable", 540, 2000),
        "the pending 4000 are spoken for"
    );
    shop.captures(&payment, json!({ "amount_to_capture": 541 }))
        .await
        .refused(422, "IR_06");
    let settled = shop.asks_about(&payment).await.ok();
    assert_eq!(
        standing(&settled),
        ("partially_captured_and_capturable", 540, 6000)
    );
    assert_eq!(shop.money().captured, 6000);
}

#[tokio::test]
async fn a_charged_and_a_pending_one_with_nothing_left() {
    let shop = Shop::open().await;
    let payment = authorized(&shop, "manual_multiple").await;
    captures(&shop, &payment, 4000).await;
    shop.next_call_meets(Call::Capture, Fault::Pends);
    let pending = captures(&shop, &payment, 2540).await;
    let word = "partially_captured_and_processing";
    assert_eq!(standing(&pending), (word, 0, 4000));
    let stored = shop.retrieves(&payment).await.ok();
    assert_eq!(standing(&stored), (word, 0, 4000));

    let refused = shop
        .captures(&payment, json!({ "amount_to_capture": 1 }))
        .await;
    assert!(refused.refused(400, "IR_14").contains(word));
    shop.cancels(&payment, json!({}))
        .await
        .refused(400, "IR_16");
    shop.confirms(&payment, json!({}))
        .await
        .refused(400, "IR_16");
    shop.updates(&payment, json!({ "amount": 1 }))
        .await
        .refused(400, "IR_16");

    let found = shop
        .call("payments_filter")
        .json(&json!({ "status": [word] }));
    assert_eq!(
        found.await.ok()["data"][0]["payment_id"],
        payment["payment_id"]
    );
    let open = shop.operator("unresolved_operations_list").await.ok();
    assert_eq!(
        (
            &open[0]["operation"],
            &open[0]["amount"],
            &open[0]["progress"]
        ),
        (&json!("capture"), &json!(2540), &json!("pending"))
    );

    let paid = shop.asks_about(&payment).await.ok();
    assert_eq!(standing(&paid), ("succeeded", 0, 6540));
    assert_eq!(shop.money().captured, 6540);
    let open = shop.operator("unresolved_operations_list").await.ok();
    assert_eq!(open, json!([]));
}

#[tokio::test]
async fn two_pending_ones_become_charged_one_after_the_other() {
    let shop = Shop::open().await;
    let payment = authorized(&shop, "manual_multiple").await;
    for amount in [4000, 2540] {
        shop.next_call_meets(Call::Capture, Fault::Pends);
        captures(&shop, &payment, amount).await;
    }
    let both = shop.retrieves(&payment).await.ok();
    assert_eq!(
        standing(&both),
        ("processing", 0, 0),
        "nothing is charged yet"
    );
    shop.captures(&payment, json!({ "amount_to_capture": 1 }))
        .await
        .refused(422, "IR_06");
    let settled = shop.asks_about(&payment).await.ok();
    assert_eq!(standing(&settled), ("succeeded", 0, 6540));
}
