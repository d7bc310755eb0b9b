//! The write-ahead log is copied into the file while writes go on, and starts again at its beginning.

use std::fs::{create_dir_all, metadata};
use std::path::Path;
use std::time::{Duration, Instant};

use super::*;

const MB: u64 = 1 << 20;

/// 200 MB in small groups, without a long pause.
#[tokio::test(flavor = "multi_thread")]
async fn a_log_that_is_written_all_the_time_stays_short() {
    let database = TestDatabase::sqlite();
    let engine = database.open().await;
    let path = database.url.trim_start_matches("sqlite:").to_owned();
    let text = "x".repeat(100_000);
    for n in 0..2_000 {
        let note = values![n.to_string(), text.as_str()];
        let write = Write::new("insert into note (id, text) values ($1, $2)", note);
        engine.write(vec![write]).await.unwrap();
    }
    let log = metadata(format!("{path}-wal")).unwrap().len();
    let file = metadata(&path).unwrap().len();
    assert!(log > 10 * MB, "it gathers pages: {log}");
    assert!(
        log < 40 * MB,
        "the thread keeps up, so that it is never overdue: {log}"
    );
    assert!(file > 140 * MB, "the rest is in the file: {file}");

    engine.close().await;
    assert!(metadata(format!("{path}-wal")).is_err());
    assert!(metadata(&path).unwrap().len() > 190 * MB);
    let engine = database.open().await;
    let read = Read::new("select count(*) as n from note", values![]);
    let rows = engine.fetch(read).await.unwrap();
    assert_eq!(rows[0].int("n").unwrap(), 2_000);
}

/// A read of minutes keeps the log from starting again. The log grows meanwhile, and nothing is lost or refused.
#[tokio::test(flavor = "multi_thread")]
async fn a_read_in_the_way_stops_no_write() {
    let database = TestDatabase::sqlite();
    let engine = database.open().await;
    let path = database.url.trim_start_matches("sqlite:").to_owned();
    let reader = rusqlite::Connection::open(&path).unwrap();
    reader
        .execute_batch("begin; select count(*) from note;")
        .unwrap();

    let text = "x".repeat(100_000);
    let note = async |id: String| {
        let note = values![id, text.as_str()];
        let write = Write::new("insert into note (id, text) values ($1, $2)", note);
        engine.write(vec![write]).await.unwrap();
    };
    for n in 0..1_000 {
        note(format!("before {n}")).await;
    }
    let grown = metadata(format!("{path}-wal")).unwrap().len();
    assert!(grown > 90 * MB, "{grown}");

    drop(reader);
    for n in 0..1_000 {
        note(format!("after {n}")).await;
    }
    let log = metadata(format!("{path}-wal")).unwrap().len();
    assert!(
        log < grown + 40 * MB,
        "it has begun anew: {log} after {grown}"
    );
    let read = Read::new("select count(*) as n from note", values![]);
    let rows = engine.fetch(read).await.unwrap();
    assert_eq!(rows[0].int("n").unwrap(), 2_000);
}

/// The secret is in no file a moment later; while a reader uses the log, a moment after the reader has ended.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_erased_goes_from_the_log_too() {
    let database = TestDatabase::sqlite();
    let engine = database.open().await;
    let path = database.url.trim_start_matches("sqlite:").to_owned();
    engine.write(vec![secret_note()]).await.unwrap();
    assert!(is_in_files(&path), "it is written");
    let reader = rusqlite::Connection::open(&path).unwrap();
    reader
        .execute_batch("begin; select count(*) from note;")
        .unwrap();
    engine.write(vec![erase()]).await.unwrap();
    // Writes go on, and the reader keeps its snapshot.
    engine.write(vec![note("another")]).await.unwrap();
    assert!(is_in_files(&path));
    let read: String = reader
        .query_row("select text from note where id = 'secret'", [], |row| {
            row.get(0)
        })
        .unwrap();
    assert_eq!(read, SECRET);

    drop(reader);
    let patient = Instant::now() + Duration::from_secs(30);
    while is_in_files(&path) {
        assert!(Instant::now() < patient, "it stays in the files");
        tokio::task::yield_now().await;
    }
    let rows = Read::new("select id, text from note order by id", values![]);
    let rows = engine.fetch(rows).await.unwrap();
    let of_row = |row: &Row| {
        (
            row.str("id").unwrap().to_owned(),
            row.opt_str("text").unwrap().map(str::to_owned),
        )
    };
    let left: Vec<_> = rows.iter().map(of_row).collect();
    assert_eq!(
        left,
        [
            ("another".to_owned(), Some("text".to_owned())),
            ("secret".to_owned(), Some(String::new()))
        ]
    );
}

/// If a server is killed between erasing and emptying the log, the next start empties it.
#[tokio::test(flavor = "multi_thread")]
async fn a_start_empties_the_log_of_who_was_killed() {
    let database = TestDatabase::sqlite();
    let engine = database.open().await;
    let path = database.url.trim_start_matches("sqlite:").to_owned();
    engine.write(vec![secret_note()]).await.unwrap();
    let reader = rusqlite::Connection::open(&path).unwrap();
    reader
        .execute_batch("begin; select count(*) from note;")
        .unwrap();
    engine.write(vec![erase()]).await.unwrap();
    let other = TestDatabase::sqlite();
    let copy = other.url.trim_start_matches("sqlite:").to_owned();
    create_dir_all(Path::new(&copy).parent().unwrap()).unwrap();
    for file in ["", "-wal"] {
        std::fs::copy(format!("{path}{file}"), format!("{copy}{file}")).unwrap();
    }
    assert!(is_in_files(&copy), "as they were when it was killed");

    let engine = other.open().await;
    assert!(!is_in_files(&copy));
    let read = Read::new("select text from note where id = 'secret'", values![]);
    let rows = engine.fetch(read).await.unwrap();
    assert_eq!(rows[0].str("text").unwrap(), "");
}

const SECRET: &str = "the key of somebody who is to be forgotten";

fn secret_note() -> Write {
    let parameters = values!["secret", SECRET];
    Write::new("insert into note (id, text) values ($1, $2)", parameters)
}

fn erase() -> Write {
    let sql = "update note set text = $2 where id = $1";
    Write::new(sql, values!["secret", ""]).erasing()
}

/// Returns whether the secret stands in the file or in its log.
fn is_in_files(path: &str) -> bool {
    ["", "-wal"].iter().any(|file| {
        let bytes = std::fs::read(format!("{path}{file}")).unwrap_or_default();
        let mut places = bytes.windows(SECRET.len());
        places.any(|place| place == SECRET.as_bytes())
    })
}
