//! Deliveries to further endpoints, on a real database of either kind: a queue for each, replays, and the end of an endpoint.

use multirail_app::accounts::ports::profiles::Endpoint;
use multirail_app::webhooks::ports::EventStore;
use multirail_app::webhooks::ports::events::{EndpointReplay, EventRecord, EventSearch};
use multirail_domain::webhooks::webhook::{AfterTry, DeliveryKind};
use multirail_kernel::ids::WebhookEndpointId;

use super::news::{a_try, at, endpoint, event_id, ids, news, shop};
use crate::engine::Read;
use crate::fixture::TestStore;
use crate::fixture::on_both_engines;

on_both_engines! {
    an_event_is_queued_for_each_endpoint
    events_of_one_object_go_in_order_at_each_endpoint
    a_late_first_try_that_arrives_lets_go_at_once
    a_replay_queues_what_an_endpoint_has_chosen
    a_deleted_endpoint_keeps_its_attempts_only
    lists_are_about_the_endpoint
}

fn endpoint_id(text: &str) -> WebhookEndpointId {
    WebhookEndpointId::parse(text).expect("an id")
}

fn further(text: &str) -> Endpoint {
    Endpoint {
        endpoint_id: Some(endpoint_id(text)),
        ..endpoint("pro_1")
    }
}

/// Returns an event for the profile's own address and for both endpoints.
fn for_all(id: &str, payment: &str, sequence: i64) -> EventRecord {
    EventRecord {
        endpoints: vec![endpoint_id("whe_1"), endpoint_id("whe_2")],
        ..news(id, payment, sequence)
    }
}

async fn rows(test: &TestStore, table: &'static str) -> i64 {
    let sql = format!("select count(*) as n from {table}");
    let row = test.engine.fetch_optional(Read::new(sql, Vec::new())).await;
    row.expect("a read")
        .expect("a row")
        .int("n")
        .expect("a count")
}

async fn an_event_is_queued_for_each_endpoint(test: TestStore) {
    test.record([for_all("evt_1", "pay_1", 1)]).await;
    // The same news again is queued nowhere.
    let again = EventRecord {
        about_id: "evt_1".to_owned(),
        ..for_all("evt_2", "pay_1", 2)
    };
    test.record([again]).await;
    let now = at(5);
    let due = test.store.due_endpoints(now, now).await.expect("a read");
    assert_eq!(due, [endpoint("pro_1"), further("whe_1"), further("whe_2")]);
    let state = test.store.queue_state().await.expect("a read");
    assert_eq!((state.waiting, state.next_at), (3, Some(at(1))));

    let first = test.claim(&further("whe_1"), 5).await.remove(0);
    assert_eq!(first.event.endpoint(), further("whe_1"));
    let made = a_try(&first, "evt_3", 500, 6);
    test.finish(&first, made.clone(), AfterTry::RetryAt(at(66)))
        .await;
    let second = test.claim(&further("whe_2"), 6).await.remove(0);
    test.finish(
        &second,
        a_try(&second, "evt_4", 200, 6),
        AfterTry::Delivered,
    )
    .await;
    assert_eq!(
        test.is_delivered("evt_1").await,
        None,
        "its own address waits"
    );
    let own = test.claim(&endpoint("pro_1"), 7).await;
    assert_eq!(ids(&own), ["evt_1"]);

    let retry = test.claim(&further("whe_1"), 66).await.remove(0);
    assert_eq!(
        (retry.kind, retry.retries_done),
        (DeliveryKind::AutomaticRetry, 1)
    );
    assert_eq!(test.claim(&further("whe_2"), 999).await, []);
    let health = test.health(&further("whe_1")).await;
    assert_eq!((health.failures, health.failing_since), (1, Some(at(6))));
    assert_eq!(test.health(&endpoint("pro_1")).await.failures, 0);
    // An attempt names its endpoint.
    let tries = test.tries("evt_1").await;
    assert!(tries.contains(&made), "{tries:?}");
    let found = test.store.event(&shop(), "evt_4").await.expect("a read");
    let (event, _) = found.expect("an event");
    assert_eq!(event.event_id, event_id("evt_1"));
    assert_eq!(event.endpoint_id, Some(endpoint_id("whe_2")));
}

async fn events_of_one_object_go_in_order_at_each_endpoint(test: TestStore) {
    test.record([for_all("evt_1", "pay_1", 1), for_all("evt_2", "pay_1", 2)])
        .await;
    let first = test.claim(&further("whe_1"), 5).await;
    assert_eq!(ids(&first), ["evt_1"]);
    let failed = a_try(&first[0], "evt_3", 500, 5);
    test.finish(&first[0], failed, AfterTry::RetryAt(at(65)))
        .await;
    assert_eq!(test.claim(&further("whe_1"), 6).await, [], "it waits");
    for id in ["evt_1", "evt_2"] {
        let claimed = test.claim(&further("whe_2"), 6).await;
        assert_eq!(ids(&claimed), [id], "the other endpoint goes on");
        let made = a_try(&claimed[0], &format!("{id}_there"), 200, 6);
        test.finish(&claimed[0], made, AfterTry::Delivered).await;
    }
    let retry = test.claim(&further("whe_1"), 65).await;
    assert_eq!(ids(&retry), ["evt_1"]);
    test.finish(
        &retry[0],
        a_try(&retry[0], "evt_4", 200, 66),
        AfterTry::Delivered,
    )
    .await;
    assert_eq!(ids(&test.claim(&further("whe_1"), 66).await), ["evt_2"]);
}

