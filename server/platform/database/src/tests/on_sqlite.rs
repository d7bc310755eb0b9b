//! SQLite alone: its addresses, and group commit.

use futures::future::join_all;

use super::*;

fn statistics(engine: &Engine) -> sqlite::Statistics {
    match engine {
        Engine::Sqlite(sqlite) => sqlite.statistics(),
        Engine::Postgres(_) => panic!("not SQLite"),
    }
}

#[tokio::test]
async fn addresses_that_are_no_file_are_refused() {
    for url in [
        "sqlite:",
        "sqlite::memory:",
        "sqlite:a.db?mode=ro",
        "mysql://x",
        "secret",
    ] {
        let error = Engine::open(url, Options::default()).await.unwrap_err();
        assert!(matches!(error, StoreError::Open(_)), "{url}: {error}");
        assert!(!error.to_string().contains("secret"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn readers_can_not_write() {
    let database = TestDatabase::sqlite();
    let engine = database.open().await;
    let read = Read::new("insert into item (id, amount) values ('a', 1)", values![]);
    let error = engine.fetch(read).await.unwrap_err();
    assert!(error.to_string().contains("readonly"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn batches_that_wait_share_a_commit() {
    let database = TestDatabase::sqlite();
    let engine = database.open().await;
    let before = statistics(&engine);
    for round in 0..10 {
        let all = (0..64)
            .map(|n| engine.write(vec![Write::new(INSERT, values![format!("{round}-{n}"), n])]));
        for result in join_all(all).await {
            result.unwrap();
        }
    }
    let after = statistics(&engine);
    let (groups, batches) = (after.groups - before.groups, after.batches - before.batches);
    assert_eq!(batches, 640);
    // join_all queues all of them before the thread has had time for many.
    assert!(groups < 320, "{groups} groups");
    assert_eq!(after.waiting, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_queue_refuses_instead_of_growing() {
    let database = TestDatabase::sqlite();
    let options = Options {
        write_queue: 2,
        group_limit: 1,
        ..Options::default()
    };
    let engine = database.open_with(options).await;
    engine.migrate_by(SCHEMA).await.unwrap();
    let ids: Vec<_> = (0..200).map(|n| n.to_string()).collect();
    let results = join_all(ids.iter().map(|id| engine.write(vec![insert(id, 0)]))).await;
    let mut stored = 0;
    for result in results {
        match result {
            Ok(_) => stored += 1,
            Err(WriteError::Store(StoreError::Overloaded)) => {}
            Err(other) => panic!("{other:?}"),
        }
    }
    assert!((2..200).contains(&stored), "{stored}");
    assert_eq!(items(&engine).await.len(), stored);
}
