//! Query plans for the objects that a notice names, for pages of disputes, and for the newest payments of a profile. An index that holds all columns of the
//! condition is used, both in a database without statistics, like a new one, and in one with.

use multirail_app::payments::ports::DisputeSearch;
use multirail_kernel::ids::PaymentId;

use super::super::engine::{Dialect, Write};
use super::news::{at, shop};
use crate::fixture::TestStore;
use crate::fixture::on_both_engines;
use crate::fixture::plans::written_out;
use crate::operations::notices::{BY_REFERENCE, by_key};
use crate::payments::consents;
use crate::payments::disputes::page;
use crate::payments::past;

on_both_engines! {
    a_notice_is_matched_without_reading_past_what_it_names
    pages_of_disputes_are_found_in_an_index_alone
    payments_of_disputes_and_mandates_are_found_by_their_key
    the_newest_payments_of_a_profile_are_found_in_an_index
}

/// So many payments that reading all of them would show.
const ATTEMPTS: &str = "insert into attempts (merchant_id, payment_id, attempt_number, status, is_open, authorization_key, \
     connector_transaction_id, authorized_amount, capturable_limit, captured_amount, pending_capture_amount, voided_amount, \
     record, created_at, modified_at) \
     with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 5000) \
     select 'bookshop', 'pay_' || n, 1, 'charged', false, 'mrk_' || n, 'ref_' || n, 1, 1, 1, 0, 0, '{}', 1, 1 from numbers";

impl TestStore {
    /// Returns the plan for a statement about a merchant and a name, a step in each line.
    async fn plan(&self, sql: &str) -> Vec<String> {
        let sql = sql.replace("$1", "'bookshop'").replace("$2", "'ref_17'");
        self.explained(&sql).await
    }

