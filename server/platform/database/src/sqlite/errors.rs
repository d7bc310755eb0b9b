//! Translates SQLite's errors, from both drivers.
//!
//! SQLite's messages name tables, columns and constraints and never a value, so they may be shown.

use std::path::Path;

use multirail_sql::{ConstraintKind, Standstill, StoreError};
use rusqlite::{Connection, ErrorCode, ffi};

use super::files::standstill;

/// The meaning of a writer's error for the waiting callers. Nothing of the transaction is stored in either case.
pub(super) enum Verdict {
    /// The error concerns the statement alone.
    Refused(StoreError),
    /// The other writes of the group can't be stored either.
    Standstill(Standstill, String),
}

/// The meaning of an error of COMMIT.
pub(super) enum Fate {
    /// Nothing was stored.
    Sealed(Verdict),
    /// The file may hold the commit or not: only opening it again tells.
    Unknown(String),
}

/// Judges an error of the writer's connection other than that of a COMMIT.
pub(super) fn judge(error: &rusqlite::Error, connection: &Connection, database: &Path) -> Verdict {
    let rusqlite::Error::SqliteFailure(failure, message) = error else {
        return Verdict::Refused(of_binding(error));
    };
    let message = message.clone().unwrap_or_else(|| failure.to_string());
    let standstill = match failure.code {
        ErrorCode::ConstraintViolation => {
            return Verdict::Refused(constraint(failure.extended_code, &message, connection));
        }
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => {
            let why = format!("the file is in use: {message}");
            return Verdict::Refused(StoreError::Unavailable(why));
        }
        ErrorCode::DiskFull => Standstill::Full,
        ErrorCode::ReadOnly => Standstill::ReadOnly,
        ErrorCode::SystemIoFailure => standstill(database),
        ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => Standstill::Damaged,
        ErrorCode::CannotOpen
        | ErrorCode::FileLockingProtocolFailed
        | ErrorCode::InternalMalfunction
        | ErrorCode::OutOfMemory => Standstill::Failing,
        _ => return Verdict::Refused(StoreError::Statement(message)),
    };
    Verdict::Standstill(standstill, with_code(&message, failure))
}

/// Judges an error of COMMIT.
///
/// SQLite appends a transaction's pages to the write-ahead log. The last page makes it a commit, and a checksum binds each
/// page to the one before it. So a transaction with an unwritten page has no effect. Later steps (waiting for the disk, the
/// index of the log) may fail while the whole transaction is on the disk. The next start finds it there, although this
/// process continues without it.
pub(super) fn judge_commit(
    error: &rusqlite::Error,
    connection: &Connection,
    database: &Path,
) -> Fate {
    let rusqlite::Error::SqliteFailure(failure, message) = error else {
        return Fate::Sealed(Verdict::Refused(of_binding(error)));
    };
    let came_before = match failure.code {
        ErrorCode::SystemIoFailure => failure.extended_code == ffi::SQLITE_IOERR_WRITE,
        ErrorCode::ConstraintViolation
        | ErrorCode::DatabaseBusy
        | ErrorCode::DatabaseLocked
        | ErrorCode::DiskFull
        | ErrorCode::ReadOnly => true,
        _ => false,
    };
    if came_before {
        return Fate::Sealed(judge(error, connection, database));
    }
    let message = message.clone().unwrap_or_else(|| failure.to_string());
    Fate::Unknown(with_code(&message, failure))
}

fn with_code(message: &str, failure: &ffi::Error) -> String {
    format!("{message} (code {})", failure.extended_code)
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

/// Returns the constraint's name on PostgreSQL, where SQLite lists columns. `t.a, t.b` is the index on `(a, b)` of `t`, or
/// `t_pkey`, or for an unnamed `unique (a, b)` `t_a_b_key`.
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

/// Translates an error of opening the file for writing.
pub(super) fn of_opening(error: rusqlite::Error, database: &Path) -> StoreError {
    match error {
        rusqlite::Error::SqliteFailure(failure, message) => {
            let message = message.unwrap_or_else(|| failure.to_string());
            of_start(failure.extended_code & 0xff, message, database)
        }
        other => StoreError::open(other),
    }
}

/// Translates an error of a migration, which is all or nothing.
pub(super) fn of_migration(error: rusqlite::Error, database: &Path) -> StoreError {
    let (failure, message) = match error {
        rusqlite::Error::SqliteFailure(failure, message) => (failure, message),
        rusqlite::Error::SqlInputError { error, msg, .. } => (error, Some(msg)),
        other => return StoreError::Statement(other.to_string()),
    };
    let message = message.unwrap_or_else(|| failure.to_string());
    of_start(failure.extended_code & 0xff, message, database)
}

/// Translates a start's error; a start doesn't wait until the file can be written.
fn of_start(primary_code: i32, message: String, database: &Path) -> StoreError {
    match primary_code {
        ffi::SQLITE_FULL => StoreError::Standstill(Standstill::Full, message),
        ffi::SQLITE_READONLY => StoreError::Standstill(Standstill::ReadOnly, message),
        ffi::SQLITE_IOERR => StoreError::Standstill(standstill(database), message),
        ffi::SQLITE_CORRUPT => StoreError::Standstill(Standstill::Damaged, message),
        other => harmless(other, message),
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the message for a COMMIT that fails with this code.
    fn fate(extended_code: i32) -> &'static str {
        let connection = Connection::open_in_memory().unwrap();
        let error = rusqlite::Error::SqliteFailure(ffi::Error::new(extended_code), None);
        match judge_commit(&error, &connection, Path::new("/nowhere")) {
            Fate::Sealed(Verdict::Refused(_)) => "refused",
            Fate::Sealed(Verdict::Standstill(..)) => "not stored",
            Fate::Unknown(_) => "unknown",
        }
    }

    #[test]
    fn only_what_fails_after_the_last_page_was_written_leaves_a_commit_open() {
        for code in [ffi::SQLITE_BUSY, ffi::SQLITE_CONSTRAINT_FOREIGNKEY] {
            assert_eq!(fate(code), "refused", "{code}");
        }
        for code in [
            ffi::SQLITE_FULL,
            ffi::SQLITE_READONLY,
            ffi::SQLITE_IOERR_WRITE,
        ] {
            assert_eq!(fate(code), "not stored", "{code}");
        }
        for code in [
            ffi::SQLITE_IOERR_FSYNC,
            ffi::SQLITE_IOERR_DIR_FSYNC,
            ffi::SQLITE_IOERR_SHMSIZE,
            ffi::SQLITE_IOERR_SHMMAP,
            ffi::SQLITE_IOERR,
            ffi::SQLITE_NOMEM,
            ffi::SQLITE_CORRUPT,
        ] {
            assert_eq!(fate(code), "unknown", "{code}");
        }
    }
}
