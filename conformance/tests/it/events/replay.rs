//! `POST /events/{merchant_id}/replay`.

use multirail_conformance::bodies::APPROVED;
use multirail_conformance::{Receiver, Shop};
use serde_json::{Value, json};

use super::{
    attempts_made, event_of, id, listed, operator, paid, punctual_shop, subscribed_shop, tells,
};

async fn replayed(shop: &Shop, body: Value) -> Value {
    operator(shop, "events_replay").json(&body).await.ok()
}

fn answer(dry_run: bool, matched: i64, queued: i64) -> Value {
    json!({ "dry_run": dry_run, "matched": matched, "queued": queued })
}

/// The endpoint fails for longer than the automatic retries last.
#[tokio::test]
async fn the_operator_replays_failed_events() {
    let receiver = Receiver::open().await;
    receiver.answers(&[500, 500]);
    let shop = subscribed_shop(&receiver).await;
    let before = paid(&shop, APPROVED, json!({ "payment_id": "before" })).await;
    let first = event_of(&shop, &before).await;
    attempts_made(&shop, id(&first), 1).await;
    shop.time_passes(30).await;
    let since = paid(&shop, APPROVED, json!({ "payment_id": "since" })).await;
    let second = event_of(&shop, &since).await;
    attempts_made(&shop, id(&second), 1).await;
    let arrived = paid(&shop, APPROVED, json!({ "payment_id": "arrived" })).await;
    let third = event_of(&shop, &arrived).await;
    attempts_made(&shop, id(&third), 1).await;

    let since_then = json!({ "created_after": second["created"] });
    assert_eq!(replayed(&shop, since_then).await, answer(true, 1, 0));
    let everything = json!({ "profile_id": shop.profile_id });
    assert_eq!(replayed(&shop, everything).await, answer(true, 2, 0));
    assert_eq!(receiver.seen().len(), 3, "so far nothing was sent again");

    let really = json!({ "created_after": second["created"], "dry_run": false });
    assert_eq!(replayed(&shop, really).await, answer(false, 1, 1));
    let seen = receiver.has(4).await;
    assert_eq!(seen[3].header("webhook-id"), id(&second));
    attempts_made(&shop, id(&second), 2).await;
    assert_eq!(
        event_of(&shop, &since).await["is_delivery_successful"],
        true
    );
    assert_eq!(
        event_of(&shop, &before).await["is_delivery_successful"],
        false
    );
    let failed = json!({ "created_after": first["created"] });
    assert_eq!(replayed(&shop, failed).await, answer(true, 1, 0));
}

#[tokio::test]
async fn everything_of_one_profile_is_sent_again_or_for_the_first_time() {
    let shop = punctual_shop().await;
    for name in ["one", "two", "three"] {
        paid(&shop, APPROVED, json!({ "payment_id": name })).await;
    }
    let receiver = Receiver::open().await;
    tells(&shop, &receiver, &["succeeded"]).await;
    let failed = json!({ "profile_id": shop.profile_id, "dry_run": false });
    assert_eq!(
        replayed(&shop, failed).await,
        answer(false, 0, 0),
        "none was tried"
    );
    let all = json!({ "profile_id": shop.profile_id, "only_failed": false, "dry_run": false });
    assert_eq!(replayed(&shop, all.clone()).await, answer(false, 3, 3));
    let seen = receiver.has(3).await;
    let mut told: Vec<&str> = seen.iter().map(|one| one.header("webhook-id")).collect();
    let page = listed(&shop, json!({})).await;
    let mut events = super::members(&page, "event_id");
    told.sort_unstable();
    events.sort_unstable();
    assert_eq!(told, events);
    for event_id in events {
        let attempts = attempts_made(&shop, event_id, 1).await;
        assert_eq!(attempts.len(), 1, "the first try is the initial one");
        assert_eq!(attempts[0]["event_id"], event_id);
    }
    assert_eq!(replayed(&shop, all).await, answer(false, 3, 3), "once more");
    receiver.has(6).await;
}

#[tokio::test]
async fn wrong_requests_are_refused() {
    let shop = Shop::open().await;
    let cases: &[(Value, u16, &str, &str)] = &[
        (json!({}), 400, "IR_04", "created_after or profile_id"),
        (
            json!({ "dry_run": false }),
            400,
            "IR_04",
            "created_after or profile_id",
        ),
        (
            json!({ "created_after": "2026-01-01T00:00:00Z", "only_failed": false }),
            400,
            "IR_04",
            "profile_id",
        ),
        (
            json!({ "profile_id": "pro_unborn" }),
            404,
            "HE_02",
            "profile",
        ),
        (
            json!({ "created_after": "noon" }),
            400,
            "IR_06",
            "created_after",
        ),
        (
            json!({ "profile_id": shop.profile_id, "dry_run": "no" }),
            400,
            "IR_06",
            "dry_run",
        ),
    ];
    for (body, status, code, named) in cases {
        let answer = operator(&shop, "events_replay").json(body).await;
        assert!(answer.is_refusal(*status, code), "{body}: {answer:?}");
        assert!(answer.message().contains(named), "{body}: {answer:?}");
    }
    operator(&shop, "events_replay").await.refused(400, "IR_04");
    let body = json!({ "created_after": "2026-01-01T00:00:00Z" });
    let call = shop.operator("events_replay").at("merchant_id", "nobody");
    call.json(&body).await.refused(404, "HE_02");
}
