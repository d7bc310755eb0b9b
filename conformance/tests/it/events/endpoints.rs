//! Further webhook endpoints of a profile: chosen events, own secrets, replays, tests, and their end.

use multirail_conformance::bodies::{APPROVED, order_with, with};
use multirail_conformance::patience::until;
use multirail_conformance::receiver::Delivery;
use multirail_conformance::{Call, Receiver, Shop};
use serde_json::{Value, json};

use super::{attempts, id, listed, operator, paid, punctual_shop, tells, verified};

const DECLINED: &str = "4000000000000002";

/// Builds a call about an endpoint of the shop's profile.
pub(super) fn on(shop: &Shop, operation: &str, endpoint: &Value) -> Call {
    let id = endpoint["webhook_endpoint_id"].as_str().expect("an id");
    of_profile(shop, operation).at("webhook_endpoint_id", id)
}

fn of_profile(shop: &Shop, operation: &str) -> Call {
    shop.call(operation).at("profile_id", &shop.profile_id)
}

/// Adds an endpoint to the shop's profile.
pub async fn added(shop: &Shop, url: &str, more: Value) -> Value {
    let body = with(json!({ "webhook_url": url }), more);
    let call = of_profile(shop, "webhook_endpoints_create").json(&body);
    call.await.ok()
}

/// Returns the events of an endpoint, with these members.
async fn of_endpoint(shop: &Shop, endpoint: &Value, more: Value) -> Value {
    let filter = json!({ "webhook_endpoint_id": endpoint["webhook_endpoint_id"] });
    listed(shop, with(filter, more)).await
}

/// Waits until an endpoint has so many events of which all are delivered, or none.
pub(super) async fn settled(
    shop: &Shop,
    endpoint: &Value,
    count: usize,
    is_delivered: bool,
) -> Value {
    until(
        format!("{count} events with success {is_delivered}"),
        async || of_endpoint(shop, endpoint, json!({})).await,
        |page| {
            let events = page["events"].as_array().expect("events");
            events.len() == count
                && events
                    .iter()
                    .all(|event| event["is_delivery_successful"] == is_delivered)
        },
    )
    .await
}

fn types_of(seen: &[Delivery]) -> Vec<String> {
    let types = seen.iter().map(|one| one.json()["event_type"].clone());
    types
        .map(|word| word.as_str().expect("a word").to_owned())
        .collect()
}

#[tokio::test]
async fn each_endpoint_gets_the_events_that_it_has_chosen_signed_by_its_secret() {
    let shop = punctual_shop().await;
    let [own, all, failures] = [
        Receiver::open().await,
        Receiver::open().await,
        Receiver::open().await,
    ];
    tells(&shop, &own, &["succeeded"]).await;
    let everything = added(&shop, all.url(), json!({ "description": "Archive" })).await;
    let chosen = json!({ "event_types": ["payment_failed", "payment_failed"] });
    let failing = added(&shop, failures.url(), chosen).await;
    assert_eq!(failing["event_types"], json!(["payment_failed"]));

    paid(&shop, DECLINED, json!({ "payment_id": "declined" })).await;
    let approved = paid(&shop, APPROVED, json!({ "payment_id": "approved" })).await;
    let of_all = all.has(2).await;
    assert_eq!(types_of(&own.has(1).await), ["payment_succeeded"]);
    let of_failures = failures.has(1).await;
    assert_eq!(types_of(&of_failures), ["payment_failed"]);
    let mut words = types_of(&of_all);
    words.sort_unstable();
    assert_eq!(words, ["payment_failed", "payment_succeeded"]);

    let secret = |endpoint: &Value| endpoint["secret"].as_str().expect("a secret").to_owned();
    verified(&secret(&failing), &of_failures[0]).expect("its own secret");
    verified(&secret(&everything), &of_failures[0]).expect_err("not another's");
    for one in &of_all {
        verified(&secret(&everything), one).expect("its own secret");
    }

    let page = settled(&shop, &everything, 2, true).await;
    assert_eq!(page["total_count"], 2);
    let page = settled(&shop, &failing, 1, true).await;
    let event = &page["events"][0];
    assert_eq!(event["webhook_endpoint_id"], failing["webhook_endpoint_id"]);
    let undelivered = of_endpoint(&shop, &failing, json!({ "is_delivered": false })).await;
    assert_eq!(undelivered["total_count"], 0);

    // The event is one, with an attempt at each address.
    let event = super::event_of(&shop, &approved).await;
    let made = until(
        "two attempts",
        async || Value::from(attempts(&shop, id(&event)).await),
        |made| made.as_array().expect("attempts").len() == 2,
    )
    .await;
    let mut places = made
        .as_array()
        .expect("attempts")
        .iter()
        .map(|one| one["webhook_endpoint_id"].as_str().unwrap_or("own"))
        .collect::<Vec<_>>();
    places.sort_unstable();
    let id = everything["webhook_endpoint_id"].as_str().expect("an id");
    assert_eq!(places, ["own", id]);
}

