//! The stored keys of the installation: created with a new database, read at a start and after a change, and changed.

use multirail_app::platform::ports::StoreFailure;
use multirail_app::platform::ports::installation_keys::{InstallationKey, NextMasterKey};

use super::key_counters;
use super::record::failure;
use crate::engine::{Engine, Read, Row, Write, WriteError, values};

const KEYS: &str = "select key_id, purpose, wrapped, next_wrapped, created_at, retired_at from wrapped_keys \
     order by created_at, key_id";

/// The server that inserts this row stores the keys: on either engine a second server waits for the first and then changes
/// nothing.
const CLAIM: &str = "insert into settings (name, value) values ('first_keys', 'stored') on conflict (name) do nothing";

const INSERT_KEY: &str =
    "insert into wrapped_keys (key_id, purpose, wrapped, created_at) values ($1, $2, $3, $4)";

/// Not while the master key is being changed: the next one would not open it.
pub(crate) const ADD_KEY: &str = "insert into wrapped_keys (key_id, purpose, wrapped, created_at) \
     select $1, $2, $3, $4 where not exists (select 1 from wrapped_keys where next_wrapped is not null)";

/// Not while data keys are being changed: the next master key would not open some of them.
const NAME_NEXT: &str = "insert into settings (name, value) select 'next_master_key', $1 \
     where (select count(*) from wrapped_keys) = $2 and not exists (select 1 from key_rotations where is_open) \
     on conflict (name) do update set value = excluded.value";

const WRAP_FOR_NEXT: &str = "update wrapped_keys set next_wrapped = $2 where key_id = $1";

const NEXT: &str = "select value from settings where name = 'next_master_key'";

const FORGET_NEXT: &str = "delete from settings where name = 'next_master_key'";

const PUT_NEXT_IN_PLACE: &str = "update wrapped_keys set wrapped = next_wrapped, next_wrapped = null \
     where next_wrapped is not null";

/// Returns every stored key, oldest first.
///
/// # Errors
/// [`StoreFailure`] when the database can't be read.
pub async fn stored_keys(engine: &Engine) -> Result<Vec<InstallationKey>, StoreFailure> {
    let rows = engine.fetch(Read::new(KEYS, Vec::new())).await;
    rows.map_err(failure)?.iter().map(key).collect()
}

fn key(row: &Row) -> Result<InstallationKey, StoreFailure> {
    Ok(InstallationKey {
        key_id: row.text("key_id").map_err(failure)?,
        purpose: row.text("purpose").map_err(failure)?,
        wrapped: row.bytes("wrapped").map_err(failure)?,
        next_wrapped: row.opt_bytes("next_wrapped").map_err(failure)?,
        created_at_micros: row.int("created_at").map_err(failure)?,
        retired_at_micros: row.opt_int("retired_at").map_err(failure)?,
    })
}

/// Stores the first keys of a new database. If several servers start at once, one stores its keys; the others store nothing
/// and get false.
///
/// # Errors
/// Fails with [`StoreFailure`] when the database can't be written.
pub async fn store_first_keys(
    engine: &Engine,
    keys: &[InstallationKey],
) -> Result<bool, StoreFailure> {
    let mut writes = vec![Write::new(CLAIM, Vec::new())];
    writes.extend(keys.iter().map(|key| insert(INSERT_KEY, key)));
    writes.push(key_counters::begin_with_merchants());
    writes.push(super::sealed_forms::reached());
    all_or_nothing(engine, writes).await
}

/// Returns a statement that stores a key.
pub(crate) fn insert(sql: &'static str, key: &InstallationKey) -> Write {
    let parameters = values![
        key.key_id.as_str(),
        key.purpose.as_str(),
        key.wrapped.clone(),
        key.created_at_micros
    ];
    Write::new(sql, parameters)
}

/// Returns the name of the next master key.
pub(crate) async fn next_master_key(engine: &Engine) -> Result<Option<String>, StoreFailure> {
    let row = engine.fetch_optional(Read::new(NEXT, Vec::new())).await;
    let row = row.map_err(failure)?;
    row.map(|row| row.text("value").map_err(failure))
        .transpose()
}

/// Stores the keys wrapped by the next master key.
pub(crate) async fn store_next(
    engine: &Engine,
    next: &NextMasterKey,
) -> Result<bool, StoreFailure> {
    let mut writes = vec![
        // First, as in every change of keys, so that the changes wait for each other.
        key_counters::changed(),
        Write::new(
            NAME_NEXT,
            values![next.name.as_str(), next.wrapped.len() as i64],
        ),
    ];
    writes.extend(next.wrapped.iter().map(|(key_id, wrapped)| {
        Write::new(WRAP_FOR_NEXT, values![key_id.as_str(), wrapped.clone()])
    }));
    all_or_nothing(engine, writes).await
}

/// Replaces the present master key by the next one.
pub(crate) async fn drop_former(engine: &Engine) -> Result<bool, StoreFailure> {
    let writes = vec![
        key_counters::changed(),
        Write::new(FORGET_NEXT, Vec::new()),
        Write::new(PUT_NEXT_IN_PLACE, Vec::new()).any_rows(),
    ];
    all_or_nothing(engine, writes).await
}

/// Returns false if a statement found other rows than it expects.
pub(crate) async fn all_or_nothing(
    engine: &Engine,
    writes: Vec<Write>,
) -> Result<bool, StoreFailure> {
    match engine.write(writes).await {
        Ok(_) => Ok(true),
        Err(WriteError::Miss(_)) => Ok(false),
        Err(WriteError::Store(error)) => Err(failure(error)),
    }
}
