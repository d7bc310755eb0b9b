//! Migrations, with steps that only these tests have.

use super::*;

on_both_engines! {
    steps_are_applied_once_and_in_order
    a_failed_step_leaves_nothing_and_can_be_repeated
    a_step_that_was_changed_is_refused
    a_database_that_is_ahead_is_served
    a_database_of_somebody_else_is_refused
    the_programs_own_steps_apply
    the_inbox_survives_the_rebuild_of_its_table
    a_default_that_is_gone_is_none
}

const fn step(name: &'static str, sql: &'static str) -> Step {
    Step {
        name,
        sqlite: sql,
        postgres: sql,
    }
}

const ONE: Step = step(
    "0001_one",
    "create table t (a bigint); insert into t values (1);",
);
const TWO: Step = step(
    "0002_two",
    "update t set a = a + 1; alter table t add column b text;",
);

async fn a(engine: &Engine) -> i64 {
    let row = engine
        .fetch_optional(Read::new("select a from t", values![]))
        .await;
    row.unwrap().unwrap().int("a").unwrap()
}

async fn steps_are_applied_once_and_in_order(database: TestDatabase) {
    let engine = database.open_with(Options::default()).await;
    let pending = engine.pending_of(&[ONE, TWO]).await.unwrap();
    assert_eq!(pending.len(), 2);
    assert_eq!((pending[1].version, pending[1].name), (2, "0002_two"));

    engine.migrate_by(&[ONE]).await.unwrap();
    assert_eq!(engine.pending_of(&[ONE, TWO]).await.unwrap().len(), 1);
    assert_eq!(a(&engine).await, 1);

    // Several servers that start together.
    let steps = [ONE, TWO];
    let (one, two, three) = tokio::join!(
        engine.migrate_by(&steps),
        engine.migrate_by(&steps),
        engine.migrate_by(&steps)
    );
    match engine.dialect() {
        // One process doesn't migrate twice at once; if it does, nothing happens twice.
        Dialect::Sqlite => assert!(one.is_ok() || two.is_ok() || three.is_ok()),
        Dialect::Postgres => {
            one.unwrap();
            two.unwrap();
            three.unwrap();
        }
    }
    assert_eq!(a(&engine).await, 2);
    assert_eq!(engine.pending_of(&steps).await.unwrap(), []);

    // Writers and readers with statements prepared for the old schema see the new one.
    let write = Write::new("update t set b = $1", values!["b"]);
    engine.write(vec![write]).await.unwrap();
}

async fn a_failed_step_leaves_nothing_and_can_be_repeated(database: TestDatabase) {
    let engine = database.open_with(Options::default()).await;
    let broken = step(
        "0002_two",
        "update t set a = 9; insert into nowhere values (1);",
    );
    let error = engine.migrate_by(&[ONE, broken]).await.unwrap_err();
    let text = error.to_string();
    assert!(text.starts_with("migration: number 2 failed"), "{text}");
    assert!(text.contains("nowhere"), "{text}");
    assert_eq!(a(&engine).await, 1);

    engine.migrate_by(&[ONE, TWO]).await.unwrap();
    assert_eq!(a(&engine).await, 2);
}

async fn a_step_that_was_changed_is_refused(database: TestDatabase) {
    let engine = database.open_with(Options::default()).await;
    engine.migrate_by(&[ONE]).await.unwrap();
    let changed = step("0001_one", "create table t (a bigint, b bigint)");
    let error = engine.migrate_by(&[changed, TWO]).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "migration: number 1 was changed after this database had it"
    );
    assert_eq!(a(&engine).await, 1);
}

async fn a_database_that_is_ahead_is_served(database: TestDatabase) {
    let engine = database.open_with(Options::default()).await;
    engine.migrate_by(&[ONE, TWO]).await.unwrap();
    assert_eq!(engine.pending_of(&[ONE]).await.unwrap(), []);
    engine.migrate_by(&[ONE]).await.unwrap();
    assert_eq!(a(&engine).await, 2);
}

async fn a_database_of_somebody_else_is_refused(database: TestDatabase) {
    let engine = database.open_with(Options::default()).await;
    engine.migrate_by(&[ONE, TWO]).await.unwrap();
    let three = step("0003_three", "create table u (a bigint)");
    for result in [
        engine.migrate_by(&[ONE, three]).await.map(drop),
        engine.pending_of(&[ONE, three]).await.map(drop),
    ] {
        assert!(
            matches!(result, Err(StoreError::Migration(_))),
            "{result:?}"
        );
    }
}

