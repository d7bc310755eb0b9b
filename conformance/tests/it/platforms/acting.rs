//! A platform's key acts for a connected merchant: on that merchant's payments, and on nobody else's.

use multirail_conformance::bodies::{APPROVED, card, order, order_with, with};
use multirail_conformance::shop::id;
use multirail_conformance::{Call, Shop, TestServer};
use serde_json::{Value, json};

use super::{Hall, on};

#[tokio::test]
async fn a_payment_is_the_connected_merchants_and_tells_who_made_it() {
    let server = TestServer::start().await;
    let hall = Hall::open(&server, "hall").await;
    let stall = hall.connects("stall").await;
    let create = hall.acts("stall", stall.creates(order_with(APPROVED)));
    let made = create.await.ok();
    let whose = |payment: &Value| {
        let members = ["merchant_id", "processor_merchant_id", "initiator"];
        members.map(|member| payment[member].clone())
    };
    assert_eq!(
        whose(&made),
        [json!("stall"), json!("stall"), json!("platform")]
    );
    assert_eq!(made["profile_id"], stall.profile_id.as_str());
    let confirm = on(&stall, "payments_confirm", &made).json(&json!({}));
    let paid = hall.acts("stall", confirm).await.ok();
    assert_eq!(paid["status"], "succeeded");
    let account = stall.connector_account_id.as_str();
    assert_eq!(paid["merchant_connector_id"], account);

    // The merchant sees the payment as its own; the platform alone doesn't find it.
    let seen = stall.retrieves(&made).await.ok();
    assert_eq!(whose(&seen), whose(&made));
    let retrieve = || on(&stall, "payments_retrieve", &made);
    let alone = retrieve().key(&hall.platform.api_key);
    alone.await.refused(404, "HE_02");
    assert_eq!(hall.acts("stall", retrieve()).await.ok(), seen);

    // `initiator` also names the merchant's own payments. It is null for accounts that no platform can act for.
    let own = stall.creates(order()).await.ok();
    assert_eq!(own["initiator"], "connected");
    let sell = hall.acts("stall", on(&stall, "payments_update", &own));
    let touched = sell.json(&json!({ "amount": 7000 })).await.ok();
    assert_eq!(
        touched["initiator"], "connected",
        "who made it, not who changed it"
    );
    assert_eq!(touched["amount"], 7000);
    let of_platform = hall.platform.creates(order()).await.ok();
    assert_eq!(of_platform["initiator"], Value::Null);
    let florist = server.shop("florist").await;
    assert_eq!(
        florist.creates(order()).await.ok()["initiator"],
        Value::Null
    );

    // Lists show the same, and each merchant has its own list.
    let listed = hall.acts("stall", stall.call("payments_list")).await.ok();
    assert_eq!(listed["size"], 2);
    assert_eq!(listed["data"][1]["initiator"], "platform");
    assert_eq!(hall.platform.call("payments_list").await.ok()["size"], 1);

    // Events do, too.
    let events = |merchant_id: &str| {
        let call = server.operator("events_list").json(&json!({}));
        call.at("merchant_id", merchant_id)
    };
    let told = events("stall").await.ok();
    assert_eq!(told["total_count"], 1, "{told}");
    let event = &told["events"][0];
    assert_eq!(event["object_id"], made["payment_id"]);
    assert_eq!(event["merchant_id"], "stall");
    assert_eq!(event["processor_merchant_id"], "stall");
    assert_eq!(event["profile_id"], stall.profile_id.as_str());
    let of_platform = events(&hall.platform.merchant_id).await.ok();
    assert_eq!(of_platform["total_count"], 0);
}

#[tokio::test]
async fn money_goes_back_and_customers_stay_with_the_merchant() {
    let server = TestServer::start().await;
    let hall = Hall::open(&server, "hall").await;
    let stall = hall.connects("stall").await;
    let booth = hall.connects("booth").await;
    let ada = json!({ "customer_id": "ada", "email": "ada@shopper.example" });
    let create = stall.call("customers_create").json(&ada);
    hall.acts("stall", create).await.ok();
    let listed = |shop: &Shop| shop.call("customers_list");
    assert_eq!(listed(&stall).await.ok()[0]["customer_id"], "ada");
    let of_stall = hall.acts("stall", listed(&stall)).await.ok();
    assert_eq!(of_stall, listed(&stall).await.ok());
    for others in [
        listed(&booth),
        listed(&hall.platform),
        hall.acts("booth", listed(&booth)),
    ] {
        assert_eq!(others.await.ok(), json!([]));
    }

    let sale = with(
        order_with(APPROVED),
        json!({ "customer_id": "ada", "confirm": true }),
    );
    let paid = hall.acts("stall", stall.creates(sale)).await.ok();
    let refund = json!({ "payment_id": id(&paid), "amount": 1500 });
    let refund = stall.call("refunds_create").json(&refund);
    let elsewhere = hall.acts("booth", refund.clone());
    elsewhere.await.refused(404, "HE_02");
    let refund = hall.acts("stall", refund).await.ok();
    assert_eq!(refund["status"], "succeeded");
    let refunds = stall.call("refunds_list").await.ok();
    assert_eq!(refunds["total_count"], 1, "{refunds}");
}

