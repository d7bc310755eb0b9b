//! Who asks a processor about a payment when several servers would.

use std::collections::BTreeSet;

use futures::future::join_all;
use multirail_app::ports::SyncStore;
use multirail_app::ports::syncs::{ClaimedSync, SyncRoom};
use multirail_domain::ids::PaymentId;

use super::super::engine::{Read, Write, values};
use super::news::{at, shop};
use super::on_both_engines;
use super::place::Place;

on_both_engines! {
    one_of_two_servers_asks_until_its_lease_lapses
    servers_that_look_at_once_share_what_is_due
    who_lost_a_claim_ends_nothing
    the_date_of_a_change_stays_and_the_lease_ends
    a_moved_clock_takes_no_claim_away
    leases_at_the_head_hold_up_nobody
    an_older_server_beside_a_newer_one_leaves_its_claims_alone
    an_older_servers_claim_outlives_one_that_lapsed
    a_start_alone_waits_for_no_lease
}

/// As servers claimed, and ended that, before there were leases: `$3` is the date that one saw.
const MOVE_DATE: &str =
    "update payments set sync_at = $4 where merchant_id = $1 and payment_id = $2 and sync_at = $3";

impl Place {
    /// A payment that is to be asked about at so many seconds.
    async fn open_payment(&self, id: &str, seconds: i64) {
        let sql = "insert into payments (merchant_id, payment_id, version, profile_id, status, amount, currency, \
             authentication_type, connector, attempt_count, capture_count, record, created_at, modified_at, sync_at, \
             is_unresolved) values ($1, $2, 1, 'pro_1', 'processing', 6540, 'USD', 'no_three_ds', 'fauxpay', 1, 0, \
             '{}', 0, 0, $3, true)";
        let row = values!["bookshop", id, at(seconds).as_micros()];
        self.insert(Write::new(sql, row)).await;
    }

    /// Claims for 40 seconds, business time first; there is room for 32.
    async fn take_up(&self, now: i64, wall: i64) -> Vec<ClaimedSync> {
        let room = SyncRoom {
            free: 32,
            of_one_connector: 32,
            ..SyncRoom::default()
        };
        let claimed = self.store.claim_syncs(at(now), at(wall), 40, room).await;
        claimed.expect("a claim")
    }

    async fn end(&self, claimed: &ClaimedSync, next: Option<i64>) {
        let next = next.map(at);
        let ended = self.store.end_sync(claimed, next).await;
        assert_eq!(ended, Ok(()));
    }

    /// As an older server claims, and as a change of the payment sets its date; answers how many rows had the date.
    async fn date_moves(&self, id: &str, seen: i64, to: i64) -> u64 {
        let dates = values!["bookshop", id, at(seen).as_micros(), at(to).as_micros()];
        let write = Write::new(MOVE_DATE, dates).any_rows();
        let changed = self.engine.write(vec![write]).await.expect("a write");
        changed[0]
    }

    /// In seconds.
    async fn next_question(&self, id: &str) -> Option<i64> {
        let sql = "select sync_at from payments where merchant_id = 'bookshop' and payment_id = $1";
        let row = self
            .engine
            .fetch_optional(Read::new(sql, values![id]))
            .await;
        let row = row.expect("a read").expect("a payment");
        let micros = row.opt_int("sync_at").expect("a date");
        micros.map(|micros| micros / 1_000_000)
    }
}

fn ids(claimed: &[ClaimedSync]) -> Vec<&str> {
    let ids = claimed.iter().map(|one| one.payment_id.as_str());
    ids.collect()
}

async fn one_of_two_servers_asks_until_its_lease_lapses(place: Place) {
    place.open_payment("pay_1", 10).await;
    let other = place.another();
    assert_eq!(place.take_up(9, 9).await, [], "not yet due");
    let first = place.take_up(10, 10).await.remove(0);
    assert_eq!(
        first,
        ClaimedSync {
            merchant_id: shop(),
            payment_id: PaymentId::parse("pay_1").expect("an id"),
            connector: "fauxpay".to_owned(),
            fence: 1,
            put_off_to: at(50),
        }
    );
    assert_eq!(other.take_up(49, 49).await, []);
    let second = other.take_up(50, 50).await.remove(0);
    assert_eq!(second.fence, 2);
    other.end(&second, Some(60)).await;
    assert_eq!(place.take_up(59, 52).await, []);
    assert_eq!(place.take_up(60, 53).await[0].fence, 3);
}

async fn servers_that_look_at_once_share_what_is_due(place: Place) {
    for number in 0..30 {
        place.open_payment(&format!("pay_{number}"), number).await;
    }
    let servers = [&place, &place.another(), &place.another()];
    let claimed = join_all(servers.map(|server| server.take_up(30, 30))).await;
    let claimed = claimed.concat();
    let once: BTreeSet<_> = ids(&claimed).into_iter().collect();
    assert_eq!((claimed.len(), once.len()), (30, 30));
    assert!(claimed.iter().all(|one| one.fence == 1));
}

