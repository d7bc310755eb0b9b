//! The write-ahead log is brought into the file while writes go on, and begins anew at its front.

use std::fs::metadata;

use super::*;

const MB: u64 = 1 << 20;

/// 200 MB in small groups, while nobody ever pauses for long.
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

/// A read that goes on for minutes keeps the log from beginning anew. It grows meanwhile, and nothing is lost or refused.
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