#[tokio::test]
async fn a_payer_pays_what_the_platform_made() {
    let server = TestServer::start().await;
    let hall = Hall::open(&server, "hall").await;
    let stall = hall.connects("stall").await;
    let made = hall.acts("stall", stall.creates(order())).await.ok();
    let secret = json!({ "client_secret": made["client_secret"] });
    let confirm = on(&stall, "payments_confirm", &made);
    let confirm = confirm.json(&with(card(APPROVED), secret));
    let by_platform = confirm.clone().key(&hall.platform.publishable_key);
    by_platform.await.refused(400, "IR_09");
    let paid = confirm.key(&stall.publishable_key).await.ok();
    assert_eq!(paid["status"], "succeeded");
    let seen = stall.retrieves(&made).await.ok();
    assert_eq!(seen["initiator"], "platform");
}

#[tokio::test]
async fn keys_stay_as_narrow_as_they_are() {
    let server = TestServer::start().await;
    let hall = Hall::open(&server, "hall").await;
    let stall = hall.connects("stall").await;
    let issue = |members: Value| {
        let key = with(json!({ "name": "k", "expiration": "never" }), members);
        let call = server.operator("api_keys_create").json(&key);
        call.at("merchant_id", &hall.platform.merchant_id)
    };
    let acts = |key: &Value, call: Call| {
        let call = hall.acts("stall", call);
        call.key(key["api_key"].as_str().expect("a key"))
    };
    let reader = issue(json!({ "read_only": true })).await.ok();
    acts(&reader, stall.call("payments_list")).await.ok();
    let create = acts(&reader, stall.creates(order()));
    create.await.refused(403, "IR_22");
    let clerk = issue(json!({ "operation_groups": ["refunds"] })).await.ok();
    acts(&clerk, stall.call("refunds_list")).await.ok();
    let list = acts(&clerk, stall.call("payments_list"));
    list.await.refused(403, "IR_22");

    // The profile must belong to the merchant that the call is for.
    let narrowed = |profile_id: &str| {
        let call = hall.acts("stall", stall.call("payments_list"));
        call.header("x-profile-id", profile_id)
    };
    narrowed(&stall.profile_id).await.ok();
    let others = narrowed(&hall.platform.profile_id).await;
    others.refused(404, "HE_02");
}

#[tokio::test]
async fn idempotency_keys_of_platform_and_merchant_stand_apart() {
    let server = TestServer::start().await;
    let hall = Hall::open(&server, "hall").await;
    let stall = hall.connects("stall").await;
    let order_of = |amount: i64| with(order(), json!({ "amount": amount }));
    let under = |call: Call| call.header("idempotency-key", "k");
    let by_platform = || hall.acts("stall", stall.creates(order_of(1000)));
    let by_stall = || stall.creates(order_of(2000));
    let of_platform = || hall.platform.creates(order_of(3000));
    let first = [
        under(by_platform()).await.ok(),
        under(by_stall()).await.ok(),
        under(of_platform()).await.ok(),
    ];
    let again = [
        under(by_platform()).await,
        under(by_stall()).await,
        under(of_platform()).await,
    ];
    for (first, again) in first.iter().zip(again) {
        assert_eq!(again.header("idempotent-replayed"), Some("true"));
        assert_eq!(again.ok(), *first);
    }
    // For another merchant it is another key, and a different request with one key is refused.
    let booth = hall.connects("booth").await;
    let elsewhere = hall.acts("booth", booth.creates(order_of(1000)));
    assert_eq!(under(elsewhere).await.ok()["merchant_id"], "booth");
    let other = hall.acts("stall", stall.creates(order_of(1001)));
    let message = under(other).await.refused(422, "MR_01");
    assert!(message.contains("amount"), "{message}");
    // A call with several commits, and one that finds the work of the first one.
    let confirm = || {
        let call = on(&stall, "payments_confirm", &first[0]);
        under(hall.acts("stall", call.json(&card(APPROVED))))
    };
    let paid = confirm().await.ok();
    assert_eq!(paid["status"], "succeeded");
    assert_eq!(confirm().await.ok(), paid);
}
