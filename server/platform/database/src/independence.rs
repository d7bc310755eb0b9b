//! Checks what the statements of a batch claim about themselves ([`Write::on`], [`Write::referring_to`], [`Write::certain`]). A
//! debug build reads the texts before it sends the batch to either engine.
//!
//! PostgreSQL runs the statements that name their table first and on one snapshot; SQLite runs all in order. Both have the
//! same result if no statement reads or writes rows of a statement that it overtakes or is joined with. A statement counts
//! as reading a table whose name stands in its text. The texts don't show the effects of foreign keys.

use multirail_sql::{Value, Write};

/// The words and the table of a statement.
struct Footprint<'a> {
    write: &'a Write,
    /// Keywords, and the names of tables and columns.
    words: Vec<&'a str>,
    /// The table that it writes, where that can be read from the text.
    written: Option<&'a str>,
    /// The columns that an `update` sets; `None` for an `insert` or a `delete`.
    set: Option<Vec<&'a str>>,
}

impl<'a> Footprint<'a> {
    fn from_write(write: &'a Write) -> Self {
        let words = words(write.sql);
        let (written, set) = match words.as_slice() {
            ["insert", "into", table, ..] | ["delete", "from", table, ..] => (Some(*table), None),
            ["update", table, "set", ..] => (Some(*table), Some(columns_set(write.sql))),
            _ => (None, None),
        };
        Footprint {
            write,
            words,
            written,
            set,
        }
    }

    /// Returns whether this statement reads what the other one writes.
    fn reads_from(&self, other: &Footprint<'_>) -> bool {
        let mentions = |name: &&str| self.words.contains(name);
        let set = other.set.as_ref();
        other.written.as_ref().is_none_or(mentions)
            && set.is_none_or(|columns| columns.iter().any(mentions))
    }

    /// Returns whether every read of the other's table excludes the other's row by `e.id <> $2`, with the id that the other
    /// inserts. Such a statement reads the same before and after the other.
    fn leaves_out(&self, other: &Footprint<'_>) -> bool {
        let Some(table) = other.written else {
            return false;
        };
        let inserted = inserted(other.write);
        let differs = |(column, number): (&str, usize)| {
            let value = self.write.parameters.get(number.wrapping_sub(1));
            let own = inserted.iter().find(|(name, _)| *name == column);
            value.is_some() && own.map(|(_, own)| *own) == value
        };
        let from = format!("from {table} ");
        let mut clauses = self.write.sql.match_indices(&from);
        let mentions = self.words.iter().filter(|word| **word == table).count();
        mentions == clauses.clone().count()
            && clauses.all(|(at, _)| {
                let clause = clause(&self.write.sql[at + from.len()..]);
                !words(clause).contains(&"or") && unequal(clause).any(differs)
            })
    }
}

/// Returns the first wrong claim of a statement in the batch.
pub(super) fn fault(batch: &[Write]) -> Option<String> {
    let footprints: Vec<Footprint<'_>> = batch.iter().map(Footprint::from_write).collect();
    let on = |table| batch.iter().filter(move |write| write.table == Some(table));
    for (at, one) in footprints.iter().enumerate() {
        let sql = one.write.sql;
        if one.write.is_certain && !is_certain(&one.words) {
            return Some(format!("not certain to store its row: {sql}"));
        }
        let Some(table) = one.write.table else {
            continue;
        };
        if one.written != Some(table) {
            return Some(format!("does not write {table}: {sql}"));
        }
        for (other_at, other) in footprints.iter().enumerate() {
            let passes = match other.write.table {
                // Statements on one table keep their order.
                Some(other) => other != table,
                // It runs after all statements that name their table.
                None => other_at < at,
            };
            if !passes {
                continue;
            }
            // With several statements on the parent's table, all of them run in order, and so does the one beside them.
            let is_child = one.write.refers_to.is_some_and(|parent| {
                other.write.table == Some(parent)
                    && (on(parent).count() > 1 || one.leaves_out(other))
            });
            let depends = one.written == other.written
                || (one.reads_from(other) && !is_child)
                || (other.write.table.is_none() && other.reads_from(one));
            if depends {
                return Some(format!(
                    "depends on its place in the batch: {sql}; beside {}",
                    other.write.sql
                ));
            }
        }
    }
    None
}

