//! What has had its time.

use super::super::engine::{Read, Write, values};
use super::news::at;
use super::on_both_engines;
use super::place::Place;
use crate::ports::Store;

on_both_engines! {
    lapsed_cards_go_in_portions_the_oldest_first
    old_keys_go_in_portions_the_oldest_first
    old_change_sets_go_in_portions_the_oldest_first
}

/// In an order that is not that of their times.
const SECONDS: [i64; 6] = [30, 50, 10, 60, 20, 40];

async fn lapsed_cards_go_in_portions_the_oldest_first(place: Place) {
    let sql = "insert into held_cards (merchant_id, payment_id, sealed, expires_at) values ($1, $2, $3, $4)";
    for seconds in SECONDS {
        let payment_id = format!("pay_{}", 100 - seconds);
        let row = values!["bookshop", payment_id, vec![0_u8], at(seconds).as_micros()];
        place.insert(Write::new(sql, row)).await;
    }
    let forget = async |at_most| place.store.forget_lapsed_cards(at(41), at_most).await;
    let left = async || times(&place, "select expires_at as t from held_cards order by 1").await;
    assert_eq!(forget(3).await, Ok(3));
    assert_eq!(left().await, [40, 50, 60]);
    assert_eq!(forget(3).await, Ok(1));
    assert_eq!(forget(3).await, Ok(0));
    assert_eq!(left().await, [50, 60]);
}

async fn old_keys_go_in_portions_the_oldest_first(place: Place) {
    let sql = "insert into idempotency_keys (merchant_id, operation, idempotency_key, fingerprint, object_id, \
         lease_until, created_at) values ($1, $2, $3, '{}', 'pay_1', 0, $4)";
    for seconds in SECONDS {
        let key = format!("key {}", 100 - seconds);
        let row = values!["bookshop", "payments_create", key, at(seconds).as_micros()];
        place.insert(Write::new(sql, row)).await;
    }
    let forget = async |at_most| place.store.forget_old_keys(at(41), at_most).await;
    let rows = "select created_at as t from idempotency_keys order by 1";
    let left = async || times(&place, rows).await;
    assert_eq!(forget(3).await, Ok(3));
    assert_eq!(left().await, [40, 50, 60]);
    assert_eq!(forget(3).await, Ok(1));
    assert_eq!(forget(3).await, Ok(0));
    assert_eq!(left().await, [50, 60]);
}

async fn old_change_sets_go_in_portions_the_oldest_first(place: Place) {
    for seconds in SECONDS {
        let commit = place.commit_at(at(seconds), Vec::new()).await;
        commit.expect("a commit");
    }
    let forget = async |at_most| place.store.forget_change_sets(at(41), at_most).await;
    let rows = "select committed_at as t from change_sets order by 1";
    let left = async || times(&place, rows).await;
    assert_eq!(forget(3).await, Ok(3));
    assert_eq!(left().await, [40, 50, 60]);
    assert_eq!(forget(3).await, Ok(1));
    assert_eq!(forget(3).await, Ok(0));
    assert_eq!(left().await, [50, 60]);
}

async fn times(place: &Place, sql: &'static str) -> Vec<i64> {
    let rows = place.engine.fetch(Read::new(sql, Vec::new())).await;
    let rows = rows.expect("rows");
    let seconds = |micros: i64| micros / 1_000_000;
    rows.iter()
        .map(|row| seconds(row.int("t").expect("a time")))
        .collect()
}
