//! Group commit, on the thread that writes.
//!
//! If a batch is refused, the group is run again with a savepoint for each: that batch is rolled back, without an effect on
//! the others. If nothing can be written (the disk is full, the file is gone), the whole group is refused with the reason,
//! and the next group tries again. If nobody knows whether a commit is on the disk, the thread ends, and the process with
//! it (see [`Fatal`]).

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use multirail_sql::{Standstill, StoreError, Write, WriteError};
use rusqlite::Connection;
use tokio::sync::mpsc;

use super::super::options::Fatal;
use super::checkpoints::Checkpoints;
use super::errors::{Fate, Verdict, judge, judge_commit};
use super::files::Watch;
use super::job::{Batch, BatchResult, Counters, Job};
use super::statement::{Prepared, bind};

/// The state of the thread.
pub(super) struct GroupCommit<'c> {
    pub(super) connection: &'c Connection,
    pub(super) checkpoints: Checkpoints,
    pub(super) statements: Prepared<'c>,
    pub(super) database: Box<Path>,
    pub(super) watch: Watch,
    pub(super) counters: Arc<Counters>,
    pub(super) group_sizes: metrics::Histogram,
    pub(super) queue: metrics::Gauge,
    pub(super) fatal: Fatal,
}

/// Why a batch or a group is not stored.
enum Obstacle {
    /// A statement, or the lock of another process, is to blame.
    Refused(WriteError),
    /// Nothing can be written at present.
    Standstill(Standstill, String),
    /// The content of the file is unknown, or the file is unusable.
    Lost(String),
}

impl From<Verdict> for Obstacle {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Refused(error) => Obstacle::Refused(error.into()),
            Verdict::Standstill(standstill, why) => Obstacle::Standstill(standstill, why),
        }
    }
}

