//! The file of an SQLite database: one process has it, and it must stay in its place.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;
use std::time::Duration;

use multirail_sql::Standstill;

use super::*;

fn file(database: &TestDatabase) -> PathBuf {
    database
        .directory
        .as_ref()
        .unwrap()
        .path()
        .join("data/test.db")
}

#[tokio::test(flavor = "multi_thread")]
async fn files_are_made_for_our_eyes_only() {
    let database = TestDatabase::sqlite();
    let engine = database.open().await;
    engine.write(vec![insert("a", 1)]).await.unwrap();
    let directory = database.directory.as_ref().unwrap().path().join("data");
    let mode = |path: &std::path::Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&directory), 0o700);
    let mut names = Vec::new();
    for entry in std::fs::read_dir(&directory).unwrap() {
        let path = entry.unwrap().path();
        assert_eq!(mode(&path), 0o600, "{}", path.display());
        names.push(path.file_name().unwrap().to_string_lossy().into_owned());
    }
    names.sort();
    assert_eq!(names, ["test.db", "test.db-shm", "test.db-wal"]);

    // Closed in order, the file alone holds everything.
    engine.close().await;
    assert!(!directory.join("test.db-wal").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_server_on_the_file_is_refused_until_the_first_is_gone() {
    let database = TestDatabase::sqlite();
    let first = database.open().await;
    let second = Engine::open(&database.url, Options::default())
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
    let second = database.open().await;
    assert_eq!(items(&second).await, rows(&[("a", 1)]));

    // Dropping without closing unlocks as well, a moment later.
    drop(second);
    let opened = tokio::time::timeout(Duration::from_secs(10), async {
        while Engine::open(&database.url, Options::default())
            .await
            .is_err()
        {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    });
    opened.await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_a_file_is_called_it_has_one_server() {
    let database = TestDatabase::sqlite();
    let first = database.open().await;
    first.write(vec![insert("a", 1)]).await.unwrap();
    let (symbolic, hard) = (
        file(&database).with_file_name("s"),
        file(&database).with_file_name("h"),
    );
    symlink(file(&database), &symbolic).unwrap();
    fs::hard_link(file(&database), &hard).unwrap();
    for name in [&symbolic, &hard] {
        let url = format!("sqlite:{}", name.display());
        let second = Engine::open(&url, Options::default()).await.unwrap_err();
        assert!(matches!(second, StoreError::Locked { .. }), "{second}");
    }

    // Under a second name SQLite would not find the last commits of a killed server.
    first.close().await;
    let url = format!("sqlite:{}", hard.display());
    let second = Engine::open(&url, Options::default()).await.unwrap_err();
    assert!(second.to_string().contains("has 2 names"), "{second}");
    fs::remove_file(&hard).unwrap();
    let url = format!("sqlite:{}", symbolic.display());
    let second = Engine::open(&url, Options::default()).await.unwrap();
    assert_eq!(items(&second).await, rows(&[("a", 1)]));
}

async fn stands_still(engine: &Engine, expected: Standstill) {
    for error in [
        engine.write(vec![insert("b", 1)]).await.unwrap_err(),
        engine.check_writes().await.unwrap_err(),
    ] {
        let WriteError::Store(StoreError::Standstill(standstill, _)) = error else {
            panic!("{error:?}");
        };
        assert_eq!(standstill, expected);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_moved_or_replaced_takes_no_writes_until_it_is_back() {
    let database = TestDatabase::sqlite();
    let engine = database.open().await;
    engine.write(vec![insert("a", 1)]).await.unwrap();
    for suffix in ["", "-wal", "-shm"] {
        let mut name = file(&database).into_os_string();
        name.push(suffix);
        let (name, aside) = (PathBuf::from(name), file(&database).with_file_name("aside"));
        fs::rename(&name, &aside).unwrap();
        stands_still(&engine, Standstill::Gone).await;
        fs::write(&name, "").unwrap();
        stands_still(&engine, Standstill::Replaced).await;
        fs::rename(&aside, &name).unwrap();
        engine.check_writes().await.unwrap();
    }
    assert_eq!(items(&engine).await, rows(&[("a", 1)]));
    engine.write(vec![insert("b", 1)]).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn no_new_reader_looks_into_another_file() {
    let database = TestDatabase::sqlite();
    let engine = database.open().await;
    engine.write(vec![insert("a", 1)]).await.unwrap();
    fs::rename(file(&database), file(&database).with_file_name("aside")).unwrap();
    fs::write(file(&database), "").unwrap();

    // A reader that has failed is not used again, so the next one would open the file again.
    assert_eq!(items(&engine).await, rows(&[("a", 1)]));
    let wrong = Read::new("select nothing from nowhere", values![]);
    engine.fetch(wrong).await.unwrap_err();
    let read = Read::new("select id from item", values![]);
    let error = engine.fetch(read).await.unwrap_err();
    assert!(
        matches!(error, StoreError::Standstill(Standstill::Replaced, _)),
        "{error}"
    );
}
