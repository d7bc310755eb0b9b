//! Processors' notices: each is acknowledged in the processor's own way, also when repeated, and forged ones are
//! refused.

use std::sync::Arc;

use multirail_conformance::Call;
use multirail_conformance::patience::until;
use multirail_peers::adyen::Adyen;
use multirail_peers::{CardThat, Notice, StandIn};
use serde_json::{Value, json};

use super::of_each;
use super::production_shop::ProductionShop;

/// Sends the processor's notice to the server.
fn sends(shop: &ProductionShop, notice: &Notice) -> Call {
    let door = shop.server.wire.call("notices_receive");
    let door = door.at("merchant_id", &shop.merchant_id);
    let mut call = door.at("connector_account", &shop.connector_account_id);
    for (name, value) in &notice.headers {
        call = call.header(name, value);
    }
    let body = String::from_utf8(notice.body.clone()).expect("a text");
    call.text("application/json", body)
}

/// Returns how often each notice in the inbox came.
async fn receipts(shop: &ProductionShop) -> Vec<Value> {
    let inbox = shop.operator("notices_list").await.ok();
    let inbox = inbox.as_array().expect("a list").iter();
    inbox.map(|one| one["receipts"].clone()).collect()
}

#[tokio::test]
async fn are_answered_as_the_processor_wants_and_filed_once() {
    let told = of_each(async |shop: &mut ProductionShop| {
        shop.pays(CardThat::IsApproved, json!({})).await;
        let all = shop.stand_in.notices();
        let notice = all.last().expect("it tells of the payment");
        let mut forged = notice.clone();
        let body = String::from_utf8(forged.body).expect("a text");
        assert!(body.contains("6540"), "amounts are signed: {body}");
        forged.body = body.replace("6540", "6541").into_bytes();
        sends(shop, &forged).await.refused(401, "WE_01");
        assert_eq!(receipts(shop).await, Vec::<Value>::new());
        for _ in 0..2 {
            let answer = sends(shop, notice).await;
            shop.writes(format!("{} {:?}", answer.status, answer.text));
        }
        assert_eq!(receipts(shop).await, [json!(2)]);
    });
    insta::assert_snapshot!(told.await, @r#"
    adyen
      200 "[accepted]"
      200 "[accepted]"
    checkout
      200 ""
      200 ""
    stripe
      200 ""
      200 ""
    "#);
}

/// Networks reorder and repeat. The books decide, and every notice is a fact that fits in wherever it comes.
#[tokio::test]
async fn that_come_backwards_and_twice_lead_to_the_same_end() {
    let told = of_each(async |shop: &mut ProductionShop| {
        let sold = shop.pays(CardThat::IsApproved, json!({})).await;
        let refund = shop.refunds(&sold, json!({ "amount": 1540 })).await.ok();
        let manual = json!({ "capture_method": "manual" });
        let reserved = shop.pays(CardThat::IsApproved, manual).await;
        let part = json!({ "amount_to_capture": 4000 });
        shop.captures(&reserved, part).await.ok();
        shop.receives_notices_backwards().await;
        shop.reads("sold", &sold).await;
        let refund = shop.retrieves_refund(&refund).await.ok();
        shop.notes("given back in part", &refund);
        shop.reads("captured in part", &reserved).await;
        shop.looks_into_the_books();
        shop.looks_at_what_waits().await;
    });
    insta::assert_snapshot!(told.await, @"
    adyen
      sold: succeeded, 6540 received
      given back in part: succeeded
      captured in part: partially_captured, 4000 received
      the processor's books: authorized 6540, captured 6540, released 0, given back 1540
      the processor's books: authorized 6540, captured 4000, released 2540, given back 0
      nothing waits
    checkout
      sold: succeeded, 6540 received
      given back in part: succeeded
      captured in part: partially_captured, 4000 received
      the processor's books: authorized 6540, captured 6540, released 0, given back 1540
      the processor's books: authorized 6540, captured 4000, released 2540, given back 0
      nothing waits
    stripe
      sold: succeeded, 6540 received
      given back in part: succeeded
      captured in part: partially_captured, 4000 received
      the processor's books: authorized 6540, captured 6540, released 0, given back 1540
      the processor's books: authorized 6540, captured 4000, released 2540, given back 0
      nothing waits
    ");
}

/// The server acknowledges every notice that Adyen signed, because Adyen otherwise repeats it for 30 days and sends
/// nothing after it.
#[tokio::test]
async fn a_signed_item_that_can_be_read_in_two_ways_changes_nothing_and_is_shown() {
    let adyen = Arc::new(Adyen::new());
    let shop = ProductionShop::open("adyen", adyen.clone()).await;
    let manual = json!({ "capture_method": "manual" });
    let payment = shop.pays(CardThat::IsApproved, manual).await;
    let key = adyen.all_books()[0].key.clone();
    let item = json!({
        "pspReference": "a:b", "merchantReference": key, "eventCode": "CAPTURE", "success": "true",
        "amount": { "value": 6540, "currency": "USD" },
    });
    let notice = adyen.signs(item);
    let answer = sends(&shop, &notice).await;
    assert_eq!((answer.status, answer.text.as_str()), (200, "[accepted]"));
    let inbox = until(
        "the notice is worked on",
        async || shop.operator("notices_list").await.ok(),
        |inbox| inbox[0]["status"] != "waiting",
    )
    .await;
    assert_eq!(inbox[0]["status"], "unreadable", "{inbox}");
    let payment = shop.retrieves(&payment).await.ok();
    assert_eq!(payment["status"], "requires_capture");
    // The same item in a different envelope is the same notice.
    let mut wrapped: Value = serde_json::from_slice(&notice.body).expect("JSON");
    for number in 0..3 {
        wrapped["notificationItems"][0]["NotificationRequestItem"]["reason"] = json!(number);
        let body = wrapped.to_string().into_bytes();
        let notice = Notice {
            body,
            ..notice.clone()
        };
        assert_eq!(sends(&shop, &notice).await.status, 200);
    }
    assert_eq!(receipts(&shop).await, [json!(4)]);
}
