//! Open operations that are due, and the claims of several servers.

use std::collections::BTreeSet;

use futures::future::join_all;
use multirail_app::operations::ports::OpenOperationStore;
use multirail_app::operations::ports::open_operations::{
    ClaimedOperation, OpenObject, OpenOutcomes, Room,
};
use multirail_app::payments::ports::PAYMENT;
use multirail_app::payments::ports::PaymentStore;
use multirail_kernel::ids::ProcessorKey;
use multirail_sdk::connector::{Outcome, UnknownReason};

use super::super::engine::{Read, Write, values};
use super::news::{at, shop};
use super::story::{Story, done};
use crate::fixture::TestStore;
use crate::fixture::on_both_engines;
use crate::payments::payment_operations::FILED;

on_both_engines! {
    one_of_two_servers_asks_until_its_lease_lapses
    servers_that_look_at_once_share_what_is_due
    a_lost_claim_ends_nothing
    the_date_of_a_change_stays_and_the_lease_ends
    a_moved_clock_takes_no_claim_away
    leases_at_the_head_delay_no_other
    operations_of_an_object_of_a_later_version_are_left_to_it
    an_answer_that_comes_at_once_files_nothing
    a_call_that_was_cut_off_is_found_when_it_must_be_over
    an_answer_while_the_cut_off_call_is_asked_about_is_the_last_word
    what_a_server_of_before_the_table_left_open_gets_its_rows
    a_start_alone_waits_for_no_lease
}

/// Sets the date as a change of the object does: `$2` is the earlier one.
const MOVE_DATE: &str =
    "update open_operations set due_at = $3 where processor_key = $1 and due_at = $2";

impl TestStore {
    /// Stores an operation that is due at so many seconds.
    async fn open_operation(&self, key: &str, seconds: i64) {
        let sql = "insert into open_operations (processor_key, merchant_id, object_class, object_id, connector, due_at, \
             lease_until, fence, reason, is_unresolved) \
             values ($1, 'bookshop', 'payment', 'pay_1', 'fauxpay', $2, 0, 0, 'pending', true)";
        let row = values![key, at(seconds).as_micros()];
        self.insert(Write::new(sql, row)).await;
    }

    /// Claims for 40 seconds, business time first; there is room for 32.
    async fn take_up(&self, now: i64, wall: i64) -> Vec<ClaimedOperation> {
        let room = Room {
            free: 32,
            of_one_connector: 32,
            ..Room::default()
        };
        let claimed = self.store.claim_operations(at(now), at(wall), 40, room);
        claimed.await.expect("a claim")
    }

    async fn end(&self, claimed: &ClaimedOperation, next: Option<i64>) {
        let next = next.map(at);
        let ended = self.store.end_claim(claimed, next).await;
        assert_eq!(ended, Ok(()));
    }

    /// Returns how many rows had the date.
    async fn date_moves(&self, key: &str, seen: i64, to: i64) -> u64 {
        let dates = values![key, at(seen).as_micros(), at(to).as_micros()];
        let write = Write::new(MOVE_DATE, dates).any_rows();
        let changed = self.engine.write(vec![write]).await.expect("a write");
        changed[0]
    }

    /// In seconds.
    async fn next_question(&self, key: &str) -> Option<i64> {
        let sql = "select due_at from open_operations where processor_key = $1";
        let read = Read::new(sql, values![key]);
        let row = self.engine.fetch_optional(read).await.expect("a read");
        let micros = row.map(|row| row.int("due_at").expect("a date"));
        micros.map(|micros| micros / 1_000_000)
    }

    /// Returns the reason of each row, in the order of the operations' keys.
    async fn filed(&self) -> Vec<String> {
        let sql = "select processor_key, reason from open_operations order by processor_key";
        let rows = self.engine.fetch(Read::new(sql, Vec::new())).await;
        let text = |row: &super::super::engine::Row| {
            let (key, reason) = (row.text("processor_key"), row.text("reason"));
            format!("{} {}", key.expect("a key"), reason.expect("a reason"))
        };
        rows.expect("rows").iter().map(text).collect()
    }

    /// `payments.sync_at`, in seconds.
    async fn sync_at(&self, payment: &str) -> Option<i64> {
        let sql = "select sync_at from payments where merchant_id = 'bookshop' and payment_id = $1";
        let read = Read::new(sql, values![payment]);
        let row = self.engine.fetch_optional(read).await.expect("a read");
        let micros = row.expect("a payment").opt_int("sync_at").expect("a date");
        micros.map(|micros| micros / 1_000_000)
    }

    async fn story(&self) -> Story {
        let profile = self.merchant("bookshop").await.profiles.remove(0);
        Story::begin(self, "pay_1", &profile).await
    }
}

const ALL_FILED: Option<i64> = Some(FILED / 1_000_000);