#[tokio::test]
async fn the_secret_is_shown_once() {
    let shop = Shop::open().await;
    let made = added(&shop, "https://books.example/hooks", json!({})).await;
    assert!(
        made["secret"]
            .as_str()
            .is_some_and(|secret| secret.starts_with("whsec_"))
    );
    let mut without = made.clone();
    without.as_object_mut().expect("an object").remove("secret");
    let found = on(&shop, "webhook_endpoints_retrieve", &made).await.ok();
    assert_eq!(found, without);
    let all = of_profile(&shop, "webhook_endpoints_list").await.ok();
    assert_eq!(all, json!([without]));
    let secret = made["secret"].as_str().expect("a secret");
    let profile = super::profile(&shop).await.to_string();
    assert!(!profile.contains(secret) && !profile.contains("whe_"));
}

#[tokio::test]
async fn one_failing_endpoint_holds_no_other_and_is_retried_alone() {
    let shop = punctual_shop().await;
    let [broken, fine] = [Receiver::open().await, Receiver::open().await];
    broken.answers(&[500, 500]);
    let first = added(&shop, broken.url(), json!({})).await;
    let second = added(&shop, fine.url(), json!({})).await;
    let body = with(
        order_with(APPROVED),
        json!({ "capture_method": "manual", "confirm": true }),
    );
    let payment = shop.creates(body).await.ok();
    settled(&shop, &first, 1, false).await;
    shop.captures(&payment, json!({})).await.ok();
    // The later event of the payment waits at the broken endpoint only.
    assert_eq!(
        types_of(&fine.has(2).await),
        ["payment_authorized", "payment_succeeded"]
    );
    settled(&shop, &second, 2, true).await;
    assert_eq!(broken.seen().len(), 1);
    shop.time_passes(61).await;
    broken.has(2).await;
    shop.time_passes(301).await;
    assert_eq!(
        types_of(&broken.has(4).await),
        [
            "payment_authorized",
            "payment_authorized",
            "payment_authorized",
            "payment_succeeded"
        ]
    );
    settled(&shop, &first, 2, true).await;
    let state = on(&shop, "webhook_endpoints_retrieve", &first).await.ok();
    assert_eq!(state["webhook_delivery"]["state"], "active");
    assert_eq!(fine.seen().len(), 2);
}

#[tokio::test]
async fn an_attempt_at_an_endpoint_is_retried_there() {
    let shop = punctual_shop().await;
    let [own, receiver] = [Receiver::open().await, Receiver::open().await];
    tells(&shop, &own, &["succeeded"]).await;
    receiver.answers(&[500]);
    let endpoint = added(&shop, receiver.url(), json!({})).await;
    let payment = paid(&shop, APPROVED, json!({})).await;
    settled(&shop, &endpoint, 1, false).await;
    own.has(1).await;
    let event = super::delivered(&shop, &payment, true).await;
    let made = attempts(&shop, id(&event)).await;
    let failed = made
        .iter()
        .find(|one| one["webhook_endpoint_id"] == endpoint["webhook_endpoint_id"])
        .expect("its attempt");
    assert_eq!(failed["is_delivery_successful"], false);
    assert_eq!(failed["initial_attempt_id"], event["event_id"]);
    let retry = operator(&shop, "events_retry").at("event_id", id(failed));
    let again = retry.await.ok();
    assert_eq!(
        again["webhook_endpoint_id"],
        endpoint["webhook_endpoint_id"]
    );
    assert_eq!(again["delivery_attempt"], "manual_retry");
    assert_eq!(again["is_delivery_successful"], true);
    settled(&shop, &endpoint, 1, true).await;
    assert_eq!((receiver.seen().len(), own.seen().len()), (2, 1));
    shop.time_passes(61).await;
    paid(&shop, APPROVED, json!({})).await;
    receiver.has(3).await;
    own.has(2).await;
}

