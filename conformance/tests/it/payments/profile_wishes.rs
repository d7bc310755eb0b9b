//! A profile's defaults for payments that don't set them: longer and larger authorizations, challenges, addresses.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, order_with, with};
use multirail_simulator::processor::{EXTENDED_HOLD_DAYS, HOLD_DAYS, OVERCAPTURE_PERCENT};
use serde_json::{Value, json};

use super::standing;

const MOST: i64 = 6540 + 6540 * OVERCAPTURE_PERCENT / 100;

async fn wishing_shop() -> Shop {
    let shop = Shop::open().await;
    let wishes =
        json!({ "always_request_extended_authorization": true, "always_enable_overcapture": true });
    let profile = shop.sets_up(wishes).await.ok();
    assert_eq!(profile["always_request_extended_authorization"], true);
    assert_eq!(profile["always_enable_overcapture"], true);
    shop
}

async fn pays(shop: &Shop, more: Value) -> Value {
    let order = with(order_with(APPROVED), json!({ "confirm": true }));
    shop.creates(with(order, more)).await.ok()
}

/// Returns the days between the approval and the end of the authorization.
fn days(payment: &Value) -> i64 {
    let moment = |member: &str| {
        let text = payment[member].as_str().expect("a moment");
        chrono::DateTime::parse_from_rfc3339(text).expect("a moment")
    };
    (moment("capture_before") - moment("created")).num_days()
}

/// Returns the payment's four members about this: asked for and granted, twice.
fn wishes_and_grants(payment: &Value) -> [&Value; 4] {
    [
        "request_extended_authorization",
        "extended_authorization_applied",
        "enable_overcapture",
        "is_overcapture_enabled",
    ]
    .map(|member| &payment[member])
}

#[tokio::test]
async fn authorizations_hold_longer_and_allow_larger_captures() {
    let shop = wishing_shop().await;
    let payment = pays(&shop, json!({ "capture_method": "manual" })).await;
    assert_eq!(wishes_and_grants(&payment), [&json!(true); 4]);
    assert_eq!(days(&payment), EXTENDED_HOLD_DAYS);
    let more = json!({ "amount_to_capture": MOST });
    let paid = shop.captures(&payment, more).await.ok();
    assert_eq!(standing(&paid), ("succeeded", 0, MOST));
    assert_eq!(shop.money().captured, MOST);
}

#[tokio::test]
async fn a_payment_that_says_no_is_heard() {
    let shop = wishing_shop().await;
    let no = json!({
        "capture_method": "manual", "request_extended_authorization": false, "enable_overcapture": false,
    });
    let payment = pays(&shop, no).await;
    let nothing = [&json!(false), &Value::Null, &json!(false), &json!(false)];
    assert_eq!(wishes_and_grants(&payment), nothing);
    assert_eq!(days(&payment), HOLD_DAYS);
    let more = json!({ "amount_to_capture": 6541 });
    shop.captures(&payment, more).await.refused(422, "IR_06");
}

#[tokio::test]
async fn nothing_is_asked_of_what_is_taken_at_once_nor_of_several_captures() {
    let shop = wishing_shop().await;
    let sale = pays(&shop, json!({})).await;
    assert_eq!(standing(&sale), ("succeeded", 0, 6540));
    assert_eq!(wishes_and_grants(&sale), [&Value::Null; 4]);
    let several = pays(&shop, json!({ "capture_method": "manual_multiple" })).await;
    assert_eq!(
        wishes_and_grants(&several),
        [&json!(true), &json!(true), &Value::Null, &Value::Null]
    );
}

/// The profile's settings at the confirm count.
#[tokio::test]
async fn a_wish_counts_from_the_confirm_on() {
    let shop = Shop::open().await;
    let manual = json!({ "capture_method": "manual" });
    let earlier = shop
        .creates(with(order_with(APPROVED), manual.clone()))
        .await
        .ok();
    let reserved = pays(&shop, manual).await;
    shop.sets_up(json!({ "always_enable_overcapture": true }))
        .await
        .ok();
    let earlier = shop.confirms(&earlier, json!({})).await.ok();
    assert_eq!(earlier["is_overcapture_enabled"], true);
    let reserved = shop.retrieves(&reserved).await.ok();
    assert_eq!(reserved["is_overcapture_enabled"], Value::Null);
}