fn keys(claimed: &[ClaimedOperation]) -> Vec<&str> {
    let keys = claimed.iter().map(|one| one.processor_key.as_str());
    keys.collect()
}

async fn one_of_two_servers_asks_until_its_lease_lapses(test: TestStore) {
    test.open_operation("mrk_1", 10).await;
    let other = test.another();
    assert_eq!(test.take_up(9, 9).await, [], "not yet due");
    let first = test.take_up(10, 10).await.remove(0);
    assert_eq!(
        first,
        ClaimedOperation {
            processor_key: ProcessorKey::parse("mrk_1").expect("a key"),
            merchant_id: shop(),
            object: OpenObject::new(PAYMENT, "pay_1"),
            connector: "fauxpay".to_owned(),
            fence: 1,
            put_off_to: at(50),
        }
    );
    assert_eq!(other.take_up(49, 49).await, []);
    let second = other.take_up(50, 50).await.remove(0);
    assert_eq!(second.fence, 2);
    other.end(&second, Some(60)).await;
    assert_eq!(test.take_up(59, 52).await, []);
    assert_eq!(test.take_up(60, 53).await[0].fence, 3);
}

async fn servers_that_look_at_once_share_what_is_due(test: TestStore) {
    for number in 0..30 {
        test.open_operation(&format!("mrk_{number}"), number).await;
    }
    let servers = [&test, &test.another(), &test.another()];
    let claimed = join_all(servers.map(|server| server.take_up(30, 30))).await;
    let claimed = claimed.concat();
    let once: BTreeSet<_> = keys(&claimed).into_iter().collect();
    assert_eq!((claimed.len(), once.len()), (30, 30));
    assert!(claimed.iter().all(|one| one.fence == 1));
}

async fn a_lost_claim_ends_nothing(test: TestStore) {
    test.open_operation("mrk_1", 1).await;
    let slow = test.take_up(1, 1).await.remove(0);
    let quick = test.another().take_up(41, 41).await.remove(0);
    for next in [None, Some(42)] {
        test.end(&slow, next).await;
        assert_eq!(test.next_question("mrk_1").await, Some(81));
        assert_eq!(test.take_up(99_999, 80).await, [], "its lease stands");
    }
    test.end(&quick, None).await;
    assert_eq!(test.next_question("mrk_1").await, None);
}

async fn the_date_of_a_change_stays_and_the_lease_ends(test: TestStore) {
    test.open_operation("mrk_1", 1).await;
    let claimed = test.take_up(1, 1).await.remove(0);
    assert_eq!(test.date_moves("mrk_1", 41, 7).await, 1, "by a change");
    assert_eq!(test.take_up(7, 7).await, [], "somebody is at it");
    // The answer was read before that change: nothing is open.
    test.end(&claimed, None).await;
    assert_eq!(test.next_question("mrk_1").await, Some(7));
    assert_eq!(keys(&test.take_up(8, 8).await), ["mrk_1"]);
}

async fn a_moved_clock_takes_no_claim_away(test: TestStore) {
    test.open_operation("mrk_1", 1).await;
    let claimed = test.take_up(1, 1).await.remove(0);
    let other = test.another();
    assert_eq!(other.take_up(86_401, 40).await, []);
    test.end(&claimed, Some(86_402)).await;
    assert_eq!(keys(&other.take_up(86_402, 40).await), ["mrk_1"]);
    // An operation of a dead server is free after its lease, as without a move of the clock.
    assert_eq!(test.take_up(999_999, 79).await, []);
    assert_eq!(keys(&test.take_up(999_999, 80).await), ["mrk_1"]);
}

/// Servers with full claims died, and the clock moved: their operations are due before all others.
async fn leases_at_the_head_delay_no_other(test: TestStore) {
    for number in 0..100 {
        test.open_operation(&format!("mrk_{number:03}"), number)
            .await;
    }
    let dead = [test.take_up(200, 1).await, test.take_up(200, 2).await];
    assert_eq!(dead.each_ref().map(Vec::len), [32, 32]);
    for number in 100..140 {
        test.open_operation(&format!("mrk_{number:03}"), 500).await;
    }
    let rest = test.take_up(500, 3).await;
    let first = rest.first().map(|one| one.processor_key.as_str());
    assert_eq!((first, rest.len()), (Some("mrk_064"), 32));
    assert_eq!(test.take_up(500, 4).await.len(), 32);
    assert_eq!(test.take_up(500, 5).await.len(), 12);
    assert_eq!(test.take_up(500, 6).await, []);
    // The dead servers' leases have expired, the first server's first.
    assert_eq!(keys(&test.take_up(500, 41).await), keys(&dead[0]));
    assert_eq!(keys(&test.take_up(500, 42).await), keys(&dead[1]));
}