#[tokio::test]
async fn events_of_a_time_are_replayed() {
    let shop = punctual_shop().await;
    for name in ["one", "two", "three"] {
        paid(&shop, APPROVED, json!({ "payment_id": name })).await;
        shop.time_passes(10).await;
    }
    paid(&shop, DECLINED, json!({ "payment_id": "four" })).await;
    let events = listed(&shop, json!({ "event_types": ["payment_succeeded"] })).await;
    let second = events["events"][1]["created"].clone();
    let receiver = Receiver::open().await;
    let chosen = json!({ "event_types": ["payment_succeeded"] });
    let endpoint = added(&shop, receiver.url(), chosen).await;
    let replay = async |body: Value| {
        let call = on(&shop, "webhook_endpoints_replay", &endpoint).json(&body);
        call.await.ok()
    };
    let since = json!({ "created_after": second });
    let answer = |dry_run: bool, matched: i64, queued: i64| json!({ "dry_run": dry_run, "matched": matched, "queued": queued });
    assert_eq!(replay(since.clone()).await, answer(true, 2, 0));
    let really = with(since.clone(), json!({ "dry_run": false }));
    assert_eq!(replay(really.clone()).await, answer(false, 2, 2));
    let seen = receiver.has(2).await;
    let of_payment = |one: &Delivery| one.json()["content"]["object"]["payment_id"].clone();
    let mut payments: Vec<Value> = seen.iter().map(of_payment).collect();
    payments.sort_by_key(ToString::to_string);
    assert_eq!(payments, ["three", "two"]);
    settled(&shop, &endpoint, 2, true).await;
    let failed = with(since.clone(), json!({ "only_failed": true }));
    assert_eq!(replay(failed).await, answer(true, 0, 0));
    let until_then = with(since.clone(), json!({ "created_before": second }));
    assert_eq!(replay(until_then).await, answer(true, 1, 0));
    assert_eq!(replay(really).await, answer(false, 2, 2), "once more");
    receiver.has(4).await;

    let refused = async |body: Value, status: u16, code: &str| {
        let call = on(&shop, "webhook_endpoints_replay", &endpoint).json(&body);
        call.await.refused(status, code)
    };
    refused(json!({}), 400, "IR_04").await;
    let backwards = with(since, json!({ "created_before": "2020-01-01T00:00:00Z" }));
    let message = refused(backwards, 422, "IR_06").await;
    assert!(message.contains("created_before"), "{message}");
}

#[tokio::test]
async fn a_disabled_endpoint_gets_what_waits_when_it_is_enabled() {
    let shop = punctual_shop().await;
    let receiver = Receiver::open().await;
    receiver.answers(&[500]);
    let endpoint = added(&shop, receiver.url(), json!({})).await;
    paid(&shop, APPROVED, json!({ "payment_id": "before" })).await;
    settled(&shop, &endpoint, 1, false).await;
    let update = async |body: Value| {
        let call = on(&shop, "webhook_endpoints_update", &endpoint).json(&body);
        call.await.ok()
    };
    assert_eq!(update(json!({ "disabled": true })).await["disabled"], true);
    paid(&shop, APPROVED, json!({ "payment_id": "meanwhile" })).await;
    shop.time_passes(3600).await;
    let enabled = update(json!({ "disabled": false, "description": "On again" })).await;
    assert_eq!(enabled["description"], "On again");
    let seen = receiver.has(2).await;
    let payment = |one: &Delivery| one.json()["content"]["object"]["payment_id"].clone();
    assert_eq!(
        payment(&seen[1]),
        "before",
        "events of the pause aren't queued"
    );
    settled(&shop, &endpoint, 1, true).await;
}

#[tokio::test]
async fn a_deleted_endpoint_gets_nothing_more() {
    let shop = punctual_shop().await;
    let receiver = Receiver::open().await;
    receiver.answers(&[500]);
    let endpoint = added(&shop, receiver.url(), json!({})).await;
    let payment = paid(&shop, APPROVED, json!({ "payment_id": "before" })).await;
    settled(&shop, &endpoint, 1, false).await;
    let gone = on(&shop, "webhook_endpoints_delete", &endpoint).await.ok();
    let id_of = endpoint["webhook_endpoint_id"].clone();
    assert_eq!(
        gone,
        json!({ "profile_id": shop.profile_id, "webhook_endpoint_id": id_of, "deleted": true })
    );
    for operation in [
        "webhook_endpoints_retrieve",
        "webhook_endpoints_delete",
        "webhook_endpoints_test",
    ] {
        on(&shop, operation, &endpoint).await.refused(404, "HE_02");
    }
    let none = of_profile(&shop, "webhook_endpoints_list").await.ok();
    assert_eq!(none, json!([]));
    // Another endpoint shows when the worker has passed by.
    let other = Receiver::open().await;
    added(&shop, other.url(), json!({})).await;
    shop.time_passes(3600).await;
    paid(&shop, APPROVED, json!({ "payment_id": "after" })).await;
    other.has(1).await;
    assert_eq!(receiver.seen().len(), 1);
    // The attempt that was made stays.
    let event = super::event_of(&shop, &payment).await;
    let made = attempts(&shop, id(&event)).await;
    assert!(made.iter().any(|one| one["webhook_endpoint_id"] == id_of));
}

