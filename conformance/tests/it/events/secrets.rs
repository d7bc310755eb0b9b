//! The secrets that sign webhooks, and their rotation.

use multirail_conformance::bodies::APPROVED;
use multirail_conformance::receiver::Delivery;
use multirail_conformance::{Call, Receiver, Shop};
use serde_json::{Value, json};

use super::{paid, profile, secrets, subscribed_shop, verified};

fn rotation(shop: &Shop) -> Call {
    let call = shop.call("business_profiles_rotate_webhook_secret");
    call.at("profile_id", &shop.profile_id)
}

/// Makes a payment and returns its webhook, the `number`th that arrives.
async fn next_webhook(shop: &Shop, receiver: &Receiver, number: usize) -> Delivery {
    paid(shop, APPROVED, json!({})).await;
    receiver.has(number).await.remove(number - 1)
}

#[tokio::test]
async fn a_secret_is_changed_without_a_gap() {
    let receiver = Receiver::open().await;
    let shop = subscribed_shop(&receiver).await;
    let before = profile(&shop).await;
    let [old] = &secrets(&before)[..] else {
        panic!("{before}");
    };
    assert!(old.starts_with("whsec_") && old.len() == 50, "{old}");
    assert!(before["webhook_secrets"][0]["expires"].is_null());
    verified(old, &next_webhook(&shop, &receiver, 1).await).expect("the only secret");

    let body = json!({ "previous_valid_for_seconds": 3600 });
    let rotated = rotation(&shop).json(&body).await.ok();
    let both = secrets(&rotated);
    assert_eq!((both.len(), &both[1]), (2, old), "newest first");
    assert!(rotated["webhook_secrets"][0]["expires"].is_null());
    assert!(rotated["webhook_secrets"][1]["expires"].is_string());
    assert_eq!(secrets(&profile(&shop).await), both);
    let between = next_webhook(&shop, &receiver, 2).await;
    for secret in &both {
        verified(secret, &between).expect("both sign");
    }

    shop.time_passes(3601).await;
    assert_eq!(secrets(&profile(&shop).await), both[..1]);
    let after = next_webhook(&shop, &receiver, 3).await;
    verified(&both[0], &after).expect("the new secret");
    verified(old, &after).expect_err("the old one has ended");
}

#[tokio::test]
async fn the_previous_secret_expires() {
    let shop = Shop::open().await;
    let count = |profile: &Value| secrets(profile).len();
    let rotate =
        |seconds: i64| rotation(&shop).json(&json!({ "previous_valid_for_seconds": seconds }));
    assert_eq!(count(&rotate(0).await.ok()), 1, "not at all");
    assert_eq!(count(&rotation(&shop).await.ok()), 2, "a day");
    assert_eq!(count(&rotate(60).await.ok()), 2, "never more than two");
    shop.time_passes(61).await;
    assert_eq!(count(&profile(&shop).await), 1);
    rotation(&shop).await.ok();
    shop.time_passes(86_340).await;
    assert_eq!(count(&profile(&shop).await), 2);
    shop.time_passes(61).await;
    assert_eq!(count(&profile(&shop).await), 1);
    for seconds in [-1, 2_592_001] {
        let message = rotate(seconds).await.refused(422, "IR_06");
        assert!(message.contains("previous_valid_for_seconds"), "{message}");
    }
    rotate(2_592_000).await.ok();
    let unknown = rotation(&shop);
    unknown.key(shop.admin_key()).await.ok();
    let stranger = shop.call("business_profiles_rotate_webhook_secret");
    stranger
        .at("profile_id", "pro_unborn")
        .await
        .refused(404, "HE_02");
}

#[tokio::test]
async fn each_profile_has_its_own() {
    let shop = Shop::open().await;
    let second = shop.call("business_profiles_create");
    let second = second.json(&json!({ "profile_name": "second" })).await.ok();
    assert_ne!(secrets(&second), secrets(&profile(&shop).await));
    rotation(&shop).await.ok();
    let call = shop.call("business_profiles_retrieve");
    let id = second["profile_id"].as_str().expect("an id");
    assert_eq!(
        secrets(&call.at("profile_id", id).await.ok()),
        secrets(&second)
    );
}
