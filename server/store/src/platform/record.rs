//! Helpers for tables: records as JSON next to the columns that are searched and guarded, and plain writes.
//!
//! Records outlive the program that wrote them: `migrations/README.md` has the rules, `tests/records` the examples.

use std::fmt::Display;

use multirail_app::platform::ports::{StoreFailure, metric};
use multirail_kernel::timestamp::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::engine::{Engine, Row, StoreError, Write, WriteError, values};

/// A value that is stored as JSON. Each kind has examples in `tests/records`, one for every released format.
///
/// `S` is a type of the crate that has the statements. It lets a satellite implement this trait for a record of another
/// crate, its domain.
pub trait Record<S>: DeserializeOwned {
    /// The table and column of the record.
    const COLUMN: &'static str;
}

/// Names the columns of records, next to the statements that write them. The tests read these lists.
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

/// Returns the text of the record column.
///
/// # Errors
/// Fails when the record can't be serialized.
pub fn write<T: Record<S> + Serialize, S>(record: &T) -> Result<String, StoreFailure> {
    text(record)
}

/// Returns the text of an object that has more than one form of record.
///
/// # Errors
/// Fails when the record can't be serialized.
pub fn text(record: &impl Serialize) -> Result<String, StoreFailure> {
    serde_json::to_string(record).map_err(|error| StoreFailure::Broken(error.to_string()))
}

/// Reads a record column.
///
/// # Errors
/// Fails when this version can't read the record.
pub fn read<T: Record<S>, S>(row: &Row, column: &str) -> Result<T, StoreFailure> {
    parse(row.str(column).map_err(failure)?)
}

/// Parses the text that [`write()`] wrote. Unknown members are kept with the object that they belong to; an unknown word is
/// refused.
///
/// # Errors
/// Fails when this version can't read the record.
pub fn parse<T: Record<S>, S>(text: &str) -> Result<T, StoreFailure> {
    serde_json::from_str(text)
        .map_err(|error| StoreFailure::Broken(format!("{} does not read: {error}", T::COLUMN)))
}

/// Returns a row of a list, or `None` if it can't be read, so that it hides no other row. A broken row is logged and counted.
///
/// # Errors
/// Fails when the database can't be read.
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
        // The customer's key was destroyed, so its data is unreadable on purpose: no operator has to look into it.
        Err(StoreFailure::Destroyed(_)) => Ok(None),
        Err(failure @ (StoreFailure::Unavailable(_) | StoreFailure::Standstill(..))) => {
            Err(failure)
        }
    }
}

/// Writes statements that expect no number of rows and belong to no change-set; returns how many rows each changed.
///
/// # Errors
/// Fails when the database can't be written.
pub async fn write_any(engine: &Engine, writes: Vec<Write>) -> Result<Vec<u64>, StoreFailure> {
    match engine.write(writes).await {
        Ok(rows) => Ok(rows),
        Err(WriteError::Miss(_)) => Err(StoreFailure::Broken(
            "a statement changed another number of rows than it may".to_owned(),
        )),
        Err(WriteError::Store(error)) => Err(failure(error)),
    }
}

/// Deletes a portion of expired rows; returns how many. `sql` takes the time (`$1`) and the size of the portion (`$2`).
///
/// # Errors
/// Fails when the database can't be written.
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

/// Unwraps an id that was valid when it was stored.
///
/// # Errors
/// Fails when the id is no longer valid.
pub fn id<T, E>(read: Result<T, E>) -> Result<T, StoreFailure> {
    read.map_err(|_| StoreFailure::Broken("a stored id does not read".to_owned()))
}

/// Translates an engine error for the use cases.
pub fn failure(error: StoreError) -> StoreFailure {
    match error {
        StoreError::Standstill(standstill, why) => StoreFailure::Standstill(standstill, why),
        error if error.is_transient() => StoreFailure::Unavailable(error.to_string()),
        error => StoreFailure::Broken(error.to_string()),
    }
}
