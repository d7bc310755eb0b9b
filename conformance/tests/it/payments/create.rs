//! `POST /payments`.

use multirail_conformance::Shop;
use multirail_conformance::bodies::{APPROVED, order, order_with, with};
use multirail_conformance::evidence::evidence;
use multirail_conformance::response::moment;
use serde_json::json;

use super::{attempt_status, standing};

#[tokio::test]
async fn without_an_instrument_it_waits_for_one() {
    let shop = Shop::open().await;
    let payment = shop.creates(order()).await.ok();
    assert_eq!(standing(&payment), ("requires_payment_method", 6540, 0));
    assert_eq!(payment["payment_method"], json!(null));
    assert_eq!(payment["attempt_count"], 1);
    assert_eq!(
        attempt_status(&shop, &payment).await,
        "payment_method_awaited"
    );
}

#[tokio::test]
async fn with_a_card_it_waits_for_confirm() {
    let shop = Shop::open().await;
    let payment = shop.creates(order_with(APPROVED)).await.ok();
    assert_eq!(standing(&payment), ("requires_confirmation", 6540, 0));
    assert_eq!(payment["connector"], json!(null), "nobody was asked yet");
    assert_eq!(
        attempt_status(&shop, &payment).await,
        "confirmation_awaited"
    );
    let card = &payment["payment_method_data"]["card"];
    let derived = [
        &card["last4"],
        &card["card_isin"],
        &card["card_extended_bin"],
        &card["card_network"],
    ];
    assert_eq!(derived, ["1111", "411111", "41111111", "Visa"]);
}

#[tokio::test]
async fn the_whole_object_of_a_fresh_order() {
    let shop = Shop::open().await;
    let payment = shop.creates(order()).await.ok();
    insta::assert_snapshot!(serde_json::to_string_pretty(&evidence(&payment)).expect("JSON"));
}

#[tokio::test]
async fn confirmed_at_once() {
    let shop = Shop::open().await;
    let payment = shop
        .creates(with(order_with(APPROVED), json!({ "confirm": true })))
        .await
        .ok();
    assert_eq!(standing(&payment), ("succeeded", 0, 6540));
    assert_eq!(payment["connector"], "fauxpay");
}

#[tokio::test]
async fn confirm_without_an_instrument_stores_nothing() {
    let shop = Shop::open().await;
    let body = with(order(), json!({ "confirm": true, "payment_id": "order_1" }));
    shop.creates(body).await.refused(422, "IR_06");
    let unborn = json!({ "payment_id": "order_1" });
    shop.retrieves(&unborn).await.refused(404, "HE_02");
}

#[tokio::test]
async fn the_merchant_may_choose_the_id_once() {
    let shop = Shop::open().await;
    let body = with(order(), json!({ "payment_id": "order_1" }));
    assert_eq!(
        shop.creates(body.clone()).await.ok()["payment_id"],
        "order_1"
    );
    shop.creates(body.clone()).await.refused(400, "HE_01");
    let other = shop.server.shop("flower_shop").await;
    assert_eq!(
        other.creates(body).await.ok()["payment_id"],
        "order_1",
        "ids are a merchant's own"
    );
}

#[tokio::test]
async fn a_word_of_the_paths_is_no_id() {
    let shop = Shop::open().await;
    let answer = shop
        .creates(with(order(), json!({ "payment_id": "list" })))
        .await;
    assert!((400..500).contains(&answer.status), "{answer:?}");
    assert!(
        answer.message().contains("payment_id"),
        "{}",
        answer.message()
    );
}

#[tokio::test]
async fn the_merchants_own_notes_come_back() {
    let shop = Shop::open().await;
    let notes = json!({
        "description": "Two books",
        "metadata": { "order": "B-17", "gift": true, "lines": [1, 2] },
        "merchant_order_reference_id": "B-17",
        "statement_descriptor_name": "BOOKS",
        "statement_descriptor_suffix": "B17",
        "email": "ada@example.com",
        "name": "Ada Okafor",
        "phone": "5550100",
        "off_session": false,
        "billing": { "address": { "city": "Lagos", "country": "NG", "first_name": "Ada" }, "email": "ada@example.com" },
        "shipping": { "address": { "line1": "1 Marina", "zip": "100221" }, "phone": { "number": "5550100", "country_code": "+234" } },
        "order_details": [{ "product_name": "Book", "quantity": 2, "amount": 3270 }],
        "connector_metadata": { "noon": { "order_category": "pay" } },
        "feature_metadata": { "search_tags": ["a"] },
        "frm_metadata": { "basket": 2 },
        "billing_descriptor": { "name": "Books" },
        "return_url": "https://shop.example/thanks",
        "allowed_payment_method_types": ["credit", "debit"],
    });
    let payment = shop.creates(with(order(), notes.clone())).await.ok();
    let stored = shop.retrieves(&payment).await.ok();
    for (name, wanted) in notes.as_object().expect("notes") {
        assert_has(&stored[name], wanted, name);
    }
    assert_eq!(
        stored["customer"]["email"], "ada@example.com",
        "what is known of a customer makes one"
    );
    assert_eq!(stored["customer"]["id"], json!(null));
}

