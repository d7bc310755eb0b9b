//! The payer's browser confirms its own subscription and reads the catalogue. (Facts 6.2, 6.4, 7.11)

use multirail_conformance::bodies::{APPROVED, with};
use multirail_conformance::{Call, Response, Shop};
use serde_json::{Value, json};

use super::{call, id, now, offers, on, pays_with, subscribed, wanted};

/// Creates a subscription that waits for its confirm.
async fn made(shop: &Shop) -> Value {
    let made = call(shop, "subscriptions_create").json(&wanted("reader_monthly"));
    made.await.ok()
}

fn secret(subscription: &Value) -> &str {
    subscription["client_secret"].as_str().expect("a secret")
}

/// Builds a call of the payer's browser for the shop's profile.
fn browser(shop: &Shop, operation: &str) -> Call {
    let call = shop.server.wire.call(operation).key(&shop.publishable_key);
    call.header("X-Profile-Id", &shop.profile_id)
}

fn confirms(shop: &Shop, subscription: &Value, more: Value) -> Call {
    let body = with(json!({ "payment_details": pays_with(APPROVED) }), more);
    let call = browser(shop, "subscriptions_confirm");
    call.at("subscription_id", id(subscription)).json(&body)
}

/// Returns the read calls that a browser may make.
fn asks(shop: &Shop, secret: Option<&str>) -> [Call; 2] {
    let items = browser(shop, "subscription_items_list").query("item_type", "plan");
    let estimate = browser(shop, "subscription_estimate").query("item_price_id", "reader_monthly");
    [items, estimate].map(|call| match secret {
        Some(secret) => call.query("client_secret", secret),
        None => call,
    })
}

#[tokio::test]
async fn the_payer_confirms_his_subscription() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let made = made(&shop).await;
    let [items, estimate] = asks(&shop, Some(secret(&made)));
    assert_eq!(items.await.ok().as_array().map(Vec::len), Some(2));
    let estimate = estimate.await.ok();
    assert_eq!(
        (&estimate["amount"], &estimate["customer_id"]),
        (&json!(990), &json!("ada"))
    );
    let mine = json!({ "client_secret": secret(&made) });
    let confirm = || confirms(&shop, &made, mine.clone()).header("Idempotency-Key", "once");
    let active = confirm().await.ok();
    assert_eq!(active["status"], "active");
    assert_eq!(confirm().await.ok(), active, "done once");
    confirms(&shop, &made, mine).await.refused(409, "IR_16");
    assert_eq!(shop.money().captured, 990);
    // With the merchant's key the estimate has no customer.
    let by_merchant = call(&shop, "subscription_estimate").query("item_price_id", "reader_monthly");
    assert!(by_merchant.await.ok()["customer_id"].is_null());
}

#[tokio::test]
async fn a_payer_confirms_only_their_own_subscription() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let (mine, other) = (made(&shop).await, made(&shop).await);
    let with_secret = |secret: &str| json!({ "client_secret": secret });
    let missing = confirms(&shop, &mine, json!({})).await;
    let said = missing.refused(400, "IR_04");
    assert!(said.contains("client_secret"), "{said}");
    let of_payment = mine["payment"]["client_secret"].as_str().expect("a secret");
    for wrong in [secret(&other), of_payment, "sub_none_secret_x", "nothing"] {
        confirms(&shop, &mine, with_secret(wrong))
            .await
            .refused(400, "IR_09");
    }
    for secret in [of_payment, "sub_none_secret_x", "nothing"] {
        for call in asks(&shop, Some(secret)) {
            call.await.refused(400, "IR_09");
        }
    }
    for call in asks(&shop, None) {
        call.await.refused(400, "IR_04");
    }
    let unknown = json!({ "id": "sub_none" });
    confirms(&shop, &unknown, with_secret(secret(&mine)))
        .await
        .refused(400, "IR_09");
    // Another merchant's key, or a profile that isn't the subscription's.
    let florist = shop.server.shop_without_connector("florist").await;
    let body = with(
        json!({ "payment_details": pays_with(APPROVED) }),
        with_secret(secret(&mine)),
    );
    let stranger = shop.server.wire.call("subscriptions_confirm");
    let stranger = stranger
        .key(&florist.publishable_key)
        .at("subscription_id", id(&mine))
        .header("X-Profile-Id", &florist.profile_id);
    stranger.json(&body).await.refused(400, "IR_09");
    let second = json!({ "profile_name": "second" });
    let second = shop.call("business_profiles_create").json(&second).await;
    let second = second.ok()["profile_id"].clone();
    let bare = || {
        let call = shop.server.wire.call("subscriptions_confirm").json(&body);
        call.key(&shop.publishable_key)
            .at("subscription_id", id(&mine))
    };
    let elsewhere = bare().header("X-Profile-Id", second.as_str().expect("an id"));
    elsewhere.await.refused(404, "IR_37");
    let nowhere = bare().header("X-Profile-Id", "pro_none");
    nowhere.await.refused(404, "HE_02");
    let said = bare().await.refused(400, "IR_04");
    assert!(said.starts_with("X-Profile-Id"), "{said}");
    assert_eq!(now(&shop, &mine).await["status"], "created");
    assert_eq!(shop.money().captured, 0);
}

/// The secret doesn't open operations that aren't for payers' browsers.
#[tokio::test]
async fn a_browser_reaches_nothing_else() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let active = subscribed(&shop, "reader_monthly").await;
    for operation in ["retrieve", "cancel", "pause", "resume", "update"] {
        let operation = format!("subscriptions_{operation}");
        let call = browser(&shop, &operation).at("subscription_id", id(&active));
        let call = match operation.as_str() {
            "subscriptions_retrieve" => call,
            _ => call.json(&json!({})),
        };
        call.await.refused(401, "IR_01");
    }
}

#[tokio::test]
async fn the_secret_is_good_for_a_quarter_of_an_hour() {
    let shop = Shop::open().await;
    offers(&shop).await;
    let made = made(&shop).await;
    shop.time_passes(880).await;
    let [items, _] = asks(&shop, Some(secret(&made)));
    items.await.ok();
    shop.time_passes(30).await;
    let lapsed = |answer: Response| answer.refused(400, "IR_08");
    let mine = json!({ "client_secret": secret(&made) });
    assert_eq!(
        lapsed(confirms(&shop, &made, mine).await),
        "the client_secret of this subscription has expired"
    );
    for call in asks(&shop, Some(secret(&made))) {
        lapsed(call.await);
    }
    // The merchant's server can still confirm it.
    let by_merchant = on(&shop, "subscriptions_confirm", &made);
    let by_merchant = by_merchant.json(&json!({ "payment_details": pays_with(APPROVED) }));
    assert_eq!(by_merchant.await.ok()["status"], "active");
    for secret_key in [true, false] {
        let call = call(&shop, "subscription_items_list").query("item_type", "plan");
        if secret_key {
            let call = call.query("client_secret", secret(&made));
            call.await.refused(422, "IR_06");
        } else {
            call.await.ok();
        }
    }
}