async fn operations_of_an_object_of_a_later_version_are_left_to_it(test: TestStore) {
    test.open_operation("mrk_1", 1).await;
    let of_later = "update open_operations set object_class = $1";
    test.insert(Write::new(of_later, values!["payout"])).await;
    assert_eq!(test.take_up(1, 1).await, []);
}

async fn an_answer_that_comes_at_once_files_nothing(test: TestStore) {
    let mut story = test.story().await;
    story.confirm(&test).await;
    assert_eq!(test.sync_at("pay_1").await, Some(41), "the call is over");
    assert_eq!(test.filed().await, [""; 0]);
    story.learns(&test, done()).await;
    assert_eq!(test.sync_at("pay_1").await, None);
    story.capture(&test, 1000).await;
    story
        .learns(&test, Outcome::Unknown(UnknownReason::Timeout))
        .await;
    assert_eq!(test.filed().await, ["mrk_pay_1_3 unknown"]);
    assert_eq!(test.sync_at("pay_1").await, ALL_FILED);
    let open = OpenOutcomes {
        with_processor: 1,
        with_payer: 0,
    };
    assert_eq!(test.store.open_outcomes().await, Ok(open));
}

async fn a_call_that_was_cut_off_is_found_when_it_must_be_over(test: TestStore) {
    let mut story = test.story().await;
    story.confirm(&test).await;
    assert_eq!(test.take_up(40, 40).await, []);
    let claimed = test.take_up(41, 41).await.remove(0);
    assert_eq!(claimed.processor_key.as_str(), "mrk_pay_1_1");
    assert_eq!(test.filed().await, ["mrk_pay_1_1 started"]);
    assert_eq!(test.sync_at("pay_1").await, ALL_FILED);
    assert_eq!(test.another().take_up(80, 80).await, []);
    // The server that claimed it died.
    let again = test.another().take_up(81, 81).await.remove(0);
    assert_eq!(again.fence, 2);
    test.end(&again, None).await;
    assert_eq!(test.filed().await, [""; 0]);
    assert_eq!(test.sync_at("pay_1").await, None);
}

async fn an_answer_while_the_cut_off_call_is_asked_about_is_the_last_word(test: TestStore) {
    let mut story = test.story().await;
    story.confirm(&test).await;
    let claimed = test.take_up(41, 41).await.remove(0);
    story.learns(&test, done()).await;
    assert_eq!(test.sync_at("pay_1").await, None);
    test.end(&claimed, None).await;
    assert_eq!(test.filed().await, [""; 0]);
    let payment = story.payment(&test).await.expect("a payment");
    assert!(!payment.is_open_at_processor());
}

/// The older server set one date for the whole payment, a day ahead or already past, and inserted no rows.
async fn what_a_server_of_before_the_table_left_open_gets_its_rows(test: TestStore) {
    let mut story = test.story().await;
    story.confirm(&test).await;
    story
        .learns(&test, Outcome::Pending { reference: None })
        .await;
    let filed = ["mrk_pay_1_1 pending"];
    let a_day = 86_400;
    for date in [a_day, 50, 7] {
        let delete = "delete from open_operations where merchant_id = $1";
        test.insert(Write::new(delete, values!["bookshop"])).await;
        let set = "update payments set sync_at = $1";
        let date_of_it = values![at(date).as_micros()];
        test.insert(Write::new(set, date_of_it)).await;
        let claimed = test.take_up(9, 9).await;
        assert_eq!(test.filed().await, filed);
        assert_eq!(test.sync_at("pay_1").await, ALL_FILED);
        let is_due = date <= 9;
        assert_eq!(claimed.len(), usize::from(is_due));
        let next = if is_due { 49 } else { date };
        assert_eq!(test.next_question("mrk_pay_1_1").await, Some(next));
    }
    // The older server sees an open payment that is never due, and refuses to delete its merchant.
    let held = test.store.payments_held_or_open(&shop(), None, 10).await;
    assert_eq!(held.expect("a list").len(), 1);
}

async fn a_start_alone_waits_for_no_lease(test: TestStore) {
    for id in ["mrk_1", "mrk_2"] {
        test.open_operation(id, 1).await;
    }
    let cut_off = test.take_up(1, 1).await;
    assert_eq!(keys(&cut_off), ["mrk_1", "mrk_2"]);
    // The older server stored the outcome of one operation, to be asked about again in a day, before all ended.
    let a_day = 86_400;
    assert_eq!(test.date_moves("mrk_2", 41, a_day).await, 1);
    assert_eq!(test.store.take_over(at(2)).await, Ok(()));
    assert_eq!(test.next_question("mrk_2").await, Some(a_day));
    assert_eq!(keys(&test.take_up(2, 2).await), ["mrk_1"]);
    assert_eq!(keys(&test.take_up(a_day, 3).await), ["mrk_2"]);
}
