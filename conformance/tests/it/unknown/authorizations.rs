use std::net::TcpListener;

use multirail_conformance::bodies::{APPROVED, order_with};
use multirail_conformance::{Shop, TestServer};
use multirail_server::config::Setting;
use serde_json::{Value, json};

use super::{network_faults, reason, shop_on, standing};
use crate::fault_proxy::{FaultProxy, NetworkFault};

#[tokio::test]
async fn after_any_network_fault_the_payment_is_processing_with_a_reason() {
    let proxy = FaultProxy::new().await;
    let shop = shop_on(&proxy).await;
    let mut done = 0;
    for (network_fault, why, is_done) in network_faults() {
        let payment = shop.creates(order_with(APPROVED)).await.ok();
        proxy.next("POST /fauxpay/authorizations", network_fault.clone());
        let unknown = shop.confirms(&payment, json!({})).await.ok();
        assert_eq!(
            standing(&unknown),
            ("processing", 0, 0),
            "{network_fault:?}"
        );
        assert_eq!(reason(&unknown), why, "{network_fault:?}");
        says_so_in_its_attempt(&shop, &unknown, why).await;
        shop.confirms(&payment, json!({}))
            .await
            .refused(400, "IR_16");
        shop.cancels(&payment, json!({}))
            .await
            .refused(400, "IR_16");

        let known = shop.asks_about(&payment).await.ok();
        if is_done {
            done += 1;
            assert_eq!(
                standing(&known),
                ("succeeded", 0, 6540),
                "{network_fault:?}"
            );
            assert!(
                known["error_code"].is_null() && known["error_details"].is_null(),
                "{known}"
            );
        } else {
            assert_eq!(standing(&known), ("failed", 0, 0), "{network_fault:?}");
            assert_eq!(known["error_code"], "not_processed");
        }
    }
    assert_eq!(proxy.money().captured, done * 6540);
}

async fn says_so_in_its_attempt(shop: &Shop, payment: &Value, why: &str) {
    let payment = shop
        .retrieves(payment)
        .query("expand_attempts", true)
        .await
        .ok();
    assert_eq!(reason(&payment["attempts"][0]), why);
}

#[tokio::test]
async fn a_processor_that_takes_no_connection_was_never_asked() {
    let nobody = {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        format!("http://{}", listener.local_addr().expect("bound"))
    };
    let server = TestServer::start_with(|inputs| inputs.with(Setting::SimulatorUrl, nobody));
    let shop = server.await.shop("bookshop").await;
    let payment = shop.creates(order_with(APPROVED)).await.ok();
    let failed = shop.confirms(&payment, json!({})).await.ok();
    assert_eq!(standing(&failed), ("failed", 0, 0));
    assert_eq!(failed["error_code"], "not_processed");
}

#[tokio::test]
async fn a_look_up_that_fails_changes_nothing() {
    let proxy = FaultProxy::new().await;
    let shop = shop_on(&proxy).await;
    let payment = shop.creates(order_with(APPROVED)).await.ok();
    proxy.next("POST /fauxpay/authorizations", NetworkFault::AnswerReset);
    let unknown = shop.confirms(&payment, json!({})).await.ok();
    for (network_fault, _, _) in network_faults() {
        proxy.next("GET /fauxpay/authorizations", network_fault);
        let still = shop.asks_about(&payment).await.ok();
        // The worker's sync may have come first and met the fault.
        if still["status"] == "succeeded" {
            assert!(still["error_code"].is_null(), "{still}");
            continue;
        }
        assert_eq!(
            reason(&still),
            "connection_lost",
            "why the look-up failed is another question"
        );
        assert_eq!(still["modified_at"], unknown["modified_at"]);
    }
    proxy.is_clear();
    assert_eq!(
        standing(&shop.asks_about(&payment).await.ok()),
        ("succeeded", 0, 6540)
    );
}
