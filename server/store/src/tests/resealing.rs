//! A change of all data keys: every sealed column, in portions, while other servers write.

use std::collections::BTreeSet;

use multirail_app::customers::ports::CustomerStore;
use multirail_app::payments::ports::PaymentStore;
use multirail_app::platform::ports::StoreFailure;
use multirail_app::platform::ports::installation_keys::{
    InstallationKey, KeyStore, NewRotation, Portion, RotationClaim,
};
use multirail_app::webhooks::ports::EventStore;
use multirail_kernel::ids::{CustomerId, PaymentId};

use super::super::engine::{Read, Write, values};
use super::super::tables::{CORE, VAULT};
use super::news::{at, event_id, shop};
use super::sealed_rows::fill;
use crate::fixture::TestStore;
use crate::fixture::on_both_engines;
use crate::platform::sealed_columns::SealedColumn;
use crate::platform::subject_keys;

on_both_engines! {
    every_column_is_sealed_for_the_place_that_the_list_says
    everything_is_resealed_in_portions
    a_server_that_lost_the_work_changes_nothing
    what_cant_be_opened_is_counted_and_keeps_its_key
    a_destroyed_key_is_given_no_successor
    master_key_and_data_keys_change_one_after_the_other
}

/// The sealed columns of the core.
fn sealed_columns() -> impl Iterator<Item = &'static SealedColumn> {
    let subjects = CORE.iter().chain([&VAULT]);
    subjects.flat_map(|subject| subject.sealed_columns)
}

async fn every_column_is_sealed_for_the_place_that_the_list_says(test: TestStore) {
    fill(&test).await;
    for column in sealed_columns() {
        let found = test.sealed(column).await;
        assert!(!found.is_empty(), "nothing in {}", column.name());
        for (listed, sealed_for, _) in found {
            assert_eq!(listed, sealed_for);
        }
    }
}

fn data_key(id: &str) -> InstallationKey {
    InstallationKey {
        key_id: id.to_owned(),
        purpose: "data".to_owned(),
        wrapped: vec![1],
        next_wrapped: None,
        created_at_micros: 7,
        retired_at_micros: None,
    }
}

pub(super) async fn begin(test: &TestStore, id: &str) -> bool {
    let begun = NewRotation {
        rotation_id: id.to_owned(),
        data_key: data_key(&format!("data_{id}")),
        started_at: at(100),
        settled_at: at(110),
    };
    test.store.begin_rotation(&begun).await.expect("a commit")
}

async fn portion(test: &TestStore, claim: &RotationClaim, seconds: i64, rows: i64) -> Portion {
    let done = test.store.seal_portion(claim, at(seconds), 20, rows).await;
    done.expect("a portion")
}

/// Works until it is finished; returns how many rows were resealed.
pub(super) async fn work(test: &TestStore, claim: &RotationClaim, rows: i64) -> u64 {
    let mut anew = 0;
    for _ in 0..500 {
        match portion(test, claim, 200, rows).await {
            Portion::More(found) => anew += found,
            Portion::Finished => return anew,
            other => panic!("{other:?}"),
        }
    }
    panic!("it never ends");
}

