use serde_json::json;

use super::road::Road;
use super::{approved, mishaps, reason, shop_on, standing};

#[tokio::test]
async fn while_a_void_is_unknown_nothing_can_be_captured() {
    let road = Road::new().await;
    let shop = shop_on(&road).await;
    let mut released = 0;
    for (mishap, why, is_done) in mishaps() {
        let payment = approved(&shop, "manual").await;
        road.next("POST /fauxpay/voids", mishap.clone());
        let unknown = shop
            .cancels(&payment, json!({ "cancellation_reason": "sold out" }))
            .await
            .ok();
        assert_eq!(standing(&unknown), ("processing", 0, 0), "{mishap:?}");
        assert_eq!(reason(&unknown), why, "{mishap:?}");
        shop.captures(&payment, json!({}))
            .await
            .refused(400, "IR_14");
        shop.cancels(&payment, json!({}))
            .await
            .refused(400, "IR_16");

        let known = shop.asks_about(&payment).await.ok();
        if is_done {
            released += 6540;
            assert_eq!(standing(&known), ("cancelled", 0, 0), "{mishap:?}");
            assert_eq!(known["cancellation_reason"], "sold out");
            assert!(known["error_code"].is_null(), "{known}");
        } else {
            // The cancel came to nothing, and can be asked for again.
            assert_eq!(
                standing(&known),
                ("requires_capture", 6540, 0),
                "{mishap:?}"
            );
            assert_eq!(known["error_code"], "not_processed");
            released += 6540;
            assert_eq!(
                standing(&shop.cancels(&payment, json!({})).await.ok()),
                ("cancelled", 0, 0)
            );
        }
    }
    assert_eq!(road.money().released, released);
}
