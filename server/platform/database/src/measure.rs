//! Metrics of writes.

use std::time::Instant;

use multirail_sql::{StoreError, WriteError, metric};

use super::{Dialect, Miss};

/// Records that a batch has its answer.
pub(super) fn written(dialect: Dialect, started: Instant, answer: &Result<Vec<u64>, WriteError>) {
    let engine = match dialect {
        Dialect::Sqlite => "sqlite",
        Dialect::Postgres => "postgres",
    };
    metrics::histogram!(metric::COMMIT_SECONDS, "engine" => engine, "result" => result(answer))
        .record(started.elapsed().as_secs_f64());
}

fn result(answer: &Result<Vec<u64>, WriteError>) -> &'static str {
    match answer {
        Ok(_) => "stored",
        Err(WriteError::Miss(Miss::Conflict)) => "conflict",
        Err(WriteError::Miss(Miss::Duplicate(_))) => "duplicate",
        Err(WriteError::Miss(Miss::Gone(_))) => "gone",
        Err(WriteError::Store(error)) => match error {
            StoreError::Overloaded => "overloaded",
            StoreError::Unavailable(_) | StoreError::TimedOut | StoreError::Closed => "unavailable",
            StoreError::Standstill(..) => "standstill",
            StoreError::OutcomeUnknown(_) => "unknown",
            StoreError::Constraint { .. }
            | StoreError::Locked { .. }
            | StoreError::Statement(_)
            | StoreError::Column { .. }
            | StoreError::NulInText(_)
            | StoreError::Open(_)
            | StoreError::Migration(_) => "failed",
        },
    }
}
