//! What the files of this folder share: records as JSON beside the columns that are searched and guarded, and plain writes.
//!
//! Records outlive the program that wrote them: `migrations/README.md` has the rules, `tests/records` the examples.

use std::fmt::Display;

use multirail_app::platform::ports::{StoreFailure, metric};
use multirail_kernel::timestamp::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::engine::{Engine, Row, StoreError, Write, WriteError, values};

/// What is stored as JSON. Each has examples in `tests/records`, one for every released format.
///
/// `S` is a type of the crate that has the statements. With it the compiler lets a satellite name the column of a record that
/// another crate, its domain, has.
pub trait Record<S>: DeserializeOwned {
    /// The table and column that it stands in.
    const COLUMN: &'static str;
}

/// Names the columns of records, beside the statements that write them. The tests read these lists.
#[macro_export]
macro_rules! records {
    ($($record:ty: $column:literal,)+) => {
        $(const _: () = {
            pub enum Statements {}

            impl $crate::platform::record::Record<Statements> for $record {
                const COLUMN: &'static str = $column;
            }
        };)+
    };
}
pub use records;

/// The record column's text.
///
/// # Errors
/// It can't be written.
pub fn write<T: Record<S> + Serialize, S>(record: &T) -> Result<String, StoreFailure> {
    text(record)
}

/// The same of an object that gives out its record in more than one form.
///
/// # Errors
/// It can't be written.
pub fn text(record: &impl Serialize) -> Result<String, StoreFailure> {
    serde_json::to_string(record).map_err(|error| StoreFailure::Broken(error.to_string()))
}

/// Reads a record column.
///
/// # Errors
/// It isn't one of this version.
pub fn read<T: Record<S>, S>(row: &Row, column: &str) -> Result<T, StoreFailure> {
    parse(row.str(column).map_err(failure)?)
}

/// Reads what [`write()`] wrote. Members that this version has no name for are kept with the object that they belong to;
/// a word that it doesn't know is refused.
///
/// # Errors
/// It isn't one of this version.
pub fn parse<T: Record<S>, S>(text: &str) -> Result<T, StoreFailure> {
    serde_json::from_str(text)
        .map_err(|error| StoreFailure::Broken(format!("{} does not read: {error}", T::COLUMN)))
}

/// What of a list can be read. A row that can't be is named in the log, counted and left out: it hides no other.
///
/// # Errors
/// The database can't be read.
pub fn readable<T>(
    table: &'static str,
    row: impl Display,
    read: Result<T, StoreFailure>,
) -> Result<Option<T>, StoreFailure> {
    match read {
        Ok(one) => Ok(Some(one)),
        Err(StoreFailure::Broken(why)) => {
            metrics::counter!(metric::UNREADABLE_ROWS, "table" => table).increment(1);
            tracing::error!(table, %row, why, "a stored row can't be read and is left out");
            Ok(None)
        }
        // With a customer's key went what only that key opens: nobody has to look into it.
        Err(StoreFailure::Destroyed(_)) => Ok(None),
        Err(failure @ (StoreFailure::Unavailable(_) | StoreFailure::Standstill(..))) => {
            Err(failure)
        }
    }
}

/// Writes statements that expect no number of rows and belong to no change-set; answers how many rows each changed.
///
/// # Errors
/// The database can't be written.
pub async fn write_any(engine: &Engine, writes: Vec<Write>) -> Result<Vec<u64>, StoreFailure> {
    match engine.write(writes).await {
        Ok(rows) => Ok(rows),
        Err(WriteError::Miss(_)) => Err(StoreFailure::Broken(
            "a statement changed another number of rows than it may".to_owned(),
        )),
        Err(WriteError::Store(error)) => Err(failure(error)),
    }
}

/// Deletes a portion of what has had its time; answers how much. `sql` takes the time (`$1`) and the size of the
/// portion (`$2`).
///
/// # Errors
/// The database can't be written.
pub async fn purge(
    engine: &Engine,
    sql: &'static str,
    before: Timestamp,
    at_most: i64,
) -> Result<u64, StoreFailure> {
    let write = Write::new(sql, values![before.as_micros(), at_most]).any_rows();
    let rows = write_any(engine, vec![write]).await?;
    Ok(rows.into_iter().sum())
}

/// An id that was an id when it was stored.
///
/// # Errors
/// It is none any more.
pub fn id<T, E>(read: Result<T, E>) -> Result<T, StoreFailure> {
    read.map_err(|_| StoreFailure::Broken("a stored id does not read".to_owned()))
}

/// What an engine error means to the use cases.
pub fn failure(error: StoreError) -> StoreFailure {
    match error {
        StoreError::Standstill(standstill, why) => StoreFailure::Standstill(standstill, why),
        error if error.is_transient() => StoreFailure::Unavailable(error.to_string()),
        error => StoreFailure::Broken(error.to_string()),
    }
}
