//! A delivery that waits for an earlier one of its object is deferred, and becomes due when that one ends.

use multirail_app::webhooks::ports::EventStore;
use multirail_app::webhooks::ports::events::{Claimed, Replay};
use multirail_domain::webhooks::webhook::AfterTry;
use multirail_test_postgres::TestPostgres;
use sqlx::{Connection, Executor, PgConnection};

use super::super::engine::{Write, values};
use super::news::{a_try, at, endpoint, ids, manual_try, news, shop};
use crate::fixture::TestStore;
use crate::fixture::on_both_engines;

on_both_engines! {
    nothing_is_due_until_the_earlier_one_is
    nothing_is_due_until_patience_is_over
    a_chain_goes_in_order
    a_try_by_hand_that_arrives_lets_go_at_once
    a_replay_that_arrives_lets_go_at_once
    a_late_first_try_that_arrives_lets_go_at_once
    others_behind_many_that_wait_are_found
}

impl TestStore {
    /// Stores two events of a payment, due at 1 and 2 seconds. The first failed at 2 and is tried again at `retry`.
    async fn a_second_waits(&self, retry: i64) {
        let both = [news("evt_1", "pay_1", 1), news("evt_2", "pay_1", 2)];
        self.record(both).await;
        let first = self.claims("evt_1", 2).await;
        let made = a_try(&first, "evt_1", 500, 2);
        let after = AfterTry::RetryAt(at(retry));
        self.finish(&first, made, after).await;
        assert_eq!(self.claim(&endpoint("pro_1"), 3).await, []);
        assert_eq!(self.due(3).await, [""; 0], "it is not even looked at");
    }

    /// Claims that delivery and no other.
    async fn claims(&self, id: &str, seconds: i64) -> Claimed {
        let mut claimed = self.claim(&endpoint("pro_1"), seconds).await;
        assert_eq!(ids(&claimed), [id]);
        claimed.remove(0)
    }
}

async fn nothing_is_due_until_the_earlier_one_is(test: TestStore) {
    test.a_second_waits(62).await;
    assert_eq!(test.due(61).await, [""; 0]);
    let first = test.claims("evt_1", 62).await;
    let made = a_try(&first, "evt_1b", 500, 63);
    let after = AfterTry::RetryAt(at(363));
    test.finish(&first, made, after).await;
    assert_eq!(test.claim(&endpoint("pro_1"), 64).await, []);
    assert_eq!(test.due(362).await, [""; 0]);
    let first = test.claims("evt_1", 363).await;
    let made = a_try(&first, "evt_1c", 200, 363);
    test.finish(&first, made, AfterTry::Delivered).await;
    test.claims("evt_2", 363).await;
}

async fn nothing_is_due_until_patience_is_over(test: TestStore) {
    test.a_second_waits(9_000).await;
    assert_eq!(test.due(601).await, [""; 0]);
    assert_eq!(test.due(602).await, ["pro_1"]);
    test.claims("evt_2", 602).await;
}

async fn a_chain_goes_in_order(test: TestStore) {
    test.a_second_waits(62).await;
    test.record([news("evt_3", "pay_1", 3)]).await;
    assert_eq!(test.claim(&endpoint("pro_1"), 3).await, []);
    for id in ["evt_1", "evt_2", "evt_3"] {
        let claimed = test.claims(id, 62).await;
        assert_eq!(test.claim(&endpoint("pro_1"), 62).await, []);
        let made = a_try(&claimed, &format!("{id}b"), 200, 62);
        test.finish(&claimed, made, AfterTry::Delivered).await;
    }
}

async fn a_try_by_hand_that_arrives_lets_go_at_once(test: TestStore) {
    test.a_second_waits(9_000).await;
    let found = test.store.event(&shop(), "evt_1").await.expect("a read");
    let (event, _) = found.expect("an event");
    for (id, status, waits) in [("evt_1b", 500, true), ("evt_1c", 200, false)] {
        let mut made = manual_try(&event, id, status);
        made.created_at = at(30);
        let shops = endpoint("pro_1");
        let recorded = test.store.record_manual_try(&shops, &made).await;
        assert_eq!(recorded, Ok(()));
        assert_eq!(test.due(30).await.is_empty(), waits);
    }
    test.claims("evt_2", 30).await;
}

async fn a_replay_that_arrives_lets_go_at_once(test: TestStore) {
    test.a_second_waits(9_000).await;
    let what_failed = Replay {
        merchant_id: shop(),
        profile_id: None,
        created_after: None,
        only_failed: true,
    };
    let queued = test.store.queue_replay(&what_failed, at(30)).await;
    assert_eq!(queued, Ok(1));
    let first = test.claims("evt_1", 30).await;
    let made = a_try(&first, "evt_1b", 200, 31);
    test.finish(&first, made, AfterTry::Delivered).await;
    test.claims("evt_2", 31).await;
}

