//! What accounts share: organizations, merchant accounts, profiles, API keys and connector accounts. Each row holds the
//! record as JSON, the secrets sealed, and beside them what is searched by or has to be unique. Updates are guarded by the
//! version that the value was read at. An insert may collide with more than one unique index, hence `on conflict` without
//! a target.

use std::fmt::Display;

use multirail_app::ports::StoreFailure;
use multirail_kernel::ids::MerchantId;
use multirail_kernel::secret::{SecretText, UnreadableSecrets};

use super::engine::{Engine, Read, Row};
use super::record::{self, failure};
use super::subject_keys::{OpenKeys, SubjectKeys};

/// The sealed column of every one of these tables that has one.
pub(super) const SECRETS: &str = "secrets";

/// Where the secrets of one row rest.
pub(super) fn place(table: &str, merchant_id: &MerchantId, id: &impl Display) -> String {
    format!("{table}:{merchant_id}/{id}")
}

pub(super) async fn one<T>(
    engine: &Engine,
    read: Read,
    from_row: impl Fn(&Row) -> Result<T, StoreFailure>,
) -> Result<Option<T>, StoreFailure> {
    let row = engine.fetch_optional(read).await.map_err(failure)?;
    row.as_ref().map(from_row).transpose()
}

/// The same of a table with a sealed column.
pub(super) async fn one_sealed<T>(
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
pub(super) async fn all<T>(
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
pub(super) async fn all_sealed<T>(
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

pub(super) fn version(row: &Row) -> Result<i64, StoreFailure> {
    row.int("version").map_err(failure)
}

/// The secrets column; an empty one is a row without secrets.
pub(super) fn unseal<T: Default>(
    row: &Row,
    keys: &OpenKeys<'_>,
    place: &str,
    read: impl Fn(&SecretText) -> Result<T, UnreadableSecrets>,
) -> Result<T, StoreFailure> {
    let Some(sealed) = row.opt_bytes(SECRETS).map_err(failure)? else {
        return Ok(T::default());
    };
    let text = keys.open_bytes(place, &sealed)?;
    read(&text).map_err(|error| StoreFailure::Broken(format!("{place}: {error}")))
}