async fn everything_is_resealed_in_portions(test: TestStore) {
    fill(&test).await;
    let mut before = BTreeSet::new();
    for column in sealed_columns() {
        before.extend(test.sealed(column).await.into_iter().map(|(_, _, key)| key));
    }
    assert_eq!(
        before.len(),
        2,
        "the installation's and the customer's: {before:?}"
    );
    assert!(begin(&test, "rot_1").await);
    assert!(!begin(&test, "rot_2").await, "one at a time");
    let claim = test
        .store
        .claim_rotation(at(101), 20)
        .await
        .expect("a read")
        .expect("a claim");
    // One row at a time, and the first pass is over before the second may begin.
    let mut passes = 1;
    loop {
        match portion(&test, &claim, 105, 1).await {
            Portion::More(_) => {}
            Portion::Wait(until) => {
                assert_eq!(until, at(110));
                break;
            }
            other => panic!("{other:?} in pass {passes}"),
        }
        passes = test
            .store
            .last_rotation()
            .await
            .expect("a read")
            .expect("one")
            .pass;
    }
    assert_eq!(passes, 2);
    // A server that hadn't noticed the change stores something under a former key.
    let late = format!("{}|late", "held_cards:bookshop/pay_late").into_bytes();
    let sql = "insert into held_cards (merchant_id, payment_id, sealed, expires_at) values ('bookshop', 'pay_late', $1, 5)";
    test.insert(Write::new(sql, values![late])).await;
    assert_eq!(work(&test, &claim, 3).await, 1, "what came late");
    let done = test
        .store
        .last_rotation()
        .await
        .expect("a read")
        .expect("one");
    assert_eq!(
        (done.pass, done.unreadable, done.finished_at),
        (3, 0, Some(at(200)))
    );
    let mut after = BTreeSet::new();
    for column in sealed_columns() {
        for (listed, sealed_for, key) in test.sealed(column).await {
            assert_eq!(listed, sealed_for);
            after.insert(key);
        }
    }
    let cards = "select key_id as n from vault_cards union all select key_id from cards_to_save";
    let rows = test.engine.fetch(Read::new(cards, values![])).await;
    for row in rows.expect("rows") {
        let named = row.text("n").expect("a name");
        assert!(after.contains(&named), "{named} is the key that sealed it");
    }
    assert_eq!(
        after.len(),
        2,
        "the merchant's and the customer's: {after:?}"
    );
    assert_eq!(
        before.intersection(&after).count(),
        0,
        "{before:?} {after:?}"
    );
    // It reads as before, also on a server without cached keys.
    for server in [&test, &test.another()] {
        let ada = CustomerId::parse("ada").expect("an id");
        let read = server
            .store
            .customer(&shop(), &ada)
            .await
            .expect("a read")
            .expect("Ada");
        assert_eq!(read.personal.name.as_deref(), Some("Ada"));
        let payment_id = PaymentId::parse("pay_1").expect("an id");
        let payment = server.store.payment(&shop(), &payment_id).await;
        let payment = payment.expect("a read").expect("a payment");
        assert_eq!(payment.payer.name.as_deref(), Some("Ada"));
        let (_, body) = server
            .store
            .event(&shop(), "evt_1")
            .await
            .expect("a read")
            .expect("an event");
        assert_eq!(body, "{\"event_id\":\"evt_1\"}");
        let (_, told) = server
            .store
            .event(&shop(), "evt_2")
            .await
            .expect("a read")
            .expect("an event");
        assert_eq!(told, r#"{"content":{"object":{"name":"Ada"}}}"#);
        assert_eq!(server.tries("evt_1").await.len(), 1);
    }
    // The next change deletes keys without values, and not before.
    let count = async || {
        let rows = test
            .engine
            .fetch(Read::new("select key_id from subject_keys", values![]))
            .await;
        rows.expect("rows").len()
    };
    assert_eq!(count().await, 3, "one of the merchant, two of the customer");
    assert!(begin(&test, "rot_3").await);
    let claim = test
        .store
        .claim_rotation(at(201), 20)
        .await
        .expect("a read")
        .expect("a claim");
    work(&test, &claim, 100).await;
    assert_eq!(count().await, 4, "two of each");
    let event = event_id("evt_2");
    assert!(
        test.store
            .event(&shop(), event.as_str())
            .await
            .expect("a read")
            .is_some()
    );
}

async fn a_server_that_lost_the_work_changes_nothing(test: TestStore) {
    fill(&test).await;
    assert!(begin(&test, "rot_1").await);
    let first = test
        .store
        .claim_rotation(at(101), 20)
        .await
        .expect("a read")
        .expect("a claim");
    let other = test.another();
    assert_eq!(
        other.store.claim_rotation(at(110), 20).await,
        Ok(None),
        "the lease holds"
    );
    assert!(matches!(
        portion(&test, &first, 110, 1).await,
        Portion::More(_)
    ));
    assert_eq!(
        other.store.claim_rotation(at(125), 20).await,
        Ok(None),
        "each portion renews it"
    );
    let second = other
        .store
        .claim_rotation(at(130), 20)
        .await
        .expect("a read")
        .expect("a claim");
    assert_eq!(portion(&test, &first, 131, 1).await, Portion::Lost);
    test.store.release_rotation(&first).await.expect("a write");
    assert_eq!(
        test.store.claim_rotation(at(140), 20).await,
        Ok(None),
        "not his to give back"
    );
    assert!(work(&other, &second, 100).await > 0);
    assert_eq!(portion(&test, &first, 300, 1).await, Portion::Lost);
}

async fn what_cant_be_opened_is_counted_and_keeps_its_key(test: TestStore) {
    fill(&test).await;
    let damage = "update events set body = $1 where event_id = 'evt_1'";
    test.insert(Write::new(damage, values![b"elsewhere|nothing".to_vec()]))
        .await;
    test.insert(keys_insert("data_0")).await;
    assert!(begin(&test, "rot_1").await);
    let claim = test
        .store
        .claim_rotation(at(101), 20)
        .await
        .expect("a read")
        .expect("a claim");
    work(&test, &claim, 100).await;
    let done = test
        .store
        .last_rotation()
        .await
        .expect("a read")
        .expect("one");
    assert_eq!((done.unreadable, done.finished_at), (1, Some(at(200))));
    let keys = test.store.installation_keys().await.expect("keys");
    assert!(
        keys.iter().all(|key| key.retired_at_micros.is_none()),
        "{keys:?}"
    );
}

fn keys_insert(id: &str) -> Write {
    let sql = "insert into wrapped_keys (key_id, purpose, wrapped, created_at) values ($1, 'data', $2, 3)";
    Write::new(sql, values![id, vec![1_u8]])
}

async fn a_destroyed_key_is_given_no_successor(test: TestStore) {
    fill(&test).await;
    let ada = CustomerId::parse("ada").expect("an id");
    let writes = subject_keys::destroy(&shop(), &ada, at(50));
    test.engine.write(writes.into()).await.expect("a commit");
    test.store.keys.forget_customers();
    assert!(begin(&test, "rot_1").await);
    let claim = test
        .store
        .claim_rotation(at(101), 20)
        .await
        .expect("a read")
        .expect("a claim");
    work(&test, &claim, 100).await;
    let done = test
        .store
        .last_rotation()
        .await
        .expect("a read")
        .expect("one");
    assert_eq!(done.unreadable, 0, "it was meant");
    let sql = "select generation, wrapped from subject_keys where customer_id = 'ada'";
    let rows = test
        .engine
        .fetch(Read::new(sql, values![]))
        .await
        .expect("rows");
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0].bytes("wrapped").expect("bytes"), Vec::<u8>::new());
    let read = test.store.customer(&shop(), &ada).await;
    assert_eq!(
        read,
        Err(StoreFailure::Destroyed("customers:bookshop/ada".to_owned()))
    );
    let counts = test.store.subject_counts().await.expect("counts");
    assert_eq!(
        (counts.merchants, counts.customers, counts.destroyed),
        (1, 0, 1)
    );
}

