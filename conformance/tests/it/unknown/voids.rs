use multirail_conformance::bodies::{THREE_DS, order_with, with};
use multirail_conformance::{Browser, Shop};
use serde_json::{Value, json};

use super::{approved, network_faults, reason, shop_on, standing};
use crate::fault_proxy::{FaultProxy, NetworkFault};

#[tokio::test]
async fn while_a_void_is_unknown_nothing_can_be_captured() {
    let proxy = FaultProxy::new().await;
    let shop = shop_on(&proxy).await;
    let mut released = 0;
    for (network_fault, why, is_done) in network_faults() {
        let payment = approved(&shop, "manual").await;
        proxy.next("POST /fauxpay/voids", network_fault.clone());
        let unknown = shop
            .cancels(&payment, json!({ "cancellation_reason": "sold out" }))
            .await
            .ok();
        assert_eq!(
            standing(&unknown),
            ("processing", 0, 0),
            "{network_fault:?}"
        );
        assert_eq!(reason(&unknown), why, "{network_fault:?}");
        shop.captures(&payment, json!({}))
            .await
            .refused(400, "IR_14");
        shop.cancels(&payment, json!({}))
            .await
            .refused(400, "IR_16");

        let known = shop.asks_about(&payment).await.ok();
        if is_done {
            released += 6540;
            assert_eq!(standing(&known), ("cancelled", 0, 0), "{network_fault:?}");
            assert_eq!(known["cancellation_reason"], "sold out");
            assert!(known["error_code"].is_null(), "{known}");
        } else {
            // The cancel had no effect, and can be repeated.
            assert_eq!(
                standing(&known),
                ("requires_capture", 6540, 0),
                "{network_fault:?}"
            );
            assert_eq!(known["error_code"], "not_processed");
            released += 6540;
            assert_eq!(
                standing(&shop.cancels(&payment, json!({})).await.ok()),
                ("cancelled", 0, 0)
            );
        }
    }
    assert_eq!(proxy.money().released, released);
}

/// Cancels a payment while its payer is at the processor's page; the void meets this fault.
async fn cancelled_under_way(
    shop: &Shop,
    proxy: &FaultProxy,
    network_fault: NetworkFault,
) -> (Value, String) {
    let at_once = json!({ "confirm": true });
    let payment = shop.creates(with(order_with(THREE_DS), at_once)).await.ok();
    let page = payment["next_action"]["redirect_to_url"]
        .as_str()
        .expect("a page")
        .to_owned();
    let at_processor = Browser::new(&shop.wire).opens(&page).await.expect("a page");
    proxy.next("POST /fauxpay/voids", network_fault);
    let cancelled = shop.cancels(&payment, json!({})).await.ok();
    assert_eq!(cancelled["status"], "cancelled");
    (payment, at_processor.url.path().to_owned())
}

/// Returns operation and progress of each listed operation.
async fn listed(shop: &Shop) -> Vec<(String, String)> {
    let list = shop.operator("unresolved_operations_list").await.ok();
    let text = |value: &Value| value.as_str().expect("a word").to_owned();
    let all = list.as_array().expect("a list").iter();
    all.map(|one| (text(&one["operation"]), text(&one["progress"])))
        .collect()
}

#[tokio::test]
async fn the_unknown_void_of_a_cancelled_payment_is_asked_about_at_once() {
    let proxy = FaultProxy::new().await;
    let shop = shop_on(&proxy).await;
    let (payment, _) = cancelled_under_way(&shop, &proxy, NetworkFault::AnswerReset).await;
    let word = |word: &str| word.to_owned();
    assert!(
        listed(&shop)
            .await
            .contains(&(word("void"), word("unknown")))
    );
    shop.asks_about(&payment).await.ok();
    assert_eq!(listed(&shop).await, []);
    assert_eq!(
        standing(&shop.retrieves(&payment).await.ok()).0,
        "cancelled"
    );
}

/// An operation that is sent again is listed like one that is synced.
#[tokio::test]
async fn a_void_that_never_happened_is_listed_while_an_approval_stands() {
    let proxy = FaultProxy::new().await;
    let shop = shop_on(&proxy).await;
    let (payment, page) = cancelled_under_way(&shop, &proxy, NetworkFault::Reset).await;
    shop.asks_about(&payment).await.ok();
    let open = [
        ("void", "never_happened"),
        ("authorize", "awaiting_customer"),
    ];
    assert_eq!(
        listed(&shop).await,
        open.map(|(a, b)| (a.to_owned(), b.to_owned()))
    );
    proxy.payer_approves(&page);
    shop.asks_about(&payment).await.ok();
    assert_eq!(listed(&shop).await, []);
    let money = proxy.money();
    assert_eq!(money.authorized, money.released + money.reversed);
}
