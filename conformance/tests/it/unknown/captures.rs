use serde_json::json;

use super::{approved, network_faults, reason, shop_on, standing};
use crate::fault_proxy::{FaultProxy, NetworkFault};

#[tokio::test]
async fn a_single_capture_is_exclusive_until_it_is_known() {
    let proxy = FaultProxy::new().await;
    let shop = shop_on(&proxy).await;
    let mut taken = 0;
    for (network_fault, why, is_done) in network_faults() {
        let payment = approved(&shop, "manual").await;
        proxy.next("POST /fauxpay/captures", network_fault.clone());
        let unknown = shop.captures(&payment, json!({})).await.ok();
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
            taken += 6540;
            assert_eq!(
                standing(&known),
                ("succeeded", 0, 6540),
                "{network_fault:?}"
            );
            assert!(known["error_code"].is_null(), "{known}");
        } else {
            assert_eq!(
                standing(&known),
                ("requires_capture", 6540, 0),
                "{network_fault:?}"
            );
            assert_eq!(known["error_code"], "not_processed");
        }
    }
    assert_eq!(proxy.money().captured, taken);
}

#[tokio::test]
async fn the_amount_of_an_unknown_capture_is_not_captured_twice() {
    for (network_fault, end) in [
        (NetworkFault::AnswerReset, ("succeeded", 0, 6540)),
        (
            NetworkFault::Reset,
            ("partially_captured_and_capturable", 4000, 2540),
        ),
    ] {
        let proxy = FaultProxy::new().await;
        let shop = shop_on(&proxy).await;
        let payment = approved(&shop, "manual_multiple").await;
        proxy.next("POST /fauxpay/captures", network_fault);
        let unknown = shop
            .captures(&payment, json!({ "amount_to_capture": 4000 }))
            .await
            .ok();
        assert_eq!(
            standing(&unknown),
            ("processing", 2540, 0),
            "4000 are reserved"
        );
        assert_eq!(reason(&unknown), "connection_lost");
        let capture = &unknown["captures"][0];
        assert_eq!(
            (&capture["status"], &capture["error_code"]),
            (&json!("pending"), &json!("outcome_unknown"))
        );
        assert_eq!(capture["error_reason"], "connection_lost");
        let too_much = json!({ "amount_to_capture": 2541 });
        shop.captures(&payment, too_much)
            .await
            .refused(422, "IR_06");
        let rest = shop
            .captures(&payment, json!({ "amount_to_capture": 2540 }))
            .await
            .ok();
        assert_eq!(rest["amount_received"], 2540);
        assert_eq!(standing(&shop.asks_about(&payment).await.ok()), end);
        assert_eq!(proxy.money().captured, end.2);
    }
}
