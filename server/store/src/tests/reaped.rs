//! Expired rows are deleted.

use multirail_app::payments::ports::{HeldChange, HeldStore};
use multirail_app::platform::ports::{ChangeSetStore, IdempotencyStore};
use multirail_kernel::ids::{MerchantId, PaymentId};

use super::super::engine::{Read, Write, values};
use super::news::at;
use crate::fixture::on_both_engines;
use crate::fixture::{TestStore, changing};

on_both_engines! {
    what_lapsed_comes_in_portions_the_oldest_first
    old_keys_go_in_portions_the_oldest_first
    old_change_sets_go_in_portions_the_oldest_first
}

/// The order is not that of their times.
const SECONDS: [i64; 6] = [30, 50, 10, 60, 20, 40];

async fn what_lapsed_comes_in_portions_the_oldest_first(test: TestStore) {
    let sql = "insert into held_cards (merchant_id, payment_id, sealed, expires_at) values ($1, $2, $3, $4)";
    for seconds in SECONDS {
        let payment_id = format!("pay_{}", 100 - seconds);
        let row = values!["bookshop", payment_id, vec![0_u8], at(seconds).as_micros()];
        test.insert(Write::new(sql, row)).await;
    }
    let sql = "insert into held_credentials (merchant_id, payment_id, attempt_number, sealed, expires_at) \
         values ($1, $2, 1, $3, $4)";
    for (payment_id, expires_at) in [("pay_70", Some(25)), ("pay_sent", None)] {
        let expires_at = expires_at.map(|seconds| at(seconds).as_micros());
        let row = values!["bookshop", payment_id, vec![0_u8], expires_at];
        test.insert(Write::new(sql, row)).await;
    }
    let lapsed = async |at_most| {
        let found = test.store.lapsed(at(41), at_most).await.expect("a list");
        let names = found
            .into_iter()
            .map(|(_, payment_id)| payment_id.to_string());
        names.collect::<Vec<_>>()
    };
    let named = |name: &str| {
        let merchant_id = MerchantId::parse("bookshop").expect("an id");
        (merchant_id, PaymentId::parse(name).expect("an id"))
    };
    assert_eq!(lapsed(3).await, ["pay_90", "pay_80", "pay_70"]);
    let (merchant_id, payment_id) = named("pay_90");
    let put_off = changing(HeldChange::PutOffLapse {
        merchant_id,
        payment_id,
        expires_at: at(70),
    });
    test.commit(vec![put_off]).await.expect("a commit");
    assert_eq!(lapsed(9).await, ["pay_80", "pay_70", "pay_70", "pay_60"]);
    for name in ["pay_80", "pay_70", "pay_60", "pay_50"] {
        let (merchant_id, payment_id) = named(name);
        let purge = changing(HeldChange::DeleteLapsed {
            merchant_id,
            payment_id,
        });
        let commit = test.commit_at(at(41), vec![purge]).await;
        commit.expect("a commit");
    }
    assert_eq!(lapsed(9).await, Vec::<String>::new());
    let left = times(&test, "select expires_at as t from held_cards order by 1").await;
    assert_eq!(left, [50, 60, 70], "what has time yet stays");
    let sent = "select count(*) * 1000000 as t from held_credentials";
    assert_eq!(times(&test, sent).await, [1]);
}

async fn old_keys_go_in_portions_the_oldest_first(test: TestStore) {
    let sql = "insert into idempotency_keys (merchant_id, operation, idempotency_key, fingerprint, object_id, \
         lease_until, created_at) values ($1, $2, $3, '{}', 'pay_1', 0, $4)";
    for seconds in SECONDS {
        let key = format!("key {}", 100 - seconds);
        let row = values!["bookshop", "payments_create", key, at(seconds).as_micros()];
        test.insert(Write::new(sql, row)).await;
    }
    let purge = async |at_most| test.store.purge_old_keys(at(41), at_most).await;
    let rows = "select created_at as t from idempotency_keys order by 1";
    let left = async || times(&test, rows).await;
    assert_eq!(purge(3).await, Ok(3));
    assert_eq!(left().await, [40, 50, 60]);
    assert_eq!(purge(3).await, Ok(1));
    assert_eq!(purge(3).await, Ok(0));
    assert_eq!(left().await, [50, 60]);
}

async fn old_change_sets_go_in_portions_the_oldest_first(test: TestStore) {
    for seconds in [10, 20, 30, 40, 50, 60] {
        let commit = test.commit_at(at(seconds), Vec::new()).await;
        commit.expect("a commit");
    }
    let purge = async |at_most| test.store.purge_change_sets(at(41), at_most).await;
    let rows = "select committed_at as t from change_sets order by 1";
    let left = async || times(&test, rows).await;
    assert_eq!(purge(3).await, Ok(3));
    assert_eq!(left().await, [40, 50, 60]);
    assert_eq!(purge(3).await, Ok(1));
    assert_eq!(purge(3).await, Ok(0));
    assert_eq!(left().await, [50, 60]);
}

async fn times(test: &TestStore, sql: &'static str) -> Vec<i64> {
    let rows = test.engine.fetch(Read::new(sql, Vec::new())).await;
    let rows = rows.expect("rows");
    let seconds = |micros: i64| micros / 1_000_000;
    rows.iter()
        .map(|row| seconds(row.int("t").expect("a time")))
        .collect()
}
