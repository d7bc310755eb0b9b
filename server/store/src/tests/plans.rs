//! How the databases find what a notice names: by an index that holds all of what is asked for, in a database that has
//! never counted its rows, as a new one has not, and in one that has.

use super::super::engine::{Dialect, Read, Row, Write};
use super::super::notices::{BY_REFERENCE, by_key};
use super::on_both_engines;
use super::test_store::TestStore;

on_both_engines! {
    a_notice_is_matched_without_reading_past_what_it_names
}

/// Payments enough that reading all of them would show.
const ATTEMPTS: &str = "insert into attempts (merchant_id, payment_id, attempt_number, status, is_open, authorization_key, \
     connector_transaction_id, authorized_amount, capturable_limit, captured_amount, pending_capture_amount, voided_amount, \
     record, created_at, modified_at) \
     with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 5000) \
     select 'bookshop', 'pay_' || n, 1, 'charged', false, 'mrk_' || n, 'ref_' || n, 1, 1, 1, 0, 0, '{}', 1, 1 from numbers";

impl TestStore {
    /// The database's plan for a statement about a merchant and a name, a step in each line.
    async fn plan(&self, sql: &str) -> Vec<String> {
        let sql = sql.replace("$1", "'bookshop'").replace("$2", "'ref_17'");
        let (explain, column) = match self.engine.dialect() {
            Dialect::Sqlite => ("explain query plan", "detail"),
            Dialect::Postgres => ("explain (costs off)", "QUERY PLAN"),
        };
        let read = Read::new(format!("{explain} {sql}"), Vec::new());
        let rows = self.engine.fetch(read).await.expect("a plan");
        let step = |row: &Row| row.text(column).expect("a step");
        rows.iter().map(step).collect()
    }

    /// Finds the attempts of a reference by the index of merchants and references alone.
    async fn assert_goes_by_reference(&self) {
        let plan = self.plan(BY_REFERENCE).await;
        let expected = match self.engine.dialect() {
            Dialect::Sqlite => vec![
                "SEARCH attempts USING COVERING INDEX attempts_by_merchants_reference \
                 (merchant_id=? AND connector_transaction_id=?)",
            ],
            Dialect::Postgres => vec![
                "Limit",
                "  ->  Index Only Scan using attempts_by_merchants_reference on attempts",
                "        Index Cond: ((merchant_id = 'bookshop'::text) AND (connector_transaction_id = 'ref_17'::text))",
            ],
        };
        assert_eq!(plan, expected);
    }
}

async fn a_notice_is_matched_without_reading_past_what_it_names(test: TestStore) {
    // PostgreSQL counts rows by itself sooner or later, and reads a small table as a whole.
    if test.engine.dialect() == Dialect::Sqlite {
        test.assert_goes_by_reference().await;
    }
    test.insert(Write::new(ATTEMPTS, Vec::new()).any_rows())
        .await;
    if test.engine.dialect() == Dialect::Sqlite {
        test.assert_goes_by_reference().await;
    }
    test.insert(Write::new("analyze attempts", Vec::new()).any_rows())
        .await;
    test.assert_goes_by_reference().await;

    let by_key = test.plan(&by_key()).await.join("\n");
    let indexes: &[&str] = match test.engine.dialect() {
        Dialect::Sqlite => &[
            "attempts_authorization_key",
            "captures_processor_key",
            "refunds_processor_key",
        ],
        // Its other tables are empty.
        Dialect::Postgres => &["attempts_authorization_key"],
    };
    for index in indexes {
        assert!(by_key.contains(index), "not by {index}:\n{by_key}");
    }
}
