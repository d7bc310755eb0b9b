//! SQLite's errors in our words, from both drivers.
//!
//! SQLite's messages name tables, columns and constraints and never a value, so they may be shown.

use rusqlite::{Connection, ErrorCode, ffi};

use super::super::error::{ConstraintKind, StoreError};

/// What an error of the writer means for those who wait.
pub(super) enum Verdict {
    /// It concerns the statement alone.
    Refused(StoreError),
    /// Nobody knows any more what the file holds.
    Broken(String),
}

/// Judges an error of the writer's connection.
pub(super) fn judge(error: &rusqlite::Error, connection: &Connection) -> Verdict {
    let rusqlite::Error::SqliteFailure(failure, message) = error else {
        return Verdict::Refused(of_binding(error));
    };
    let message = message.clone().unwrap_or_else(|| failure.to_string());
    match failure.code {
        ErrorCode::ConstraintViolation => {
            Verdict::Refused(constraint(failure.extended_code, &message, connection))
        }
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => Verdict::Refused(
            StoreError::Unavailable(format!("the file is in use: {message}")),
        ),
        ErrorCode::SystemIoFailure
        | ErrorCode::DatabaseCorrupt
        | ErrorCode::NotADatabase
        | ErrorCode::DiskFull
        | ErrorCode::CannotOpen
        | ErrorCode::ReadOnly
        | ErrorCode::FileLockingProtocolFailed
        | ErrorCode::InternalMalfunction
        | ErrorCode::OutOfMemory => {
            Verdict::Broken(format!("{message} (code {})", failure.extended_code))
        }
        _ => Verdict::Refused(StoreError::Statement(message)),
    }
}

fn constraint(code: i32, message: &str, connection: &Connection) -> StoreError {
    let detail = message.split_once(": ").map_or("", |(_, detail)| detail);
    let (kind, name) = match code {
        ffi::SQLITE_CONSTRAINT_CHECK => (ConstraintKind::Check, detail.to_owned()),
        ffi::SQLITE_CONSTRAINT_NOTNULL => (ConstraintKind::NotNull, detail.to_owned()),
        ffi::SQLITE_CONSTRAINT_FOREIGNKEY => (ConstraintKind::ForeignKey, "unnamed".to_owned()),
        ffi::SQLITE_CONSTRAINT_UNIQUE
        | ffi::SQLITE_CONSTRAINT_PRIMARYKEY
        | ffi::SQLITE_CONSTRAINT_ROWID => (ConstraintKind::Unique, unique_name(detail, connection)),
        _ => return StoreError::Statement(message.to_owned()),
    };
    StoreError::Constraint { kind, name }
}

/// Finds the name that PostgreSQL would say, where SQLite lists columns: `t.a, t.b` is the index on
/// `(a, b)` of `t`, or `t_pkey`, or for an unnamed `unique (a, b)` `t_a_b_key`.
fn unique_name(detail: &str, connection: &Connection) -> String {
    if let Some(name) = detail.strip_prefix("index '") {
        return name.trim_end_matches('\'').to_owned();
    }
    let mut table = "";
    let mut columns = Vec::new();
    for column in detail.split(", ") {
        if let Some((of, name)) = column.split_once('.') {
            table = of;
            columns.push(name);
        }
    }
    let columns = columns.join("_");
    let found = connection.query_row(
        "select i.name, i.origin from pragma_index_list(?1) i
         where i.\"unique\" = 1 and ?2 = (
             select group_concat(name, '_') from (
                 select c.name from pragma_index_info(i.name) c order by c.seqno))
         order by i.partial limit 1",
        (table, &columns),
        |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)),
    );
    match found.as_ref().map(|(name, origin)| (name, origin.as_str())) {
        Ok((name, "c")) => name.clone(),
        Ok((_, "u")) => format!("{table}_{columns}_key"),
        // A primary key; one that is the row id has no index.
        Ok(_) | Err(_) => format!("{table}_pkey"),
    }
}

/// Translates an error of a reader, which can't lose anything.
pub(super) fn of_reader(error: rusqlite::Error) -> StoreError {
    match error {
        rusqlite::Error::SqliteFailure(failure, message) => {
            let message = message.unwrap_or_else(|| failure.to_string());
            harmless(failure.extended_code & 0xff, message)
        }
        other => of_binding(&other),
    }
}

/// Translates an error that SQLite itself has nothing to do with.
fn of_binding(error: &rusqlite::Error) -> StoreError {
    match error {
        rusqlite::Error::InvalidParameterCount(given, wanted) => {
            StoreError::parameters(*wanted, *given)
        }
        other => StoreError::Statement(other.to_string()),
    }
}

/// Translates an error of a migration, which is all or nothing.
pub(super) fn of_sqlx(error: sqlx::Error) -> StoreError {
    match error {
        sqlx::Error::Database(error) => {
            // The low byte is the primary code.
            let code = error
                .code()
                .and_then(|code| code.parse::<i32>().ok())
                .map_or(0, |code| code & 0xff);
            harmless(code, error.message().to_owned())
        }
        other => StoreError::Statement(other.to_string()),
    }
}

fn harmless(primary_code: i32, message: String) -> StoreError {
    match primary_code {
        ffi::SQLITE_BUSY | ffi::SQLITE_LOCKED => StoreError::Unavailable(message),
        ffi::SQLITE_CANTOPEN | ffi::SQLITE_NOTADB | ffi::SQLITE_PERM => StoreError::Open(message),
        ffi::SQLITE_IOERR | ffi::SQLITE_FULL | ffi::SQLITE_NOMEM => {
            StoreError::Unavailable(message)
        }
        _ => StoreError::Statement(message),
    }
}