/// Its lease had expired, and the server that took over has failed meanwhile.
async fn a_late_first_try_that_arrives_lets_go_at_once(test: TestStore) {
    test.record([for_all("evt_1", "pay_1", 1), for_all("evt_2", "pay_1", 2)])
        .await;
    let there = further("whe_1");
    let slow = test.claim(&there, 2).await.remove(0);
    let quick = test.claim(&there, 47).await.remove(0);
    let failed = a_try(&quick, "evt_3", 500, 48);
    test.finish(&quick, failed, AfterTry::RetryAt(at(9_000)))
        .await;
    assert_eq!(test.claim(&there, 49).await, [], "it waits");
    let arrived = a_try(&slow, "evt_4", 200, 50);
    test.finish(&slow, arrived, AfterTry::Delivered).await;
    assert_eq!(ids(&test.claim(&there, 50).await), ["evt_2"]);
}

fn replay(since: i64) -> EndpointReplay {
    EndpointReplay {
        endpoint: further("whe_1"),
        event_types: Vec::new(),
        created_after: at(since),
        created_before: at(999),
        only_failed: false,
    }
}

async fn a_replay_queues_what_an_endpoint_has_chosen(test: TestStore) {
    let events =
        (1..=3).map(|number| news(&format!("evt_{number}"), &format!("pay_{number}"), number));
    test.record(events).await;
    let count = async |replay: &EndpointReplay| {
        let count = test.store.count_endpoint_replay(replay).await;
        count.expect("a count")
    };
    assert_eq!(count(&replay(2)).await, 2);
    let others = EndpointReplay {
        event_types: vec!["refund_failed".to_owned()],
        ..replay(1)
    };
    assert_eq!(count(&others).await, 0);
    let queue = async |replay: &EndpointReplay, now: i64| {
        let queued = test.store.queue_endpoint_replay(replay, at(now)).await;
        queued.expect("a replay")
    };
    assert_eq!(queue(&replay(2), 10).await, 2);
    let claimed = test.claim(&further("whe_1"), 10).await;
    assert_eq!(ids(&claimed), ["evt_2", "evt_3"], "in order");
    assert_eq!(claimed[0].kind, DeliveryKind::InitialAttempt);
    test.finish(
        &claimed[0],
        a_try(&claimed[0], "evt_9", 500, 11),
        AfterTry::GaveUp,
    )
    .await;
    let failed = EndpointReplay {
        only_failed: true,
        ..replay(1)
    };
    assert_eq!(count(&failed).await, 1);
    assert_eq!(queue(&failed, 12).await, 1);
    let again = test.claim(&further("whe_1"), 12).await;
    assert_eq!(ids(&again), ["evt_2"], "the other one is under way");
    assert_eq!(again[0].kind, DeliveryKind::ManualRetry);
    assert_eq!(test.claim(&endpoint("pro_1"), 12).await.len(), 3);
}

async fn a_deleted_endpoint_keeps_its_attempts_only(test: TestStore) {
    test.record([for_all("evt_1", "pay_1", 1), for_all("evt_2", "pay_2", 2)])
        .await;
    let claimed = test.claim(&further("whe_1"), 5).await.remove(0);
    let failed = a_try(&claimed, "evt_3", 500, 5);
    test.finish(&claimed, failed, AfterTry::RetryAt(at(65)))
        .await;
    let dropped = test.store.drop_endpoint(&further("whe_1")).await;
    assert_eq!(dropped, Ok(()));
    assert_eq!(test.claim(&further("whe_1"), 999).await, []);
    assert_eq!(test.health(&further("whe_1")).await.failures, 0);
    assert_eq!(rows(&test, "endpoint_deliveries").await, 2, "the other's");
    assert_eq!(test.tries("evt_1").await.len(), 1);
    let purged = test.store.purge_events(at(100), 10).await.expect("a purge");
    assert_eq!((purged.events, purged.undelivered), (2, 2));
    for table in [
        "endpoint_deliveries",
        "endpoint_events",
        "delivery_attempts",
    ] {
        assert_eq!(rows(&test, table).await, 0, "{table}");
    }
}

async fn lists_are_about_the_endpoint(test: TestStore) {
    let silent = EventRecord {
        endpoints: Vec::new(),
        ..news("evt_2", "pay_2", 2)
    };
    let events = [
        for_all("evt_1", "pay_1", 1),
        silent,
        for_all("evt_3", "pay_3", 3),
    ];
    test.record(events).await;
    let claimed = test.claim(&further("whe_1"), 5).await;
    test.finish(
        &claimed[0],
        a_try(&claimed[0], "evt_9", 200, 5),
        AfterTry::Delivered,
    )
    .await;
    let search = |is_delivered| EventSearch {
        endpoint_id: Some(endpoint_id("whe_1")),
        is_delivered,
        limit: 10,
        ..EventSearch::default()
    };
    let list = async |search: EventSearch| {
        let events = test.store.events(&shop(), &search).await.expect("a page");
        let count = test.store.count_events(&shop(), &search).await;
        assert_eq!(count, Ok(events.len() as i64));
        let shown = events
            .iter()
            .map(|event| (event.event_id.to_string(), event.is_delivered));
        shown.collect::<Vec<_>>()
    };
    let (first, third) = ("evt_1".to_owned(), "evt_3".to_owned());
    assert_eq!(
        list(search(None)).await,
        [(third.clone(), None), (first.clone(), Some(true))]
    );
    assert_eq!(list(search(Some(true))).await, [(first, Some(true))]);
    assert_eq!(list(search(Some(false))).await, [(third, None)]);
    assert_eq!(test.is_delivered("evt_1").await, None);
}
