//! Tests of the merchants' turns: due work of one merchant doesn't delay another.

use multirail_sql::{Write, values};
use multirail_store::fixture::on_both_engines;

use super::test_billing::{TestStore, at};
use crate::ports::SubscriptionStore;
use crate::ports::subscriptions::{ClaimTerms, ClaimedSubscription, Turns};

on_both_engines! {
    a_merchant_with_much_due_work_delays_no_other
    payments_that_changed_and_what_is_planned_take_turns
    merchants_are_passed_however_many_there_are
}

/// Inserts `$2` subscriptions of a merchant, the first due at `$3` microseconds and each `$4` after the one before.
const DUE: &str = "insert into subscriptions (merchant_id, subscription_id, version, profile_id, customer_id, status, due_at, \
     lease_until, fence, record, created_at, modified_at) \
     with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n + 1 < $2) \
     select $1, 'sub_' || $3 || '_' || n, 1, 'pro_1', 'cus_1', 'active', $3 + n * $4, 0, 0, '{}', 1, 1 from numbers";

impl TestStore {
    async fn due_of(&self, merchant: &str, many: i64, from: i64, apart: i64) {
        let parameters = values![merchant, many, from, apart];
        self.insert(Write::new(DUE, parameters).any_rows()).await;
    }

    pub(super) async fn claimed_by_turns(
        &self,
        at_most: i64,
        turns: &mut Turns,
    ) -> Vec<ClaimedSubscription> {
        let terms = ClaimTerms {
            now: at(1),
            wall: at(1),
            lease_until: at(2),
            at_most,
        };
        let claimed = self.store.claim_subscriptions(terms, turns).await;
        claimed.expect("a store")
    }
}

fn merchants(claimed: &[ClaimedSubscription]) -> Vec<&str> {
    claimed.iter().map(|one| one.merchant_id.as_str()).collect()
}

async fn a_merchant_with_much_due_work_delays_no_other(test: TestStore) {
    test.due_of("bookshop", 200, 1, 1).await;
    test.due_of("florist", 2, 10_000, 1).await;
    test.due_of("tailor", 1, 20_000, 1).await;
    let mut turns = Turns::default();
    // With room for several, each merchant has one, and the longest due ones fill the rest.
    let first = test.claimed_by_turns(5, &mut turns).await;
    assert_eq!(
        merchants(&first),
        ["bookshop", "florist", "tailor", "bookshop", "bookshop"]
    );
    // With room for one, the merchants take turns.
    let mut one_by_one = Vec::new();
    for _ in 0..4 {
        one_by_one.extend(test.claimed_by_turns(1, &mut turns).await);
    }
    assert_eq!(
        merchants(&one_by_one),
        ["bookshop", "florist", "bookshop", "bookshop"]
    );
    // No subscription is claimed twice.
    let mut ids: Vec<&str> = first
        .iter()
        .chain(&one_by_one)
        .map(|one| one.subscription_id.as_str())
        .collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 9);
    // Once everything fits, everything is claimed.
    let rest = test.claimed_by_turns(1_000, &mut turns).await;
    assert_eq!(rest.len(), 203 - 9);
}

/// Subscriptions with changed payments are due at 0, before all others.
async fn payments_that_changed_and_what_is_planned_take_turns(test: TestStore) {
    test.due_of("bookshop", 100, 0, 0).await;
    test.due_of("bookshop", 3, 500, 1).await;
    let mut turns = Turns::default();
    let mut claimed = Vec::new();
    for _ in 0..6 {
        claimed.extend(test.claimed_by_turns(1, &mut turns).await);
    }
    let is_planned = |one: &&ClaimedSubscription| one.subscription_id.as_str().starts_with("sub_5");
    assert_eq!(claimed.iter().filter(is_planned).count(), 3, "{claimed:?}");
}

/// One claim visits some of the merchants, and the next one continues after them.
async fn merchants_are_passed_however_many_there_are(test: TestStore) {
    let sql = "insert into subscriptions (merchant_id, subscription_id, version, profile_id, customer_id, status, due_at, \
         lease_until, fence, record, created_at, modified_at) \
         with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < 500) \
         select 'm_' || (1000 + n), 'sub_1', 1, 'pro_1', 'cus_1', 'active', 9000000000, 0, 0, '{}', 1, 1 from numbers";
    test.insert(Write::new(sql, Vec::new()).any_rows()).await;
    test.due_of("a_bookshop", 200, 1, 1).await;
    test.due_of("m_1200_florist", 1, 900, 1).await;
    let mut turns = Turns::default();
    let mut claims = 0;
    loop {
        claims += 1;
        assert!(claims < 12, "not before so many claims");
        let claimed = test.claimed_by_turns(1, &mut turns).await;
        assert_eq!(claimed.len(), 1, "somebody has something due");
        if claimed[0].merchant_id.as_str() == "m_1200_florist" {
            break;
        }
    }
}
