//! Checks a SQLite file for damage.

use std::path::Path;
use std::time::Duration;

use multirail_sql::StoreError;
use rusqlite::{Connection, OpenFlags};

use super::address;
use super::errors::of_reader;

/// The depth of the inspection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Every page and every row, but not whether indexes and tables agree.
    Quick,
    /// Indexes as well.
    Full,
}

/// The access of other processes to the file meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// A server may write to it.
    Shared,
    /// Nothing writes to it: no file is created beside it, and none is read.
    AtRest,
}

/// The most faults that are named.
const NAMED: usize = 5;

/// How long a check waits while another process has the file locked.
const PATIENCE: Duration = Duration::from_secs(30);

/// Returns the faults of a file, in SQLite's words; none in a sound file. Blocks for seconds if the file is large.
///
/// # Errors
/// Fails when the file can't be opened or read for another reason than damage.
pub fn faults(path: &Path, depth: Depth, access: Access) -> Result<Vec<String>, StoreError> {
    let connection = connect(path, access).map_err(of_reader)?;
    let found = found(&connection, depth).or_else(|error| match &error {
        rusqlite::Error::SqliteFailure(failure, message) if is_damage(failure.code) => {
            let message = message.clone().unwrap_or_else(|| failure.to_string());
            Ok(vec![message])
        }
        _ => Err(error),
    });
    found.map_err(of_reader)
}

/// Returns references to missing rows, as `<rows> rows of <table> refer to rows of <table> ...`.
///
/// # Errors
/// Fails when the file can't be read.
pub fn broken_references(path: &Path, access: Access) -> Result<Vec<String>, StoreError> {
    let read = || {
        let connection = connect(path, access)?;
        let mut statement = connection.prepare(
            "select \"table\", parent, count(*) from pragma_foreign_key_check group by \"table\", parent",
        )?;
        let rows = statement.query_map([], |row| {
            let (table, parent, count): (String, String, i64) =
                (row.get(0)?, row.get(1)?, row.get(2)?);
            Ok(format!(
                "{count} rows of {table} refer to rows of {parent} that are not there"
            ))
        })?;
        rows.collect::<rusqlite::Result<Vec<_>>>()
    };
    read().map_err(of_reader)
}

/// Returns the number of rows of each table, by name.
///
/// # Errors
/// Fails when the file can't be read.
pub fn row_counts(path: &Path, access: Access) -> Result<Vec<(String, i64)>, StoreError> {
    let read = || {
        let connection = connect(path, access)?;
        let mut statement = connection.prepare(
            "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name",
        )?;
        let names = statement.query_map([], |row| row.get::<_, String>(0))?;
        let mut counts = Vec::new();
        for name in names {
            let name = name?;
            let sql = format!("select count(*) from \"{}\"", name.replace('"', "\"\""));
            let count = connection.query_row(&sql, [], |row| row.get(0))?;
            counts.push((name, count));
        }
        Ok(counts)
    };
    read().map_err(of_reader)
}

/// Returns the version of the SQLite library in this program.
pub fn library_version() -> &'static str {
    rusqlite::version()
}

fn found(connection: &Connection, depth: Depth) -> rusqlite::Result<Vec<String>> {
    let sql = match depth {
        Depth::Quick => format!("pragma quick_check({NAMED})"),
        Depth::Full => format!("pragma integrity_check({NAMED})"),
    };
    let mut statement = connection.prepare(&sql)?;
    let lines = statement.query_map([], |row| row.get::<_, String>(0))?;
    let lines = lines.collect::<rusqlite::Result<Vec<_>>>()?;
    Ok(lines.into_iter().filter(|line| line != "ok").collect())
}

fn is_damage(code: rusqlite::ErrorCode) -> bool {
    matches!(
        code,
        rusqlite::ErrorCode::DatabaseCorrupt | rusqlite::ErrorCode::NotADatabase
    )
}

fn connect(path: &Path, access: Access) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_URI;
    let connection = Connection::open_with_flags(address(path, access), flags)?;
    connection.busy_timeout(PATIENCE)?;
    Ok(connection)
}
