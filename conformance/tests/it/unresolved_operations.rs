//! The operator's list of operations without an outcome.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, PENDING, THREE_DS, order_with, with};
use multirail_simulator::scripted::{Call, Fault};
use serde_json::json;

use crate::servers::damage;
use crate::servers::site::Site;

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
    assert_eq!(
        (&found(&asked)["waits_for"], &found(&pending)["waits_for"]),
        (&json!("payer"), &json!("look_up"))
    );
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
    list().query("limit", 101).await.refused(422, "IR_06");
    list().query("offset", -1).await.refused(400, "IR_06");
}

#[tokio::test]
async fn a_payment_that_can_not_be_read_hides_no_other() {
    let site = Site::on_sqlite();
    let shop = site.server("one").await.shop("bookshop").await;
    let at_once = json!({ "confirm": true });
    let asked = with(order_with(THREE_DS), at_once);
    let spoilt = shop.creates(asked.clone()).await.ok();
    let other = shop.creates(asked).await.ok();
    let text = |payment: &serde_json::Value| payment["payment_id"].as_str().map(str::to_owned);
    let spoilt_id = text(&spoilt).expect("an id");
    damage::spoils_payment(&site.folder("one"), &spoilt_id);

    let open = shop
        .server
        .operator("unresolved_operations_list")
        .await
        .ok();
    let open: Vec<_> = open.as_array().expect("a list").iter().map(text).collect();
    assert_eq!(open, [text(&other)]);
    for list in [
        shop.call("payments_list"),
        shop.call("payments_filter").json(&json!({})),
    ] {
        let data = list.await.ok()["data"].take();
        let listed: Vec<_> = data.as_array().expect("a list").iter().map(text).collect();
        assert_eq!(listed, [text(&other)]);
    }
    // A damaged record isn't mistaken for a missing one.
    shop.retrieves(&spoilt).await.refused(500, "HE_00");
    assert_eq!(
        shop.cancels(&other, json!({})).await.ok()["status"],
        "cancelled"
    );
}
