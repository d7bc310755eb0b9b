//! The wrapped keys' table: read at start, written once.

use multirail_app::ports::StoreFailure;

use super::engine::{Engine, Read, Write, WriteError, values};
use super::record::failure;

const KEYS: &str =
    "select key_id, purpose, wrapped, created_at from wrapped_keys order by created_at, key_id";

/// The server that inserts this row stores the keys: on either engine a second server waits for the first and then
/// changes nothing.
const CLAIM: &str = "insert into settings (name, value) values ('first_keys', 'stored') on conflict (name) do nothing";

const INSERT_KEY: &str =
    "insert into wrapped_keys (key_id, purpose, wrapped, created_at) values ($1, $2, $3, $4)";

/// A key as it rests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredKey {
    pub key_id: String,
    pub purpose: String,
    pub wrapped: Vec<u8>,
    pub created_at_micros: i64,
}

/// Every stored key, oldest first.
///
/// # Errors
/// [`StoreFailure`] when the database can't be read.
pub async fn stored_keys(engine: &Engine) -> Result<Vec<StoredKey>, StoreFailure> {
    let rows = engine
        .fetch(Read::new(KEYS, Vec::new()))
        .await
        .map_err(failure)?;
    rows.iter()
        .map(|row| {
            Ok(StoredKey {
                key_id: row.text("key_id").map_err(failure)?,
                purpose: row.text("purpose").map_err(failure)?,
                wrapped: row.bytes("wrapped").map_err(failure)?,
                created_at_micros: row.int("created_at").map_err(failure)?,
            })
        })
        .collect()
}

/// Stores the first keys of a new database. Of several servers that start at once, one stores its keys; the others
/// store nothing and answer false.
///
/// # Errors
/// [`StoreFailure`] when the database can't be written.
pub async fn store_first_keys(engine: &Engine, keys: &[StoredKey]) -> Result<bool, StoreFailure> {
    let mut writes = vec![Write::new(CLAIM, Vec::new())];
    writes.extend(keys.iter().map(|key| {
        let parameters = values![
            key.key_id.as_str(),
            key.purpose.as_str(),
            key.wrapped.clone(),
            key.created_at_micros
        ];
        Write::new(INSERT_KEY, parameters)
    }));
    match engine.write(writes).await {
        Ok(_) => Ok(true),
        Err(WriteError::Miss(_)) => Ok(false),
        Err(WriteError::Store(error)) => Err(failure(error)),
    }
}
