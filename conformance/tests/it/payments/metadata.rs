//! `POST /payments/{payment_id}/update_metadata`.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, DECLINED, order, order_with, paid_with, with};
use serde_json::json;

use super::{authorized, events_of, standing};

#[tokio::test]
async fn a_paid_orders_metadata_is_replaced_as_a_whole() {
    let shop = Shop::open().await;
    let notes = json!({ "metadata": { "order": 17, "gift": true }, "description": "Two books" });
    let paid = shop.creates(with(paid_with(APPROVED), notes)).await.ok();
    let told = events_of(&shop, &paid).await;
    let answer = shop
        .updates_metadata(&paid, json!({ "order": 17, "shipped_with": null }))
        .await
        .ok();
    assert_eq!(
        answer,
        json!({
            "payment_id": paid["payment_id"],
            "metadata": { "order": 17, "shipped_with": null },
        })
    );
    let stored = shop.retrieves(&paid).await.ok();
    assert_eq!(stored["metadata"], answer["metadata"]);
    assert_eq!(stored["description"], "Two books");
    assert_eq!(standing(&stored), ("succeeded", 0, 6540));
    assert_eq!(events_of(&shop, &paid).await, told, "nothing is announced");
}

#[tokio::test]
async fn from_the_authorization_on_and_not_before_or_after_the_end() {
    let shop = Shop::open().await;
    let notes = || json!({ "shelf": 4 });
    let unpaid = shop.creates(order()).await.ok();
    let ready = shop.creates(order_with(APPROVED)).await.ok();
    let held = authorized(&shop, "manual").await;
    let declined = shop.creates(paid_with(DECLINED)).await.ok();
    for early in [&unpaid, &ready] {
        shop.updates_metadata(early, notes())
            .await
            .refused(400, "IR_16");
    }
    for sent in [&held, &declined] {
        let answer = shop.updates_metadata(sent, notes()).await.ok();
        assert_eq!(answer["metadata"], notes());
    }
    shop.cancels(&held, json!({})).await.ok();
    shop.updates_metadata(&held, notes())
        .await
        .refused(400, "IR_16");
}

#[tokio::test]
async fn needs_the_object_itself() {
    let shop = Shop::open().await;
    let held = authorized(&shop, "manual").await;
    let call = |body| shop.updates_metadata(&held, json!({})).json(&body);
    let missing = call(json!({})).await.refused(400, "IR_04");
    assert!(missing.contains("metadata"), "{missing}");
    let null = call(json!({ "metadata": null }))
        .await
        .refused(400, "IR_04");
    assert!(null.contains("metadata"), "{null}");
    call(json!({ "metadata": "shelf 4" }))
        .await
        .refused(400, "IR_06");
    let many: serde_json::Map<_, _> = (0..51).map(|n| (format!("n{n}"), json!(n))).collect();
    let answer = call(json!({ "metadata": many })).await;
    assert!((400..500).contains(&answer.status), "{}", answer.body);
    let stranger = shop.server.shop("stranger").await;
    stranger
        .updates_metadata(&held, json!({}))
        .await
        .refused(404, "HE_02");
}