/// Checks that the answer contains every member that was sent. Members that weren't sent may be null.
fn assert_has(is: &serde_json::Value, wanted: &serde_json::Value, place: &str) {
    match (is.as_object(), wanted.as_object()) {
        (Some(is), Some(wanted)) => {
            for (name, value) in wanted {
                assert_has(&is[name], value, &format!("{place}.{name}"));
            }
        }
        _ if is.is_array()
            && wanted
                .as_array()
                .is_some_and(|items| items.iter().all(|item| item.is_object())) =>
        {
            let wanted = wanted.as_array().expect("a list");
            for (index, value) in wanted.iter().enumerate() {
                assert_has(&is[index], value, &format!("{place}[{index}]"));
            }
        }
        _ => assert_eq!(is, wanted, "{place}"),
    }
}

#[tokio::test]
async fn a_customer_is_one_whichever_way_it_is_named() {
    let shop = Shop::open().await;
    let both = json!({
        "customer_id": "cus_ada",
        "customer": { "id": "cus_ada", "name": "Ada Okafor", "email": "ada@example.com" },
    });
    let payment = shop.creates(with(order(), both)).await.ok();
    assert_eq!(payment["customer_id"], "cus_ada");
    assert_eq!(payment["customer"]["name"], "Ada Okafor");
    assert_eq!(
        payment["email"], "ada@example.com",
        "members of the customer show beside it too"
    );
    let torn = json!({ "customer_id": "cus_ada", "customer": { "id": "cus_bo" } });
    shop.creates(with(order(), torn))
        .await
        .refused(400, "IR_16");
    shop.creates(with(
        order(),
        json!({ "setup_future_usage": "off_session" }),
    ))
    .await
    .refused(400, "IR_16");
}

#[tokio::test]
async fn the_total_has_its_parts() {
    let shop = Shop::open().await;
    let parts = json!({ "shipping_cost": 500, "order_tax_amount": 60 });
    let payment = shop.creates(with(order_with(APPROVED), parts)).await.ok();
    assert_eq!(
        (payment["amount"].as_i64(), payment["net_amount"].as_i64()),
        (Some(6540), Some(7100))
    );
    assert_eq!(payment["amount_capturable"], 7100);
    let paid = shop.confirms(&payment, json!({})).await.ok();
    assert_eq!(standing(&paid), ("succeeded", 0, 7100));
    assert_eq!(shop.money().captured, 7100);
}

#[tokio::test]
async fn amounts_that_make_no_sense() {
    let shop = Shop::open().await;
    let with_order = |more| shop.creates(with(order(), more));
    with_order(json!({ "amount": 1_000_000_000_000_i64 }))
        .await
        .refused(400, "IR_16");
    assert_eq!(
        with_order(json!({ "amount": 999_999_999_999_i64 }))
            .await
            .ok()["amount"],
        999_999_999_999_i64
    );
    with_order(json!({ "amount": -1 }))
        .await
        .refused(400, "IR_06");
    with_order(json!({ "amount_to_capture": 6541 }))
        .await
        .refused(422, "IR_05");
    let message = with_order(json!({ "amount_to_capture": 6000 })).await;
    let message = message.refused(400, "IR_16");
    assert!(message.contains("amount_to_capture"), "{message}");
    let equal = with_order(json!({ "amount_to_capture": 6540 })).await.ok();
    assert_eq!(equal["status"], "requires_payment_method");
}

#[tokio::test]
async fn the_session_has_an_end() {
    let shop = Shop::open().await;
    let usual = shop.creates(order()).await.ok();
    assert_eq!(
        seconds_between(&usual["created"], &usual["expires_on"]),
        900
    );
    let long = shop
        .creates(with(order(), json!({ "session_expiry": 3600 })))
        .await
        .ok();
    assert_eq!(seconds_between(&long["created"], &long["expires_on"]), 3600);
    shop.sets_up(json!({ "session_expiry": 120 })).await.ok();
    let short = shop.creates(order()).await.ok();
    assert_eq!(
        seconds_between(&short["created"], &short["expires_on"]),
        120
    );
    for seconds in [59, 7_890_001] {
        let refusal = shop
            .creates(with(order(), json!({ "session_expiry": seconds })))
            .await;
        assert!(refusal.refused(422, "IR_06").contains("session_expiry"));
    }
}

fn seconds_between(from: &serde_json::Value, to: &serde_json::Value) -> i64 {
    (moment(to) - moment(from)).num_seconds()
}

#[tokio::test]
async fn profiles_and_merchants_that_are_not_the_callers() {
    let shop = Shop::open().await;
    let other = shop.server.shop("flower_shop").await;
    let foreign = json!({ "profile_id": other.profile_id });
    shop.creates(with(order(), foreign))
        .await
        .refused(404, "HE_02");
    shop.creates(with(order(), json!({ "merchant_id": "flower_shop" })))
        .await
        .refused(404, "HE_02");
    let own = json!({ "profile_id": shop.profile_id, "merchant_id": "bookshop" });
    assert_eq!(
        shop.creates(with(order(), own)).await.ok()["profile_id"],
        json!(shop.profile_id)
    );
}

#[tokio::test]
async fn impossible_members_are_refused_and_never_ignored() {
    let shop = Shop::open().await;
    let split = json!({ "split_payments": { "stripe_split_payment": { "application_fees": 10 } } });
    shop.creates(with(order_with(APPROVED), split))
        .await
        .refused(400, "IR_20");
    let wallet = json!({
        "payment_method": "wallet",
        "payment_method_type": "amazon_pay",
        "payment_method_data": { "wallet": { "amazon_pay_redirect": {} } },
    });
    shop.creates(with(order(), wallet))
        .await
        .refused(400, "IR_19");
}
