//! Translates PostgreSQL's errors.
//!
//! PostgreSQL's messages sometimes quote values ("invalid input syntax for type bigint: ..."). So only the code is passed
//! on. The message is added if it can only be about the SQL text (class 42) or the server's state.

use std::io::ErrorKind;

use multirail_sql::{ConstraintKind, Standstill, StoreError, WriteError};
use sqlx::postgres::PgDatabaseError;

use super::joined;

/// How a transaction failed, which determines the next step. Except for `Unknown`, nothing was stored.
#[derive(Debug)]
pub(super) enum Failure<E> {
    /// The connection is gone or the server isn't there: another connection may work.
    Broken(StoreError),
    /// No answer in time. The connection is unusable; another one would keep the caller waiting just as long.
    Silent(E),
    /// Another transaction was in the way: worth another attempt after a moment.
    Contended,
    /// Repeating is of no use.
    Refused(E),
    /// The connection is gone, and nobody knows whether the transaction was stored.
    Unknown(E),
}

impl<E> Failure<E> {
    /// Returns whether the connection may be used again.
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

/// Classifies an error outside of a COMMIT.
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

/// Classifies an error of COMMIT. A refusal means that nothing was stored; any other error leaves that open.
pub(super) fn classify_commit(error: sqlx::Error) -> Failure<WriteError> {
    match classify(error) {
        Failure::Broken(StoreError::Unavailable(why))
        | Failure::Silent(WriteError::Store(StoreError::Unavailable(why))) => {
            Failure::Unknown(StoreError::OutcomeUnknown(why).into())
        }
        other => other,
    }
}

/// Returns the index of the joined statement that missed, if that is the error.
pub(super) fn missed(error: &sqlx::Error) -> Option<usize> {
    match error.as_database_error() {
        Some(error) if error.code().as_deref() == Some("22P02") => joined::missed(error.message()),
        Some(_) | None => None,
    }
}

/// Translates an error, without deciding whether to repeat.
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
        // The two ends of the connection disagree, for instance because it broke in the middle of an answer.
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
            // Broken connection, too few resources, shutdown or start-up, internal trouble. 25006 is a server that has
            // become a standby; 25P03 one that ended an idle transaction.
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
