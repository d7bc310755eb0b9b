//! The one thread that writes to the file, and group commit.
//!
//! The thread takes all the waiting batches, runs them one after the other in one transaction, commits once, and then
//! answers them all. While the disk is busy with one group the next one gathers, so the group is as large as the load
//! requires. There is no timer, and a lone batch doesn't wait.

use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use multirail_sql::{StoreError, Write, WriteError, metric};
use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use super::super::options::{Fatal, Options};
use super::checkpoints::Checkpoints;
use super::errors::of_opening;
use super::files::{Files, Watch};
use super::group_commit::GroupCommit;
use super::job::{Batch, BatchResult, Counters, Job};
use super::lock::ProcessLock;
use super::statement::Prepared;

/// Writes a page without changing it: this number of the file is unused.
const TRIAL: &str = "pragma user_version = 0";

/// The writer's counts since the file was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Transactions.
    pub groups: u64,
    /// Batches in them, refused ones included.
    pub batches: u64,
    /// Batches that wait now.
    pub waiting: u64,
}

/// The handle of the thread.
#[derive(Clone, Debug)]
pub(super) struct Writer {
    jobs: mpsc::Sender<Job>,
    counters: Arc<Counters>,
    files: Arc<Files>,
    thread: Arc<Mutex<Option<JoinHandle<()>>>>,
}

impl Writer {
    /// Opens the file for writing and starts the thread. Blocks.
    pub(super) fn start(
        path: &Path,
        lock: Arc<ProcessLock>,
        options: &Options,
    ) -> Result<Self, StoreError> {
        let connection = connect(path, options).map_err(|error| of_opening(error, path))?;
        expect_write_ahead_log(&connection, path)?;
        let files = Arc::new(Files::open(path, lock.id())?);
        let checkpoints = Checkpoints::start(&connection, path)?;
        // After both connections: they have the locked file.
        files.check()?;
        let (jobs, waiting) = mpsc::channel(options.write_queue.max(1));
        let counters = Arc::new(Counters::default());
        let (limit, fatal) = (options.group_limit.max(1), options.fatal.clone());
        let watch = Watch::new(Arc::clone(&files), path);
        let (database, counted) = (path.into(), Arc::clone(&counters));
        let thread = std::thread::Builder::new()
            .name("sqlite-writer".to_owned())
            .spawn(move || {
                let guard = PanicGuard(fatal.clone());
                GroupCommit {
                    connection: &connection,
                    checkpoints,
                    statements: Prepared::new(&connection),
                    database,
                    watch,
                    counters: counted,
                    group_sizes: metrics::histogram!(metric::COMMIT_BATCH),
                    queue: metrics::gauge!(metric::COMMIT_QUEUE),
                    fatal,
                }
                .run(waiting, limit);
                drop(guard);
                // The file first, then its lock.
                drop(connection);
                drop(lock);
            })
            .map_err(StoreError::open)?;
        Ok(Self {
            jobs,
            counters,
            files,
            thread: Arc::new(Mutex::new(Some(thread))),
        })
    }

    pub(super) async fn write(&self, writes: Vec<Write>) -> BatchResult {
        let (answer, answered) = oneshot::channel();
        let job = Job::Batch(Batch { writes, answer });
        self.jobs.try_send(job).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => StoreError::Overloaded,
            mpsc::error::TrySendError::Closed(_) => StoreError::Closed,
        })?;
        match answered.await {
            // The caller frees its writes, not the thread that all wait for.
            Ok((answer, _writes)) => answer,
            Err(_) => Err(StoreError::OutcomeUnknown("the writer has ended".to_owned()).into()),
        }
    }

    /// Checks whether something could be stored now. After a standstill it tries a write, so that the standstill ends
    /// without a request.
    pub(super) async fn check(&self) -> Result<(), WriteError> {
        self.files.check()?;
        if self.counters.standstill().is_none() {
            return Ok(());
        }
        self.write(vec![Write::new(TRIAL, Vec::new()).any_rows()])
            .await
            .map(drop)
    }

    /// Returns the files that are written.
    pub(super) fn files(&self) -> Arc<Files> {
        Arc::clone(&self.files)
    }

    pub(super) fn statistics(&self) -> Statistics {
        Statistics {
            groups: self.counters.groups.load(Ordering::Relaxed),
            batches: self.counters.batches.load(Ordering::Relaxed),
            waiting: (self.jobs.max_capacity() - self.jobs.capacity()) as u64,
        }
    }

    /// Answers the waiting batches, refuses later ones, and returns when the file is closed.
    pub(super) async fn close(&self) {
        // An error means that the thread has ended already.
        let _ = self.jobs.send(Job::Stop).await;
        let thread = self
            .thread
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(thread) = thread {
            // The thread's guard has reported its panic.
            let _ = tokio::task::spawn_blocking(move || thread.join()).await;
        }
    }
}

fn connect(path: &Path, options: &Options) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(options.statement_timeout)?;
    connection.pragma_update(None, "synchronous", "full")?;
    // Without effect except on macOS, where fsync alone doesn't reach the disk.
    connection.pragma_update(None, "fullfsync", true)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // Overwrites deleted data on pages that are written anyway, destroyed keys above all.
    connection.pragma_update(None, "secure_delete", "fast")?;
    connection.pragma_update(None, "temp_store", "memory")?;
    connection.pragma_update(None, "cache_size", -16_384)?;
    Ok(connection)
}

/// Turns on the write-ahead log, and has SQLite open it.
fn expect_write_ahead_log(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let asked = |sql| connection.query_row(sql, [], |row| row.get::<_, String>(0));
    let mode = asked("pragma journal_mode = wal").map_err(|error| of_opening(error, path))?;
    if mode != "wal" {
        return Err(StoreError::open(format!(
            "the file refuses a write-ahead log (some network file systems do) and stays in mode {mode}"
        )));
    }
    asked("select count(*) || '' from sqlite_schema").map_err(|error| of_opening(error, path))?;
    Ok(())
}

/// Ends the server if its writer panics: it could only refuse writes from then on.
struct PanicGuard(Fatal);

impl Drop for PanicGuard {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.call("the writer thread panicked");
        }
    }
}
