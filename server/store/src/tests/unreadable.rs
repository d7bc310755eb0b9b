//! Rows that can't be read, because a later version wrote them or they were damaged: they hide no other.

use multirail_app::accounts::ports::{
    ConnectorAccountChange, ConnectorAccountStore, ProfileChange, ProfileStore,
};
use multirail_app::operations::ports::OpenOperationStore;
use multirail_app::payments::ports::{PaymentSearch, PaymentStore};
use multirail_app::webhooks::ports::EventStore;
use multirail_app::webhooks::ports::events::EventSearch;
use multirail_domain::webhooks::webhook::AfterTry;

use super::super::engine::{Write, values};
use super::news::{a_try, at, endpoint, ids, news, shop};
use crate::fixture::on_both_engines;
use crate::fixture::{TestStore, changing};

on_both_engines! {
    payments_are_left_out_of_lists
    accounts_are_left_out_of_lists
    events_are_left_out_of_lists
    unreadable_deliveries_are_deferred_and_delay_no_other
    tries_are_left_out_of_lists
}

impl TestStore {
    async fn spoil(&self, sql: &'static str, row: &str) {
        self.insert(Write::new(sql, values![row])).await;
    }
}

async fn payments_are_left_out_of_lists(test: TestStore) {
    let payment = "insert into payments (merchant_id, payment_id, version, profile_id, status, amount, currency, \
         authentication_type, attempt_count, capture_count, record, created_at, modified_at, sync_at, is_unresolved) \
         values ('bookshop', $1, 1, 'pro_1', 'processing', 6540, 'USD', 'no_three_ds', 1, 0, '{', 0, 0, 0, true)";
    test.spoil(payment, "pay_1").await;
    let attempt = "insert into attempts (merchant_id, payment_id, attempt_number, status, is_open, authorized_amount, \
         capturable_limit, captured_amount, pending_capture_amount, voided_amount, record, created_at, modified_at) \
         values ('bookshop', $1, 1, 'started', true, 0, 0, 0, 0, 0, '{', 0, 0)";
    test.spoil(attempt, "pay_1").await;
    let all = PaymentSearch {
        limit: 10,
        ..PaymentSearch::default()
    };
    let listed = test.store.search_payments(&shop(), &all).await;
    assert_eq!(listed.map(|payments| payments.len()), Ok(0));
    let waiting = test.store.unresolved_operations(10, 0).await;
    assert_eq!(waiting.map(|payments| payments.len()), Ok(0));
}

async fn accounts_are_left_out_of_lists(test: TestStore) {
    let new = test.merchant("bookshop").await;
    let (first, second) = (
        test.profile(&new.account, "first"),
        test.profile(&new.account, "second"),
    );
    let (one, other) = (
        test.account(&first, "mca_1", "one"),
        test.account(&first, "mca_2", "other"),
    );
    let made = vec![
        changing(ProfileChange::Insert(first.clone())),
        changing(ProfileChange::Insert(second.clone())),
        changing(ConnectorAccountChange::Insert(one.clone())),
        changing(ConnectorAccountChange::Insert(other.clone())),
    ];
    test.commit(made).await.expect("a commit");
    let profile = "update business_profiles set record = '{' where profile_id = $1";
    test.spoil(profile, first.profile_id.as_str()).await;
    let account = "update connector_accounts set record = '[]' where merchant_connector_id = $1";
    test.spoil(account, "mca_1").await;
    let listed = test.store.profiles(&shop()).await.expect("a list");
    let names: Vec<&str> = listed.iter().map(|one| one.profile_name.as_str()).collect();
    assert!(
        names.contains(&"second") && !names.contains(&"first"),
        "{names:?}"
    );
    let listed = test
        .store
        .connector_accounts(&shop(), None)
        .await
        .expect("a list");
    let labels: Vec<&str> = listed
        .iter()
        .map(|one| one.connector_label.as_str())
        .collect();
    assert_eq!(labels, ["other"]);
}

async fn events_are_left_out_of_lists(test: TestStore) {
    test.record([news("evt_1", "pay_1", 1), news("evt_2", "pay_2", 1)])
        .await;
    let event = "update events set event_type = 'payment_teleported' where event_id = $1";
    test.spoil(event, "evt_1").await;
    let search = EventSearch {
        limit: 10,
        ..EventSearch::default()
    };
    let listed = test.store.events(&shop(), &search).await.expect("a list");
    let listed: Vec<&str> = listed.iter().map(|event| event.event_id.as_str()).collect();
    assert_eq!(listed, ["evt_2"]);
}

async fn unreadable_deliveries_are_deferred_and_delay_no_other(test: TestStore) {
    test.record([
        news("evt_1", "pay_1", 1),
        news("evt_2", "pay_1", 2),
        news("evt_3", "pay_2", 1),
    ])
    .await;
    let delivery = "update deliveries set next_kind = 'by_pigeon' where event_id = $1";
    test.spoil(delivery, "evt_1").await;
    let shop_front = endpoint("pro_1");
    assert_eq!(ids(&test.claim(&shop_front, 100).await), ["evt_3"]);
    assert!(
        test.claim(&shop_front, 101).await.is_empty(),
        "it comes before evt_2"
    );
    // It stops blocking others like a delivery that fails.
    let later = test.claim(&shop_front, 701).await;
    assert!(ids(&later).contains(&"evt_2"), "{:?}", ids(&later));
}

async fn tries_are_left_out_of_lists(test: TestStore) {
    test.record([news("evt_1", "pay_1", 1)]).await;
    let claimed = test.claim(&endpoint("pro_1"), 100).await.remove(0);
    let made = a_try(&claimed, "evt_1", 500, 100);
    test.finish(&claimed, made, AfterTry::RetryAt(at(200)))
        .await;
    let again = test.claim(&endpoint("pro_1"), 200).await.remove(0);
    let made = a_try(&again, "evt_1a", 200, 200);
    test.finish(&again, made, AfterTry::Delivered).await;
    let damaged = "update delivery_attempts set delivery_attempt = 'by_pigeon' where event_id = $1";
    test.spoil(damaged, "evt_1a").await;
    let tries = test.tries("evt_1").await;
    let tries: Vec<&str> = tries.iter().map(|one| one.event_id.as_str()).collect();
    assert_eq!(tries, ["evt_1"]);
}
