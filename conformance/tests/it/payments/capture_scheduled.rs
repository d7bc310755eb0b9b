//! `capture_method` `scheduled` with `capture_on`: a worker captures at that time.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, HELD, order_with, with};
use multirail_conformance::patience::{until, until_found};
use multirail_simulator::processor::CaptureRecord;
use multirail_simulator::scripted::{Call, Fault};
use serde_json::{Value, json};

use super::{becomes, events_of, standing};

/// The sandbox's clock starts at the machine's time, so this is in its future.
const LATER: &str = "2099-01-01T00:00:00.000Z";

fn captures(shop: &Shop) -> Vec<CaptureRecord> {
    shop.processor().ledger().captures().expect("the books")
}

/// Confirms a payment with this card, with a capture scheduled in ten minutes.
async fn confirmed(shop: &Shop, card: &str, more: Value) -> Value {
    let now = shop.time_passes(0).await;
    let now = now["now"].as_str().expect("a moment");
    let now = chrono::DateTime::parse_from_rfc3339(now).expect("a moment");
    let members = json!({
        "capture_method": "scheduled", "confirm": true, "capture_on": now + chrono::Duration::seconds(600),
    });
    let order = with(order_with(card), members);
    shop.creates(with(order, more)).await.ok()
}

/// Authorizes a payment whose capture is scheduled in ten minutes.
pub async fn in_ten_minutes(shop: &Shop, more: Value) -> Value {
    let payment = confirmed(shop, APPROVED, more).await;
    assert_eq!(payment["status"], "requires_capture");
    payment
}

#[tokio::test]
async fn at_its_time_and_not_before() {
    let shop = Shop::open().await;
    let payment = in_ten_minutes(&shop, json!({})).await;
    shop.time_passes(590).await;
    let early = shop.asks_about(&payment).await.ok();
    assert_eq!(standing(&early), ("requires_capture", 6540, 0));
    assert_eq!(captures(&shop), []);
    let open = shop.operator("unresolved_operations_list").await.ok();
    assert_eq!(open, json!([]), "nobody waits for a processor");
    shop.time_passes(20).await;
    let paid = becomes(&shop, &payment, "succeeded").await;
    assert_eq!(standing(&paid), ("succeeded", 0, 6540));
    assert_eq!(paid["capture_on"], payment["capture_on"]);
    assert_eq!(captures(&shop).len(), 1);
    let told: Vec<_> = events_of(&shop, &payment).await;
    let told: Vec<_> = told.iter().map(|(event, _)| event.as_str()).collect();
    assert_eq!(told, ["payment_authorized", "payment_succeeded"]);
}

#[tokio::test]
async fn a_scheduled_capture_takes_the_wished_amount() {
    let shop = Shop::open().await;
    let payment = in_ten_minutes(&shop, json!({ "amount_to_capture": 4000 })).await;
    shop.time_passes(601).await;
    let paid = becomes(&shop, &payment, "partially_captured").await;
    assert_eq!(standing(&paid), ("partially_captured", 0, 4000));
    assert_eq!(shop.money().released, 2540);
}

/// The scheduled capture takes the authorized amount, although the processor allows more.
#[tokio::test]
async fn a_scheduled_capture_takes_the_authorized_amount_where_more_is_allowed() {
    let shop = Shop::open().await;
    let payment = in_ten_minutes(&shop, json!({ "enable_overcapture": true })).await;
    assert_eq!(payment["is_overcapture_enabled"], true);
    shop.time_passes(601).await;
    let paid = becomes(&shop, &payment, "succeeded").await;
    assert_eq!(standing(&paid), ("succeeded", 0, 6540));
    assert_eq!(shop.money().captured, 6540);
}

#[tokio::test]
async fn a_cancel_or_a_capture_comes_before_it() {
    let shop = Shop::open().await;
    let cancelled = in_ten_minutes(&shop, json!({})).await;
    let captured = in_ten_minutes(&shop, json!({})).await;
    let watched = in_ten_minutes(&shop, json!({})).await;
    shop.cancels(&cancelled, json!({})).await.ok();
    let part = json!({ "amount_to_capture": 4000 });
    shop.captures(&captured, part).await.ok();
    shop.time_passes(601).await;
    becomes(&shop, &watched, "succeeded").await;
    let cancelled = shop.asks_about(&cancelled).await.ok();
    assert_eq!(standing(&cancelled), ("cancelled", 0, 0));
    let captured = shop.asks_about(&captured).await.ok();
    assert_eq!(standing(&captured), ("partially_captured", 0, 4000));
    let amounts: Vec<_> = captures(&shop).iter().map(|one| one.amount).collect();
    assert_eq!(amounts, [4000, 6540]);
}

