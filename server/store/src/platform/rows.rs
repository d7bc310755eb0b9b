//! Reads of rows, with what of them rests sealed.

use multirail_app::platform::ports::StoreFailure;

use super::record;
use super::record::failure;
use super::subject_keys::{OpenKeys, SubjectKeys};
use crate::engine::{Engine, Read, Row};

/// The one row that is asked for, where it is there.
///
/// # Errors
/// The database can't be read, or the row can't.
pub async fn one<T>(
    engine: &Engine,
    read: Read,
    from_row: impl Fn(&Row) -> Result<T, StoreFailure>,
) -> Result<Option<T>, StoreFailure> {
    let row = engine.fetch_optional(read).await.map_err(failure)?;
    row.as_ref().map(from_row).transpose()
}

/// The same of a table with a sealed column.
///
/// # Errors
/// As of [`one`].
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

/// Everything of a merchant in one table, without what can't be read.
///
/// # Errors
/// The database can't be read.
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

/// The same of a table with a sealed column.
///
/// # Errors
/// As of [`one`].
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

/// The version that a row was read at.
///
/// # Errors
/// The row has none.
pub fn version(row: &Row) -> Result<i64, StoreFailure> {
    row.int("version").map_err(failure)
}
