//! What only SQLite does: the file, its lock, group commit, and giving up.

use std::os::unix::fs::PermissionsExt;
use std::sync::Mutex;
use std::time::Duration;

use futures::future::join_all;

use super::*;

/// What the hook was told instead of ending the process.
fn recording() -> (Fatal, Arc<Mutex<Vec<String>>>) {
    let told = Arc::new(Mutex::new(Vec::new()));
    let hook = {
        let told = told.clone();
        Fatal::new(move |why| told.lock().unwrap().push(why.to_owned()))
    };
    (hook, told)
}

fn statistics(engine: &Engine) -> sqlite::Statistics {
    match engine {
        Engine::Sqlite(sqlite) => sqlite.statistics(),
        Engine::Postgres(_) => panic!("not SQLite"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn files_are_made_for_our_eyes_only() {
    let place = Place::sqlite();
    let engine = place.open().await;
    engine.write(vec![insert("a", 1)]).await.unwrap();
    let directory = place.directory.as_ref().unwrap().path().join("data");
    let mode = |path: &std::path::Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&directory), 0o700);
    let mut names = Vec::new();
    for entry in std::fs::read_dir(&directory).unwrap() {
        let path = entry.unwrap().path();
        assert_eq!(mode(&path), 0o600, "{}", path.display());
        names.push(path.file_name().unwrap().to_string_lossy().into_owned());
    }
    names.sort();
    assert_eq!(
        names,
        ["test.db", "test.db-shm", "test.db-wal", "test.db.lock"]
    );

    // Closed in order, the file alone holds everything.
    engine.close().await;
    assert!(!directory.join("test.db-wal").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_server_on_the_file_is_refused_until_the_first_is_gone() {
    let place = Place::sqlite();
    let first = place.open().await;
    let second = Engine::open(&place.url, Options::default())
        .await
        .unwrap_err();
    match &second {
        StoreError::Locked { holder, .. } => assert_eq!(*holder, Some(std::process::id())),
        other => panic!("{other:?}"),
    }
    let text = second.to_string();
    assert!(
        text.ends_with(&format!(
            "test.db is in use by another multirail process (process {})",
            std::process::id()
        )),
        "{text}"
    );
    first.write(vec![insert("a", 1)]).await.unwrap();
    first.close().await;
    let second = place.open().await;
    assert_eq!(items(&second).await, of(&[("a", 1)]));

    // Dropping without closing lets go as well, a moment later.
    drop(second);
    let opened = tokio::time::timeout(Duration::from_secs(10), async {
        while Engine::open(&place.url, Options::default()).await.is_err() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    });
    opened.await.unwrap();
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
    let place = Place::sqlite();
    let engine = place.open().await;
    let read = Read::new("insert into item (id, amount) values ('a', 1)", values![]);
    let error = engine.fetch(read).await.unwrap_err();
    assert!(error.to_string().contains("readonly"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn batches_that_wait_share_a_commit() {
    let place = Place::sqlite();
    let engine = place.open().await;
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
    let place = Place::sqlite();
    let options = Options {
        write_queue: 2,
        group_limit: 1,
        ..Options::default()
    };
    let engine = place.open_with(options).await;
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

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_commit_answers_nobody_with_success() {
    let place = Place::sqlite();
    let (fatal, told) = recording();
    let engine = place
        .open_with(Options {
            fatal,
            ..Options::default()
        })
        .await;
    engine.migrate_by(SCHEMA).await.unwrap();
    engine.write(vec![insert("a", 1)]).await.unwrap();

    // A rule that is judged at COMMIT only, which our migrations may not have: the one way to make a
    // COMMIT fail without breaking the disk.
    let orphan = vec![
        Write::new("pragma defer_foreign_keys = on", values![]).any_rows(),
        Write::new(
            "insert into item (id, amount, parent) values ('x', 0, 'nobody')",
            values![],
        ),
    ];
    let all = join_all([
        engine.write(vec![insert("b", 1)]),
        engine.write(orphan),
        engine.write(vec![insert("c", 1)]),
    ])
    .await;
    for result in &all[1..] {
        match result {
            Err(WriteError::Store(StoreError::OutcomeUnknown(_) | StoreError::Closed)) => {}
            other => panic!("{other:?}"),
        }
    }
    let told = told.lock().unwrap().clone();
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].starts_with("commit: "), "{told:?}");
    // The first may have been in a group of its own before.
    let expected = if all[0].is_ok() {
        of(&[("a", 1), ("b", 1)])
    } else {
        of(&[("a", 1)])
    };
    assert_eq!(items(&engine).await, expected);

    // The writer ends: nothing is done any more, even if it still got into the queue, and the file can be opened anew.
    let late = engine.write(vec![insert("d", 1)]).await;
    assert!(
        matches!(
            late,
            Err(WriteError::Store(
                StoreError::Closed | StoreError::OutcomeUnknown(_)
            ))
        ),
        "{late:?}"
    );
    engine.close().await;
    assert_eq!(items(&place.open().await).await, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_ends_the_writer() {
    let place = Place::sqlite();
    let (fatal, told) = recording();
    let engine = place
        .open_with(Options {
            fatal,
            ..Options::default()
        })
        .await;
    engine.migrate_by(SCHEMA).await.unwrap();
    // Refused because it answers with a row, but in force: no more pages than there are.
    let limit = Write::new("pragma max_page_count = 1", values![]).any_rows();
    engine.write(vec![limit]).await.unwrap_err();

    let large = Write::new(
        "insert into item (id, amount, name) values ($1, 0, $2)",
        values!["large", "x".repeat(1 << 20)],
    );
    let result = engine.write(vec![large]).await;
    assert!(
        matches!(
            result,
            Err(WriteError::Store(StoreError::OutcomeUnknown(_)))
        ),
        "{result:?}"
    );
    let told = told.lock().unwrap().clone();
    assert!(told[0].contains("full"), "{told:?}");
    assert_eq!(items(&engine).await, []);
}
