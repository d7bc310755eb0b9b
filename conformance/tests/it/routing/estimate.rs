//! Estimates: the newest payments of a profile, under a configuration that isn't active yet.

use multirail_conformance::bodies::{APPROVED, DECLINED, order, paid_with, with};
use multirail_conformance::{Call, Shop};
use serde_json::{Value, json};

use super::{algorithm, compares, creates, id, routes_by, rules, shop_with_three, single};
use crate::users::Person;

fn estimates(shop: &Shop, body: Value) -> Call {
    shop.call("routing_estimate").json(&body)
}

async fn pays(shop: &Shop, card: &str, more: Value) {
    shop.creates(with(paid_with(card), more)).await.ok();
}

/// Returns an account in each line: its first choices, and its attempts with their results.
fn accounts(estimate: &Value) -> Vec<String> {
    let accounts = estimate["connectors"].as_array().expect("accounts").iter();
    let told = accounts.map(|one| {
        format!(
            "{}: {} first, {} used, {} approved, {} declined, rate {}",
            one["connector"].as_str().expect("a name"),
            one["first_choice"],
            one["used"],
            one["approved"],
            one["declined"],
            one["approval_rate_basis_points"],
        )
    });
    told.collect()
}

#[tokio::test]
async fn the_merchant_sees_what_would_move_before_they_activate() {
    let shop = shop_with_three().await;
    for currency in ["EUR", "EUR", "USD"] {
        pays(&shop, APPROVED, json!({ "currency": currency })).await;
    }
    pays(&shop, DECLINED, json!({ "currency": "USD" })).await;
    shop.creates(order()).await.ok();
    let condition = json!([compares("currency", "equal", "enum_variant", json!("EUR"))]);
    let euros_to_adyen = rules(condition, "adyen_test", "fauxpay");
    let estimate = estimates(&shop, json!({ "algorithm": euros_to_adyen.clone() }));
    let estimate = estimate.await.ok();
    assert_eq!(estimate["profile_id"], json!(shop.profile_id));
    assert_eq!(
        (&estimate["sample_size"], &estimate["not_counted"]),
        (&json!(4), &json!(1)),
        "{estimate}"
    );
    assert_eq!(
        (&estimate["moved"], &estimate["without_account"]),
        (&json!(2), &json!(0))
    );
    assert_eq!(
        accounts(&estimate),
        [
            "fauxpay: 2 first, 4 used, 3 approved, 1 declined, rate 7500",
            "adyen_test: 2 first, 0 used, 0 approved, 0 declined, rate null",
        ]
    );
    // A stored configuration has the same effect, and nothing is changed by the question.
    let stored = creates(&shop, euros_to_adyen).await.ok();
    let by_stored = estimates(&shop, json!({ "routing_id": id(&stored) }));
    assert_eq!(by_stored.await.ok(), estimate);
    let active = shop.call("routing_active").await.ok();
    assert_eq!(active["records"], json!([]));
    // Without a configuration, payments go where they went.
    let none = estimates(&shop, json!({})).await.ok();
    assert_eq!(none["moved"], json!(0));
    // The active configuration is evaluated if the question names none.
    routes_by(&shop, single("stripe_test")).await;
    let active = estimates(&shop, json!({})).await.ok();
    assert_eq!(active["moved"], json!(4));
}

#[tokio::test]
async fn the_newest_payments_are_the_sample() {
    let shop = shop_with_three().await;
    let none = estimates(&shop, json!({})).await.ok();
    assert_eq!(none["sample_size"], json!(0));
    assert_eq!(none.get("oldest_created_at"), None);
    assert_eq!(none["connectors"], json!([]));
    pays(&shop, DECLINED, json!({})).await;
    shop.time_passes(1).await;
    pays(&shop, APPROVED, json!({})).await;
    let newest = estimates(&shop, json!({ "payment_limit": 1 })).await.ok();
    assert_eq!(
        accounts(&newest),
        ["fauxpay: 1 first, 1 used, 1 approved, 0 declined, rate 10000"]
    );
    let all = estimates(&shop, json!({ "payment_limit": 500 })).await.ok();
    assert_eq!(all["sample_size"], json!(2));
    assert!(
        all["oldest_created_at"].as_str() < newest["oldest_created_at"].as_str(),
        "{all}"
    );
    // Payments of other profiles don't count.
    let second = &shop.second_profile().await;
    let other = estimates(&shop, json!({ "profile_id": second }));
    assert_eq!(other.await.ok()["sample_size"], json!(0));
    let narrowed = estimates(&shop, json!({})).header("X-Profile-Id", second);
    assert_eq!(narrowed.await.ok()["sample_size"], json!(0));
}

