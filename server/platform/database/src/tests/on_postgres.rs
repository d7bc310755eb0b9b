//! PostgreSQL alone: broken connections, deadlocks, time limits.

use std::time::{Duration, Instant};

use futures::future::join_all;
use multirail_sql::Standstill;

use super::proxy::{Cut, Proxy};
use super::*;

fn quick() -> Options {
    Options {
        statement_timeout: Duration::from_secs(1),
        acquire_timeout: Duration::from_millis(1_500),
        ..Options::default()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_statement_has_a_time_limit() {
    let Some(database) = TestDatabase::postgres() else {
        return;
    };
    database.open().await.close().await;
    let engine = database.open_with(quick()).await;
    let read = Read::new("select 1 from pg_sleep(10)", values![]);
    assert!(matches!(
        engine.fetch(read).await,
        Err(StoreError::TimedOut)
    ));
    let sleepy = Write::new("update item set amount = 0 from pg_sleep(10)", values![]).any_rows();
    let result = engine.write(vec![insert("a", 1), sleepy]).await;
    assert!(
        matches!(result, Err(WriteError::Store(StoreError::TimedOut))),
        "{result:?}"
    );
    assert_eq!(items(&engine).await, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn batches_whose_locks_cross_are_all_stored() {
    let Some(database) = TestDatabase::postgres() else {
        return;
    };
    let engine = database.open().await;
    engine
        .write(vec![insert("a", 0), insert("b", 0)])
        .await
        .unwrap();
    let add = |id: &str| {
        Write::new(
            "update item set amount = amount + 1 where id = $1",
            values![id],
        )
    };
    let pause = || {
        Write::new(
            "update item set flag = true from pg_sleep(0.05) where id = 'none'",
            values![],
        )
        .rows(0)
    };
    let all = (0..8).map(|n| {
        let (first, second) = if n % 2 == 0 { ("a", "b") } else { ("b", "a") };
        engine.write(vec![add(first), pause(), add(second)])
    });
    let results = join_all(all).await;
    let stored = results.iter().filter(|result| result.is_ok()).count();
    for result in results {
        // More deadlocks in a row than there are repetitions are possible, if unlikely.
        match result {
            Ok(_) | Err(WriteError::Store(StoreError::Unavailable(_))) => {}
            Err(other) => panic!("{other:?}"),
        }
    }
    assert!(stored >= 2, "{stored}");
    let stored = stored as i64;
    assert_eq!(items(&engine).await, rows(&[("a", stored), ("b", stored)]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_was_killed_is_missed_and_found_again() {
    let Some(database) = TestDatabase::own_postgres() else {
        return;
    };
    let cluster = database.cluster.clone().unwrap();
    let engine = database.open().await;
    engine.close().await;
    let options = Options {
        statement_timeout: Options::default().statement_timeout,
        ..quick()
    };
    let engine = database.open_with(options).await;
    // Several connections, all of which will be dead.
    join_all((0..8).map(|_| engine.ping())).await;
    engine.write(vec![insert("a", 1)]).await.unwrap();

    cluster.kill();
    let read = engine.ping().await;
    assert!(matches!(read, Err(StoreError::Unavailable(_))), "{read:?}");
    let write = engine.write(vec![insert("b", 2)]).await;
    assert!(
        matches!(write, Err(WriteError::Store(StoreError::Unavailable(_)))),
        "{write:?}"
    );
    let open = Engine::open(&database.url, quick()).await;
    assert!(matches!(open, Err(StoreError::Unavailable(_))), "{open:?}");

    cluster.start();
    // Just started, it may take longer than these limits allow.
    let patient = Instant::now() + Duration::from_secs(30);
    while engine.ping().await.is_err() {
        assert!(Instant::now() < patient, "it was not found again");
    }
    engine.write(vec![insert("c", 3)]).await.unwrap();
    assert_eq!(items(&engine).await, rows(&[("a", 1), ("c", 3)]));
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_that_died_unnoticed_are_replaced_unnoticed() {
    let Some(database) = TestDatabase::own_postgres() else {
        return;
    };
    let cluster = database.cluster.clone().unwrap();
    let engine = database.open().await;
    join_all((0..8).map(|_| engine.ping())).await;
    cluster.stop();
    cluster.start();
    // Idle for longer than a connection is trusted.
    tokio::time::sleep(Duration::from_millis(1100)).await;
    for n in 0..10 {
        engine.write(vec![insert(&n.to_string(), 0)]).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_answer_of_commit_is_not_taken_for_a_no() {
    let Some(database) = TestDatabase::postgres() else {
        return;
    };
    database.open().await.close().await;
    let proxy = Proxy::start(database.address()).await;
    let engine = Engine::open(&proxy.url(&database.url), Options::default())
        .await
        .unwrap();
    engine.write(vec![insert("a", 1)]).await.unwrap();

    // A batch of one statement has no COMMIT but its own end: the proxy takes the id for one.
    for (cut, write) in [
        (Cut::BeforeCommit, insert("b", 1)),
        (Cut::AfterCommit, insert("c", 1)),
        (Cut::BeforeCommit, insert("COMMIT d", 1).on("item")),
        (Cut::AfterCommit, insert("COMMIT e", 1).on("item")),
    ] {
        proxy.cut(cut);
        let result = engine.write(vec![write]).await;
        assert!(
            matches!(
                result,
                Err(WriteError::Store(StoreError::OutcomeUnknown(_)))
            ),
            "{cut:?}: {result:?}"
        );
    }
    // The same error, and the database has the truth.
    assert_eq!(
        items(&engine).await,
        rows(&[("COMMIT e", 1), ("a", 1), ("c", 1)])
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn no_caller_waits_for_a_silent_server() {
    let Some(database) = TestDatabase::postgres() else {
        return;
    };
    database.open().await.close().await;
    let proxy = Proxy::start(database.address()).await;
    let options = Options {
        acquire_timeout: Duration::from_secs(5),
        connections: 2,
        ..quick()
    };
    let engine = Engine::open(&proxy.url(&database.url), options)
        .await
        .unwrap();
    let writes = || {
        [
            vec![insert("b", 1), insert("c", 1)],
            vec![insert("COMMIT d", 1).on("item")],
        ]
    };
    let warm = async || drop(join_all((0..4).map(|_| engine.ping())).await);

    warm().await;
    proxy.fall_silent();
    let read = soon(engine.fetch(Read::new("select 1", values![]))).await;
    assert!(matches!(read, Err(StoreError::Unavailable(_))), "{read:?}");
    proxy.speak();

    warm().await;
    proxy.fall_silent();
    let [batch, _] = writes();
    let begun = soon(engine.write(batch)).await;
    assert!(
        matches!(begun, Err(WriteError::Store(StoreError::Unavailable(_)))),
        "{begun:?}"
    );
    proxy.speak();

    for batch in writes() {
        warm().await;
        proxy.cut(Cut::SilentFromCommit);
        let shown = format!("{batch:?}");
        let commit = soon(engine.write(batch)).await;
        assert!(
            matches!(
                commit,
                Err(WriteError::Store(StoreError::OutcomeUnknown(_)))
            ),
            "{shown}: {commit:?}"
        );
        proxy.speak();
    }

    // The pool has lost no connection, and nothing was stored.
    assert_eq!(items(&engine).await, []);
    let many = join_all((0..8).map(|n| engine.write(vec![insert(&n.to_string(), n)])));
    let many = soon(many).await;
    assert!(many.iter().all(Result::is_ok), "{many:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn whether_a_silent_server_answers_is_known_soon() {
    let Some(database) = TestDatabase::postgres() else {
        return;
    };
    let proxy = Proxy::start(database.address()).await;
    let engine = Engine::open(&proxy.url(&database.url), Options::default())
        .await
        .unwrap();
    engine.ping().await.unwrap();
    proxy.fall_silent();
    let ping = soon(engine.ping()).await;
    assert!(matches!(ping, Err(StoreError::Unavailable(_))), "{ping:?}");
}

/// Well before a time limit of a statement, and long before TCP gives up.
async fn soon<T>(answer: impl Future<Output = T>) -> T {
    let limit = Duration::from_secs(8);
    tokio::time::timeout(limit, answer)
        .await
        .expect("an answer in time")
}

#[tokio::test(flavor = "multi_thread")]
async fn the_server_lets_go_of_a_client_that_vanished() {
    let Some(database) = TestDatabase::postgres() else {
        return;
    };
    let engine = database.open_with(Options::default()).await;
    // Over a local socket the last four have no meaning.
    let read = Read::new(
        "select name, setting from pg_settings where name in ('idle_in_transaction_session_timeout', \
         'tcp_keepalives_idle', 'tcp_keepalives_interval', 'tcp_keepalives_count', 'tcp_user_timeout') order by name",
        values![],
    );
    let rows = engine.fetch(read).await.unwrap();
    let settings: Vec<_> = rows
        .iter()
        .map(|row| (row.text("name").unwrap(), row.text("setting").unwrap()))
        .collect();
    let expected = [
        ("idle_in_transaction_session_timeout", "10000"),
        ("tcp_keepalives_count", "3"),
        ("tcp_keepalives_idle", "15"),
        ("tcp_keepalives_interval", "5"),
        ("tcp_user_timeout", "30000"),
    ];
    let expected = expected.map(|(name, value)| (name.to_owned(), value.to_owned()));
    assert_eq!(settings, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_address_differs_from_an_absent_server() {
    let Some(database) = TestDatabase::postgres() else {
        return;
    };
    let nowhere = database.url.replace("/test_", "/nowhere_");
    let error = Engine::open(&nowhere, quick()).await.unwrap_err();
    assert!(
        matches!(&error, StoreError::Open(why) if why.contains("nowhere")),
        "{error:?}"
    );
    let error = Engine::open("postgres://u:hunter2@[", quick())
        .await
        .unwrap_err();
    assert!(matches!(&error, StoreError::Open(_)), "{error:?}");
    assert!(!format!("{error:?} {error}").contains("hunter2"));
    let error = Engine::open("postgres://u:hunter2@127.0.0.1:1/x", quick())
        .await
        .unwrap_err();
    assert!(matches!(&error, StoreError::Unavailable(_)), "{error:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sum_says_that_it_wants_a_cast() {
    let Some(database) = TestDatabase::postgres() else {
        return;
    };
    let engine = database.open().await;
    let error = engine
        .fetch(Read::new(
            "select sum(amount) as total from item",
            values![],
        ))
        .await;
    assert_eq!(
        error.unwrap_err().to_string(),
        "column total: is of type NUMERIC: cast it in the statement"
    );
    let read = Read::new(
        "select cast(sum(amount) as bigint) as total from item",
        values![],
    );
    let row = engine.fetch_optional(read).await.unwrap().unwrap();
    assert_eq!(row.opt_int("total").unwrap(), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_of_the_server_is_named() {
    let Some(database) = TestDatabase::postgres() else {
        return;
    };
    let engine = database.open().await;
    let full = "do $$ begin raise exception 'no room' using errcode = 'disk_full'; end $$";
    let told = engine.write(vec![insert("a", 1), Write::new(full, values![]).any_rows()]);
    let told = told.await.unwrap_err();
    assert!(
        matches!(
            told,
            WriteError::Store(StoreError::Standstill(Standstill::Full, _))
        ),
        "{told:?}"
    );
    assert_eq!(items(&engine).await, []);
    engine.write(vec![insert("a", 1)]).await.unwrap();
}

/// A union sorts by the collation that one of its columns names. If its parts compare by another, pages leave rows out.
#[tokio::test(flavor = "multi_thread")]
async fn ids_of_payments_are_compared_alike_in_all_tables() {
    let Some(database) = TestDatabase::postgres() else {
        return;
    };
    let engine = database.open_with(Options::default()).await;
    engine.migrate().await.unwrap();
    let sql = "select table_name::text as \"table\", coalesce(collation_name, 'the database''s')::text as collation \
         from information_schema.columns where column_name = 'payment_id' order by 1";
    let rows = engine.fetch(Read::new(sql, values![])).await.unwrap();
    let tables: Vec<(String, String)> = rows
        .iter()
        .map(|row| (row.text("table").unwrap(), row.text("collation").unwrap()))
        .collect();
    assert!(
        tables.iter().any(|(table, _)| table == "refunds"),
        "{tables:?}"
    );
    let others = tables
        .iter()
        .filter(|(_, collation)| collation != "the database's");
    assert_eq!(others.collect::<Vec<_>>(), [] as [&(String, String); 0]);
}
