//! Parameters and columns.

use super::*;

on_both_engines! {
    every_kind_comes_back_as_it_went
    null_of_every_kind_can_be_stored_and_compared
    placeholders_bind_by_number_in_any_order
    a_column_that_is_not_what_is_asked_for_is_named
    a_wrong_number_of_parameters_is_refused
    a_nul_character_is_refused
    a_text_made_at_run_time_can_be_read
    no_value_appears_in_an_error
}

const INSERT_ALL: &str =
    "insert into item (id, name, amount, flag, sealed, parent) values ($1, $2, $3, $4, $5, $6)";

async fn every_kind_comes_back_as_it_went(database: TestDatabase) {
    let engine = database.open().await;
    let sealed: Vec<u8> = (0..=255).collect();
    let name = "Zoë 'quoted' \"{}\" $1";
    let all = values!["a", name, i64::MAX, true, sealed.clone(), None::<&str>];
    let rest = values!["b", "", 0_i64, false, Vec::<u8>::new(), Some("a")];
    engine
        .write(vec![
            Write::new(INSERT_ALL, all),
            Write::new(INSERT_ALL, rest),
        ])
        .await
        .unwrap();

    let read = Read::new("select * from item where id = $1", values!["a"]);
    let a = engine.fetch_optional(read).await.unwrap().unwrap();
    assert_eq!(a.text("name").unwrap(), name);
    assert_eq!(a.str(1).unwrap(), name);
    assert_eq!(a.int("amount").unwrap(), i64::MAX);
    assert!(a.bool("flag").unwrap());
    assert_eq!(a.bytes("sealed").unwrap(), sealed);
    assert_eq!(a.opt_text("parent").unwrap(), None);

    let read = Read::new("select * from item where flag = $1", values![false]);
    let b = engine.fetch_optional(read).await.unwrap().unwrap();
    assert_eq!(b.opt_text("name").unwrap().as_deref(), Some(""));
    assert_eq!(b.opt_int("amount").unwrap(), Some(0));
    assert_eq!(b.opt_bool("flag").unwrap(), Some(false));
    assert_eq!(b.opt_bytes("sealed").unwrap(), Some(Vec::new()));
    assert_eq!(b.opt_str("parent").unwrap(), Some("a"));

    let none = Read::new("select id from item where id = $1", values!["c"]);
    assert!(engine.fetch_optional(none).await.unwrap().is_none());
}

async fn null_of_every_kind_can_be_stored_and_compared(database: TestDatabase) {
    let engine = database.open().await;
    let nothing = values![
        "a",
        None::<String>,
        7_i64,
        None::<bool>,
        None::<Vec<u8>>,
        None::<&str>
    ];
    engine
        .write(vec![Write::new(INSERT_ALL, nothing)])
        .await
        .unwrap();
    let read = Read::new("select name, flag, sealed, parent from item", values![]);
    let row = engine.fetch_optional(read).await.unwrap().unwrap();
    for column in 0..4 {
        assert!(row.value(column).unwrap().is_null(), "column {column}");
    }
    assert_eq!(row.opt_bool("flag").unwrap(), None);
    assert_eq!(row.opt_bytes("sealed").unwrap(), None);

    // A filter that may be absent, where nothing else shows the parameter's type.
    for (sql, absent, present) in [
        (
            "select id from item where $1 is null or amount = $1",
            Value::Null(Kind::Int),
            7.into(),
        ),
        (
            "select id from item where $1 is null or id = $1",
            Value::Null(Kind::Text),
            "a".into(),
        ),
        (
            "select id from item where $1 is null or flag = $1",
            Value::Null(Kind::Bool),
            true.into(),
        ),
        (
            "select id from item where $1 is null or sealed = $1",
            Value::Null(Kind::Bytes),
            vec![1].into(),
        ),
    ] {
        let all = engine.fetch(Read::new(sql, vec![absent])).await.unwrap();
        assert_eq!(all.len(), 1, "{sql}");
        let some = engine.fetch(Read::new(sql, vec![present])).await.unwrap();
        assert_eq!(
            some.len(),
            usize::from(!sql.contains("flag") && !sql.contains("sealed")),
            "{sql}"
        );
    }

    // The same statement with a value and with NULL, prepared once.
    let rename = |name: Option<&str>, amount: Option<i64>| {
        let sql = "update item set name = $2, amount = coalesce($3, amount) where id = $1";
        Write::new(sql, values!["a", name, amount])
    };
    for (name, amount) in [
        (None, Some(1)),
        (Some("n"), None),
        (None, None),
        (Some("m"), Some(2)),
    ] {
        engine.write(vec![rename(name, amount)]).await.unwrap();
    }
    assert_eq!(items(&engine).await, rows(&[("a", 2)]));
}

