//! Several statements of a batch as one, so that they take one round trip and, where they are all of the batch, no
//! BEGIN and no COMMIT either.
//!
//! `with w0 as (update ... returning 1), w1 as (...) select ...`: PostgreSQL runs such parts on one snapshot, so that none
//! sees what another changes. Only statements that said so are joined ([`Write::on`]).

use std::fmt::Write as _;

use super::super::placeholders;
use super::super::statement::{Expect, Write};

/// What a miss is told by. PostgreSQL has no word for raising an error in plain SQL; a cast that can't be done is one.
const MISSED: &str = "missed write ";

/// One text for the writes. Its answer is one row with the number of changed rows of each; another number than expected
/// is an error that [`missed`] understands.
pub(super) fn text(writes: &[&Write]) -> String {
    let mut parts = String::from("with ");
    let mut counts = String::from(" select ");
    let mut offset = 0;
    for (index, write) in writes.iter().enumerate() {
        let comma = if index == 0 { "" } else { ", " };
        let sql = placeholders::moved(write.sql, offset);
        offset += write.parameters.len();
        let changed = format!("(select count(*) from w{index})");
        let checked = match write.expect {
            Expect::Any => changed,
            Expect::Rows(rows) => format!(
                "case {changed} when {rows} then {rows} else cast('{MISSED}{index}: ' || {changed} as bigint) end"
            ),
        };
        // Writing to a text doesn't fail.
        let _ = write!(parts, "{comma}w{index} as ({sql} returning 1)");
        let _ = write!(counts, "{comma}{checked}");
    }
    parts + &counts
}

/// Which of the joined writes missed, if that is what an error says.
pub(super) fn missed(message: &str) -> Option<usize> {
    let (_, rest) = message.split_once(MISSED)?;
    let (index, _) = rest.split_once(':')?;
    index.parse().ok()
}

/// Splits a batch into writes that are joined and those that follow one by one, each with its place in the batch.
pub(super) fn split(batch: &[Write]) -> (Vec<usize>, Vec<usize>) {
    let tables: Vec<&str> = batch.iter().filter_map(|write| write.table).collect();
    let times = |table: &str| tables.iter().filter(|other| **other == table).count();
    let is_joined = |write: &Write| {
        write.table.is_some_and(|table| times(table) == 1)
            && write.beside.is_none_or(|table| times(table) <= 1)
    };
    (0..batch.len()).partition(|index| is_joined(&batch[*index]))
}

#[cfg(test)]
mod tests {
    use super::super::super::value::values;
    use super::*;

    fn on(table: &'static str, sql: &'static str) -> Write {
        Write::new(sql, values!["a", 1_i64]).on(table)
    }

    #[test]
    fn placeholders_go_on_counting_and_expectations_are_checked() {
        let a = on("a", "update a set x = $2 where id = $1");
        let b = on("b", "delete from b where id = $1 and y = $2").any_rows();
        assert_eq!(
            text(&[&a, &b]),
            "with w0 as (update a set x = $2 where id = $1 returning 1), \
             w1 as (delete from b where id = $3 and y = $4 returning 1) \
             select case (select count(*) from w0) when 1 then 1 \
             else cast('missed write 0: ' || (select count(*) from w0) as bigint) end, (select count(*) from w1)"
        );
        let told = "invalid input syntax for type bigint: \"missed write 12: 0\"";
        assert_eq!(missed(told), Some(12));
        assert_eq!(missed("invalid input syntax for type bigint: \"x\""), None);
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
        // Nor one that refers to what comes one by one.
        let child = || on("child", sql).beside("b");
        let batch = [on("b", sql), on("b", sql), child()];
        assert_eq!(split(&batch), (vec![], vec![0, 1, 2]));
        let batch = [on("b", sql), child()];
        assert_eq!(split(&batch), (vec![0, 1], vec![]));
    }
}