async fn master_key_and_data_keys_change_one_after_the_other(test: TestStore) {
    use multirail_app::platform::ports::installation_keys::NextMasterKey;
    test.insert(keys_insert("data_0")).await;
    let next = |name: &str, key: &str| NextMasterKey {
        is_the_present_one: false,
        name: name.to_owned(),
        wrapped: vec![(key.to_owned(), vec![2])],
    };
    let store = &test.store;
    assert_eq!(
        store.drop_former_master_key().await,
        Ok(false),
        "there is none"
    );
    assert_eq!(
        store.store_next_master_key(&next("m2", "data_0")).await,
        Ok(true)
    );
    assert_eq!(
        store.store_next_master_key(&next("m3", "data_0")).await,
        Ok(true)
    );
    assert_eq!(store.next_master_key().await, Ok(Some("m3".to_owned())));
    assert!(
        !begin(&test, "rot_1").await,
        "the next master key would not open it"
    );
    assert_eq!(store.drop_former_master_key().await, Ok(true));
    assert_eq!(store.next_master_key().await, Ok(None));
    let keys = store.installation_keys().await.expect("keys");
    assert_eq!(
        (keys[0].wrapped.as_slice(), keys[0].next_wrapped.as_deref()),
        (&[2][..], None)
    );
    assert!(begin(&test, "rot_1").await);
    assert_eq!(
        store.store_next_master_key(&next("m4", "data_0")).await,
        Ok(false)
    );
    assert_eq!(store.next_master_key().await, Ok(None));
}