async fn placeholders_bind_by_number_in_any_order(database: TestDatabase) {
    let engine = database.open().await;
    let sql = "insert into item (amount, name, id) values ($3, $2, $1)";
    let write = Write::new(sql, values!["id", "name", 5_i64]);
    engine.write(vec![write]).await.unwrap();

    let sql = "select $2 || id || $1 || name || $2 as text, amount + $3 as sum from item
               where name = $4 and id = $5 -- and $9 = '$8'";
    let read = Read::new(sql, values!["<1>", "<2>", 3_i64, "name", "id"]);
    let row = engine.fetch_optional(read).await.unwrap().unwrap();
    assert_eq!(row.text("text").unwrap(), "<2>id<1>name<2>");
    assert_eq!(row.int("sum").unwrap(), 8);
}

async fn a_column_that_is_not_what_is_asked_for_is_named(database: TestDatabase) {
    let engine = database.open().await;
    engine.write(vec![insert("a", 1)]).await.unwrap();
    let read = Read::new("select id, amount, name from item", values![]);
    let row = engine.fetch_optional(read).await.unwrap().unwrap();
    let message = |error: StoreError| error.to_string();
    assert_eq!(
        message(row.int("amuont").unwrap_err()),
        "column amuont: the answer has no such column"
    );
    assert_eq!(
        message(row.int(3).unwrap_err()),
        "column 3: the answer has no such column"
    );
    assert_eq!(
        message(row.text("name").unwrap_err()),
        "column name: is NULL"
    );
    assert_eq!(
        message(row.int("id").unwrap_err()),
        "column id: is not a whole number"
    );
    assert_eq!(
        message(row.text("amount").unwrap_err()),
        "column amount: is not text"
    );

    // The error names the column of the statement.
    let unknown = Read::new("select colour from item", values![]);
    let error = engine.fetch(unknown).await.unwrap_err();
    assert!(
        matches!(&error, StoreError::Statement(why) if why.contains("colour")),
        "{error:?}"
    );
    let unknown = Write::new("update item set colour = $1", values![1_i64]);
    let error = engine.write(vec![unknown]).await.unwrap_err();
    assert!(
        matches!(&error, WriteError::Store(StoreError::Statement(why)) if why.contains("colour")),
        "{error:?}"
    );
}

async fn a_wrong_number_of_parameters_is_refused(database: TestDatabase) {
    let engine = database.open().await;
    for parameters in [values!["a"], values!["a", 1_i64, 1_i64]] {
        let error = engine.write(vec![Write::new(INSERT, parameters)]).await;
        assert!(matches!(
            error,
            Err(WriteError::Store(StoreError::Statement(_)))
        ));
    }
    let read = Read::new("select id from item where id = $1", values![]);
    let error = engine.fetch(read).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the database refused a statement: it names 1 parameters and was given 0"
    );
}

async fn a_nul_character_is_refused(database: TestDatabase) {
    let engine = database.open().await;
    let error = engine.write(vec![insert("a\0b", 1)]).await.unwrap_err();
    assert!(matches!(error, WriteError::Store(StoreError::NulInText(1))));
    let read = Read::new(
        "select id from item where amount = $1 and id = $2",
        values![1_i64, "\0"],
    );
    let error = engine.fetch(read).await.unwrap_err();
    assert!(matches!(error, StoreError::NulInText(2)));
}

async fn a_text_made_at_run_time_can_be_read(database: TestDatabase) {
    let engine = database.open().await;
    engine
        .write(vec![insert("a", 1), insert("b", 2)])
        .await
        .unwrap();
    for (condition, expected) in [("amount > $1", 1), ("amount >= $1", 2)] {
        let sql = format!("select count(*) as n from item where {condition}");
        let row = engine.fetch_optional(Read::new(sql, values![1_i64])).await;
        assert_eq!(row.unwrap().unwrap().int("n").unwrap(), expected);
    }
}

async fn no_value_appears_in_an_error(database: TestDatabase) {
    let engine = database.open().await;
    let card = "4111111111111111";
    engine.write(vec![insert(card, 1)]).await.unwrap();

    let text = format!("{:?}", insert(card, 1));
    assert!(!text.contains("4111"), "{text}");
    let twice = engine.write(vec![insert(card, 1)]).await.unwrap_err();
    let cast = Read::new(
        "select cast(cast($1 as text) as bigint) as n from item where 1 = 1",
        values!["4111-x"],
    );
    let cast = engine.fetch(cast).await;
    let wrong_type = Write::new("update item set amount = $1", values![card]);
    let wrong_type = engine.write(vec![wrong_type]).await;
    for text in [
        format!("{twice:?} {twice}"),
        format!("{cast:?}"),
        format!("{wrong_type:?}"),
    ] {
        assert!(!text.contains("4111"), "{text}");
    }
}
