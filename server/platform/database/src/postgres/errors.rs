//! PostgreSQL's errors in our words.
//!
//! Its messages quote values here and there ("invalid input syntax for type bigint: ..."). So only
//! the code is passed on; the message too where it can only speak of the SQL text (class 42) or of
//! the server's state.

use std::io::ErrorKind;

use multirail_sql::{ConstraintKind, Standstill, StoreError, WriteError};
use sqlx::postgres::PgDatabaseError;

use super::joined;

/// How a transaction failed that has stored nothing, and with that what to do about it.
#[derive(Debug)]
pub(super) enum Failure<E> {
    /// The connection is gone or the server isn't there: another connection may do.
    Broken(StoreError),
    /// No answer in time. The connection is of no use any more; another one would keep the caller waiting just as long.
    Silent(E),
    /// Another transaction was in the way: worth another try after a moment.
    Contended,
    /// Repeating is of no use.
    Refused(E),
    /// The connection is gone, and it isn't known whether the transaction was stored.
    Unknown(E),
}

impl<E> Failure<E> {
    /// Whether the connection may serve again.
    pub(super) fn leaves_the_connection(&self) -> bool {
        match self {
            Failure::Contended | Failure::Refused(_) => true,
            Failure::Broken(_) | Failure::Silent(_) | Failure::Unknown(_) => false,
        }
    }
}

impl Failure<WriteError> {
    pub(super) fn refused(error: StoreError) -> Self {
        Failure::Refused(error.into())
    }
}

/// An error outside of a COMMIT.
pub(super) fn classify<E: From<StoreError>>(error: sqlx::Error) -> Failure<E> {
    if let sqlx::Error::Database(database) = &error
        && matches!(database.code().as_deref(), Some("40001" | "40P01"))
    {
        return Failure::Contended;
    }
    if let sqlx::Error::Io(silence) = &error
        && silence.kind() == ErrorKind::TimedOut
    {
        return Failure::Silent(plain(error).into());
    }
    let waited = matches!(error, sqlx::Error::PoolTimedOut);
    match plain(error) {
        // Waiting a second time for the pool would double the caller's deadline.
        gone @ StoreError::Unavailable(_) if !waited => Failure::Broken(gone),
        other => Failure::Refused(other.into()),
    }
}

/// An error of COMMIT. An answer that says no is a no; anything else leaves it open.
pub(super) fn classify_commit(error: sqlx::Error) -> Failure<WriteError> {
    match classify(error) {
        Failure::Broken(StoreError::Unavailable(why))
        | Failure::Silent(WriteError::Store(StoreError::Unavailable(why))) => {
            Failure::Unknown(StoreError::OutcomeUnknown(why).into())
        }
        other => other,
    }
}

/// Which of several joined statements changed another number of rows than it must, if that is the error.
pub(super) fn missed(error: &sqlx::Error) -> Option<usize> {
    match error.as_database_error() {
        Some(error) if error.code().as_deref() == Some("22P02") => joined::missed(error.message()),
        Some(_) | None => None,
    }
}

/// An error without a verdict on repeating.
pub(super) fn plain(error: sqlx::Error) -> StoreError {
    match error {
        sqlx::Error::Database(error) => match error.try_downcast_ref::<PgDatabaseError>() {
            Some(error) => of_server(error),
            None => StoreError::Statement("an error of another engine".to_owned()),
        },
        sqlx::Error::Io(error) => StoreError::Unavailable(error.to_string()),
        sqlx::Error::Tls(error) => StoreError::Unavailable(format!("TLS: {error}")),
        sqlx::Error::PoolTimedOut => StoreError::Unavailable("no free connection".to_owned()),
        sqlx::Error::PoolClosed => StoreError::Closed,
        sqlx::Error::WorkerCrashed | sqlx::Error::BeginFailed => {
            StoreError::Unavailable("the connection is in disorder".to_owned())
        }
        // The connection's two ends have lost each other, for instance when it broke in mid-answer.
        sqlx::Error::Protocol(_) => {
            StoreError::Unavailable("the answer was not understood".to_owned())
        }
        sqlx::Error::Configuration(_) => StoreError::open("its address or TLS files can't be used"),
        sqlx::Error::ColumnDecode { index, .. } => StoreError::Column {
            column: index,
            problem: "can't be decoded".to_owned(),
        },
        _ => StoreError::Statement("the driver refused it".to_owned()),
    }
}

fn of_server(error: &PgDatabaseError) -> StoreError {
    let code = error.code();
    let constraint = |kind| StoreError::Constraint {
        kind,
        name: error.constraint().unwrap_or("unnamed").to_owned(),
    };
    match code {
        "23514" | "23P01" => constraint(ConstraintKind::Check),
        "23503" => constraint(ConstraintKind::ForeignKey),
        "23505" => constraint(ConstraintKind::Unique),
        "23502" => StoreError::Constraint {
            kind: ConstraintKind::NotNull,
            name: format!(
                "{}.{}",
                error.table().unwrap_or_default(),
                error.column().unwrap_or_default()
            ),
        },
        // Cancelled by the statement's or a lock's time limit.
        "57014" | "55P03" => StoreError::TimedOut,
        "53100" => StoreError::Standstill(Standstill::Full, describe(error)),
        // Wrong password, unknown role, unknown database.
        "28000" | "28P01" | "3D000" => StoreError::open(error.message()),
        _ => match &code[..code.len().min(2)] {
            // Broken connection, too few resources, shutdown or start-up, internal trouble; 25006 is
            // a server that has become a standby, 25P03 one that did not hear from us for too long.
            "08" | "53" | "57" | "58" | "XX" => StoreError::Unavailable(describe(error)),
            "25" if matches!(code, "25006" | "25P03") => StoreError::Unavailable(describe(error)),
            "42" => StoreError::Statement(describe(error)),
            _ => StoreError::Statement(format!("code {code}")),
        },
    }
}

fn describe(error: &PgDatabaseError) -> String {
    format!("{} (code {})", error.message(), error.code())
}
