//! Recorded events of a real database of either kind: listed, counted, purged.

use multirail_app::webhooks::ports::events::EventRecord;
use multirail_app::webhooks::ports::events::{EventSearch, Purged, Replay};
use multirail_app::webhooks::ports::{EventSequence, EventStore};
use multirail_domain::webhooks::webhook::AfterTry;
use multirail_kernel::event::EventType;
use multirail_kernel::ids::{EventId, MerchantId};

use super::super::engine::Read;
use super::news::{a_try, at, endpoint, manual_try, news, shop};
use crate::fixture::TestStore;
use crate::fixture::on_both_engines;

on_both_engines! {
    filters_combine_and_pages_come_newest_first
    events_are_read_in_the_order_of_their_ids
    old_events_go_with_their_tries
    a_replay_may_meet_what_is_forgotten
}

fn search() -> EventSearch {
    EventSearch {
        limit: 100,
        ..EventSearch::default()
    }
}

async fn found(test: &TestStore, search: EventSearch) -> (Vec<String>, i64) {
    let events = test.store.events(&shop(), &search).await.expect("a page");
    let count = test.store.count_events(&shop(), &search).await;
    let ids = events.iter().map(|one| one.event_id.to_string());
    (ids.collect(), count.expect("a count"))
}

async fn events_are_read_in_the_order_of_their_ids(test: TestStore) {
    let elsewhere = EventRecord {
        merchant_id: MerchantId::parse("flower_shop").expect("an id"),
        ..news("evt_3", "pay_9", 3)
    };
    // Business time may stand in another order.
    let later = news("evt_2", "pay_2", 9);
    test.record([
        news("evt_1", "pay_1", 1),
        later,
        news("evt_4", "pay_4", 4),
        news("evt_5", "pay_5", 5),
        elsewhere,
    ])
    .await;
    let read = async |first: &str, at_most| {
        let first = EventId::parse(first).expect("an id");
        let found = test.store.events_from(&shop(), &first, at_most).await;
        let found = found.expect("events").into_iter();
        found.map(|event| event.object_id).collect::<Vec<_>>()
    };
    assert_eq!(read("evt_2", 2).await, ["pay_2", "pay_4"]);
    assert_eq!(read("evt_3", 9).await, ["pay_4", "pay_5"]);
    assert_eq!(read("evt_6", 9).await, Vec::<String>::new());
}

async fn filters_combine_and_pages_come_newest_first(test: TestStore) {
    let elsewhere = EventRecord {
        merchant_id: MerchantId::parse("flower_shop").expect("an id"),
        ..news("evt_9", "pay_1", 1)
    };
    let failed = EventRecord {
        event_type: EventType::PaymentFailed,
        ..news("evt_2", "pay_1", 2)
    };
    let outlet = EventRecord {
        profile_id: endpoint("pro_2").profile_id,
        ..news("evt_3", "pay_2", 3)
    };
    let together = EventRecord {
        created_at: at(3),
        ..news("evt_4", "pay_3", 4)
    };
    test.record([
        news("evt_1", "pay_1", 1),
        failed,
        outlet,
        together,
        elsewhere,
    ])
    .await;
    let claimed = test.claim(&endpoint("pro_1"), 1).await.remove(0);
    let made = a_try(&claimed, "evt_1", 200, 2);
    test.finish(&claimed, made, AfterTry::Delivered).await;

    let all = found(&test, search()).await;
    assert_eq!(all.0, ["evt_4", "evt_3", "evt_2", "evt_1"]);
    let expect = async |search: EventSearch, ids: &[&str], count: i64| {
        let shown = format!("{search:?}");
        let (found, counted) = found(&test, search).await;
        assert_eq!(
            (found.as_slice(), counted),
            (
                &*ids.iter().map(ToString::to_string).collect::<Vec<_>>(),
                count
            ),
            "{shown}"
        );
    };
    let page = EventSearch {
        limit: 2,
        offset: 1,
        ..search()
    };
    expect(page, &["evt_3", "evt_2"], 4).await;
    let none = EventSearch {
        limit: 0,
        ..search()
    };
    expect(none, &[], 4).await;
    let object = EventSearch {
        object_id: Some("pay_1".to_owned()),
        ..search()
    };
    expect(object.clone(), &["evt_2", "evt_1"], 2).await;
    let types = vec![EventType::PaymentSucceeded, EventType::PaymentCaptured];
    expect(
        EventSearch {
            event_types: types,
            ..object
        },
        &["evt_1"],
        1,
    )
    .await;
    let between = EventSearch {
        created_after: Some(at(2)),
        created_before: Some(at(2)),
        ..search()
    };
    expect(between, &["evt_2"], 1).await;
    let profile = EventSearch {
        profile_id: Some(endpoint("pro_2").profile_id),
        ..search()
    };
    expect(profile.clone(), &["evt_3"], 1).await;
    let delivered = EventSearch {
        is_delivered: Some(true),
        ..search()
    };
    expect(delivered, &["evt_1"], 1).await;
    expect(
        EventSearch {
            is_delivered: Some(false),
            ..profile
        },
        &["evt_3"],
        1,
    )
    .await;
    let one = EventSearch {
        event_id: Some("evt_2".to_owned()),
        ..search()
    };
    expect(one, &["evt_2"], 1).await;
    let nothing = EventSearch {
        nothing_fits: true,
        ..search()
    };
    expect(nothing, &[], 0).await;
}