#[tokio::test]
async fn a_test_event_shows_that_it_is_one() {
    let shop = punctual_shop().await;
    let receiver = Receiver::open().await;
    receiver.answers(&[500]);
    let off = json!({ "disabled": true });
    let endpoint = added(&shop, receiver.url(), off).await;
    let test = async || on(&shop, "webhook_endpoints_test", &endpoint).await.ok();
    let failed = test().await;
    assert_eq!(failed["is_delivery_successful"], false);
    assert_eq!(failed["response"]["status_code"], 500);
    let arrived = test().await;
    assert_eq!(arrived["is_delivery_successful"], true);
    let seen = receiver.has(2).await;
    let secret = endpoint["secret"].as_str().expect("a secret");
    verified(secret, &seen[1]).expect("its own secret");
    let body = seen[1].json();
    assert_eq!(body["event_type"], "endpoint_test");
    assert_eq!(body["event_id"], arrived["event_id"]);
    let object = &body["content"]["object"];
    assert_eq!(
        object["webhook_endpoint_id"],
        endpoint["webhook_endpoint_id"]
    );
    assert_eq!(arrived["request"]["body"], seen[1].body);
    assert_eq!(listed(&shop, json!({})).await["total_count"], 0);
}

#[tokio::test]
async fn bad_endpoints_are_refused_and_change_nothing() {
    let shop = Shop::open().await;
    let create = |body: Value| of_profile(&shop, "webhook_endpoints_create").json(&body);
    let url = "https://books.example/hooks";
    let long = "x".repeat(256);
    let cases = [
        (json!({}), 400, "IR_04", "webhook_url"),
        (
            json!({ "webhook_url": "books.example" }),
            422,
            "IR_05",
            "webhook_url",
        ),
        (
            json!({ "webhook_url": "http://10.0.0.7/" }),
            422,
            "IR_06",
            "webhook_url",
        ),
        (
            json!({ "webhook_url": url, "description": long }),
            422,
            "IR_05",
            "description",
        ),
        (
            json!({ "webhook_url": url, "event_types": ["no_such"] }),
            400,
            "IR_06",
            "event_types",
        ),
        (
            json!({ "webhook_url": url, "secret": "whsec_mine" }),
            400,
            "IR_06",
            "secret",
        ),
    ];
    for (body, status, code, named) in cases {
        let answer = create(body.clone()).await;
        assert!(answer.is_refusal(status, code), "{body}: {answer:?}");
        assert!(answer.message().contains(named), "{body}: {answer:?}");
    }
    let none = of_profile(&shop, "webhook_endpoints_list").await.ok();
    assert_eq!(none, json!([]));
    let made = added(&shop, url, json!({})).await;
    let bad = json!({ "webhook_url": "ftp://books.example" });
    let update = on(&shop, "webhook_endpoints_update", &made).json(&bad);
    update.await.refused(422, "IR_05");
    for _ in 1..16 {
        added(&shop, url, json!({})).await;
    }
    let message = create(json!({ "webhook_url": url })).await;
    let message = message.refused(422, "IR_06");
    assert!(message.contains("at most 16"), "{message}");
    let found = on(&shop, "webhook_endpoints_retrieve", &made).await.ok();
    assert_eq!(found["webhook_url"], url);
}

#[tokio::test]
async fn endpoints_belong_to_one_profile_of_one_merchant() {
    let bookshop = Shop::open().await;
    let made = added(&bookshop, "https://books.example/hooks", json!({})).await;
    let second = bookshop.call("business_profiles_create");
    let second = second.json(&json!({ "profile_name": "second" })).await.ok();
    let id = made["webhook_endpoint_id"].as_str().expect("an id");
    let elsewhere = bookshop
        .call("webhook_endpoints_retrieve")
        .at("profile_id", second["profile_id"].as_str().expect("an id"))
        .at("webhook_endpoint_id", id);
    elsewhere.await.refused(404, "HE_02");
    let florist = bookshop.server.shop("florist").await;
    let theirs = florist
        .call("webhook_endpoints_delete")
        .at("profile_id", &bookshop.profile_id)
        .at("webhook_endpoint_id", id);
    theirs.await.refused(404, "HE_02");
    let others = florist
        .call("webhook_endpoints_delete")
        .at("profile_id", &florist.profile_id)
        .at("webhook_endpoint_id", id);
    others.await.refused(404, "HE_02");
    let seen = of_endpoint(&florist, &made, json!({})).await;
    assert_eq!(seen["total_count"], 0);
    on(&bookshop, "webhook_endpoints_retrieve", &made)
        .await
        .ok();
}
