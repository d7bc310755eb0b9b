//! An authorization holds until `capture_before`. Then the processor's answer ends the payment, and no money moves
//! twice.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, order_with, paid_with, with};
use multirail_conformance::patience::until_found;
use multirail_conformance::response::moment;
use multirail_simulator::processor::{EXTENDED_HOLD_DAYS, HOLD_DAYS, VoidKind};
use multirail_simulator::scripted::{Call, Fault};
use serde_json::{Value, json};

use super::{attempt_status, authorized, becomes, events_of, standing};

const HELD: i64 = HOLD_DAYS * 86_400;

async fn event_types(shop: &Shop, payment: &Value) -> Vec<String> {
    let told = events_of(shop, payment).await;
    told.into_iter().map(|(event, _)| event).collect()
}

fn lapses(shop: &Shop) -> usize {
    let voids = shop.processor().ledger().voids().expect("the books");
    let lapses = voids.iter().filter(|void| void.kind == VoidKind::Lapse);
    lapses.count()
}

#[tokio::test]
async fn an_uncaptured_authorization_expires() {
    let shop = Shop::open().await;
    let payment = authorized(&shop, "manual").await;
    let end = moment(&payment["capture_before"]);
    let approved = moment(&payment["modified_at"]);
    let held = (end - approved).num_seconds();
    assert!((HELD - 60..=HELD).contains(&held), "{payment}");
    shop.time_passes(HELD - 60).await;
    let early = shop.asks_about(&payment).await.ok();
    assert_eq!(standing(&early), ("requires_capture", 6540, 0));
    let open = shop.operator("unresolved_operations_list").await.ok();
    assert_eq!(open, json!([]), "nobody waits for a processor");
    shop.time_passes(60).await;
    let expired = becomes(&shop, &payment, "expired").await;
    assert_eq!(standing(&expired), ("expired", 0, 0));
    assert_eq!(attempt_status(&shop, &payment).await, "expired");
    assert_eq!(expired["capture_before"], payment["capture_before"]);
    assert_eq!(
        event_types(&shop, &payment).await,
        ["payment_authorized", "payment_expired"]
    );
    assert_eq!(shop.money().released, 6540);
    shop.captures(&payment, json!({}))
        .await
        .refused(400, "IR_14");
    shop.cancels(&payment, json!({}))
        .await
        .refused(400, "IR_16");
    let again = shop.asks_about(&payment).await.ok();
    assert_eq!(again, expired);
}

#[tokio::test]
async fn a_capture_in_time_stays() {
    let shop = Shop::open().await;
    let payment = authorized(&shop, "manual_multiple").await;
    let part = json!({ "amount_to_capture": 4000 });
    shop.captures(&payment, part).await.ok();
    let whole = authorized(&shop, "manual").await;
    shop.captures(&whole, json!({})).await.ok();
    shop.time_passes(HELD).await;
    let ended = becomes(&shop, &payment, "partially_captured").await;
    assert_eq!(standing(&ended), ("partially_captured", 0, 4000));
    let news = ["payment_authorized", "payment_captured", "payment_captured"];
    assert_eq!(event_types(&shop, &payment).await, news);
    let whole = shop.asks_about(&whole).await.ok();
    assert_eq!(standing(&whole), ("succeeded", 0, 6540));
    assert_eq!((shop.money().captured, lapses(&shop)), (4000 + 6540, 1));
    let back = shop.refunds(&ended, json!({ "amount": 4000 })).await.ok();
    assert_eq!(back["status"], "succeeded");
}

/// A sale holds no authorization.
#[tokio::test]
async fn a_sale_has_no_capture_before() {
    let shop = Shop::open().await;
    let sale = shop.creates(paid_with(APPROVED)).await.ok();
    assert_eq!(sale["capture_before"], Value::Null);
    let order = shop.creates(order_with(APPROVED)).await.ok();
    assert_eq!(order["capture_before"], Value::Null);
}