#[tokio::test]
async fn payments_that_no_account_could_take_any_more_are_counted() {
    let shop = Shop::open().await;
    pays(&shop, APPROVED, json!({})).await;
    let euros = json!([{ "payment_method": "card", "accepted_currencies": {
        "type": "enable_only", "list": ["EUR"],
    } }]);
    let account = shop.reconnects(json!({ "payment_methods_enabled": euros }));
    account.await.ok();
    let estimate = estimates(&shop, json!({})).await.ok();
    assert_eq!(
        (&estimate["moved"], &estimate["without_account"]),
        (&json!(0), &json!(1))
    );
    assert_eq!(
        accounts(&estimate),
        ["fauxpay: 0 first, 1 used, 1 approved, 0 declined, rate 10000"]
    );
}

/// A payment's own wish decides before every configuration.
#[tokio::test]
async fn payments_that_name_their_account_do_not_move() {
    let shop = shop_with_three().await;
    pays(&shop, APPROVED, json!({ "routing": single("stripe_test") })).await;
    let elsewhere = estimates(&shop, json!({ "algorithm": single("adyen_test") }));
    let estimate = elsewhere.await.ok();
    assert_eq!(
        (&estimate["sample_size"], &estimate["moved"]),
        (&json!(1), &json!(0))
    );
}

#[tokio::test]
async fn a_split_moves_about_its_share() {
    let shop = shop_with_three().await;
    // Each payment is drawn on its own. All of them go to one account by chance in one of 500 million runs.
    const PAYMENTS: i64 = 30;
    for _ in 0..PAYMENTS {
        pays(&shop, APPROVED, json!({})).await;
    }
    let all_to_one = algorithm(
        "volume_split",
        json!([
            { "connector": { "connector": "adyen_test" }, "split": 100 },
            { "connector": { "connector": "stripe_test" }, "split": 0 },
        ]),
    );
    let estimate = estimates(&shop, json!({ "algorithm": all_to_one }))
        .await
        .ok();
    assert_eq!(estimate["moved"], json!(PAYMENTS));
    let halves = algorithm(
        "volume_split",
        json!([
            { "connector": { "connector": "adyen_test" }, "split": 1 },
            { "connector": { "connector": "stripe_test" }, "split": 1 },
        ]),
    );
    let estimate = estimates(&shop, json!({ "algorithm": halves })).await.ok();
    let first = |connector: &str| {
        let mut accounts = estimate["connectors"].as_array().expect("accounts").iter();
        let account = accounts.find(|one| one["connector"] == connector);
        account.map_or(0, |one| one["first_choice"].as_i64().expect("a number"))
    };
    let (adyen, stripe) = (first("adyen_test"), first("stripe_test"));
    assert_eq!(
        adyen + stripe,
        PAYMENTS,
        "each payment has one first choice"
    );
    assert!(adyen > 0 && stripe > 0, "{adyen} and {stripe}");
}

#[tokio::test]
async fn every_role_may_ask_and_wrong_questions_are_refused() {
    let shop = Shop::open().await;
    pays(&shop, APPROVED, json!({})).await;
    let viewer = Person::invited(&shop.server, "viewer", "merchant_view_only", "bookshop").await;
    let seen = viewer.call("routing_estimate").json(&json!({}));
    assert_eq!(seen.await.ok()["sample_size"], json!(1));
    let elsewhere = Shop::open().await;
    let of_another = creates(&elsewhere, single("fauxpay")).await.ok();
    let table = [
        (json!({ "payment_limit": 0 }), 400, "IR_06"),
        (json!({ "payment_limit": 501 }), 400, "IR_06"),
        (json!({ "routing_id": id(&of_another) }), 404, "HE_02"),
        (
            json!({ "routing_id": id(&of_another), "algorithm": single("fauxpay") }),
            400,
            "IR_16",
        ),
        (json!({ "algorithm": single("paypal_test") }), 422, "IR_06"),
        (
            json!({ "algorithm": { "type": "single", "data": {} } }),
            400,
            "IR_04",
        ),
        (
            json!({ "profile_id": elsewhere.profile_id.clone() }),
            404,
            "HE_02",
        ),
    ];
    for (body, status, code) in table {
        estimates(&shop, body).await.refused(status, code);
    }
}