/// The money is captured once, even if the worker's call or its answer is lost.
#[tokio::test]
async fn lost_messages_do_not_repeat_the_capture() {
    let shop = Shop::open().await;
    for fault in [
        Fault::LosesAnswer,
        Fault::LosesRequest,
        Fault::FailsBefore(503),
        Fault::Throttles,
    ] {
        let before = captures(&shop).len();
        let payment = in_ten_minutes(&shop, json!({})).await;
        shop.next_call_meets(Call::Capture, fault.clone());
        shop.time_passes(601).await;
        until_found(format!("it is captured after {fault:?}"), async || {
            let now = shop.retrieves(&payment).await.ok();
            if now["status"] == "succeeded" {
                return Ok(());
            }
            shop.time_passes(60).await;
            Err(now)
        })
        .await;
        assert_eq!(captures(&shop).len(), before + 1, "{fault:?}");
        assert_eq!(shop.processor().script().waiting(), 0);
    }
    assert_eq!(shop.money().captured, 4 * 6540);
}

#[tokio::test]
async fn a_declined_one_is_announced_and_left_to_the_merchant() {
    let shop = Shop::open().await;
    let payment = in_ten_minutes(&shop, json!({})).await;
    let refusal = Fault::Declines {
        code: "DC_08".to_owned(),
        message: "no".to_owned(),
    };
    shop.next_call_meets(Call::Capture, refusal);
    shop.time_passes(601).await;
    let refused = until(
        "its capture is refused",
        async || shop.retrieves(&payment).await.ok(),
        |now| now["error_code"] == "DC_08",
    );
    assert_eq!(standing(&refused.await), ("requires_capture", 6540, 0));
    shop.time_passes(3600).await;
    let asked = shop.asks_about(&payment).await.ok();
    assert_eq!(standing(&asked), ("requires_capture", 6540, 0));
    assert_eq!(captures(&shop).len(), 1);
    let told: Vec<_> = events_of(&shop, &payment).await;
    let told: Vec<_> = told.iter().map(|(event, _)| event.as_str()).collect();
    assert_eq!(told, ["payment_authorized", "action_required"]);
    shop.captures(&payment, json!({})).await.ok();
    assert_eq!(shop.money().captured, 6540);
}

#[tokio::test]
async fn the_time_can_be_changed_until_the_confirm() {
    let shop = Shop::open().await;
    let order = json!({ "capture_method": "scheduled", "capture_on": LATER });
    let payment = shop.creates(with(order_with(APPROVED), order)).await.ok();
    assert_eq!(payment["capture_on"], LATER);
    let past = json!({ "capture_on": "2020-01-01T00:00:00.000Z" });
    shop.updates(&payment, past.clone()).await.ok();
    shop.confirms(&payment, json!({})).await.ok();
    shop.updates(&payment, past).await.refused(400, "IR_16");
    let paid = becomes(&shop, &payment, "succeeded").await;
    assert_eq!(paid["capture_on"], "2020-01-01T00:00:00.000Z");
}

#[tokio::test]
async fn a_held_payment_is_not_captured_before_its_approval() {
    let shop = Shop::open().await;
    let payment = confirmed(&shop, HELD, json!({})).await;
    assert_eq!(payment["status"], "requires_merchant_action");
    shop.time_passes(700).await;
    let late = shop.asks_about(&payment).await.ok();
    assert_eq!(standing(&late), ("requires_merchant_action", 0, 0));
    assert_eq!(captures(&shop), []);
    shop.approves(&payment).await.ok();
    let paid = becomes(&shop, &payment, "succeeded").await;
    assert_eq!(standing(&paid), ("succeeded", 0, 6540));
    assert_eq!(captures(&shop).len(), 1);
}