/// The processor decides a race: the capture is refused, or the cancel finds nothing to release.
#[tokio::test]
async fn a_capture_or_a_cancel_at_the_end_doubles_nothing() {
    let shop = Shop::open().await;
    let watched = authorized(&shop, "manual").await;
    let mut of_each = Vec::new();
    for _ in 0..4 {
        of_each.push(authorized(&shop, "manual").await);
    }
    let passes = shop.time_passes(HELD);
    let [first, second, third, fourth] = of_each.as_slice() else {
        panic!("four")
    };
    let (_, one, two, three, four) = tokio::join!(
        passes,
        async { shop.captures(first, json!({})).await },
        async { shop.cancels(second, json!({})).await },
        async { shop.captures(third, json!({})).await },
        async { shop.cancels(fourth, json!({})).await },
    );
    for answer in [one, two, three, four] {
        let is_expected = answer.status == 200
            || answer.is_refusal(400, "IR_14")
            || answer.is_refusal(400, "IR_16");
        assert!(is_expected, "{answer:?}");
    }
    becomes(&shop, &watched, "expired").await;
    for payment in &of_each {
        let ended = shop.asks_about(payment).await.ok();
        let status = ended["status"].as_str().expect("a status");
        let is_end = ["succeeded", "failed", "cancelled", "expired"].contains(&status);
        assert!(is_end, "{ended}");
        let news = event_types(&shop, payment).await;
        assert_eq!(news.len(), 2, "authorized, and one end: {news:?}");
    }
    let money = shop.money();
    assert_eq!(money.captured + money.released, 5 * 6540);
}

/// An unanswered sync ends nothing; the worker syncs again.
#[tokio::test]
async fn only_the_processors_word_ends_it() {
    let shop = Shop::open().await;
    let payment = authorized(&shop, "manual").await;
    shop.next_call_meets(Call::LookUp, Fault::FailsBefore(503));
    shop.next_call_meets(Call::LookUp, Fault::LosesAnswer);
    shop.time_passes(HELD).await;
    until_found("the processor is asked twice", async || {
        if shop.processor().script().waiting() == 0 {
            return Ok(());
        }
        let now = shop.retrieves(&payment).await.ok();
        assert_eq!(standing(&now), ("requires_capture", 6540, 0));
        shop.time_passes(5).await;
        Err(now)
    })
    .await;
    // The pauses between syncs grow to a day at most.
    shop.time_passes(86_400).await;
    becomes(&shop, &payment, "expired").await;
    assert_eq!(lapses(&shop), 1);
}

/// A scheduled capture after the expiry finds the payment expired; one before it succeeds.
#[tokio::test]
async fn a_scheduled_capture_comes_in_time_or_not_at_all() {
    let shop = Shop::open().await;
    let now = moment(&shop.time_passes(0).await["now"]);
    let mut payments = Vec::new();
    for seconds in [HELD - 600, HELD + 600] {
        let members = json!({
            "capture_method": "scheduled", "confirm": true, "capture_on": now + chrono::Duration::seconds(seconds),
        });
        let payment = shop.creates(with(order_with(APPROVED), members)).await.ok();
        payments.push(payment);
    }
    shop.time_passes(HELD - 600).await;
    becomes(&shop, &payments[0], "succeeded").await;
    shop.time_passes(600).await;
    becomes(&shop, &payments[1], "expired").await;
    shop.time_passes(600).await;
    let ended = shop.asks_about(&payments[1]).await.ok();
    assert_eq!(standing(&ended), ("expired", 0, 0));
    let captures = shop.processor().ledger().captures().expect("the books");
    assert_eq!(captures.len(), 1);
}

#[tokio::test]
async fn a_longer_time_is_asked_for_and_granted() {
    let shop = Shop::open().await;
    let wish = json!({
        "capture_method": "manual", "request_extended_authorization": true, "confirm": true,
    });
    let longer = shop.creates(with(order_with(APPROVED), wish)).await.ok();
    assert_eq!(longer["extended_authorization_applied"], true);
    let usual = authorized(&shop, "manual").await;
    assert_eq!(usual["extended_authorization_applied"], Value::Null);
    shop.time_passes(HELD).await;
    becomes(&shop, &usual, "expired").await;
    shop.time_passes((EXTENDED_HOLD_DAYS - HOLD_DAYS) * 86_400 - 60)
        .await;
    let still = shop.asks_about(&longer).await.ok();
    assert_eq!(standing(&still), ("requires_capture", 6540, 0));
    shop.time_passes(60).await;
    becomes(&shop, &longer, "expired").await;
    // A sale holds no authorization, so the wish has no effect.
    let wish = json!({ "request_extended_authorization": true });
    let sale = shop.creates(with(paid_with(APPROVED), wish)).await.ok();
    assert_eq!(sale["status"], "succeeded");
    assert_eq!(sale["extended_authorization_applied"], Value::Null);
}
