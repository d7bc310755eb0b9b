//! The one thread that writes to the file, and group commit.
//!
//! The thread takes all the batches that wait, runs them one after the other in one transaction,
//! commits once, and only then answers them all. While the disk is
//! busy with one group the next one gathers, so the group is as large as the load asks for; there is
//! no timer, and a lone batch waits for nobody.
//!
//! When a batch is refused the group is run again with a savepoint for each: that one is rolled back, and
//! the others don't notice. If the
//! commit itself fails, nobody is told of success and the process ends (see [`Fatal`]).

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use super::super::error::{StoreError, WriteError};
use super::super::options::{Fatal, Options};
use super::super::statement::Write;
use super::errors::{Verdict, judge};
use super::lock::ProcessLock;
use super::statement::{Numbered, bind};
use crate::ports::metric;

/// How many pages the write-ahead log gathers before they are brought into the file: 16 MB. A page that many batches
/// have changed is brought over once, so a longer log writes less; bringing it over holds up one commit.
const CHECKPOINT_PAGES: i64 = 4_000;

type Answer = Result<Vec<u64>, WriteError>;

/// What the thread is asked to do.
enum Job {
    Batch(Batch),
    Stop,
}

struct Batch {
    writes: Vec<Write>,
    answer: oneshot::Sender<Answer>,
}

/// What the writer has done since the file was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Transactions.
    pub groups: u64,
    /// Batches in them, refused ones included.
    pub batches: u64,
    /// Batches that wait now.
    pub waiting: u64,
}

#[derive(Debug, Default)]
struct Counters {
    groups: AtomicU64,
    batches: AtomicU64,
}

/// The way to the thread.
#[derive(Clone, Debug)]
pub(super) struct Writer {
    jobs: mpsc::Sender<Job>,
    counters: Arc<Counters>,
    thread: Arc<Mutex<Option<JoinHandle<()>>>>,
}

impl Writer {
    /// Opens the file for writing and starts the thread. Blocks.
    pub(super) fn start(
        path: &Path,
        lock: ProcessLock,
        options: &Options,
    ) -> Result<Self, StoreError> {
        let connection = connect(path, options).map_err(StoreError::open)?;
        expect_write_ahead_log(&connection)?;
        let (jobs, waiting) = mpsc::channel(options.write_queue.max(1));
        let counters = Arc::new(Counters::default());
        let mut desk = Desk {
            connection,
            texts: Numbered::default(),
            counters: counters.clone(),
            group_sizes: metrics::histogram!(metric::COMMIT_BATCH),
            queue: metrics::gauge!(metric::COMMIT_QUEUE),
            fatal: options.fatal.clone(),
        };
        let limit = options.group_limit.max(1);
        let thread = std::thread::Builder::new()
            .name("sqlite-writer".to_owned())
            .spawn(move || {
                let guard = PanicGuard(desk.fatal.clone());
                desk.run(waiting, limit);
                drop(guard);
                // The file first, then the right to open it.
                drop(desk);
                drop(lock);
            })
            .map_err(StoreError::open)?;
        Ok(Self {
            jobs,
            counters,
            thread: Arc::new(Mutex::new(Some(thread))),
        })
    }

    pub(super) async fn write(&self, writes: Vec<Write>) -> Answer {
        let (answer, answered) = oneshot::channel();
        let job = Job::Batch(Batch { writes, answer });
        self.jobs.try_send(job).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => StoreError::Overloaded,
            mpsc::error::TrySendError::Closed(_) => StoreError::Closed,
        })?;
        match answered.await {
            Ok(answer) => answer,
            Err(_) => Err(StoreError::OutcomeUnknown("the writer has ended".to_owned()).into()),
        }
    }

    pub(super) fn statistics(&self) -> Statistics {
        Statistics {
            groups: self.counters.groups.load(Ordering::Relaxed),
            batches: self.counters.batches.load(Ordering::Relaxed),
            waiting: (self.jobs.max_capacity() - self.jobs.capacity()) as u64,
        }
    }

    /// Answers what waits, refuses what comes later, and returns when the file is closed.
    pub(super) async fn close(&self) {
        // An error means that the thread has ended already.
        let _ = self.jobs.send(Job::Stop).await;
        let thread = self
            .thread
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(thread) = thread {
            // A panic of the thread has been reported by its guard.
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
    connection.pragma_update(None, "temp_store", "memory")?;
    connection.pragma_update(None, "cache_size", -16_384)?;
    connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES)?;
    connection.set_prepared_statement_cache_capacity(512);
    Ok(connection)
}

fn expect_write_ahead_log(connection: &Connection) -> Result<(), StoreError> {
    let mode: String = connection
        .query_row("pragma journal_mode = wal", [], |row| row.get(0))
        .map_err(StoreError::open)?;
    if mode == "wal" {
        return Ok(());
    }
    Err(StoreError::open(format!(
        "the file refuses a write-ahead log (some network file systems do) and stays in mode {mode}"
    )))
}

/// What the thread works with.
struct Desk {
    connection: Connection,
    texts: Numbered,
    counters: Arc<Counters>,
    group_sizes: metrics::Histogram,
    queue: metrics::Gauge,
    fatal: Fatal,
}