/// Returns the details of the newest authorization at the processor.
fn details(shop: &Shop) -> Value {
    let all = shop.processor().ledger().authorizations();
    let all = json!(all.expect("the books can be read"));
    let all = all.as_array().expect("a list");
    all.last().expect("an authorization")["details"].clone()
}

#[tokio::test]
async fn a_challenge_is_asked_for_with_every_authentication() {
    let shop = Shop::open().await;
    let forced = async |more: Value| {
        pays(&shop, more).await;
        details(&shop)["authentication"]["force_challenge"].clone()
    };
    let three_ds = || json!({ "authentication_type": "three_ds" });
    assert_eq!(forced(three_ds()).await, Value::Null);
    let wish = json!({ "force_3ds_challenge": true });
    shop.sets_up(wish).await.ok();
    assert_eq!(forced(three_ds()).await, true);
    let no = with(three_ds(), json!({ "force_3ds_challenge": false }));
    assert_eq!(forced(no).await, false, "the payment says so itself");
    let without = json!({ "authentication_type": "no_three_ds" });
    assert_eq!(forced(without).await, Value::Null, "nobody authenticates");
}

#[tokio::test]
async fn a_billing_address_of_the_payment_may_stay_its_own() {
    let shop = Shop::open().await;
    let city = async |more: Value| {
        let billing = json!({ "billing": { "address": { "city": "Delft" } } });
        pays(&shop, with(billing, more)).await;
        details(&shop)["payer"]["billing"]["address"]["city"].clone()
    };
    assert_eq!(city(json!({})).await, "Delft");
    let apart = json!({ "use_billing_as_payment_method_billing": false });
    shop.sets_up(apart).await.ok();
    assert_eq!(city(json!({})).await, Value::Null);
    let own = json!({ "payment_method_data": { "billing": { "address": { "city": "Leiden" } } } });
    assert_eq!(city(own).await, "Leiden");
}

/// A checkout may send only what it had to ask for.
#[tokio::test]
async fn an_address_of_the_instrument_is_completed_by_the_payments() {
    let shop = Shop::open().await;
    let billing = json!({ "billing": {
        "address": { "first_name": "Ada", "last_name": "Okafor", "city": "Delft", "zip": "2611", "country": "NL" },
        "phone": { "number": "152123456", "country_code": "+31" },
    } });
    let given = json!({ "payment_method_data": { "billing": {
        "email": "ada@example.com", "address": { "city": "Leiden" }, "phone": { "number": "+44 20 7946 0000" },
    } } });
    let both = with(billing.clone(), given.clone());
    let payment = pays(&shop, both.clone()).await;
    let sent = &details(&shop)["payer"]["billing"];
    assert_eq!(sent["email"], "ada@example.com");
    for (member, value) in [
        ("first_name", "Ada"),
        ("last_name", "Okafor"),
        ("city", "Leiden"),
        ("zip", "2611"),
        ("country", "NL"),
    ] {
        assert_eq!(sent["address"][member], value, "{sent}");
    }
    assert_ne!(sent["phone"]["country_code"], "+31", "{sent}");
    // The payment keeps both as they were sent.
    for path in ["/billing", "/payment_method_data/billing"] {
        let (kept, sent) = (payment.pointer(path), both.pointer(path));
        let (kept, sent) = (kept.expect("an address"), sent.expect("an address"));
        assert_eq!(kept["address"]["city"], sent["address"]["city"], "{path}");
        assert_eq!(kept["email"], sent["email"], "{path}");
    }

    let apart = json!({ "use_billing_as_payment_method_billing": false });
    shop.sets_up(apart).await.ok();
    pays(&shop, both).await;
    let alone = &details(&shop)["payer"]["billing"]["address"];
    assert_eq!(alone["city"], "Leiden");
    assert_eq!(alone["first_name"], Value::Null, "{alone}");
}

#[tokio::test]
async fn the_merchants_category_code_is_sent() {
    let shop = Shop::open().await;
    pays(&shop, json!({})).await;
    assert_eq!(details(&shop)["category_code"], Value::Null);
    let trade = json!({ "merchant_category_code": "5942" });
    shop.sets_up(trade).await.ok();
    pays(&shop, json!({})).await;
    assert_eq!(details(&shop)["category_code"], "5942");
}
