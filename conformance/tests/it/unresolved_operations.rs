//! What waits for a processor's word, for the operator.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, PENDING, THREE_DS, order_with, with};
use multirail_server::adapters::connectors::simulator::scripted::{Call, Fault};
use serde_json::json;

#[tokio::test]
async fn listed_until_it_is_known() {
    let shop = Shop::open().await;
    let list = || shop.server.operator("unresolved_operations_list");
    assert_eq!(list().await.ok(), json!([]));
    let at_once = json!({ "confirm": true });
    let pending = shop
        .creates(with(order_with(PENDING), at_once.clone()))
        .await
        .ok();
    let asked = shop.creates(with(order_with(THREE_DS), at_once)).await.ok();
    let held = shop
        .creates(with(
            order_with(APPROVED),
            json!({ "confirm": true, "capture_method": "manual" }),
        ))
        .await
        .ok();
    shop.next_call_meets(Call::Capture, Fault::LosesAnswer);
    shop.captures(&held, json!({ "amount_to_capture": 4000 }))
        .await
        .ok();

    let open = list().await.ok();
    let found = |payment: &serde_json::Value| {
        let all = open.as_array().expect("a list").iter();
        let mut of_it = all.filter(|one| one["payment_id"] == payment["payment_id"]);
        of_it
            .next()
            .unwrap_or_else(|| panic!("nothing of {payment} in {open}"))
            .clone()
    };
    assert_eq!(
        (&found(&pending)["operation"], &found(&pending)["progress"]),
        (&json!("authorize"), &json!("pending"))
    );
    assert_eq!(found(&asked)["progress"], "awaiting_customer");
    let capture = found(&held);
    assert_eq!(
        (
            &capture["operation"],
            &capture["progress"],
            &capture["amount"]
        ),
        (&json!("capture"), &json!("unknown"), &json!(4000))
    );
    assert_eq!(
        (&capture["merchant_id"], &capture["connector"]),
        (&json!("bookshop"), &json!("fauxpay"))
    );

    shop.asks_about(&pending).await.ok();
    shop.asks_about(&held).await.ok();
    let rest = list().await.ok();
    assert_eq!(
        (rest.as_array().map(Vec::len), &rest[0]["payment_id"]),
        (Some(1), &asked["payment_id"])
    );
    for limit in [0, 101] {
        list().query("limit", limit).await.refused(422, "IR_06");
    }
    list().query("offset", -1).await.refused(400, "IR_06");
}