/// Returns whether a statement is an `insert ... values` that stores its one row or fails.
fn is_certain(words: &[&str]) -> bool {
    let has = |word| words.contains(&word);
    words.first() == Some(&"insert") && has("values") && !has("select") && !has("conflict")
}

/// Returns names, keywords and numbers of a text, in order, without quoted text.
fn words(sql: &str) -> Vec<&str> {
    let unquoted = sql.split('\'').step_by(2);
    let is_end = |c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '$';
    unquoted
        .flat_map(|text| text.split(is_end))
        .filter(|word| !word.is_empty())
        .collect()
}

/// Returns the columns between `set` and `where`.
fn columns_set(sql: &str) -> Vec<&str> {
    let assigned = sql.split_once(" set ").map_or("", |(_, rest)| rest);
    let assigned = outermost(assigned, " where ")[0];
    let assigned = outermost(assigned, ",").into_iter();
    assigned
        .filter_map(|one| words(one).first().copied())
        .collect()
}

/// Splits a text at separators outside of parentheses.
fn outermost<'a>(text: &'a str, separator: &str) -> Vec<&'a str> {
    let (mut depth, mut from, mut pieces) = (0_i32, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ if depth == 0 && at >= from && text[at..].starts_with(separator) => {
                pieces.push(&text[from..at]);
                from = at + separator.len();
            }
            _ => {}
        }
    }
    pieces.push(&text[from..]);
    pieces
}

/// Returns the text up to the parenthesis that closes it.
fn clause(text: &str) -> &str {
    let mut depth = 0_i32;
    let end = text.find(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth < 0
    });
    &text[..end.unwrap_or(text.len())]
}

/// Returns every `e.column <> $n` that must hold for the rows of `e where ...`.
fn unequal(clause: &str) -> impl Iterator<Item = (&str, usize)> {
    let (alias, condition) = clause.split_once(" where ").unwrap_or((clause, ""));
    let conditions = outermost(condition, " and ").into_iter();
    conditions.filter_map(move |one| {
        let compared = one.trim().strip_prefix(alias)?.strip_prefix('.')?;
        let (column, number) = compared.split_once(" <> $")?;
        Some((column, number.parse().ok()?))
    })
}

