//! The steps of a change of all data keys: the keys of subjects first, then each column that those seal.

use multirail_app::platform::ports::StoreFailure;

use super::record::failure;
use super::sealed_columns::{Clear, SealedColumn};
use crate::engine::{Row, Value};

/// The name of the first step, which no subject declares.
pub(crate) const KEYS: &str = "subject_keys.wrapped";

/// A column with its statements.
pub(crate) struct Step {
    pub(crate) column: &'static SealedColumn,
    pub(crate) name: String,
    pub(crate) first: &'static str,
    pub(crate) next: &'static str,
    pub(crate) count: &'static str,
    pub(crate) update: &'static str,
    /// Seals plaintext.
    pub(crate) part: Option<&'static str>,
}

impl Step {
    /// Returns the key of a row.
    pub(crate) fn key_of(&self, row: &Row) -> Result<Vec<Value>, StoreFailure> {
        key_of(self.column, row)
    }

    pub(crate) fn from_column(column: &'static SealedColumn) -> Self {
        let SealedColumn {
            table,
            column: sealed,
            key,
            also,
            names_key,
            ..
        } = column;
        let keys = key.join(", ");
        let clear = match column.clear {
            Clear::Column { name, .. } => Some(name),
            Clear::Nowhere | Clear::Elsewhere(_) => None,
        };
        let columns = [*key, *also, &[*sealed]].concat();
        let columns = columns.into_iter().chain(clear);
        let columns = columns.collect::<Vec<_>>().join(", ");
        let numbered = |from: usize| {
            let numbers = (0..key.len()).map(|index| format!("${}", from + index));
            numbers.collect::<Vec<_>>()
        };
        let after = numbered(2).join(", ");
        let of_row = key.iter().zip(numbered(3));
        let of_row: Vec<String> = of_row
            .map(|(name, number)| format!("{name} = {number}"))
            .collect();
        let named =
            names_key.map_or_else(String::new, |name| format!(", {name} = ${}", 3 + key.len()));
        // A few dozen statements, which live as long as the process: it opens its store once.
        let leaked = |sql: String| -> &'static str { sql.leak() };
        Step {
            column,
            name: column.name(),
            first: leaked(format!(
                "select {columns} from {table} order by {keys} limit $1"
            )),
            next: leaked(format!(
                "select {columns} from {table} where ({keys}) > ({after}) order by {keys} limit $1"
            )),
            count: leaked(format!(
                "select count(*) as n from {table} where {sealed} is not null"
            )),
            update: leaked(format!(
                "update {table} set {sealed} = $1{named} where {} and {sealed} = $2",
                of_row.join(" and ")
            )),
            part: clear.map(|clear| {
                let before = 3 + key.len();
                leaked(format!(
                    "update {table} set {sealed} = $1, {clear} = $2 where {} and {clear} = ${before} and {sealed} is null",
                    of_row.join(" and ")
                ))
            }),
        }
    }
}

/// Returns the values of a row's primary key.
pub(crate) fn key_of(column: &SealedColumn, row: &Row) -> Result<Vec<Value>, StoreFailure> {
    let value = |name: &&'static str| row.value(*name).cloned().map_err(failure);
    column.key.iter().map(value).collect()
}
