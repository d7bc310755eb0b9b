//! Cached objects, without a worker that checks for changes.

use std::time::{Duration, Instant};

use futures::future::join_all;
use multirail_app::accounts::ports::{ApiKeyChange, ApiKeyStore};
use multirail_app::platform::ports::StoreFailure;
use multirail_domain::accounts::api_key::ApiKey;
use multirail_test_postgres::TestPostgres;

use super::super::engine::Options;
use crate::fixture::{TestStore, changing};

/// Longer than the time for which a check is trusted.
const A_MOMENT: Duration = Duration::from_millis(1_200);

/// Returns a key that is cached.
async fn known_key(test: &TestStore) -> ApiKey {
    let account = test.merchant("bookshop").await.account;
    let key = test.api_key(&account);
    let insert = vec![changing(ApiKeyChange::Insert(key.clone()))];
    test.commit(insert).await.expect("a commit");
    let found = test.store.api_key_by_hash(&key.hash).await;
    assert!(found.expect("a read").is_some());
    key
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_another_server_revoked_does_not_go_on_working() {
    let Some(test) = TestStore::postgres().await else {
        return;
    };
    let key = known_key(&test).await;
    let revoke = vec![changing(ApiKeyChange::Delete {
        merchant_id: key.merchant_id.clone(),
        key_id: key.key_id.clone(),
    })];
    test.another().commit(revoke).await.expect("a commit");
    tokio::time::sleep(A_MOMENT).await;
    assert_eq!(test.store.api_key_by_hash(&key.hash).await, Ok(None));
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_old_is_believed_while_the_database_is_away() {
    let Ok(cluster) = TestPostgres::start_own_or_explain() else {
        return;
    };
    let options = Options {
        acquire_timeout: Duration::from_secs(1),
        ..Options::default()
    };
    let test = TestStore::open_with(&cluster.create_database(), None, options, &[]).await;
    let key = known_key(&test).await;
    cluster.kill();
    tokio::time::sleep(A_MOMENT).await;

    let started = Instant::now();
    let many = join_all((0..20).map(|_| test.store.api_key_by_hash(&key.hash))).await;
    for found in many {
        assert!(
            matches!(found, Err(StoreFailure::Unavailable(_))),
            "{found:?}"
        );
    }
    let took = started.elapsed();
    assert!(took < Duration::from_secs(5), "they share a look: {took:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_belongs_to_one_server_whose_memory_is_good() {
    let test = TestStore::sqlite().await.expect("a store");
    let key = known_key(&test).await;
    test.engine.close().await;
    tokio::time::sleep(A_MOMENT).await;
    let found = test.store.api_key_by_hash(&key.hash).await;
    assert!(found.expect("from memory").is_some());
}