async fn old_events_go_with_their_tries(test: TestStore) {
    let silent = |id: &str, made: i64| EventRecord {
        deliver_at: None,
        ..news(id, id, made)
    };
    let elsewhere = EventRecord {
        merchant_id: MerchantId::parse("flower_shop").expect("an id"),
        ..silent("evt_9", 1)
    };
    test.record([
        news("evt_1", "pay_1", 1),
        news("evt_2", "pay_2", 2),
        silent("evt_3", 3),
        silent("evt_4", 4),
        silent("evt_5", 5),
        elsewhere,
    ])
    .await;
    let claimed = test.claim(&endpoint("pro_1"), 1).await.remove(0);
    let made = a_try(&claimed, "evt_1", 200, 2);
    test.finish(&claimed, made, AfterTry::Delivered).await;

    let gone = |events, undelivered| {
        Ok(Purged {
            events,
            undelivered,
        })
    };
    let (event, _) = test
        .store
        .event(&shop(), "evt_1")
        .await
        .expect("a read")
        .expect("an event");
    assert_eq!(test.store.purge_events(at(5), 2).await, gone(2, 1));
    assert_eq!(test.store.purge_events(at(5), 100).await, gone(3, 0));
    assert_eq!(test.store.purge_events(at(5), 100).await, gone(0, 0));
    let (left, _) = found(&test, search()).await;
    assert_eq!(left, ["evt_5"], "also what nobody took for so long");
    assert_eq!(test.tries("evt_1").await, []);
    // An operator had asked for an attempt just before.
    let late = manual_try(&event, "evt_1m", 200);
    let shops = endpoint("pro_1");
    assert_eq!(test.store.record_manual_try(&shops, &late).await, Ok(()));
    assert_eq!(rows(&test, "delivery_attempts").await, 0);
    assert_eq!(rows(&test, "deliveries").await, 0);
}

async fn rows(test: &TestStore, table: &str) -> i64 {
    let read = Read::new(format!("select count(*) as n from {table}"), Vec::new());
    let rows = test.engine.fetch(read).await.expect("rows");
    rows[0].int("n").expect("a number")
}

/// Holds in either order: the queue has no row without its event.
async fn a_replay_may_meet_what_is_forgotten(test: TestStore) {
    let everything = Replay {
        merchant_id: shop(),
        profile_id: Some(endpoint("pro_1").profile_id),
        created_after: None,
        only_failed: false,
    };
    for round in 0..20 {
        let silent = (0..50).map(|number| {
            let id = format!("evt_{round}_{number}");
            EventRecord {
                deliver_at: None,
                ..news(&id, &id, 1)
            }
        });
        test.record(silent).await;
        let (queued, gone) = tokio::join!(
            test.store.queue_replay(&everything, at(2)),
            test.store.purge_events(at(2), 100),
        );
        let (queued, gone) = (queued.expect("queued"), gone.expect("gone"));
        assert_eq!(gone.events, 50);
        assert!(queued <= 50 && gone.undelivered <= queued);
        assert_eq!(rows(&test, "deliveries").await, 0);
    }
}
