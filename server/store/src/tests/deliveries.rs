//! The delivery queue of a real database of either kind: claimed, tried, retried, paused, sent again.

use multirail_app::accounts::ports::profiles::EndpointHealth;
use multirail_app::webhooks::ports::EventStore;
use multirail_app::webhooks::ports::events::EventRecord;
use multirail_app::webhooks::ports::events::{DeliveryAttempt, Replay};
use multirail_domain::webhooks::webhook::{AfterTry, DeliveryKind};
use multirail_kernel::ids::ProfileId;

use super::super::engine::Read;
use super::news::{a_try, at, endpoint, event_id, ids, manual_try, news, shop};
use crate::fixture::TestStore;
use crate::fixture::on_both_engines;

on_both_engines! {
    what_is_recorded_is_delivered_once
    a_failed_delivery_is_retried_and_every_attempt_is_stored
    whoever_lost_the_lease_changes_nothing
    events_of_one_object_go_in_order
    a_try_by_hand_ends_the_delivery
    endpoints_that_wait_are_found
    a_paused_endpoint_waits_until_it_is_resumed
    a_replay_begins_its_schedule_again
    what_is_given_back_is_due_as_it_was
    without_an_address_everything_waits
    after_a_start_nothing_is_leased
}

async fn what_is_recorded_is_delivered_once(test: TestStore) {
    let silent = EventRecord {
        deliver_at: None,
        ..news("evt_2", "pay_2", 1)
    };
    test.record([news("evt_1", "pay_1", 1), silent]).await;
    // The same news again is neither recorded nor queued.
    let again = EventRecord {
        about_id: "evt_1".to_owned(),
        ..news("evt_3", "pay_1", 2)
    };
    test.record([again]).await;

    let shops = endpoint("pro_1");
    assert_eq!(test.claim(&shops, 0).await, [], "not due yet");
    let claimed = test.claim(&shops, 1).await;
    assert_eq!(ids(&claimed), ["evt_1"]);
    let first = &claimed[0];
    assert_eq!(first.body, r#"{"event_id":"evt_1"}"#);
    assert_eq!(first.kind, DeliveryKind::InitialAttempt);
    assert_eq!((first.retries_done, first.fence), (0, 1));
    assert_eq!(first.first_failed_at, None);
    assert_eq!(test.claim(&shops, 1).await, [], "somebody is at it");
    assert_eq!(test.is_delivered("evt_1").await, None);

    let made = a_try(first, "evt_1", 204, 2);
    test.finish(first, made.clone(), AfterTry::Delivered).await;
    assert_eq!(test.is_delivered("evt_1").await, Some(true));
    assert_eq!(test.claim(&shops, 9_999).await, []);
    assert_eq!(test.tries("evt_1").await, [made]);
    let state = test.store.queue_state().await.expect("a read");
    assert_eq!((state.waiting, state.next_at), (0, None));

    for (table, column) in [("events", "body"), ("delivery_attempts", "sealed")] {
        let read = Read::new(
            format!("select {column} from {table} order by event_id"),
            Vec::new(),
        );
        let rows = test.engine.fetch(read).await.expect("rows");
        let sealed = String::from_utf8(rows[0].bytes(0).expect("bytes")).expect("text");
        assert!(sealed.starts_with(&format!("{table}:bookshop/evt_1|")));
        assert!(!sealed.contains("header-secret"));
    }
}

async fn a_failed_delivery_is_retried_and_every_attempt_is_stored(test: TestStore) {
    test.record([news("evt_1", "pay_1", 1)]).await;
    let shops = endpoint("pro_1");
    let first = test.claim(&shops, 1).await.remove(0);
    let made = a_try(&first, "evt_1", 500, 2);
    test.finish(&first, made, AfterTry::RetryAt(at(62))).await;
    assert_eq!(test.is_delivered("evt_1").await, Some(false));
    assert_eq!(test.claim(&shops, 61).await, []);
    let state = test.store.queue_state().await.expect("a read");
    assert_eq!((state.waiting, state.next_at), (1, Some(at(62))));

    let second = test.claim(&shops, 62).await.remove(0);
    assert_eq!(second.kind, DeliveryKind::AutomaticRetry);
    assert_eq!((second.retries_done, second.fence), (1, 2));
    assert_eq!(second.first_failed_at, Some(at(2)));
    assert_eq!(second.body, first.body);
    let made = a_try(&second, "evt_1b", 500, 63);
    test.finish(&second, made, AfterTry::RetryAt(at(363))).await;
    let third = test.claim(&shops, 363).await.remove(0);
    assert_eq!(
        (third.retries_done, third.first_failed_at),
        (2, Some(at(2)))
    );
    let failing = EndpointHealth {
        failing_since: Some(at(2)),
        failures: 2,
        paused_at: None,
    };
    assert_eq!(test.health(&shops).await, failing);
    let made = a_try(&third, "evt_1c", 500, 364);
    test.finish(&third, made, AfterTry::GaveUp).await;
    assert_eq!(test.claim(&shops, 99_999).await, []);
    assert_eq!(test.is_delivered("evt_1").await, Some(false));

    let tries = test.tries("evt_1").await;
    let shown: Vec<_> = tries
        .iter()
        .map(|made| (made.event_id.as_str(), made.kind.as_str()))
        .collect();
    assert_eq!(
        shown,
        [
            ("evt_1c", "automatic_retry"),
            ("evt_1b", "automatic_retry"),
            ("evt_1", "initial_attempt")
        ]
    );
    let of_a_retry = test.store.event(&shop(), "evt_1c").await.expect("a read");
    assert_eq!(of_a_retry.expect("an event").0.event_id, event_id("evt_1"));
    let elsewhere = multirail_kernel::ids::MerchantId::parse("flower_shop").expect("an id");
    assert_eq!(test.store.event(&elsewhere, "evt_1").await, Ok(None));
}

async fn whoever_lost_the_lease_changes_nothing(test: TestStore) {
    test.record([news("evt_1", "pay_1", 1)]).await;
    let shops = endpoint("pro_1");
    let slow = test.claim(&shops, 1).await.remove(0);
    assert_eq!(test.claim(&shops, 45).await, []);
    let quick = test.claim(&shops, 46).await.remove(0);
    assert_eq!((slow.fence, quick.fence), (1, 2));

    let late = a_try(&slow, "evt_1", 500, 47);
    let after = AfterTry::RetryAt(at(9_000));
    assert_eq!(test.store.finish(&slow, &late, after).await, Ok(false));
    let given_back = test.store.release(std::slice::from_ref(&slow)).await;
    assert_eq!(given_back, Ok(()));
    assert_eq!(test.claim(&shops, 47).await, [], "it wasn't his any more");
    // Both are initial attempts. Recorded once more, each keeps its id.
    assert_eq!(test.store.finish(&slow, &late, after).await, Ok(false));
    let made = a_try(&quick, "evt_1", 200, 48);
    test.finish(&quick, made.clone(), AfterTry::Delivered).await;
    let again = test.store.finish(&quick, &made, AfterTry::Delivered).await;
    assert_eq!(again, Ok(false));
    assert_eq!(test.is_delivered("evt_1").await, Some(true));
    let second = DeliveryAttempt {
        event_id: event_id("evt_1_2"),
        ..made
    };
    assert_eq!(test.tries("evt_1").await, [second, late]);
}

async fn events_of_one_object_go_in_order(test: TestStore) {
    let shops = endpoint("pro_1");
    // The later one is even due earlier.
    let later = EventRecord {
        deliver_at: Some(at(0)),
        ..news("evt_2", "pay_1", 32)
    };
    test.record([
        news("evt_1", "pay_1", 16),
        later,
        news("evt_3", "pay_2", 16),
    ])
    .await;
    let claimed = test.claim(&shops, 40).await;
    assert_eq!(ids(&claimed), ["evt_1", "evt_3"]);
    assert_eq!(test.claim(&shops, 40).await, [], "evt_2 waits for evt_1");
    let other = a_try(&claimed[1], "evt_3", 200, 41);
    test.finish(&claimed[1], other, AfterTry::Delivered).await;

    let first = &claimed[0];
    let made = a_try(first, "evt_1", 500, 41);
    test.finish(first, made, AfterTry::RetryAt(at(9_000))).await;
    assert_eq!(test.claim(&shops, 640).await, [], "patience lasts");
    assert_eq!(ids(&test.claim(&shops, 641).await), ["evt_2"]);

    test.record([news("evt_4", "pay_3", 1), news("evt_5", "pay_3", 2)])
        .await;
    let claimed = test.claim(&shops, 642).await;
    assert_eq!(ids(&claimed), ["evt_4"]);
    let made = a_try(&claimed[0], "evt_4", 200, 642);
    test.finish(&claimed[0], made, AfterTry::Delivered).await;
    assert_eq!(ids(&test.claim(&shops, 642).await), ["evt_5"]);
}

async fn a_try_by_hand_ends_the_delivery(test: TestStore) {
    test.record([news("evt_1", "pay_1", 1)]).await;
    let found = test.store.event(&shop(), "evt_1").await.expect("a read");
    let (event, _) = found.expect("an event");
    let shops = endpoint("pro_1");
    let failed = manual_try(&event, "evt_1m", 500);
    let store = &test.store;
    assert_eq!(store.record_manual_try(&shops, &failed).await, Ok(()));
    assert_eq!(test.health(&shops).await, EndpointHealth::default());
    assert_eq!(test.is_delivered("evt_1m").await, Some(false));
    assert_eq!(test.due(1).await, ["pro_1"], "it goes on by itself");

    let claimed = test.claim(&shops, 1).await.remove(0);
    let made = a_try(&claimed, "evt_1", 500, 2);
    test.finish(&claimed, made, AfterTry::RetryAt(at(60))).await;
    assert_eq!(test.health(&shops).await.failures, 1);
    let taken = manual_try(&event, "evt_1n", 200);
    assert_eq!(store.record_manual_try(&shops, &taken).await, Ok(()));
    assert_eq!(store.record_manual_try(&shops, &taken).await, Ok(()));
    assert_eq!(test.tries("evt_1").await.len(), 3, "once, also repeated");
    assert_eq!(test.health(&shops).await, EndpointHealth::default());
    assert_eq!(test.is_delivered("evt_1").await, Some(true));
    assert_eq!(test.due(9_999).await, [""; 0]);
}

async fn endpoints_that_wait_are_found(test: TestStore) {
    let of = |id: &str, profile: &str, due: i64| EventRecord {
        profile_id: ProfileId::parse(profile).expect("an id"),
        deliver_at: Some(at(due)),
        ..news(id, id, 1)
    };
    assert_eq!(test.due(9_999).await, [""; 0]);
    test.record([
        of("evt_1", "pro_b", 5),
        of("evt_2", "pro_a", 5),
        of("evt_3", "pro_b", 5),
        of("evt_4", "pro_c", 100),
    ])
    .await;
    assert_eq!(test.due(5).await, ["pro_a", "pro_b"]);
    assert_eq!(test.claim(&endpoint("pro_a"), 5).await.len(), 1);
    assert_eq!(test.due(5).await, ["pro_b"]);
    assert_eq!(test.due(100).await, ["pro_a", "pro_b", "pro_c"]);
}

async fn a_paused_endpoint_waits_until_it_is_resumed(test: TestStore) {
    test.record([news("evt_1", "pay_1", 1), news("evt_2", "pay_2", 1)])
        .await;
    let shops = endpoint("pro_1");
    let claimed = test.claim(&shops, 1).await;
    let made = a_try(&claimed[0], "evt_1", 500, 2);
    test.finish(&claimed[0], made, AfterTry::RetryAt(at(5_000)))
        .await;
    let failing = test.health(&shops).await;
    assert_eq!(
        test.store.pause_endpoint(&shops, &failing, at(3)).await,
        Ok(true)
    );
    let again = test.store.pause_endpoint(&shops, &failing, at(4)).await;
    assert_eq!(again, Ok(false), "it is paused");
    let made = a_try(&claimed[1], "evt_2", 500, 4);
    test.finish(&claimed[1], made, AfterTry::RetryAt(at(5_000)))
        .await;
    test.record([news("evt_3", "pay_3", 5)]).await;
    assert_eq!(test.due(9_999).await, [""; 0]);
    let paused = EndpointHealth {
        failing_since: Some(at(2)),
        failures: 2,
        paused_at: Some(at(3)),
    };
    assert_eq!(test.health(&shops).await, paused);
    assert_eq!(test.store.queue_state().await.expect("a read").waiting, 0);

    assert_eq!(test.store.resume_endpoint(&shops, at(10)).await, Ok(()));
    assert_eq!(test.health(&shops).await, EndpointHealth::default());
    let claimed = test.claim(&shops, 10).await;
    assert_eq!(ids(&claimed), ["evt_3", "evt_1", "evt_2"]);
    // A server that saw a failure before the endpoint was resumed or accepted something must not pause it.
    let late = test.store.pause_endpoint(&shops, &failing, at(10)).await;
    assert_eq!(late, Ok(false));
    let made = a_try(&claimed[1], "evt_1b", 500, 11);
    test.finish(&claimed[1], made, AfterTry::RetryAt(at(5_000)))
        .await;
    let late = test.store.pause_endpoint(&shops, &failing, at(11)).await;
    assert_eq!(late, Ok(false), "it fails anew");
    let made = a_try(&claimed[0], "evt_3", 200, 11);
    test.finish(&claimed[0], made, AfterTry::Delivered).await;
    assert_eq!(test.health(&shops).await, EndpointHealth::default());
}

async fn a_replay_begins_its_schedule_again(test: TestStore) {
    let silent = EventRecord {
        deliver_at: None,
        ..news("evt_4", "pay_4", 4)
    };
    test.record([
        news("evt_1", "pay_1", 1),
        news("evt_2", "pay_2", 2),
        news("evt_3", "pay_3", 3),
        silent,
    ])
    .await;
    let shops = endpoint("pro_1");
    let claimed = test.claim(&shops, 3).await;
    for (one, (status, after)) in claimed.iter().zip([
        (200, AfterTry::Delivered),
        (500, AfterTry::GaveUp),
        (500, AfterTry::RetryAt(at(9_000))),
    ]) {
        let made = a_try(one, one.event.event_id.as_str(), status, 4);
        test.finish(one, made, after).await;
    }
    let failed = Replay {
        merchant_id: shop(),
        profile_id: None,
        created_after: Some(at(2)),
        only_failed: true,
    };
    assert_eq!(test.store.count_replay(&failed).await, Ok(2));
    let late = Replay {
        created_after: Some(at(3)),
        ..failed.clone()
    };
    assert_eq!(test.store.count_replay(&late).await, Ok(1));
    assert_eq!(test.store.queue_replay(&failed, at(20)).await, Ok(2));
    let claimed = test.claim(&shops, 20).await;
    assert_eq!(ids(&claimed), ["evt_2", "evt_3"]);
    for one in &claimed {
        assert_eq!(one.kind, DeliveryKind::ManualRetry);
        assert_eq!((one.retries_done, one.first_failed_at), (0, None));
    }

    test.record([news("evt_5", "pay_5", 90)]).await;
    let everything = Replay {
        profile_id: Some(shops.profile_id.clone()),
        created_after: None,
        only_failed: false,
        ..failed.clone()
    };
    assert_eq!(test.store.count_replay(&everything).await, Ok(5));
    let queued = test.store.queue_replay(&everything, at(70)).await;
    assert_eq!(queued, Ok(4), "nothing that happens later");
    let claimed = test.claim(&shops, 70).await;
    assert_eq!(ids(&claimed), ["evt_1", "evt_2", "evt_3", "evt_4"]);
    assert_eq!(claimed[3].kind, DeliveryKind::InitialAttempt, "never sent");
    let elsewhere = Replay {
        profile_id: Some(endpoint("pro_2").profile_id),
        ..everything
    };
    assert_eq!(test.store.queue_replay(&elsewhere, at(80)).await, Ok(0));
}

async fn what_is_given_back_is_due_as_it_was(test: TestStore) {
    test.record([news("evt_1", "pay_1", 1), news("evt_2", "pay_2", 1)])
        .await;
    let shops = endpoint("pro_1");
    let claimed = test.claim(&shops, 1).await;
    assert_eq!(test.store.release(&claimed).await, Ok(()));
    assert_eq!(test.store.release(&[]).await, Ok(()));
    let again = test.claim(&shops, 1).await;
    assert_eq!(ids(&again), ["evt_1", "evt_2"]);
    assert_eq!(again[0].kind, DeliveryKind::InitialAttempt);
    assert_eq!((again[0].retries_done, again[0].first_failed_at), (0, None));
}

async fn without_an_address_everything_waits(test: TestStore) {
    test.record([news("evt_1", "pay_1", 1), news("evt_2", "pay_2", 2)])
        .await;
    let shops = endpoint("pro_1");
    assert_eq!(test.store.postpone(&shops, at(2), at(600)).await, Ok(2));
    assert_eq!(test.store.postpone(&shops, at(2), at(600)).await, Ok(0));
    assert_eq!(test.due(599).await, [""; 0]);
    assert_eq!(test.due(600).await, ["pro_1"], "it is looked again");
    assert_eq!(test.store.make_due(&shops, at(3)).await, Ok(()));
    assert_eq!(ids(&test.claim(&shops, 3).await), ["evt_1", "evt_2"]);
}

async fn after_a_start_nothing_is_leased(test: TestStore) {
    test.record([news("evt_1", "pay_1", 1)]).await;
    let shops = endpoint("pro_1");
    assert_eq!(test.claim(&shops, 1).await.len(), 1);
    assert_eq!(test.store.take_over(at(2)).await, Ok(()));
    let again = test.claim(&shops, 2).await;
    assert_eq!(again[0].fence, 2, "the earlier claim stays lost");
}
