//! The same key with a different request is refused, and the refusal names the member that differs.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, DECLINED, card, order, order_with, with, without};
use multirail_conformance::shop::id;
use serde_json::json;

use super::{again, under};
use crate::payment_methods::ephemeral_keys::{by, key_for};
use crate::payment_methods::{known, method_id, saves};
use crate::payments::authorized;

#[tokio::test]
async fn the_member_that_differs_is_named() {
    let shop = Shop::open().await;
    let body = with(
        order_with(APPROVED),
        json!({ "confirm": true, "metadata": { "order": "7" } }),
    );
    let first = under("k", shop.creates(body.clone())).await;
    let number = "payment_method_data.card.card_number";
    let cases = [
        (json!({ "amount": 6541 }), "amount"),
        (json!({ "currency": "EUR" }), "currency"),
        (json!({ "confirm": false }), "confirm"),
        (json!({ "metadata": { "order": "8" } }), "metadata.order"),
        (json!({ "description": "more" }), "description"),
        (
            json!({ "payment_method_data": { "card": { "card_number": "4242424242424242" } } }),
            number,
        ),
        (
            json!({ "payment_method_data": { "card": { "card_exp_year": "2036" } } }),
            "payment_method_data.card.card_exp_year",
        ),
    ];
    for (change, member) in cases {
        let message = under("k", shop.creates(with(body.clone(), change)))
            .await
            .refused(422, "MR_01");
        assert!(
            message.contains(&format!(" {member} ")),
            "{member}: {message}"
        );
    }
    let less = without(body.clone(), "metadata");
    let message = under("k", shop.creates(less)).await.refused(422, "MR_01");
    assert!(message.contains("metadata.order"), "{message}");
    again(&first, "k", shop.creates(body)).await;
    assert_eq!(shop.money().authorized, 6540, "refusals do nothing");
    assert_eq!(shop.call("payments_list").await.ok()["size"], 1);
}

/// Nothing that is stored may be derived from a card's code, so codes can't be compared.
#[tokio::test]
async fn the_code_of_a_card_makes_no_difference() {
    let shop = Shop::open().await;
    let body = with(order_with(APPROVED), json!({ "confirm": true }));
    let first = under("k", shop.creates(body.clone())).await;
    let code = json!({ "payment_method_data": { "card": { "card_cvc": "999" } } });
    again(&first, "k", shop.creates(with(body, code))).await;
}

#[tokio::test]
async fn different_spellings_are_the_same_request() {
    let shop = Shop::open().await;
    let first = under(
        "k",
        shop.creates(json!({ "amount": 6540, "currency": "USD" })),
    )
    .await;
    let turned = json!({ "currency": "USD", "description": null, "amount": 6540 });
    again(&first, "k", shop.creates(turned)).await;
    let spaced = shop.call("payments_create").text(
        "application/json",
        "{ \"currency\": \"USD\",\n\"amount\": 6540 }",
    );
    again(&first, "k", spaced).await;
    let payment = authorized(&shop, "manual").await;
    let first = under("k", shop.captures(&payment, json!({}))).await;
    let bare = shop.call("payments_capture").at("payment_id", id(&payment));
    again(&first, "k", bare).await;
}

#[tokio::test]
async fn another_payment_in_the_path_is_another_request() {
    let shop = Shop::open().await;
    let (one, other) = (
        shop.creates(order()).await.ok(),
        shop.creates(order()).await.ok(),
    );
    under("k", shop.confirms(&one, card(APPROVED))).await.ok();
    let message = under("k", shop.confirms(&other, card(APPROVED)))
        .await
        .refused(422, "MR_01");
    assert!(message.contains("payment_id"), "{message}");
    assert_eq!(
        shop.retrieves(&other).await.ok()["status"],
        "requires_payment_method"
    );
}

/// `X-Profile-Id` is a part of the request, because it decides what is created and visible.
#[tokio::test]
async fn another_profile_is_another_request() {
    let shop = Shop::open().await;
    let second = shop
        .call("business_profiles_create")
        .json(&json!({ "profile_name": "second" }))
        .await
        .ok();
    let second = second["profile_id"].as_str().expect("an id");
    let payment = under(
        "k",
        shop.creates(order())
            .header("x-profile-id", &shop.profile_id),
    )
    .await
    .ok();
    assert_eq!(payment["profile_id"], json!(shop.profile_id));
    let elsewhere = under("k", shop.creates(order()).header("x-profile-id", second)).await;
    let message = elsewhere.refused(422, "MR_01");
    assert!(message.contains("X-Profile-Id"), "{message}");
    under("k", shop.creates(order()))
        .await
        .refused(422, "MR_01");
}

/// The same holds for a customer's app.
#[tokio::test]
async fn another_profile_is_another_request_of_a_customers_app() {
    let shop = Shop::open().await;
    known(&shop, "ada").await;
    saves(&shop, "ada", APPROVED).await.ok();
    let saved = saves(&shop, "ada", DECLINED).await.ok();
    let key = key_for(&shop, "ada").await;
    let default = || {
        let call = shop.call("payment_methods_set_default");
        let call = call.at("customer_id", "ada");
        let call = call.at("payment_method_id", method_id(&saved));
        by(call, &key)
    };
    let within = |profile: &str| under("k", default().header("X-Profile-Id", profile));
    let first = within(&shop.profile_id).await;
    assert_eq!(first.status, 200);
    let second = shop.second_profile().await;
    let message = within(&second).await.refused(422, "MR_01");
    assert!(message.contains("X-Profile-Id"), "{message}");
    again(
        &first,
        "k",
        default().header("X-Profile-Id", &shop.profile_id),
    )
    .await;
}
