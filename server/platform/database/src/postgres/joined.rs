//! Joins several statements of a batch into one, which takes one round trip. If that is the whole batch, it needs no BEGIN
//! and no COMMIT either.
//!
//! `with w0 as (update ... returning 1), w1 as (...) insert ... returning ...`: PostgreSQL runs such parts on one snapshot,
//! so that none sees the changes of another. Only statements that allow it are joined ([`Write::on`]).

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError};

use multirail_sql::{Expect, Write};

use super::super::placeholders;

/// The text in the error that reports a miss. PostgreSQL can't raise an error in plain SQL, but an impossible cast is one.
const MISSED: &str = "missed write ";

/// The most cached texts. There are as many as kinds of change-sets, a few dozen.
const KEPT: usize = 1_000;

/// Writes as one statement.
#[derive(Debug)]
pub(super) struct Joined {
    /// The SQL text. It returns one row with the number of changed rows of each write; an unexpected number is an error
    /// that [`missed`] understands.
    pub text: Arc<str>,
    /// How many parameters each write takes.
    pub parameters: Vec<usize>,
}

/// Joined statements, by their parts. Building their texts took a twelfth of the time of a payment here.
#[derive(Debug, Default)]
pub(super) struct JoinedStatements(Mutex<HashMap<Vec<Part>, Arc<Joined>>>);

/// The parts that determine a joined text: the address and length of a write's static text, and what the write expects.
type Part = (usize, usize, Expect, bool);

impl JoinedStatements {
    pub(super) fn get_or_join(&self, writes: &[&Write]) -> Arc<Joined> {
        let part = |write: &&Write| {
            let sql = write.sql;
            (
                sql.as_ptr().addr(),
                sql.len(),
                write.expect,
                write.is_certain,
            )
        };
        let parts: Vec<Part> = writes.iter().map(part).collect();
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(joined) = kept.get(&parts) {
            return Arc::clone(joined);
        }
        if kept.len() >= KEPT {
            kept.clear();
        }
        let joined = Arc::new(join(writes));
        kept.insert(parts, Arc::clone(&joined));
        joined
    }
}

/// Joins writes. The last write that can't miss is the main statement, the others are its parts. If there is none, a query
/// is the main statement.
fn join(writes: &[&Write]) -> Joined {
    let mut parts = String::new();
    let mut carrier = String::new();
    let mut counts = String::new();
    let mut parameters = Vec::with_capacity(writes.len());
    let carries = writes.iter().rposition(|write| write.is_certain);
    let mut offset = 0;
    for (index, write) in writes.iter().enumerate() {
        let sql = placeholders::moved(write.sql, offset);
        let wanted = placeholders::highest(write.sql);
        parameters.push(wanted);
        offset += wanted;
        if index > 0 {
            counts.push_str(", ");
        }
        if carries == Some(index) {
            counts.push_str("cast(1 as bigint)");
            carrier = sql + " returning ";
            continue;
        }
        let comma = if parts.is_empty() { "with " } else { ", " };
        // Writing to a text doesn't fail.
        let _ = write!(parts, "{comma}w{index} as ({sql} returning 1)");
        let _ = match write.expect {
            // Exactly one row is cheaper to test for than to count. The process id keeps the planner from evaluating the
            // cast in advance.
            Expect::Rows(_) => write!(
                counts,
                "coalesce((select cast(1 as bigint) from w{index}), \
                 cast('{MISSED}{index}: ' || pg_backend_pid() as bigint))"
            ),
            Expect::Any => write!(counts, "(select count(*) from w{index})"),
        };
    }
    if carries.is_none() {
        carrier.push_str("select ");
    }
    let space = if parts.is_empty() { "" } else { " " };
    Joined {
        text: (parts + space + &carrier + &counts).into(),
        parameters,
    }
}

/// Returns the index of the joined write that missed, if that is what the error says.
pub(super) fn missed(message: &str) -> Option<usize> {
    let (_, rest) = message.split_once(MISSED)?;
    let (index, _) = rest.split_once(':')?;
    index.parse().ok()
}

/// Splits a batch into writes that are joined and those that follow one by one, each with its index in the batch.
pub(super) fn split(batch: &[Write]) -> (Vec<usize>, Vec<usize>) {
    let tables: Vec<&str> = batch.iter().filter_map(|write| write.table).collect();
    let times = |table: &str| tables.iter().filter(|other| **other == table).count();
    let is_joined = |write: &Write| {
        matches!(write.expect, Expect::Any | Expect::Rows(1))
            && write.table.is_some_and(|table| times(table) == 1)
            && write.refers_to.is_none_or(|table| times(table) <= 1)
    };
    (0..batch.len()).partition(|index| is_joined(&batch[*index]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use multirail_sql::values;

    fn on(table: &'static str, sql: &'static str) -> Write {
        Write::new(sql, values!["a", 1_i64]).on(table)
    }

    #[test]
    fn placeholders_go_on_counting_and_expectations_are_checked() {
        let a = on("a", "update a set x = $2 where id = $1");
        let b = on("b", "delete from b where id = $1 and y = $2").any_rows();
        assert_eq!(
            &*join(&[&a, &b]).text,
            "with w0 as (update a set x = $2 where id = $1 returning 1), \
             w1 as (delete from b where id = $3 and y = $4 returning 1) \
             select coalesce((select cast(1 as bigint) from w0), \
             cast('missed write 0: ' || pg_backend_pid() as bigint)), (select count(*) from w1)"
        );
        let certain = on("c", "insert into c values ($1, $2)").certain();
        assert_eq!(
            &*join(&[&a, &certain, &b]).text,
            "with w0 as (update a set x = $2 where id = $1 returning 1), \
             w2 as (delete from b where id = $5 and y = $6 returning 1) \
             insert into c values ($3, $4) returning coalesce((select cast(1 as bigint) from w0), \
             cast('missed write 0: ' || pg_backend_pid() as bigint)), cast(1 as bigint), (select count(*) from w2)"
        );
        assert_eq!(
            &*join(&[&certain]).text,
            "insert into c values ($1, $2) returning cast(1 as bigint)"
        );
        let told = "invalid input syntax for type bigint: \"missed write 12: 0\"";
        assert_eq!(missed(told), Some(12));
        assert_eq!(missed("invalid input syntax for type bigint: \"x\""), None);
    }

    #[test]
    fn a_wrong_number_of_parameters_spoils_no_later_text() {
        let kept = JoinedStatements::default();
        let sql = "insert into a values ($1, $2)";
        let b = on("b", "delete from b where id = $1 and y = $2");
        let texts = [values!["a"], values!["a", 1_i64]].map(|parameters| {
            let a = Write::new(sql, parameters).on("a");
            Arc::clone(&kept.get_or_join(&[&a, &b]).text)
        });
        assert_eq!(texts[0], texts[1]);
        assert!(texts[1].contains("id = $3 and y = $4"), "{}", texts[1]);
    }

    #[test]
    fn two_writes_on_one_table_are_not_joined() {
        let sql = "insert into t values ($1, $2)";
        let batch = [
            on("a", sql),
            on("b", sql),
            Write::new(sql, values![]),
            on("b", sql),
        ];
        assert_eq!(split(&batch), (vec![0], vec![1, 2, 3]));
        // Nor a write that refers to a row of a write that runs on its own.
        let child = || on("child", sql).referring_to("b");
        let batch = [on("b", sql), on("b", sql), child()];
        assert_eq!(split(&batch), (vec![], vec![0, 1, 2]));
        let batch = [on("b", sql), child()];
        assert_eq!(split(&batch), (vec![0, 1], vec![]));
    }
}
