//! SQLite can't write: every caller gets the reason, nothing is stored by halves, and writes go on when the cause is gone.

use multirail_sql::Standstill;

use super::*;

/// Opens an engine whose writer must not give up.
async fn open(database: &TestDatabase) -> Engine {
    let fatal = Fatal::new(|why| panic!("given up: {why}"));
    let options = Options {
        fatal,
        ..Options::default()
    };
    let engine = database.open_with(options).await;
    engine.migrate_by(SCHEMA).await.unwrap();
    engine.write(vec![insert("a", 1)]).await.unwrap();
    engine
}

/// Sets a pragma of the writer's connection.
async fn set(engine: &Engine, pragma: &'static str) {
    // A pragma that answers with a row is refused for that, but in force.
    let _ = engine
        .write(vec![Write::new(pragma, values![]).any_rows()])
        .await;
}

fn large() -> Write {
    Write::new(
        "insert into item (id, amount, name) values ($1, 0, $2)",
        values!["large", "x".repeat(1 << 20)],
    )
}

fn expect_standstill(result: Result<Vec<u64>, WriteError>) -> Standstill {
    match result {
        Err(WriteError::Store(StoreError::Standstill(standstill, _))) => standstill,
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_database_refuses_and_goes_on_when_there_is_room() {
    let database = TestDatabase::sqlite();
    let engine = open(&database).await;
    set(&engine, "pragma max_page_count = 1").await;
    for _ in 0..2 {
        assert_eq!(
            expect_standstill(engine.write(vec![large()]).await),
            Standstill::Full
        );
        assert_eq!(items(&engine).await, rows(&[("a", 1)]));
    }
    // A write that needs no room is still stored.
    engine.write(vec![update("a", 0, 2)]).await.unwrap();
    engine.check_writes().await.unwrap();

    set(&engine, "pragma max_page_count = 1000000").await;
    engine.write(vec![large()]).await.unwrap();
    assert_eq!(items(&engine).await, rows(&[("a", 2), ("large", 0)]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_that_fills_the_database_takes_nothing_of_its_neighbours_along() {
    let database = TestDatabase::sqlite();
    let engine = open(&database).await;
    set(&engine, "pragma max_page_count = 1").await;
    let (first, second, third) = tokio::join!(
        engine.write(vec![insert("b", 1)]),
        engine.write(vec![insert("c", 1), large()]),
        engine.write(vec![update("a", 0, 2)]),
    );
    assert_eq!(expect_standstill(second), Standstill::Full);
    // The other batches of its group were refused as a whole; those of other groups were stored as a whole.
    let mut expected = vec![("a".to_owned(), if third.is_ok() { 2 } else { 1 })];
    if first.is_ok() {
        expected.push(("b".to_owned(), 1));
    }
    assert_eq!(items(&engine).await, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_read_only_database_refuses_what_writes() {
    let database = TestDatabase::sqlite();
    let engine = open(&database).await;
    set(&engine, "pragma query_only = on").await;
    assert_eq!(
        expect_standstill(engine.write(vec![insert("b", 1)]).await),
        Standstill::ReadOnly
    );
    assert_eq!(
        expect_standstill(engine.check_writes().await.map(|()| Vec::new())),
        Standstill::ReadOnly
    );
    assert_eq!(items(&engine).await, rows(&[("a", 1)]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_commit_that_is_refused_leaves_nothing_and_the_writer_goes_on() {
    let database = TestDatabase::sqlite();
    let engine = open(&database).await;
    // A constraint that is checked at COMMIT only, which our migrations may not have.
    let orphan = vec![
        Write::new("pragma defer_foreign_keys = on", values![]).any_rows(),
        Write::new(
            "insert into item (id, amount, parent) values ('x', 0, 'nobody')",
            values![],
        ),
    ];
    let refused = engine.write(orphan).await.unwrap_err();
    assert!(
        matches!(refused, WriteError::Store(StoreError::Unavailable(_))),
        "{refused:?}"
    );
    engine.write(vec![insert("b", 1)]).await.unwrap();
    assert_eq!(items(&engine).await, rows(&[("a", 1), ("b", 1)]));
}
