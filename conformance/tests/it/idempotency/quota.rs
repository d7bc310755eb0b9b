//! Answers are stored, so every caller has a quota of keys.

use multirail_conformance::Shop;
use multirail_conformance::bodies::order;
use serde_json::json;

use super::under;

#[tokio::test]
async fn a_client_secret_has_a_hundred_answers() {
    let shop = Shop::open().await;
    let payment = shop.creates(order()).await.ok();
    let payer = shop.payer_of(&payment);
    let updates = |number: usize| {
        let body = json!({ "email": format!("{number}@example.com") });
        under(&format!("key-{number}"), payer.updates(body))
    };
    for number in 0..100 {
        updates(number).await.ok();
    }
    let refused = updates(100).await;
    assert!(refused.header("retry-after").is_some());
    let message = refused.refused(429, "MR_03");
    assert!(message.contains("Idempotency-Key"), "{message}");
    // Stored answers are still replayed, calls without a key work, and other callers have their own quotas.
    updates(7).await.ok();
    payer
        .updates(json!({ "email": "ada@example.com" }))
        .await
        .ok();
    let other = shop.creates(order()).await.ok();
    let update = shop
        .payer_of(&other)
        .updates(json!({ "email": "ada@example.com" }));
    under("key-1", update).await.ok();
    let own = shop.updates(&payment, json!({ "amount": 100 }));
    under("key-1", own).await.ok();
}
