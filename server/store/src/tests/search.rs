//! Lists of payments in a real database of either kind: the limit of their counts.

use multirail_app::payments::ports::{PaymentSearch, PaymentStore};

use super::super::engine::Write;
use super::news::shop;
use crate::fixture::TestStore;
use crate::fixture::on_both_engines;

on_both_engines! {
    counting_ends_at_its_limit
}

/// Payments of `shop()`, every third of them failed, with the columns that are counted by.
const TWELVE_THOUSAND: &str = "insert into payments (merchant_id, payment_id, version, profile_id, status, amount, currency, \
     authentication_type, attempt_count, capture_count, record, created_at, modified_at, is_unresolved) \
     with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 12000) \
     select 'bookshop', 'pay_' || cast(100000 + n as text), 1, 'pro_1', \
     case when n % 3 = 0 then 'failed' else 'succeeded' end, n, 'USD', 'no_three_ds', 1, 0, '{}', n, n, n < 0 \
     from numbers";

async fn counting_ends_at_its_limit(test: TestStore) {
    let many = Write::new(TWELVE_THOUSAND, Vec::new());
    test.insert(many.rows(12_000)).await;
    let count = async |search: &PaymentSearch, most: i64| {
        let count = test.store.count_payments(&shop(), search, most).await;
        count.expect("a count")
    };
    let all = PaymentSearch::default();
    assert_eq!(count(&all, 10_000).await, 10_000, "or more");
    assert_eq!(count(&all, 12_000).await, 12_000, "just as many");
    assert_eq!(count(&all, 12_001).await, 12_000);
    let failed = PaymentSearch {
        statuses: vec!["failed".to_owned()],
        ..PaymentSearch::default()
    };
    assert_eq!(count(&failed, 10_000).await, 4_000, "exact below");
    let elsewhere = PaymentSearch {
        currencies: vec!["EUR".to_owned()],
        ..failed
    };
    assert_eq!(count(&elsewhere, 10_000).await, 0);
}
