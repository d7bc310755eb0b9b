//! The active configuration. (Facts 7.10, 10.5)

use multirail_conformance::Shop;
use serde_json::{Value, json};

use super::{creates, deactivates, goes_to, id, on, routes_by, shop_with_three, single};

async fn active(shop: &Shop) -> Value {
    let of = shop.call("routing_active");
    of.query("profile_id", &shop.profile_id).await.ok()
}

#[tokio::test]
async fn one_at_a_time() {
    let shop = shop_with_three().await;
    assert_eq!(
        active(&shop).await,
        json!({ "algorithm": null, "records": [] })
    );
    let first = creates(&shop, single("stripe_test")).await.ok();
    assert_eq!(
        goes_to(&shop, json!({})).await,
        "fauxpay",
        "stored is not active"
    );
    assert_eq!(on(&shop, "routing_activate", &first).await.ok(), first);
    assert_eq!(goes_to(&shop, json!({})).await, "stripe_test");
    let decides = active(&shop).await;
    assert_eq!(decides["algorithm"]["algorithm"], single("stripe_test"));
    assert_eq!(decides["records"], json!([first]));
    on(&shop, "routing_activate", &first)
        .await
        .refused(400, "IR_16");
    let second = routes_by(&shop, single("adyen_test")).await;
    assert_eq!(active(&shop).await["records"], json!([second]));
    assert_eq!(goes_to(&shop, json!({})).await, "adyen_test");
    assert_eq!(
        shop.call("routing_active").await.ok()["records"],
        json!([second])
    );
    assert_eq!(deactivates(&shop).await.ok(), second);
    deactivates(&shop).await.refused(400, "IR_16");
    assert_eq!(goes_to(&shop, json!({})).await, "fauxpay");
    on(&shop, "routing_activate", &first).await.ok();
    assert_eq!(active(&shop).await["algorithm"]["id"], id(&first));
}

#[tokio::test]
async fn for_what_it_is() {
    let shop = shop_with_three().await;
    let made = creates(&shop, single("stripe_test")).await.ok();
    let activates = |of: &str| {
        let body = json!({ "transaction_type": of });
        on(&shop, "routing_activate", &made).json(&body)
    };
    activates("payout").await.refused(400, "IR_16");
    activates("payment").await.ok();
    let unknown = shop
        .call("routing_activate")
        .at("routing_id", "routing_unknown");
    unknown.await.refused(404, "HE_02");
    let elsewhere = json!({ "profile_id": "pro_elsewhere" });
    let elsewhere = shop.call("routing_deactivate").json(&elsewhere);
    elsewhere.await.refused(404, "HE_02");
}

#[tokio::test]
async fn two_at_once_leave_one() {
    let shop = shop_with_three().await;
    let one = creates(&shop, single("stripe_test")).await.ok();
    let other = creates(&shop, single("adyen_test")).await.ok();
    let (first, second) = tokio::join!(
        on(&shop, "routing_activate", &one),
        on(&shop, "routing_activate", &other)
    );
    assert_eq!((first.status, second.status), (200, 200));
    let decides = active(&shop).await;
    let records = decides["records"].as_array().expect("records");
    assert_eq!(records.len(), 1);
    let connector = &decides["algorithm"]["algorithm"]["data"]["connector"];
    assert_eq!(goes_to(&shop, json!({})).await, *connector);
}

#[tokio::test]
async fn settings_of_the_profile_leave_it_active() {
    let shop = shop_with_three().await;
    let made = routes_by(&shop, single("adyen_test")).await;
    shop.sets_up(json!({ "session_expiry": 3600 })).await.ok();
    assert_eq!(active(&shop).await["records"], json!([made]));
}