/// Returns the columns of an `insert into t (...) values ($1, ...)`, each with its value.
fn inserted(write: &Write) -> Vec<(&str, &Value)> {
    let Some((into, values)) = write.sql.split_once(" values (") else {
        return Vec::new();
    };
    let columns = into.split_once('(').map_or("", |(_, columns)| columns);
    let given = outermost(clause(values), ",").into_iter().map(|one| {
        let number = one.trim().strip_prefix('$')?.parse::<usize>().ok()?;
        write.parameters.get(number.checked_sub(1)?)
    });
    let pairs = words(columns).into_iter().zip(given);
    pairs
        .filter_map(|(name, value)| Some((name, value?)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use multirail_sql::values;

    fn event(id: &str) -> Write {
        let sql = "insert into events (merchant_id, event_id, body) values ($1, $2, $3) \
                   on conflict (merchant_id, event_id) do nothing";
        Write::new(sql, values!["shop", id, "news"]).on("events")
    }

    /// Queues a delivery unless an event other than `id` has the same news.
    fn delivery(sql: &'static str, id: &str) -> Write {
        let write = Write::new(sql, values!["shop", id]);
        write.on("deliveries").referring_to("events")
    }

    const QUEUE: &str = "insert into deliveries (merchant_id, event_id) select $1, $2 \
         where not exists (select 1 from events e where e.merchant_id = $1 and e.event_id <> $2)";

    #[test]
    fn a_read_that_excludes_the_other_row_may_be_joined() {
        assert_eq!(fault(&[event("evt_1"), delivery(QUEUE, "evt_1")]), None);
    }

    #[test]
    fn a_read_of_the_other_row_may_not_be_joined() {
        let depends = |batch: &[Write]| fault(batch).is_some();
        let queue = "insert into deliveries (merchant_id, event_id) select $1, $2 \
             where exists (select 1 from events e where e.merchant_id = $1 and e.event_id = $2)";
        assert!(depends(&[event("evt_1"), delivery(queue, "evt_1")]));
        // The statement excludes the row of another event, not of this one.
        assert!(depends(&[event("evt_1"), delivery(QUEUE, "evt_2")]));
        let either = "insert into deliveries (merchant_id, event_id) select $1, $2 where not exists \
             (select 1 from events e where e.merchant_id = $1 or e.event_id <> $2)";
        assert!(depends(&[event("evt_1"), delivery(either, "evt_1")]));
        let twice = "insert into deliveries (merchant_id, event_id) select $1, $2 where not exists \
             (select 1 from events e where e.event_id <> $2) and exists (select 1 from events)";
        assert!(depends(&[event("evt_1"), delivery(twice, "evt_1")]));
        let nested = "insert into deliveries (merchant_id, event_id) select $1, $2 where not exists \
             (select 1 from events e where exists (select 1 from deliveries d where d.event_id <> $2))";
        assert!(depends(&[event("evt_1"), delivery(nested, "evt_1")]));
        // It doesn't claim to stand beside an event.
        let alone = Write::new(QUEUE, values!["shop", "evt_1"]).on("deliveries");
        assert!(depends(&[event("evt_1"), alone]));
        // With two events, all statements run in order.
        let both = [event("evt_1"), event("evt_2"), delivery(queue, "evt_1")];
        assert_eq!(fault(&both), None);
    }

    #[test]
    fn what_is_set_disturbs_only_those_that_read_it() {
        let taken = || {
            let sql = "update events set is_delivered = true, body = concat(body, $2) where event_id = $1";
            Write::new(sql, values!["evt_1", "."]).on("events")
        };
        let attempt = |sql| Write::new(sql, values!["evt_1"]).on("attempts");
        let made = "insert into attempts (id) select $1 where exists (select 1 from events where event_id = $1)";
        assert_eq!(fault(&[attempt(made), taken()]), None);
        let first = "insert into attempts (id) select $1 where exists \
             (select 1 from events where event_id = $1 and is_delivered is null)";
        assert_eq!(
            fault(&[attempt(first), taken()]).as_deref(),
            Some(
                "depends on its place in the batch: insert into attempts (id) select $1 where exists \
                 (select 1 from events where event_id = $1 and is_delivered is null); beside \
                 update events set is_delivered = true, body = concat(body, $2) where event_id = $1"
            )
        );
    }

    #[test]
    fn nothing_passes_an_earlier_statement_that_it_belongs_behind() {
        let hold = || Write::new("insert into held (id, until) values ($1, 5)", values!["a"]);
        let put_off = || Write::new("update held set until = $1", values![9_i64]);
        // PostgreSQL would defer first, although the row is held last.
        assert!(fault(&[put_off(), hold().on("held")]).is_some());
        assert_eq!(fault(&[hold().on("held"), put_off()]), None);
        assert_eq!(fault(&[put_off().on("held"), hold().on("held")]), None);
        let copy = || Write::new("insert into log select until from held", values![]);
        assert!(fault(&[copy(), hold().on("held")]).is_some());
        assert!(fault(&[Write::new("pragma optimize", values![]), hold().on("held")]).is_some());
    }

    #[test]
    fn a_claim_names_the_table_that_is_written_and_certainty_is_a_plain_insert() {
        let of = |sql: &'static str| Write::new(sql, values![]);
        assert_eq!(
            fault(&[of("delete from held").on("cards")]).as_deref(),
            Some("does not write cards: delete from held")
        );
        let unless = of("insert into log values (1) on conflict do nothing");
        assert_eq!(
            fault(&[unless.on("log").certain()]).as_deref(),
            Some("not certain to store its row: insert into log values (1) on conflict do nothing")
        );
        let copied = of("insert into log select 1 from held");
        assert!(fault(&[copied.on("log").certain()]).is_some());
        assert_eq!(
            fault(&[of("insert into log values (1)").on("log").certain()]),
            None
        );
    }
}
