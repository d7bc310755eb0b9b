//! Answers that come after everybody has stopped waiting for them.

use std::time::Duration;

use multirail_conformance::Browser;
use multirail_conformance::bodies::{APPROVED, THREE_DS, order_with, with};
use serde_json::json;

use super::road::{Mishap, Road};
use super::{reason, shop_on, standing};

#[tokio::test]
async fn an_answer_after_the_deadline_is_found_by_asking() {
    let road = Road::new().await;
    let shop = shop_on(&road).await;
    let payment = shop.creates(order_with(APPROVED)).await.ok();
    road.next(
        "POST /fauxpay/authorizations",
        Mishap::Late(Duration::from_millis(700)),
    );
    let unknown = shop.confirms(&payment, json!({})).await.ok();
    assert_eq!(standing(&unknown), ("processing", 0, 0));
    assert_eq!(reason(&unknown), "timeout");
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(
        standing(&shop.asks_about(&payment).await.ok()),
        ("succeeded", 0, 6540)
    );
    assert_eq!(road.money().captured, 6540);
}

/// The payer approves at the page while the merchant cancels, and whatever happens to the void on its way: in the end
/// nothing is reserved and nothing taken.
#[tokio::test]
async fn an_approval_after_a_cancel_is_voided() {
    for capture_method in ["automatic", "manual"] {
        for mishap in [
            Mishap::Swallowed,
            Mishap::AnswerReset,
            Mishap::Reset,
            Mishap::Instead(Mishap::answer(503, "")),
        ] {
            let road = Road::new().await;
            let shop = shop_on(&road).await;
            let more = json!({ "capture_method": capture_method, "confirm": true });
            let payment = shop.creates(with(order_with(THREE_DS), more)).await.ok();
            assert_eq!(payment["status"], "requires_customer_action");
            let page = payment["next_action"]["redirect_to_url"]
                .as_str()
                .expect("a page")
                .to_owned();
            let at_processor = Browser::new(&shop.wire).opens(&page).await.expect("a page");

            road.next("POST /fauxpay/voids", mishap.clone());
            let cancelled = shop.cancels(&payment, json!({})).await.ok();
            assert_eq!(cancelled["status"], "cancelled");
            assert!(
                cancelled["error_code"].is_null(),
                "the payment has ended, whatever the void's answer: {cancelled}"
            );
            road.payer_approves(at_processor.url.path());

            for _ in 0..4 {
                shop.time_passes(86_400).await;
                tokio::time::sleep(Duration::from_millis(1_200)).await;
            }
            let end = shop.retrieves(&payment).await.ok();
            assert_eq!(
                standing(&end),
                ("cancelled", 0, 0),
                "{capture_method} {mishap:?}"
            );
            let money = road.money();
            assert_eq!(
                money.authorized,
                money.released + money.reversed,
                "{capture_method} {mishap:?} {money:?}"
            );
        }
    }
}