    /// Asserts that the index of merchants and references alone finds the attempts of a reference.
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
    // PostgreSQL collects statistics by itself sooner or later, and reads a small table as a whole.
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

impl TestStore {
    /// Asserts that each of these pages is found in the index named with it.
    async fn assert_found_in_indexes(&self, lists: &[(DisputeSearch, &str)]) {
        for (search, index) in lists {
            let plan = self.explained(&written_out(page(&shop(), search))).await;
            let plan = plan.join("\n");
            let steps = match self.engine.dialect() {
                Dialect::Sqlite => vec![format!("SEARCH d USING COVERING INDEX {index} ")],
                Dialect::Postgres => ["", " Backward"]
                    .map(|way| format!("Index Only Scan{way} using {index} on disputes "))
                    .to_vec(),
            };
            let is_found = steps.iter().any(|step| plan.contains(step));
            assert!(is_found, "{search:?} by {index}:\n{plan}");
        }
    }
}

/// So many disputes that reading all of them would show; their payments don't matter.
const DISPUTES: &str = "insert into disputes (merchant_id, dispute_id, version, payment_id, profile_id, stage, status, \
     amount, currency, connector, merchant_connector_id, connector_dispute_id, record, created_at, modified_at) \
     with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 5000) \
     select 'bookshop', 'dp_' || n, 1, 'pay_' || n, 'pro_' || (n % 10), 'dispute', \
     case when n % 1000 = 7 then 'dispute_won' else 'dispute_opened' end, 1, 'USD', 'fauxpay', 'mca_1', 'ref_' || n, '{}', n, n \
     from numbers";

async fn pages_of_disputes_are_found_in_an_index_alone(test: TestStore) {
    let one = |word: &str| vec![word.to_owned()];
    let search = || DisputeSearch {
        limit: 20,
        ..DisputeSearch::default()
    };
    let mut lists = vec![
        (search(), "disputes_listed"),
        (
            DisputeSearch {
                profile_id: Some("pro_3".to_owned()),
                ..search()
            },
            "disputes_of_profile",
        ),
        (
            DisputeSearch {
                statuses: vec!["dispute_lost".to_owned(), "dispute_won".to_owned()],
                ..search()
            },
            "disputes_of_status",
        ),
    ];
    test.insert(Write::new(DISPUTES, Vec::new()).any_rows())
        .await;
    // PostgreSQL collects statistics by itself sooner or later, and then plans for columns that few disputes have.
    if test.engine.dialect() == Dialect::Sqlite {
        let of_none = DisputeSearch {
            stages: one("arbitration"),
            ..search()
        };
        let of_one_connector = DisputeSearch {
            connectors: one("fauxpay"),
            ..search()
        };
        let of_one_currency = DisputeSearch {
            currencies: one("EUR"),
            ..search()
        };
        let of_few = DisputeSearch {
            statuses: one("dispute_won"),
            ..search()
        };
        let of_then = DisputeSearch {
            created_from: Some(at(0)),
            created_until: Some(at(0)),
            ..search()
        };
        lists.extend([
            (of_none, "disputes_of_stage"),
            (of_one_connector, "disputes_of_connector"),
            (of_one_currency, "disputes_of_currency"),
            (of_few, "disputes_of_status"),
            (of_then, "disputes_by_creation"),
        ]);
        test.assert_found_in_indexes(&lists).await;
    }
    test.insert(Write::new("analyze disputes", Vec::new()).any_rows())
        .await;
    test.assert_found_in_indexes(&lists).await;
}

/// So many payments that reading all of them, or all of their index, would show.
const PAYMENTS: &str = "insert into payments (merchant_id, payment_id, version, profile_id, status, amount, currency, record, \
     authentication_type, attempt_count, capture_count, is_unresolved, created_at, modified_at) \
     with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 5000) \
     select 'bookshop', 'pay_' || n, 1, 'pro_1', 'succeeded', 1, 'USD', '{}', 'no_three_ds', 1, 0, false, n, n from numbers";

/// The estimate of routing reads them. Sorting all payments of a merchant would take a second with a million of them.
async fn the_newest_payments_of_a_profile_are_found_in_an_index(test: TestStore) {
    for rows in [PAYMENTS, ATTEMPTS, "analyze payments", "analyze attempts"] {
        test.insert(Write::new(rows, Vec::new()).any_rows()).await;
    }
    let sql = past::newest(500).replace("$1", "'bookshop'");
    let plan = test.explained(&sql.replace("$2", "'pro_1'")).await;
    let plan = plan.join("\n");
    let (newest, first, sorts) = match test.engine.dialect() {
        Dialect::Sqlite => (
            "SEARCH p USING INDEX payments_listed (merchant_id=?)",
            "SEARCH a USING ",
            "TEMP B-TREE",
        ),
        Dialect::Postgres => (
            "Index Scan Backward using payments_listed on payments p",
            "using attempts_pkey on attempts a",
            "Sort",
        ),
    };
    assert!(plan.contains(newest) && plan.contains(first), "{plan}");
    assert!(!plan.contains(sorts), "{plan}");
}

/// An index of PostgreSQL serves comparisons in its own collation only, and ids of the older tables have the database's
/// own.
async fn payments_of_disputes_and_mandates_are_found_by_their_key(test: TestStore) {
    for rows in [PAYMENTS, DISPUTES, "analyze payments", "analyze disputes"] {
        test.insert(Write::new(rows, Vec::new()).any_rows()).await;
    }
    let of_disputes = DisputeSearch {
        limit: 20,
        ..DisputeSearch::default()
    };
    let payments = [PaymentId::parse("pay_1").expect("an id")];
    let asked = [
        page(&shop(), &of_disputes),
        consents::of_payments(&shop(), &payments),
    ];
    for asked in asked {
        let plan = test.explained(&written_out(asked)).await;
        let plan = plan.join("\n");
        let is_found = match test.engine.dialect() {
            Dialect::Sqlite => plan.lines().any(|step| {
                step.starts_with("SEARCH p ") && step.contains("(merchant_id=? AND payment_id=?)")
            }),
            Dialect::Postgres => {
                let mut steps = plan
                    .lines()
                    .skip_while(|step| !step.contains("using payments_pkey on payments p"));
                let by = steps.nth(1).unwrap_or_default();
                by.contains("merchant_id = ") && by.contains("payment_id = ")
            }
        };
        assert!(is_found, "{plan}");
    }
}