/// Why a batch can't be part of its group.
enum Obstacle {
    /// It alone is to blame.
    Refused(WriteError),
    /// The group is lost.
    Broken(String),
}

impl Desk {
    fn run(&mut self, mut jobs: mpsc::Receiver<Job>, limit: usize) {
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
        // So that the next start finds the file in order; failing costs nothing but its time.
        let _ = self.connection.execute_batch("pragma optimize");
    }

    /// Runs a group, commits it, answers it.
    fn commit(&mut self, group: Vec<Batch>) -> ControlFlow<()> {
        self.counters.groups.fetch_add(1, Ordering::Relaxed);
        self.counters
            .batches
            .fetch_add(group.len() as u64, Ordering::Relaxed);
        self.group_sizes.record(group.len() as f64);

        if let Err(error) = self.execute("begin immediate") {
            return match judge(&error, &self.connection) {
                Verdict::Refused(_) => {
                    let why = error.to_string();
                    answer_all(group, || StoreError::Unavailable(why.clone()));
                    ControlFlow::Continue(())
                }
                Verdict::Broken(why) => self.give_up(group, &why),
            };
        }
        let answers = match self.run_group(&group) {
            Ok(answers) => answers,
            Err(why) => return self.give_up(group, &why),
        };
        if let Err(error) = self.execute("commit") {
            return self.give_up(group, &format!("commit: {error}"));
        }
        for (batch, answer) in group.into_iter().zip(answers) {
            // Nobody may be waiting any more; the batch is stored all the same.
            let _ = batch.answer.send(answer);
        }
        ControlFlow::Continue(())
    }

    /// Runs all batches in the open transaction. Hardly ever is one refused, so first without savepoints, which cost
    /// about a third of the work; if one is refused, all of them again, each inside its own.
    fn run_group(&mut self, group: &[Batch]) -> Result<Vec<Answer>, String> {
        let mut answers = Vec::with_capacity(group.len());
        for batch in group {
            match self.run_writes(&batch.writes) {
                Ok(changed) => answers.push(Ok(changed)),
                Err(Obstacle::Refused(_)) => return self.run_apart(group),
                Err(Obstacle::Broken(why)) => return Err(why),
            }
        }
        Ok(answers)
    }

    /// Begins anew and lets no batch that is refused harm another.
    fn run_apart(&mut self, group: &[Batch]) -> Result<Vec<Answer>, String> {
        self.expect_transaction()?;
        self.execute("rollback")
            .and_then(|()| self.execute("begin immediate"))
            .map_err(|error| error.to_string())?;
        let batches = group.iter().map(|batch| self.run_batch(&batch.writes));
        batches.collect()
    }

    fn run_batch(&mut self, writes: &[Write]) -> Result<Answer, String> {
        let told = |error: rusqlite::Error| error.to_string();
        self.execute("savepoint batch").map_err(told)?;
        let answer = match self.run_writes(writes) {
            Ok(changed) => Ok(changed),
            Err(Obstacle::Refused(error)) => {
                self.expect_transaction()?;
                self.execute("rollback to batch").map_err(told)?;
                Err(error)
            }
            Err(Obstacle::Broken(why)) => return Err(why),
        };
        self.execute("release batch").map_err(told)?;
        Ok(answer)
    }

    /// SQLite may roll back the transaction by itself, and all the batches of it.
    fn expect_transaction(&self) -> Result<(), String> {
        if self.connection.is_autocommit() {
            return Err("SQLite gave up the transaction".to_owned());
        }
        Ok(())
    }

    fn run_writes(&mut self, writes: &[Write]) -> Result<Vec<u64>, Obstacle> {
        let mut changed = Vec::with_capacity(writes.len());
        for write in writes {
            let rows =
                self.run_write(write)
                    .map_err(|error| match judge(&error, &self.connection) {
                        Verdict::Refused(error) => Obstacle::Refused(error.into()),
                        Verdict::Broken(why) => Obstacle::Broken(why),
                    })?;
            if !write.expect.met_by(rows) {
                return Err(Obstacle::Refused(WriteError::Miss(write.on_miss)));
            }
            changed.push(rows);
        }
        Ok(changed)
    }

    fn run_write(&mut self, write: &Write) -> rusqlite::Result<u64> {
        let text = self.texts.of_static(write.sql);
        let mut statement = self.connection.prepare_cached(&text)?;
        bind(&mut statement, &write.parameters)?;
        Ok(statement.raw_execute()? as u64)
    }

    fn execute(&self, sql: &str) -> rusqlite::Result<()> {
        self.connection.prepare_cached(sql)?.raw_execute().map(drop)
    }

    /// Ends the process, or in a test this thread; in no case answers success.
    fn give_up(&mut self, group: Vec<Batch>, why: &str) -> ControlFlow<()> {
        self.fatal.call(why);
        answer_all(group, || StoreError::OutcomeUnknown(why.to_owned()));
        ControlFlow::Break(())
    }
}

fn answer_all(group: Vec<Batch>, error: impl Fn() -> StoreError) {
    for batch in group {
        let _ = batch.answer.send(Err(error().into()));
    }
}

/// A server whose writer has died could only refuse from then on: it ends instead.
struct PanicGuard(Fatal);

impl Drop for PanicGuard {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.call("the writer thread panicked");
        }
    }
}
