//! Aggregates rest as JSON records beside the columns that are searched and guarded.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::engine::{Row, StoreError};
use crate::ports::StoreFailure;

/// The record column's text.
pub(super) fn write<T: Serialize>(value: &T) -> Result<String, StoreFailure> {
    serde_json::to_string(value).map_err(|error| StoreFailure::Broken(error.to_string()))
}

/// Reads a record column.
pub(super) fn read<T: DeserializeOwned>(row: &Row, column: &str) -> Result<T, StoreFailure> {
    let text = row.str(column).map_err(failure)?;
    serde_json::from_str(text)
        .map_err(|error| StoreFailure::Broken(format!("{column} does not read: {error}")))
}

/// What an engine error means to the use cases.
pub(super) fn failure(error: StoreError) -> StoreFailure {
    if error.is_transient() {
        StoreFailure::Unavailable(error.to_string())
    } else {
        StoreFailure::Broken(error.to_string())
    }
}
