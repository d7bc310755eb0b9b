//! Automatic retries at the next account after a decline, if the profile allows them.

use multirail_conformance::bodies::{APPROVED, DECLINED, THREE_DS, card, order_with, with};
use multirail_conformance::{Browser, Shop};
use multirail_simulator::scripted::{Call, Fault};
use serde_json::{Value, json};

use super::standing;
use crate::error_mappings::{about, asks};

/// Declined by `fauxpay` without a reason, approved by `stripe_test`.
const ELSEWHERE: &str = "4000000000009995";
/// Declined as lost; the scheme forbids any retry.
const LOST: &str = "4000000000009987";
/// Declined without 3-D Secure.
const TO_BE_AUTHENTICATED: &str = "4000000000000663";

/// Opens a shop with three processors and this many retries; `fauxpay` comes first.
async fn shop_that_goes_on(at_most: i64) -> Shop {
    let shop = Shop::open().await;
    shop.connects("stripe_test", json!({})).await.ok();
    shop.connects("adyen_test", json!({})).await.ok();
    let profile = shop.sets_up(json!({
        "is_auto_retries_enabled": true, "max_auto_retries_enabled": at_most,
    }));
    let profile = profile.await.ok();
    assert_eq!(profile["max_auto_retries_enabled"], at_most);
    shop
}

fn confirmed(number: &str) -> Value {
    with(order_with(number), json!({ "confirm": true }))
}

/// Returns connector, status and code of every attempt.
async fn attempts(shop: &Shop, payment: &Value) -> Vec<String> {
    let shown = shop
        .retrieves(payment)
        .query("expand_attempts", true)
        .await
        .ok();
    let attempts = shown["attempts"].as_array().expect("attempts").iter();
    let words = |attempt: &Value, name: &str| attempt[name].as_str().unwrap_or("-").to_owned();
    attempts
        .map(|one| {
            ["connector", "status", "error_code"]
                .map(|name| words(one, name))
                .join(" ")
        })
        .collect()
}

async fn events(shop: &Shop, payment: &Value) -> Vec<String> {
    let body = json!({ "object_id": payment["payment_id"] });
    let list = shop
        .server
        .operator("events_list")
        .at("merchant_id", &shop.merchant_id);
    let list = list.json(&body).await.ok();
    let events = list["events"].as_array().expect("events").iter();
    events
        .map(|event| event["event_type"].as_str().expect("a type").to_owned())
        .collect()
}

/// Opens the processor's page as the payer and presses a button there.
async fn decides(shop: &Shop, payment: &Value, button: &str) {
    let browser = Browser::new(&shop.wire);
    let start = payment["next_action"]["redirect_to_url"].as_str();
    let page = browser
        .opens(start.expect("a page"))
        .await
        .expect("the page");
    browser.presses(&page, button).await.expect("the way back");
}

#[tokio::test]
async fn through_the_next_account_where_the_mapping_says_so() {
    let shop = shop_that_goes_on(2).await;
    let failed = shop.creates(confirmed(ELSEWHERE)).await.ok();
    assert_eq!(failed["attempt_count"], 1, "nothing is known of the code");
    let said = json!({
        "status": "failure", "decision": "retry", "step_up_possible": false, "clear_pan_possible": false,
    });
    let words = "Payment declined: Internal Server Error from Connector, Please try again later";
    asks(
        &shop,
        "gsm_create",
        with(about("fauxpay", "DC_08", words), said),
    )
    .await
    .ok();
    let paid = shop.creates(confirmed(ELSEWHERE)).await.ok();
    assert_eq!(standing(&paid), ("succeeded", 0, 6540));
    assert_eq!(
        (&paid["attempt_count"], &paid["connector"]),
        (&json!(2), &json!("stripe_test"))
    );
    assert_eq!(paid["error_code"], json!(null));
    assert_eq!(
        attempts(&shop, &paid).await,
        ["fauxpay failure DC_08", "stripe_test charged -"]
    );
    assert_eq!(events(&shop, &paid).await, ["payment_succeeded"]);
    assert_eq!(shop.money().captured, 6540);
}

