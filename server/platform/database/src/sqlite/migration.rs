//! Applies migrations by rusqlite. The table of applied ones has the form that sqlx gives it, so earlier databases and those
//! of sqlx's own tool are read alike.

use std::collections::HashMap;
use std::path::Path;
use std::time::{Duration, Instant};

use multirail_sql::StoreError;
use rusqlite::{Connection, OpenFlags, OptionalExtension, TransactionBehavior, params};
use sqlx::migrate::{Migration, Migrator};

use super::super::migrate;
use super::errors::of_migration;

const TABLE: &str = "create table if not exists _sqlx_migrations (
    version bigint primary key,
    description text not null,
    installed_on timestamp not null default current_timestamp,
    success boolean not null,
    checksum blob not null,
    execution_time bigint not null
)";

/// Applies the migrations that the file hasn't had, each in a transaction of its own. Blocks.
///
/// # Errors
/// Fails when a migration fails, when an applied one was changed since, or when rows refer to others that are not there.
pub(super) fn apply(
    path: &Path,
    busy_timeout: Duration,
    migrator: &Migrator,
) -> Result<(), StoreError> {
    let of_file = |error| of_migration(error, path);
    let mut connection = connect(path, busy_timeout).map_err(of_file)?;
    connection.execute_batch(TABLE).map_err(of_file)?;
    let applied = applied(&connection).map_err(of_file)?;
    for migration in migrator.iter() {
        match applied.get(&migration.version) {
            Some(checksum) if *checksum == *migration.checksum => {}
            Some(_) => return Err(migrate::changed(migration.version)),
            None => step(&mut connection, migration)
                .map_err(|error| migrate::failed(migration.version, of_file(error)))?,
        }
    }
    match broken_reference(&connection).map_err(of_file)? {
        None => Ok(()),
        Some(table) => Err(StoreError::Migration(format!(
            "rows of table {table} refer to rows that are not there"
        ))),
    }
}

fn connect(path: &Path, busy_timeout: Duration) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(busy_timeout)?;
    connection.pragma_update(None, "synchronous", "full")?;
    // Rebuilding a table, SQLite's way to change a constraint, drops the old one: references to it must not fire. They are
    // checked as a whole afterwards.
    connection.pragma_update(None, "foreign_keys", false)?;
    Ok(connection)
}

/// Returns the checksums of the applied migrations by number.
fn applied(connection: &Connection) -> rusqlite::Result<HashMap<i64, Vec<u8>>> {
    let mut statement = connection.prepare("select version, checksum from _sqlx_migrations")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    rows.collect()
}

fn step(connection: &mut Connection, migration: &Migration) -> rusqlite::Result<()> {
    let start = Instant::now();
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    transaction.execute_batch(migration.sql.as_str())?;
    let nanoseconds = i64::try_from(start.elapsed().as_nanos()).unwrap_or(i64::MAX);
    transaction.execute(
        "insert into _sqlx_migrations (version, description, success, checksum, execution_time)
         values (?1, ?2, true, ?3, ?4)",
        params![
            migration.version,
            migration.description,
            migration.checksum,
            nanoseconds
        ],
    )?;
    transaction.commit()
}

/// Returns the table of a row that refers to one that is not there.
fn broken_reference(connection: &Connection) -> rusqlite::Result<Option<String>> {
    let look = connection.query_row("pragma foreign_key_check", [], |row| row.get(0));
    look.optional()
}