/// Its lease had expired, and the server that took over has failed meanwhile.
async fn a_late_first_try_that_arrives_lets_go_at_once(test: TestStore) {
    let both = [news("evt_1", "pay_1", 1), news("evt_2", "pay_1", 2)];
    test.record(both).await;
    let slow = test.claims("evt_1", 2).await;
    let quick = test.claims("evt_1", 47).await;
    let made = a_try(&quick, "evt_1", 500, 48);
    let after = AfterTry::RetryAt(at(9_000));
    test.finish(&quick, made, after).await;
    assert_eq!(test.claim(&endpoint("pro_1"), 49).await, []);
    assert_eq!(test.due(49).await, [""; 0]);
    let made = a_try(&slow, "evt_1", 200, 50);
    test.finish(&slow, made, AfterTry::Delivered).await;
    test.claims("evt_2", 50).await;
}

/// Thousands wait behind a failed event; one of another payment became due after them.
async fn others_behind_many_that_wait_are_found(test: TestStore) {
    let numbers = "with recursive n(i) as (select 1 union all select i + 1 from n where i < 2500)";
    let events = format!(
        "insert into events (merchant_id, event_id, profile_id, event_class, event_type, object_id, about_id, \
         object_sequence, is_delivered, created_at, body) {numbers} select 'bookshop', $1 || i, 'pro_1', 'payments', \
         'payment_succeeded', 'many_' || i, $1 || i, $2, null, 0, $3 from n"
    );
    let deliveries = format!(
        "insert into deliveries (merchant_id, event_id, endpoint, object_id, object_sequence, next_kind, retries_done, \
         next_at, first_failed_at, lease_until, fence, queued_at) {numbers} select 'bookshop', $1 || i, \
         'bookshop/pro_1', 'many_' || i, $2, 'initial_attempt', 0, $3, $4, 0, 0, 0 from n"
    );
    let (events, deliveries) = (events.leak() as &str, deliveries.leak() as &str);
    for (id, sequence, due, failed) in [
        ("evt_a", 1_i64, at(400), Some(at(100).as_micros())),
        ("evt_b", 2, at(50), None),
    ] {
        let event = values![id, sequence, vec![0_u8]];
        let delivery = values![id, sequence, due.as_micros(), failed];
        for (sql, row) in [(events, event), (deliveries, delivery)] {
            let write = Write::new(sql, row).any_rows();
            assert_eq!(test.engine.write(vec![write]).await.expect("rows"), [2_500]);
        }
    }
    test.record([news("evt_z", "pay_1", 60)]).await;
    let other = test.claims("evt_z", 200).await;
    let made = a_try(&other, "evt_z", 200, 200);
    test.finish(&other, made, AfterTry::Delivered).await;
    assert_eq!(test.claim(&endpoint("pro_1"), 200).await, []);
    assert_eq!(test.due(399).await, [""; 0], "nothing of it is looked at");
    assert_eq!(test.due(400).await, ["pro_1"]);
}

/// The transaction that deletes the first one would not see that the third was deferred behind it, and the second has
/// nothing to make due.
#[tokio::test]
async fn nothing_is_put_behind_what_is_being_taken_out() {
    let Ok(cluster) = TestPostgres::start_or_explain() else {
        return;
    };
    let url = cluster.create_database();
    let test = TestStore::open(&url, None).await;
    let all = [1, 2, 3].map(|number| news(&format!("evt_{number}"), "pay_1", number));
    test.record(all).await;
    let first = test.claims("evt_1", 3).await;
    let made = a_try(&first, "evt_1", 500, 3);
    let after = AfterTry::RetryAt(at(9_000));
    test.finish(&first, made, after).await;

    let mut somebody = PgConnection::connect(&url).await.expect("a connection");
    let mut taking_out = somebody.begin().await.expect("a transaction");
    let delete = "delete from deliveries where event_id = 'evt_1'";
    taking_out.execute(delete).await.expect("a row");
    assert_eq!(test.claim(&endpoint("pro_1"), 4).await, []);
    taking_out.commit().await.expect("a commit");

    for id in ["evt_2", "evt_3"] {
        let claimed = test.claims(id, 4).await;
        let made = a_try(&claimed, id, 200, 4);
        test.finish(&claimed, made, AfterTry::Delivered).await;
    }
}