/// Each attempt explains its routing and its expected cost.
#[tokio::test]
async fn each_attempt_explains_itself() {
    let shop = Shop::open().await;
    let fees = |points: i64| json!({ "fee_table": [{ "percentage_basis_points": points }] });
    shop.call("connector_accounts_update")
        .at("merchant_connector_id", &shop.connector_account_id)
        .json(&with(
            json!({ "connector_type": "payment_processor" }),
            fees(100),
        ))
        .await
        .ok();
    shop.connects("stripe_test", fees(300)).await.ok();
    let retries = json!({ "is_auto_retries_enabled": true, "max_auto_retries_enabled": 1 });
    shop.sets_up(retries).await.ok();
    shop.next_call_meets(Call::Authorize, Fault::Throttles);
    let paid = shop.creates(confirmed(APPROVED)).await.ok();
    let read = shop.retrieves(&paid).query("expand_routing", true);
    let read = read.await.ok();
    let told = read["attempts"].as_array().expect("attempts").iter();
    let told = told.map(|attempt| {
        let routing = &attempt["routing"];
        let candidates = routing["candidates"].as_array().expect("candidates").iter();
        let why = candidates.map(|one| {
            let dropped = one["dropped_because"].as_str().unwrap_or("eligible");
            format!("{} {dropped}", one["connector"].as_str().expect("a name"))
        });
        let why: Vec<_> = why.collect();
        format!("{}: {}", routing["expected_cost"], why.join(", "))
    });
    let told: Vec<_> = told.collect();
    assert_eq!(
        told,
        [
            "65: fauxpay eligible, stripe_test eligible",
            "196: fauxpay tried, stripe_test eligible",
        ]
    );
}

#[tokio::test]
async fn a_confirm_goes_on_with_the_card_of_the_create() {
    let shop = shop_that_goes_on(1).await;
    let payment = shop.creates(order_with(APPROVED)).await.ok();
    shop.next_call_meets(Call::Authorize, Fault::Throttles);
    let paid = shop.confirms(&payment, json!({})).await.ok();
    assert_eq!(standing(&paid), ("succeeded", 0, 6540));
    assert_eq!(
        attempts(&shop, &paid).await,
        ["fauxpay failure not_processed", "stripe_test charged -"]
    );
}

#[tokio::test]
async fn up_to_the_limit() {
    let shop = shop_that_goes_on(1).await;
    let failed = shop.creates(confirmed(DECLINED)).await.ok();
    assert_eq!(standing(&failed), ("failed", 0, 0));
    assert_eq!(failed["attempt_count"], 2);
    assert_eq!(failed["error_code"], "DC_08");
    assert_eq!(events(&shop, &failed).await, ["payment_failed"]);
    shop.sets_up(json!({ "max_auto_retries_enabled": 5 }))
        .await
        .ok();
    let failed = shop.creates(confirmed(DECLINED)).await.ok();
    assert_eq!(failed["attempt_count"], 3, "there are no more accounts");
    shop.sets_up(json!({ "is_auto_retries_enabled": false }))
        .await
        .ok();
    let failed = shop.creates(confirmed(DECLINED)).await.ok();
    assert_eq!(failed["attempt_count"], 1);
}

#[tokio::test]
async fn never_where_the_scheme_says_no() {
    let shop = shop_that_goes_on(3).await;
    let said = json!({
        "status": "failure", "decision": "retry", "step_up_possible": true, "clear_pan_possible": false,
    });
    asks(
        &shop,
        "gsm_create",
        with(about("fauxpay", "DC_08", ""), said),
    )
    .await
    .ok();
    let failed = shop.creates(confirmed(LOST)).await.ok();
    assert_eq!(failed["attempt_count"], 1);
    // A manual retry needs another card, too.
    shop.sets_up(json!({ "is_manual_retry_enabled": true }))
        .await
        .ok();
    for body in [json!({}), card(LOST)] {
        let said = shop.confirms(&failed, body).await.refused(400, "IR_16");
        assert!(said.contains("not to try it again"), "{said}");
    }
    let paid = shop.confirms(&failed, card(APPROVED)).await.ok();
    assert_eq!(standing(&paid), ("succeeded", 0, 6540));
}