async fn the_programs_own_steps_apply(database: TestDatabase) {
    let engine = database.open_with(Options::default()).await;
    assert_eq!(
        engine.pending_migrations().await.unwrap().len(),
        STEPS.len()
    );
    let first = engine.migrate().await.unwrap();
    assert_eq!((first.from, first.to), (0, STEPS.len() as i64));
    assert_eq!(first.applied.len(), STEPS.len());
    let second = engine.migrate().await.unwrap();
    assert_eq!((second.from, second.to), (first.to, first.to));
    assert_eq!(second.applied, [""; 0]);
    assert_eq!(engine.pending_migrations().await.unwrap(), []);
}

async fn the_inbox_survives_the_rebuild_of_its_table(database: TestDatabase) {
    let engine = database.open_with(Options::default()).await;
    let anew = STEPS
        .iter()
        .position(|step| step.name == "0013_notice_lists");
    let before = &STEPS[..anew.expect("a step")];
    engine.migrate_by(before).await.unwrap();
    let file = "insert into notices (notice_id, merchant_id, merchant_connector_id, connector, body_hash, receipts, content, \
                status, kinds, objects, received_at, due_at, lease_until, fence) \
                values ($1, 'shop', 'mca_1', 'fauxpay', $2, 2, $3, 'waiting', '[\"a\"]', '[\"b\"]', 10, 20, 30, 4)";
    let content = vec![7_u8; 70_000];
    let write = Write::new(file, values!["ntc_1", "hash", content.clone()]);
    engine.write(vec![write]).await.unwrap();
    engine.migrate_by(STEPS).await.unwrap();
    assert_eq!(engine.pending_migrations().await.unwrap(), []);
    let all = "select * from notices where lease_until > 0 and status = 'waiting'";
    let rows = engine.fetch(Read::new(all, values![])).await.unwrap();
    let row = rows.first().expect("a row");
    let text = |column: &str| row.str(column).unwrap().to_owned();
    let number = |column: &str| row.int(column).unwrap();
    assert_eq!(
        [
            text("notice_id"),
            text("body_hash"),
            text("kinds"),
            text("objects")
        ],
        ["ntc_1", "hash", "[\"a\"]", "[\"b\"]"]
    );
    assert_eq!(
        ["receipts", "received_at", "due_at", "lease_until", "fence"].map(number),
        [2, 10, 20, 30, 4]
    );
    assert_eq!(row.bytes("content").unwrap(), content);
    // The same notice is the same row as before.
    let again = Write::new(file, values!["ntc_2", "hash", content]);
    assert!(engine.write(vec![again]).await.is_err());
}

async fn a_default_that_is_gone_is_none(database: TestDatabase) {
    let engine = database.open_with(Options::default()).await;
    let repair = STEPS
        .iter()
        .position(|step| step.name == "0052_defaults_that_are_gone");
    let before = &STEPS[..repair.expect("a step")];
    engine.migrate_by(before).await.unwrap();
    let known = |customer: &'static str, default: Option<&'static str>| {
        let insert = "insert into customers (merchant_id, customer_id, version, status, default_payment_method_id, record, \
                      personal, created_at, modified_at) values ('shop', $1, 1, 'active', $2, '{}', $3, 1, 1)";
        Write::new(insert, values![customer, default, vec![1_u8]])
    };
    let saved = "insert into payment_methods (merchant_id, payment_method_id, version, customer_id, status, payment_method, \
                 card_details, particulars, created_at, modified_at, last_used_at) values ($1, $2, 1, 'ada', 'active', \
                 'bank_transfer', '{}', '{}', 1, 1, 1)";
    let saved = |merchant, id| Write::new(saved, values![merchant, id]);
    let writes = vec![
        saved("shop", "pm_there"),
        // The row belongs to another merchant.
        saved("other", "pm_gone"),
        known("ada", Some("pm_there")),
        known("grace", Some("pm_gone")),
        known("linus", None),
    ];
    engine.write(writes).await.unwrap();
    engine.migrate_by(STEPS).await.unwrap();
    let all = "select default_payment_method_id as chosen from customers order by customer_id";
    let rows = engine.fetch(Read::new(all, values![])).await.unwrap();
    let chosen = rows.iter().map(|row| row.opt_str("chosen").unwrap());
    assert_eq!(chosen.collect::<Vec<_>>(), [Some("pm_there"), None, None]);
}
