//! Stored batches, refused batches, and the answers of both.

use futures::future::join_all;

use super::*;

on_both_engines! {
    a_batch_is_stored_as_a_whole_and_says_what_changed
    a_missed_expectation_rolls_back_its_batch_alone
    a_duplicate_is_what_its_statement_calls_it
    a_broken_rule_is_named_and_rolls_back_its_batch_alone
    one_of_many_that_read_the_same_version_wins
    sixty_four_at_once_are_all_there_after_closing_and_opening
    what_was_written_is_read_at_once
    a_closed_engine_says_so
    an_empty_batch_is_stored_already
    statements_on_tables_of_their_own_are_a_batch_like_any_other
    what_cannot_miss_carries_the_others
    a_debug_build_stops_at_a_statement_that_may_not_be_moved
    a_later_statement_sees_what_those_before_it_did
}

async fn a_batch_is_stored_as_a_whole_and_says_what_changed(database: TestDatabase) {
    let engine = database.open().await;
    let changed = engine
        .write(vec![
            insert("a", 1),
            insert("b", 2),
            Write::new(
                "insert into item (id, amount) values ($1, 3), ($2, 4)",
                values!["c", "d"],
            )
            .rows(2),
            Write::new("delete from item where amount > $1", values![1_i64]).any_rows(),
            Write::new("delete from item where amount > $1", values![1_i64]).any_rows(),
            Write::new("delete from item where amount > $1", values![9_i64]).rows(0),
        ])
        .await;
    assert_eq!(changed.unwrap(), [1, 1, 2, 3, 0, 0]);
    assert_eq!(items(&engine).await, rows(&[("a", 1)]));
}

async fn a_missed_expectation_rolls_back_its_batch_alone(database: TestDatabase) {
    let engine = database.open().await;
    engine
        .write(vec![insert("a", 1), insert("b", 2)])
        .await
        .unwrap();

    let stale = engine.write(vec![update("a", 0, 10), update("b", 1, 20), insert("c", 3)]);
    let good = engine.write(vec![insert("d", 4)]);
    let (stale, good) = tokio::join!(stale, good);
    assert!(
        matches!(stale, Err(WriteError::Miss(Miss::Conflict))),
        "{stale:?}"
    );
    good.unwrap();
    assert_eq!(items(&engine).await, rows(&[("a", 1), ("b", 2), ("d", 4)]));

    // More rows than expected are a miss as well.
    let all = Write::new("update item set amount = $1", values![0_i64]);
    let all = engine.write(vec![all]).await;
    assert!(
        matches!(all, Err(WriteError::Miss(Miss::Conflict))),
        "{all:?}"
    );
    assert_eq!(items(&engine).await, rows(&[("a", 1), ("b", 2), ("d", 4)]));
}

async fn a_duplicate_is_what_its_statement_calls_it(database: TestDatabase) {
    let engine = database.open().await;
    let add = |id: &str| {
        let sql = "insert into item (id, amount) values ($1, 0) on conflict (id) do nothing";
        Write::new(sql, values![id]).or_duplicate("item")
    };
    engine.write(vec![add("a")]).await.unwrap();
    let again = engine.write(vec![add("b"), add("a")]).await;
    assert!(
        matches!(again, Err(WriteError::Miss(Miss::Duplicate("item")))),
        "{again:?}"
    );
    assert_eq!(items(&engine).await, rows(&[("a", 0)]));

    // One of twenty equal inserts at the same time succeeds.
    let all = join_all((0..20).map(|_| engine.write(vec![add("c")]))).await;
    assert_eq!(all.iter().filter(|result| result.is_ok()).count(), 1);
    for result in all {
        assert!(matches!(
            result,
            Ok(_) | Err(WriteError::Miss(Miss::Duplicate("item")))
        ));
    }
}

