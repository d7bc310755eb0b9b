//! Several claims of one delivery: one that expired, a later one, a replay. The fence says which decides.

use multirail_app::webhooks::ports::EventStore;
use multirail_app::webhooks::ports::events::{Claimed, Replay};
use multirail_domain::webhooks::webhook::AfterTry;

use super::news::{a_try, at, endpoint, event_id, ids, news, shop};
use crate::fixture::TestStore;
use crate::fixture::on_both_engines;

on_both_engines! {
    a_lease_is_made_longer_by_who_has_it
    a_replay_outlives_a_last_try_that_fails
    a_replay_outlives_a_try_that_is_retried
    a_replay_is_sent_though_a_try_arrived_meanwhile
    what_arrived_is_not_sent_again_by_who_took_over
    a_claim_of_an_earlier_order_decides_nothing
}

async fn replay(test: &TestStore, seconds: i64) {
    let everything = Replay {
        merchant_id: shop(),
        profile_id: Some(endpoint("pro_1").profile_id),
        created_after: None,
        only_failed: false,
    };
    let queued = test.store.queue_replay(&everything, at(seconds)).await;
    assert_eq!(queued, Ok(1));
}

async fn a_replay_outlives_a_last_try_that_fails(test: TestStore) {
    test.record([news("evt_1", "pay_1", 1)]).await;
    let shops = endpoint("pro_1");
    let last = test.claim(&shops, 1).await.remove(0);
    replay(&test, 2).await;
    assert_eq!(test.claim(&shops, 2).await, [], "somebody is at it");
    let made = a_try(&last, "evt_1", 500, 3);
    let ours = test.store.finish(&last, &made, AfterTry::GaveUp).await;
    assert_eq!(ours, Ok(false));
    let again = test.claim(&shops, 3).await;
    assert_eq!(ids(&again), ["evt_1"], "at once: nobody is at it any more");
    assert_eq!((again[0].retries_done, again[0].first_failed_at), (0, None));
}

async fn a_replay_outlives_a_try_that_is_retried(test: TestStore) {
    test.record([news("evt_1", "pay_1", 1)]).await;
    let shops = endpoint("pro_1");
    let first = test.claim(&shops, 1).await.remove(0);
    replay(&test, 2).await;
    let made = a_try(&first, "evt_1", 500, 3);
    let after = AfterTry::RetryAt(at(9_000));
    assert_eq!(test.store.finish(&first, &made, after).await, Ok(false));
    let again = test.claim(&shops, 3).await;
    assert_eq!((again[0].retries_done, again[0].first_failed_at), (0, None));
}

async fn a_replay_is_sent_though_a_try_arrived_meanwhile(test: TestStore) {
    test.record([news("evt_1", "pay_1", 1)]).await;
    let shops = endpoint("pro_1");
    let first = test.claim(&shops, 1).await.remove(0);
    replay(&test, 2).await;
    let made = a_try(&first, "evt_1", 200, 3);
    let ours = test.store.finish(&first, &made, AfterTry::Delivered).await;
    assert_eq!(ours, Ok(false));
    assert_eq!(test.is_delivered("evt_1").await, Some(true));
    let again = test.claim(&shops, 3).await.remove(0);
    let made = a_try(&again, "evt_1b", 200, 4);
    test.finish(&again, made, AfterTry::Delivered).await;
    assert_eq!(test.claim(&shops, 99).await, []);
}

async fn what_arrived_is_not_sent_again_by_who_took_over(test: TestStore) {
    test.record([news("evt_1", "pay_1", 1)]).await;
    let shops = endpoint("pro_1");
    let slow = test.claim(&shops, 1).await.remove(0);
    let quick = test.claim(&shops, 46).await.remove(0);
    let made = a_try(&slow, "evt_1", 200, 47);
    let ours = test.store.finish(&slow, &made, AfterTry::Delivered).await;
    assert_eq!(ours, Ok(true), "nothing is left to be decided");
    let made = a_try(&quick, "evt_1", 500, 48);
    let after = AfterTry::RetryAt(at(60));
    assert_eq!(test.store.finish(&quick, &made, after).await, Ok(false));
    assert_eq!(test.claim(&shops, 9_999).await, []);
    assert_eq!(test.is_delivered("evt_1").await, Some(true));
}

/// A row that is deleted and queued again counts its claims from zero.
async fn a_claim_of_an_earlier_order_decides_nothing(test: TestStore) {
    test.record([news("evt_1", "pay_1", 1)]).await;
    let shops = endpoint("pro_1");
    let lost = test.claim(&shops, 1).await.remove(0);
    let last = test.claim(&shops, 46).await.remove(0);
    let made = a_try(&last, "evt_1", 500, 47);
    test.finish(&last, made, AfterTry::GaveUp).await;
    replay(&test, 48).await;
    let anew = test.claim(&shops, 48).await.remove(0);
    assert_eq!(anew.fence, lost.fence);
    for (id, status, after) in [
        ("evt_1b", 500, AfterTry::GaveUp),
        ("evt_1c", 200, AfterTry::Delivered),
    ] {
        let made = a_try(&lost, id, status, 49);
        assert_eq!(test.store.finish(&lost, &made, after).await, Ok(false));
    }
    assert_eq!(test.claim(&shops, 50).await, [], "still leased");
    let made = a_try(&anew, event_id("evt_1d").as_str(), 200, 51);
    test.finish(&anew, made, AfterTry::Delivered).await;
}

async fn a_lease_is_made_longer_by_who_has_it(test: TestStore) {
    test.record([news("evt_1", "pay_1", 1)]).await;
    let shops = endpoint("pro_1");
    let first = test.claim(&shops, 1).await.remove(0);
    let prolong = |claimed: &Claimed, next| {
        let claimed = claimed.clone();
        let store = &test.store;
        async move {
            let kept = store.prolong(&claimed, claimed.lease_until, at(next)).await;
            kept.expect("a write")
        }
    };
    assert!(prolong(&first, 60).await);
    assert_eq!(test.claim(&shops, 59).await, [], "it is at it still");
    // Once: it names the end that it knows.
    assert!(!prolong(&first, 90).await);

    // The first server is dead, or so slow that another one took over.
    let second = test.claim(&shops, 60).await.remove(0);
    let late = Claimed {
        lease_until: second.lease_until,
        ..first
    };
    assert!(!prolong(&late, 900).await);
    assert!(prolong(&second, 200).await);
    let given_back = Claimed {
        lease_until: at(200),
        ..second
    };
    test.store.release(&[given_back]).await.expect("a write");
    assert_eq!(test.claim(&shops, 61).await.len(), 1);
}