async fn who_lost_a_claim_ends_nothing(place: Place) {
    place.open_payment("pay_1", 1).await;
    let slow = place.take_up(1, 1).await.remove(0);
    let quick = place.another().take_up(41, 41).await.remove(0);
    for next in [None, Some(42)] {
        place.end(&slow, next).await;
        assert_eq!(place.next_question("pay_1").await, Some(81));
        assert_eq!(place.take_up(99_999, 80).await, [], "its lease stands");
    }
    place.end(&quick, None).await;
    assert_eq!(place.next_question("pay_1").await, None);
}

async fn the_date_of_a_change_stays_and_the_lease_ends(place: Place) {
    place.open_payment("pay_1", 1).await;
    let claimed = place.take_up(1, 1).await.remove(0);
    assert_eq!(place.date_moves("pay_1", 41, 7).await, 1, "by a change");
    assert_eq!(place.take_up(7, 7).await, [], "somebody is at it");
    // What was read before that change: nothing is open.
    place.end(&claimed, None).await;
    assert_eq!(place.next_question("pay_1").await, Some(7));
    assert_eq!(ids(&place.take_up(8, 8).await), ["pay_1"]);
}

async fn a_moved_clock_takes_no_claim_away(place: Place) {
    place.open_payment("pay_1", 1).await;
    let claimed = place.take_up(1, 1).await.remove(0);
    let other = place.another();
    assert_eq!(other.take_up(86_401, 40).await, []);
    place.end(&claimed, Some(86_402)).await;
    assert_eq!(ids(&other.take_up(86_402, 40).await), ["pay_1"]);
    // Who died with it leaves it to the others as soon as without a move.
    assert_eq!(place.take_up(999_999, 79).await, []);
    assert_eq!(ids(&place.take_up(999_999, 80).await), ["pay_1"]);
}

/// Servers that took up all that they may and died, and a clock that moved: what they had is due before all others.
async fn leases_at_the_head_hold_up_nobody(place: Place) {
    for number in 0..100 {
        place
            .open_payment(&format!("pay_{number:03}"), number)
            .await;
    }
    let dead = [place.take_up(200, 1).await, place.take_up(200, 2).await];
    assert_eq!(dead.each_ref().map(Vec::len), [32, 32]);
    for number in 100..140 {
        place.open_payment(&format!("pay_{number:03}"), 500).await;
    }
    let rest = place.take_up(500, 3).await;
    let first = rest.first().map(|one| one.payment_id.as_str());
    assert_eq!((first, rest.len()), (Some("pay_064"), 32));
    assert_eq!(place.take_up(500, 4).await.len(), 32);
    assert_eq!(place.take_up(500, 5).await.len(), 12);
    assert_eq!(place.take_up(500, 6).await, []);
    // The dead ones' leases have lapsed, first those of the first.
    assert_eq!(ids(&place.take_up(500, 41).await), ids(&dead[0]));
    assert_eq!(ids(&place.take_up(500, 42).await), ids(&dead[1]));
}

async fn an_older_server_beside_a_newer_one_leaves_its_claims_alone(place: Place) {
    place.open_payment("pay_1", 1).await;
    let claimed = place.take_up(1, 1).await;
    assert_eq!(
        place.next_question("pay_1").await,
        Some(41),
        "not due for it"
    );
    assert_eq!(place.date_moves("pay_1", 1, 41).await, 0);
    // And the other way round.
    place.end(&claimed[0], Some(2)).await;
    assert_eq!(place.date_moves("pay_1", 2, 42).await, 1);
    assert_eq!(place.take_up(41, 41).await, []);
    assert_eq!(ids(&place.take_up(42, 42).await), ["pay_1"]);
    assert_eq!(place.date_moves("pay_1", 42, 9).await, 0, "too late");
}

async fn an_older_servers_claim_outlives_one_that_lapsed(place: Place) {
    place.open_payment("pay_1", 1).await;
    let lapsed = place.take_up(1, 1).await.remove(0);
    assert_eq!(place.date_moves("pay_1", 41, 81).await, 1);
    place.end(&lapsed, None).await;
    assert_eq!(place.next_question("pay_1").await, Some(81));
}

async fn a_start_alone_waits_for_no_lease(place: Place) {
    for id in ["pay_1", "pay_2"] {
        place.open_payment(id, 1).await;
    }
    let cut_off = place.take_up(1, 1).await;
    assert_eq!(ids(&cut_off), ["pay_1", "pay_2"]);
    // The outcome of one was stored, and that it is asked about again in a day, before all ended.
    let a_day = 86_400;
    assert_eq!(place.date_moves("pay_2", 41, a_day).await, 1);
    assert_eq!(place.store.take_over(at(2)).await, Ok(()));
    assert_eq!(place.next_question("pay_2").await, Some(a_day));
    assert_eq!(ids(&place.take_up(2, 2).await), ["pay_1"]);
    assert_eq!(ids(&place.take_up(a_day, 3).await), ["pay_2"]);
}