async fn a_broken_rule_is_named_and_rolls_back_its_batch_alone(database: TestDatabase) {
    let engine = database.open().await;
    let sql = "insert into item (id, name, amount, sealed) values ($1, $2, 0, $3)";
    let named = |id: &str, name: &str, sealed: u8| Write::new(sql, values![id, name, [sealed]]);
    engine.write(vec![named("a", "n", 1)]).await.unwrap();

    let orphan = "insert into item (id, amount, parent) values ($1, 0, 'nobody')";
    let unnumbered = "insert into item (id, amount) values ($1, null)";
    let cases = [
        (
            insert("x", -1),
            ConstraintKind::Check,
            "item_amount_not_negative",
        ),
        (insert("a", 1), ConstraintKind::Unique, "item_pkey"),
        (
            named("x", "n", 2),
            ConstraintKind::Unique,
            "item_name_version_key",
        ),
        (named("x", "m", 1), ConstraintKind::Unique, "item_sealed"),
        (
            Write::new(unnumbered, values!["x"]),
            ConstraintKind::NotNull,
            "item.amount",
        ),
        (
            Write::new(orphan, values!["x"]),
            ConstraintKind::ForeignKey,
            match engine.dialect() {
                Dialect::Sqlite => "unnamed",
                Dialect::Postgres => "item_parent_fkey",
            },
        ),
    ];
    for (index, (write, expected_kind, expected_name)) in cases.into_iter().enumerate() {
        let bystander = format!("good{index}");
        let bad = engine.write(vec![insert("before", 0), write, insert("after", 0)]);
        let good = engine.write(vec![insert(&bystander, 0)]);
        let (bad, good) = tokio::join!(bad, good);
        good.unwrap();
        match bad {
            Err(WriteError::Store(StoreError::Constraint { kind, name })) => {
                assert_eq!((kind, name.as_str()), (expected_kind, expected_name));
            }
            other => panic!("{expected_name}: {other:?}"),
        }
    }
    let ids: Vec<_> = items(&engine).await.into_iter().map(|(id, _)| id).collect();
    assert_eq!(
        ids,
        ["a", "good0", "good1", "good2", "good3", "good4", "good5"]
    );
}

async fn one_of_many_that_read_the_same_version_wins(database: TestDatabase) {
    let engine = database.open().await;
    engine.write(vec![insert("a", 0)]).await.unwrap();
    for version in 0..5 {
        let all = (1..=16).map(|n| {
            engine.write(vec![
                Write::new(INSERT, values![format!("log-{version}-{n}"), n]),
                update("a", version, n),
            ])
        });
        let all = join_all(all).await;
        assert_eq!(all.iter().filter(|result| result.is_ok()).count(), 1);
        for result in all {
            assert!(matches!(
                result,
                Ok(_) | Err(WriteError::Miss(Miss::Conflict))
            ));
        }
    }
    assert_eq!(items(&engine).await.len(), 1 + 5);
}

async fn sixty_four_at_once_are_all_there_after_closing_and_opening(database: TestDatabase) {
    let engine = database.open().await;
    let ids: Vec<_> = (0..64).map(|n| format!("{n:02}")).collect();
    let all = ids.iter().enumerate().map(|(n, id)| {
        let engine = engine.clone();
        let mut batch = vec![insert(id, n as i64), update(id, 0, 100 + n as i64)];
        if n % 8 == 7 {
            batch.push(update(id, 0, 0)); // at version 1 by now
        }
        tokio::spawn(async move { engine.write(batch).await })
    });
    let all = join_all(all).await;
    for (n, result) in all.into_iter().enumerate() {
        let result = result.unwrap();
        assert_eq!(result.is_ok(), n % 8 != 7, "{n}: {result:?}");
    }
    engine.close().await;

    let engine = database.open().await;
    let expected: Vec<_> = (0..64)
        .filter(|n| n % 8 != 7)
        .map(|n| (format!("{n:02}"), 100 + n))
        .collect();
    assert_eq!(items(&engine).await, expected);
}

async fn what_was_written_is_read_at_once(database: TestDatabase) {
    let engine = database.open().await;
    engine.write(vec![insert("a", 0)]).await.unwrap();
    for version in 0..100 {
        engine
            .write(vec![update("a", version, version * 2)])
            .await
            .unwrap();
        assert_eq!(items(&engine).await, rows(&[("a", version * 2)]));
    }
}

async fn a_closed_engine_says_so(database: TestDatabase) {
    let engine = database.open().await;
    engine.ping().await.unwrap();
    let clone = engine.clone();
    engine.close().await;
    engine.close().await;
    assert!(matches!(clone.ping().await, Err(StoreError::Closed)));
    let write = clone.write(vec![insert("a", 1)]).await;
    assert!(
        matches!(write, Err(WriteError::Store(StoreError::Closed))),
        "{write:?}"
    );
}