#[tokio::test]
async fn never_after_an_outcome_that_is_not_known() {
    let faults = [
        Fault::LosesAnswer,
        Fault::AnswersNonsense,
        Fault::FailsAfter(500),
        Fault::FailsBefore(502),
    ];
    for fault in faults {
        let shop = shop_that_goes_on(3).await;
        shop.next_call_meets(Call::Authorize, fault.clone());
        let open = shop.creates(confirmed(APPROVED)).await.ok();
        assert_eq!(
            (standing(&open).0, &open["attempt_count"]),
            ("processing", &json!(1)),
            "{fault:?}"
        );
        let known = shop.asks_about(&open).await.ok();
        assert_eq!(known["attempt_count"], 1, "{fault:?}");
        assert!(shop.money().captured <= 6540, "{fault:?}");
    }
}

#[tokio::test]
async fn an_unknown_second_attempt_is_found_out_like_any_other() {
    let shop = shop_that_goes_on(3).await;
    shop.next_call_meets(Call::Authorize, Fault::Throttles);
    shop.next_call_meets(Call::Authorize, Fault::LosesAnswer);
    let open = shop.creates(confirmed(APPROVED)).await.ok();
    assert_eq!(
        (standing(&open).0, &open["attempt_count"]),
        ("processing", &json!(2))
    );
    let paid = shop.asks_about(&open).await.ok();
    assert_eq!(standing(&paid), ("succeeded", 0, 6540));
    assert_eq!(shop.money().captured, 6540);
}

#[tokio::test]
async fn with_3_d_secure() {
    let shop = shop_that_goes_on(2).await;
    let waiting = shop.creates(confirmed(TO_BE_AUTHENTICATED)).await.ok();
    assert_eq!(standing(&waiting).0, "requires_customer_action");
    assert_eq!(waiting["attempt_count"], 2);
    assert_eq!(waiting["authentication_type"], "three_ds");
    decides(&shop, &waiting, "Approve").await;
    let paid = shop.retrieves(&waiting).await.ok();
    assert_eq!(standing(&paid), ("succeeded", 0, 6540));
    let tried = attempts(&shop, &paid).await;
    assert_eq!(tried, ["fauxpay failure DC_08", "fauxpay charged -"]);

    // Orders by mail or telephone can't show the payer a page.
    for channel in ["mail_order", "telephone_order"] {
        let ordered = with(
            confirmed(TO_BE_AUTHENTICATED),
            json!({ "payment_channel": channel }),
        );
        let failed = shop.creates(ordered).await.ok();
        assert_eq!(standing(&failed), ("failed", 0, 0), "{channel}");
        assert_eq!(failed["authentication_type"], "no_three_ds", "{channel}");
    }

    // A payer who was sent to one page isn't sent to another one.
    let rejected = shop.creates(confirmed(THREE_DS)).await.ok();
    decides(&shop, &rejected, "Reject").await;
    assert_eq!(shop.retrieves(&rejected).await.ok()["attempt_count"], 1);
}

#[tokio::test]
async fn the_same_request_again_gets_the_one_answer() {
    let shop = shop_that_goes_on(2).await;
    shop.next_call_meets(Call::Authorize, Fault::Throttles);
    let pays = || {
        shop.creates(confirmed(APPROVED))
            .header("idempotency-key", "once")
    };
    let paid = pays().await.ok();
    assert_eq!(paid["attempt_count"], 2);
    assert_eq!(pays().await.ok(), paid);
    assert_eq!(shop.money().captured, 6540);
}

#[tokio::test]
async fn a_card_is_saved_by_the_attempt_that_pays() {
    let shop = shop_that_goes_on(2).await;
    shop.next_call_meets(Call::Authorize, Fault::Throttles);
    let saving = json!({
        "confirm": true, "customer_id": "cus_1", "setup_future_usage": "on_session",
    });
    let paid = shop.creates(with(order_with(APPROVED), saving)).await.ok();
    assert_eq!(paid["attempt_count"], 2);
    assert!(paid["payment_method_id"].is_string(), "{paid}");
    let saved = shop
        .call("customer_payment_methods_list")
        .at("customer_id", "cus_1")
        .await
        .ok();
    let methods = saved["customer_payment_methods"]
        .as_array()
        .expect("methods");
    assert_eq!(methods.len(), 1);
}
