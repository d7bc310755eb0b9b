//! Errors of a database, the same set for both engines.
//!
//! No message holds a parameter or a column value: PostgreSQL likes to quote them. So only its error code is passed on,
//! with the message where that can only be about the SQL text.

use std::time::Duration;

use super::standstill::Standstill;
use super::statement::Miss;

/// The database refused, or could not be reached.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A CHECK, foreign key, unique or NOT NULL rule refused the batch. Nothing of it was stored.
    #[error("the {kind} constraint {name} refused the change")]
    Constraint {
        /// The kind of rule.
        kind: ConstraintKind,
        /// The constraint's or unique index's name; `table.column` for NOT NULL. SQLite doesn't say
        /// which foreign key it was: then `unnamed`.
        name: String,
    },
    /// Too many batches wait already. Nothing was stored.
    #[error("too many changes are waiting for the database")]
    Overloaded,
    /// The database can't be reached, or broke the connection. Nothing was stored.
    #[error("the database is not available: {0}")]
    Unavailable(String),
    /// Nothing can be stored until the operator has removed the cause; stored data can be read. Nothing was stored.
    #[error("nothing can be stored: {0}: {1}")]
    Standstill(Standstill, String),
    /// The statement was cut off by its time limit. Nothing was stored.
    #[error("the database did not answer in time")]
    TimedOut,
    /// The answer of a COMMIT was lost: the batch is stored as a whole or not at all. Look up the id of the change-set
    /// before deciding anything.
    #[error("the outcome of the commit is unknown: {0}")]
    OutcomeUnknown(String),
    /// The engine was closed. Nothing was stored.
    #[error("the database is closed")]
    Closed,
    /// Another process has the SQLite file.
    #[error("{path} is in use by another multirail process{}", holder.map(|pid| format!(" (process {pid})")).unwrap_or_default())]
    Locked {
        /// The lock file.
        path: String,
        /// The process id of the other process, if known.
        holder: Option<u32>,
    },
    /// A statement that the database doesn't understand or can't run: a mistake of ours.
    #[error("the database refused a statement: {0}")]
    Statement(String),
    /// A row doesn't hold what its reader expects: a mistake of ours, or a change from outside.
    #[error("column {column}: {problem}")]
    Column {
        /// Name or number of the column.
        column: String,
        /// The problem with its value.
        problem: String,
    },
    /// Text with a NUL character, which PostgreSQL can't store. Refused on SQLite as well.
    #[error("parameter ${0} holds a NUL character")]
    NulInText(usize),
    /// The address, a file or an option can't be used as given.
    #[error("the database can't be opened: {0}")]
    Open(String),
    /// The schema can't be brought to what this program needs.
    #[error("migration: {0}")]
    Migration(String),
}

impl StoreError {
    /// Returns the error of a wrong number of parameters. SQLite would take a missing one for NULL; PostgreSQL breaks off.
    pub fn parameters(wanted: usize, given: usize) -> Self {
        Self::Statement(format!(
            "it names {wanted} parameters and was given {given}"
        ))
    }

    /// Returns whether the same request may succeed later. An unknown outcome is not transient, nor is a standstill, which
    /// has a reason of its own.
    pub fn is_transient(&self) -> bool {
        match self {
            // A server that ends has closed its database; the next server will answer.
            StoreError::Overloaded
            | StoreError::Unavailable(_)
            | StoreError::TimedOut
            | StoreError::Closed => true,
            StoreError::Constraint { .. }
            | StoreError::Standstill(..)
            | StoreError::OutcomeUnknown(_)
            | StoreError::Locked { .. }
            | StoreError::Statement(_)
            | StoreError::Column { .. }
            | StoreError::NulInText(_)
            | StoreError::Open(_)
            | StoreError::Migration(_) => false,
        }
    }

    /// Returns [`StoreError::Open`] with this message.
    pub fn open(what: impl std::fmt::Display) -> Self {
        StoreError::Open(what.to_string())
    }

    /// Returns [`StoreError::Unavailable`] because all connections are in use.
    pub fn no_connection_within(limit: Duration) -> Self {
        StoreError::Unavailable(format!("no free connection within {limit:?}"))
    }
}

/// The kinds of constraints in a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstraintKind {
    /// A named CHECK.
    Check,
    /// A reference to a missing row, or the deletion of a row that is still referred to.
    ForeignKey,
    /// A primary key or unique index whose violation no `on conflict` clause handles.
    Unique,
    /// A mandatory column without a value.
    NotNull,
}

impl std::fmt::Display for ConstraintKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            ConstraintKind::Check => "check",
            ConstraintKind::ForeignKey => "foreign key",
            ConstraintKind::Unique => "unique",
            ConstraintKind::NotNull => "not null",
        })
    }
}

/// Why a batch was not stored.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// A statement changed another number of rows than it had to. Nothing was stored.
    #[error("a statement of the batch changed another number of rows than expected: {0:?}")]
    Miss(Miss),
    /// The database refused or failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