async fn an_empty_batch_is_stored_already(database: TestDatabase) {
    let engine = database.open().await;
    assert_eq!(engine.write(Vec::new()).await.unwrap(), [] as [u64; 0]);
}

async fn statements_on_tables_of_their_own_are_a_batch_like_any_other(database: TestDatabase) {
    let engine = database.open().await;
    let item = |id: &str, amount| insert(id, amount).on("item");
    let changed = engine.write(vec![note("n"), item("a", 1)]).await;
    assert_eq!(changed.unwrap(), [1, 1]);
    let none = Write::new("delete from item where amount > $1", values![5_i64])
        .on("item")
        .any_rows();
    assert_eq!(engine.write(vec![none]).await.unwrap(), [0]);

    // The batch that misses says so, and stores nothing.
    let taken = engine.write(vec![item("b", 2), note("n")]).await;
    assert!(
        matches!(taken, Err(WriteError::Miss(Miss::Duplicate("note")))),
        "{taken:?}"
    );
    let stale = engine
        .write(vec![update("a", 7, 3).on("item"), note("m")])
        .await;
    assert!(
        matches!(stale, Err(WriteError::Miss(Miss::Conflict))),
        "{stale:?}"
    );
    let broken = engine.write(vec![note("m"), item("c", -1)]).await;
    assert!(
        matches!(&broken, Err(WriteError::Store(StoreError::Constraint { name, .. }))
            if name == "item_amount_not_negative"),
        "{broken:?}"
    );
    assert_eq!(items(&engine).await, rows(&[("a", 1)]));
    engine.write(vec![note("m")]).await.unwrap();
}

async fn what_cannot_miss_carries_the_others(database: TestDatabase) {
    let engine = database.open().await;
    let proof = |id: &str| {
        let insert = Write::new("insert into note (id) values ($1)", values![id]);
        insert.on("note").certain()
    };
    let before = vec![insert("a", 1).on("item"), proof("p")];
    assert_eq!(engine.write(before).await.unwrap(), [1, 1]);
    let after = vec![proof("q"), update("a", 0, 5).on("item")];
    assert_eq!(engine.write(after).await.unwrap(), [1, 1]);

    for stale in [
        vec![update("a", 7, 3).on("item"), proof("r")],
        vec![proof("r"), update("a", 7, 3).on("item")],
    ] {
        let missed = engine.write(stale).await;
        assert!(
            matches!(missed, Err(WriteError::Miss(Miss::Conflict))),
            "{missed:?}"
        );
    }
    let again = engine
        .write(vec![insert("b", 1).on("item"), proof("p")])
        .await;
    assert!(
        matches!(
            again,
            Err(WriteError::Store(StoreError::Constraint {
                kind: ConstraintKind::Unique,
                ..
            }))
        ),
        "{again:?}"
    );
    assert_eq!(items(&engine).await, rows(&[("a", 5)]));
    // Nothing of the missed batch was stored.
    assert_eq!(engine.write(vec![proof("r")]).await.unwrap(), [1]);
}

async fn a_debug_build_stops_at_a_statement_that_may_not_be_moved(database: TestDatabase) {
    let engine = database.open().await;
    let add = "insert into item (id, amount) select $1, 2 where exists (select 1 from note where id = $2)";
    let add = Write::new(add, values!["b", "n"]).on("item");
    let written = tokio::spawn({
        let engine = engine.clone();
        async move { engine.write(vec![note("n"), add]).await }
    });
    let panic = written.await.expect_err("a panic").into_panic();
    let message = panic.downcast_ref::<String>().expect("a message");
    assert!(
        message.contains("depends on its place in the batch: insert into item"),
        "{message}"
    );
    assert_eq!(items(&engine).await, rows(&[]));
}

async fn a_later_statement_sees_what_those_before_it_did(database: TestDatabase) {
    let engine = database.open().await;
    let add = "insert into item (id, amount) select $1, 2 where exists (select 1 from note where id = $2)";
    let changed = engine
        .write(vec![
            insert("a", 1).on("item"),
            update("a", 0, 5).on("item"),
            note("n"),
            Write::new(add, values!["b", "n"]),
        ])
        .await;
    assert_eq!(changed.unwrap(), [1, 1, 1, 1]);
    assert_eq!(items(&engine).await, rows(&[("a", 5), ("b", 2)]));
}
