//! Answers that arrive after nobody waits for them any more.

use std::time::Duration;

use multirail_conformance::bodies::{APPROVED, THREE_DS, order_with, with};
use multirail_conformance::patience::{until, until_found};
use multirail_conformance::{Browser, Shop};
use serde_json::{Value, json};

use super::{reason, shop_on, standing};
use crate::fault_proxy::{FaultProxy, NetworkFault};

#[tokio::test]
async fn an_answer_after_the_deadline_is_found_by_asking() {
    let proxy = FaultProxy::new().await;
    let shop = shop_on(&proxy).await;
    let payment = shop.creates(order_with(APPROVED)).await.ok();
    proxy.next(
        "POST /fauxpay/authorizations",
        // After the deadline, and before the worker's sync.
        NetworkFault::Late(Duration::from_millis(2_700)),
    );
    let unknown = shop.confirms(&payment, json!({})).await.ok();
    assert_eq!(standing(&unknown), ("processing", 0, 0));
    assert_eq!(reason(&unknown), "timeout");
    let captured = async || proxy.money().captured;
    until("it arrives", captured, |captured| *captured > 0).await;
    assert_eq!(
        standing(&shop.asks_about(&payment).await.ok()),
        ("succeeded", 0, 6540)
    );
    assert_eq!(proxy.money().captured, 6540);
}

/// The payer approves while the merchant cancels, with every fault of the void. In the end nothing is authorized or
/// captured.
#[tokio::test]
async fn an_approval_after_a_cancel_is_voided() {
    for capture_method in ["automatic", "manual"] {
        for network_fault in [
            NetworkFault::Swallowed,
            NetworkFault::AnswerReset,
            NetworkFault::Reset,
            NetworkFault::Instead(NetworkFault::answer(503, "")),
        ] {
            let proxy = FaultProxy::new().await;
            let shop = shop_on(&proxy).await;
            let more = json!({ "capture_method": capture_method, "confirm": true });
            let payment = shop.creates(with(order_with(THREE_DS), more)).await.ok();
            assert_eq!(payment["status"], "requires_customer_action");
            let page = payment["next_action"]["redirect_to_url"]
                .as_str()
                .expect("a page")
                .to_owned();
            let at_processor = Browser::new(&shop.wire).opens(&page).await.expect("a page");

            proxy.next("POST /fauxpay/voids", network_fault.clone());
            let cancelled = shop.cancels(&payment, json!({})).await.ok();
            assert_eq!(cancelled["status"], "cancelled");
            assert!(
                cancelled["error_code"].is_null(),
                "the payment has ended, whatever the void's answer: {cancelled}"
            );
            proxy.payer_approves(at_processor.url.path());

            let what = format!("{capture_method} {network_fault:?}");
            let end = nothing_stays_taken(&shop, &proxy, &payment, 7_200).await;
            assert_eq!(standing(&end), ("cancelled", 0, 0), "{what}");
        }
    }
}

/// The request was still in flight when the processor had no trace of it, so the merchant was told that the payment
/// failed. When it arrives and is approved, the server finds and voids it, and the merchant's answer stays true.
#[tokio::test]
async fn a_request_that_arrives_after_it_never_happened_is_undone() {
    for capture_method in ["automatic", "manual"] {
        let proxy = FaultProxy::new().await;
        let shop = shop_on(&proxy).await;
        let more = json!({ "capture_method": capture_method });
        let payment = shop.creates(with(order_with(APPROVED), more)).await.ok();
        let delay = Duration::from_secs(5);
        proxy.next("POST /fauxpay/authorizations", NetworkFault::Late(delay));
        let unknown = shop.confirms(&payment, json!({})).await.ok();
        assert_eq!(reason(&unknown), "timeout");
        let told = shop.asks_about(&payment).await.ok();
        assert_eq!(standing(&told), ("failed", 0, 0));
        assert_eq!(proxy.money().authorized, 0, "it is still on its way");

        let authorized = async || proxy.money().authorized;
        until("it arrives", authorized, |authorized| *authorized > 0).await;
        let end = nothing_stays_taken(&shop, &proxy, &payment, 60).await;
        assert_eq!(standing(&end), ("failed", 0, 0), "{capture_method}");
    }
}

/// Waits until nothing is open at the processor and everything is released, while time passes in steps of this many
/// seconds. The server learns of the processor's books a moment later.
async fn nothing_stays_taken(shop: &Shop, proxy: &FaultProxy, payment: &Value, step: i64) -> Value {
    until_found("nothing stays taken", async || {
        shop.time_passes(step).await;
        tokio::time::sleep(Duration::from_millis(100)).await;
        let money = proxy.money();
        let open = shop.operator("unresolved_operations_list").await.ok();
        let now = shop.retrieves(payment).await.ok();
        let is_over = open == json!([]) && now["amount_received"] == 0;
        if is_over && money.authorized == money.released + money.reversed {
            return Ok(now);
        }
        Err(format!("{money:?}, {open}, {now}"))
    })
    .await
}