impl GroupCommit<'_> {
    /// Works until it is asked to stop, or ends because of an error.
    pub(super) fn run(&mut self, mut jobs: mpsc::Receiver<Job>, limit: usize) {
        let mut taken = Vec::with_capacity(limit);
        while jobs.blocking_recv_many(&mut taken, limit) > 0 {
            self.queue.set(jobs.len() as f64);
            let mut group = Vec::with_capacity(taken.len());
            for job in taken.drain(..) {
                match job {
                    Job::Batch(batch) => group.push(batch),
                    Job::Stop => jobs.close(),
                }
            }
            if !group.is_empty() && self.commit(group).is_break() {
                return;
            }
        }
        // It leaves the file in order for the next start; a failure only costs that start some time.
        let _ = self.connection.execute_batch("pragma optimize");
    }

    /// Stores a group and answers it.
    fn commit(&mut self, group: Vec<Batch>) -> ControlFlow<()> {
        self.counters.groups.fetch_add(1, Ordering::Relaxed);
        self.counters
            .batches
            .fetch_add(group.len() as u64, Ordering::Relaxed);
        self.group_sizes.record(group.len() as f64);
        match self.store(&group) {
            Ok(answers) => {
                self.goes_on();
                let erases = has_erased(&group, &answers);
                for (batch, answer) in group.into_iter().zip(answers) {
                    // The caller may have gone; the batch is stored all the same.
                    let _ = batch.answer.send((answer, batch.writes));
                }
                self.checkpoints.after_commit(self.connection, erases);
                ControlFlow::Continue(())
            }
            Err(Obstacle::Refused(error)) => {
                let why = error.to_string();
                answer_all(group, || StoreError::Unavailable(why.clone()));
                ControlFlow::Continue(())
            }
            Err(Obstacle::Standstill(standstill, why)) => {
                self.stands_still(standstill, &why);
                answer_all(group, || StoreError::Standstill(standstill, why.clone()));
                ControlFlow::Continue(())
            }
            Err(Obstacle::Lost(why)) => {
                // Success is never reported here.
                self.fatal.call(&why);
                answer_all(group, || StoreError::OutcomeUnknown(why.clone()));
                ControlFlow::Break(())
            }
        }
    }

    /// Runs a group in a transaction and commits it. Leaves no transaction open.
    fn store(&mut self, group: &[Batch]) -> Result<Vec<BatchResult>, Obstacle> {
        self.watch.check().map_err(|error| match error {
            StoreError::Standstill(standstill, why) => Obstacle::Standstill(standstill, why),
            other => Obstacle::Refused(other.into()),
        })?;
        self.execute("begin immediate")
            .map_err(|error| self.judged(&error))?;
        let answers = self
            .run_group(group)
            .map_err(|obstacle| self.rolled_back(obstacle))?;
        match self.execute("commit") {
            Ok(()) => Ok(answers),
            Err(error) => match judge_commit(&error, self.connection, &self.database) {
                Fate::Sealed(verdict) => Err(self.rolled_back(verdict.into())),
                Fate::Unknown(why) => Err(Obstacle::Lost(format!("commit: {why}"))),
            },
        }
    }

    /// Ends the transaction, unless SQLite has done so by itself.
    fn rolled_back(&mut self, obstacle: Obstacle) -> Obstacle {
        if self.connection.is_autocommit() {
            return obstacle;
        }
        match self.execute("rollback") {
            Ok(()) => obstacle,
            Err(error) => Obstacle::Lost(format!("rollback: {error}")),
        }
    }

    fn judged(&self, error: &rusqlite::Error) -> Obstacle {
        judge(error, self.connection, &self.database).into()
    }

    /// Logs a standstill once, not for every group.
    fn stands_still(&self, standstill: Standstill, why: &str) {
        if self.counters.note(Some(standstill)) != Some(standstill) {
            tracing::error!(
                why,
                "nothing can be stored: {}; writes are refused until that ends",
                standstill.reason()
            );
        }
    }

    fn goes_on(&self) {
        if let Some(standstill) = self.counters.note(None) {
            tracing::info!(
                "the database accepts writes again, after this: {}",
                standstill.reason()
            );
        }
    }

    /// Runs all batches in the open transaction. Batches are rarely refused, so it runs without savepoints first, which
    /// cost about a third of the work. If one is refused, all run again, each inside its own.
    fn run_group(&mut self, group: &[Batch]) -> Result<Vec<BatchResult>, Obstacle> {
        let mut answers = Vec::with_capacity(group.len());
        for batch in group {
            match self.run_writes(&batch.writes) {
                Ok(changed) => answers.push(Ok(changed)),
                Err(Obstacle::Refused(_)) => return self.run_apart(group),
                Err(other) => return Err(other),
            }
        }
        Ok(answers)
    }

    /// Runs the group again, each batch in a savepoint, so that a refused one harms no other.
    fn run_apart(&mut self, group: &[Batch]) -> Result<Vec<BatchResult>, Obstacle> {
        self.expect_transaction()?;
        self.execute("rollback")
            .and_then(|()| self.execute("begin immediate"))
            .map_err(|error| self.judged(&error))?;
        let batches = group.iter().map(|batch| self.run_batch(&batch.writes));
        batches.collect()
    }

    fn run_batch(&mut self, writes: &[Write]) -> Result<BatchResult, Obstacle> {
        self.execute("savepoint batch")
            .map_err(|error| self.judged(&error))?;
        let answer = match self.run_writes(writes) {
            Ok(changed) => Ok(changed),
            Err(Obstacle::Refused(error)) => {
                self.expect_transaction()?;
                self.execute("rollback to batch")
                    .map_err(|error| self.judged(&error))?;
                Err(error)
            }
            Err(other) => return Err(other),
        };
        self.execute("release batch")
            .map_err(|error| self.judged(&error))?;
        Ok(answer)
    }

    /// Checks that the transaction is still open: SQLite may roll it back by itself, with all its batches.
    fn expect_transaction(&self) -> Result<(), Obstacle> {
        if self.connection.is_autocommit() {
            let why = "SQLite gave up the transaction".to_owned();
            return Err(Obstacle::Standstill(Standstill::Failing, why));
        }
        Ok(())
    }

    fn run_writes(&mut self, writes: &[Write]) -> Result<Vec<u64>, Obstacle> {
        let mut changed = Vec::with_capacity(writes.len());
        for write in writes {
            let rows = self.run_write(write).map_err(|error| self.judged(&error))?;
            if !write.expect.met_by(rows) {
                return Err(Obstacle::Refused(WriteError::Miss(write.on_miss)));
            }
            changed.push(rows);
        }
        Ok(changed)
    }

    fn run_write(&mut self, write: &Write) -> rusqlite::Result<u64> {
        let statement = self.statements.prepare(write.sql)?;
        bind(statement, &write.parameters)?;
        Ok(statement.raw_execute()? as u64)
    }

    fn execute(&mut self, sql: &'static str) -> rusqlite::Result<()> {
        self.statements.prepare(sql)?.raw_execute().map(drop)
    }
}

/// Returns whether a stored batch has erased data, which must not stay in the log.
fn has_erased(group: &[Batch], answers: &[BatchResult]) -> bool {
    let stored = group
        .iter()
        .zip(answers)
        .filter(|(_, answer)| answer.is_ok());
    let mut writes = stored.flat_map(|(batch, _)| &batch.writes);
    writes.any(|write| write.erases)
}

fn answer_all(group: Vec<Batch>, error: impl Fn() -> StoreError) {
    for batch in group {
        let _ = batch.answer.send((Err(error().into()), batch.writes));
    }
}
