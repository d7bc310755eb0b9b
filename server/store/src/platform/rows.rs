//! Reads of rows, with and without sealed columns.

use multirail_app::platform::ports::StoreFailure;

use super::record;
use super::record::failure;
use super::subject_keys::{OpenKeys, SubjectKeys};
use crate::engine::{Engine, Read, Row};

/// Reads one row, if it exists.
///
/// # Errors
/// Fails when the database or the row can't be read.
pub async fn one<T>(
    engine: &Engine,
    read: Read,
    from_row: impl Fn(&Row) -> Result<T, StoreFailure>,
) -> Result<Option<T>, StoreFailure> {
    let row = engine.fetch_optional(read).await.map_err(failure)?;
    row.as_ref().map(from_row).transpose()
}

/// Reads one row with a sealed column, if it exists.
///
/// # Errors
/// As [`one`].
pub async fn one_sealed<T>(
    engine: &Engine,
    (keys, column): (&SubjectKeys, &str),
    read: Read,
    from_row: impl Fn(&Row, &OpenKeys<'_>) -> Result<T, StoreFailure>,
) -> Result<Option<T>, StoreFailure> {
    let Some(row) = engine.fetch_optional(read).await.map_err(failure)? else {
        return Ok(None);
    };
    let keys = keys.to_open([&row], column).await?;
    from_row(&row, &keys).map(Some)
}

/// Reads all rows of a merchant in one table, without those that can't be read.
///
/// # Errors
/// Fails when the database can't be read.
pub async fn all<T>(
    engine: &Engine,
    table: &'static str,
    read: Read,
    from_row: impl Fn(&Row) -> Result<T, StoreFailure>,
) -> Result<Vec<T>, StoreFailure> {
    let mut all = Vec::new();
    for row in engine.fetch(read).await.map_err(failure)? {
        let id = row.str("id").map_err(failure)?;
        all.extend(record::readable(table, id, from_row(&row))?);
    }
    Ok(all)
}

/// Reads all rows of a merchant in a table with a sealed column, without those that can't be read.
///
/// # Errors
/// As [`one`].
pub async fn all_sealed<T>(
    engine: &Engine,
    (keys, column): (&SubjectKeys, &str),
    table: &'static str,
    read: Read,
    from_row: impl Fn(&Row, &OpenKeys<'_>) -> Result<T, StoreFailure>,
) -> Result<Vec<T>, StoreFailure> {
    let rows = engine.fetch(read).await.map_err(failure)?;
    let keys = keys.to_open(&rows, column).await?;
    let mut all = Vec::with_capacity(rows.len());
    for row in &rows {
        let id = row.str("id").map_err(failure)?;
        all.extend(record::readable(table, id, from_row(row, &keys))?);
    }
    Ok(all)
}

/// Returns the version in a row.
///
/// # Errors
/// Fails when the row has none.
pub fn version(row: &Row) -> Result<i64, StoreFailure> {
    row.int("version").map_err(failure)
}
