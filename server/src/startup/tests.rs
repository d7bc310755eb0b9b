//! A full queue, from the database's writer to the caller's answer.

mod recovery;

use futures::StreamExt;
use futures::stream::FuturesUnordered;
use http::header;
use multirail_app::AppError;
use multirail_database::{Engine, Options};
use multirail_store::SqlStore;

use multirail_http::platform::errors::api_error;

#[tokio::test(flavor = "multi_thread")]
async fn a_full_queue_is_answered_with_503_and_loses_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("multirail.sqlite");
    let options = Options {
        write_queue: 2,
        group_limit: 1,
        ..Options::default()
    };
    let url = format!("sqlite:{}", path.display());
    let engine = Engine::open(&url, options).await.unwrap();
    engine.migrate().await.unwrap();

    // The writer waits for another connection's transaction; behind it there is room for two.
    let blocker = rusqlite::Connection::open(&path).unwrap();
    blocker.execute_batch("begin immediate").unwrap();
    let names: Vec<String> = (0..10).map(|n| format!("test_{n}")).collect();
    let mut writes: FuturesUnordered<_> = names
        .iter()
        .map(|name| SqlStore::remember(&engine, name, "there"))
        .collect();
    for _ in 0..7 {
        let failure = writes.next().await.unwrap().unwrap_err();
        let told = api_error(AppError::from(failure));
        assert_eq!(
            (told.status.as_u16(), told.code, told.error_type),
            (503, "HE_00", "api")
        );
        assert_eq!(told.headers[0].0, header::RETRY_AFTER);
        assert!(
            told.context()
                .unwrap()
                .contains("too many changes are waiting"),
            "{told:?}"
        );
    }
    blocker.execute_batch("rollback").unwrap();
    // One of the last three may have arrived before the writer had taken the first.
    let mut stored = 0;
    while let Some(written) = writes.next().await {
        stored += usize::from(written.is_ok());
    }
    assert!(stored >= 2, "{stored}");
    drop(writes);
    engine.close().await;
}
