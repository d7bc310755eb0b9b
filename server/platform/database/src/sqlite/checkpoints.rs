//! Checkpoints: copies the write-ahead log into the file, on a thread of its own.
//!
//! SQLite does that inside the commit that makes the log too long, and all writes wait until thousands of pages are on the
//! disk. Here a second connection copies them while commits go on. It can't finish alone, because new commits leave pages
//! over, and only a fully copied log starts again at its beginning. So it copies until few pages are left; the writer
//! itself, between two groups, copies those.
//!
//! A page that was overwritten in the file stays in the log until the log is overwritten, too. After a group that erases
//! (see `Write::erasing`) the thread therefore empties the log. That takes a moment without readers, and is tried until it
//! succeeds.

use std::cell::Cell;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;

use multirail_sql::StoreError;
use rusqlite::Connection;

use super::errors::of_opening;

/// Pages in the log from which they are copied into the file: 16 MB. A page that many batches have changed is copied once,
/// so a longer log writes less.
const DUE: i64 = 4_000;

/// The most pages that are left for the writer.
const FEW: i64 = 100;

/// How often the thread copies new pages before the writer does the rest, whatever their number.
const ROUNDS: usize = 4;

/// A log this long is copied by the writer at once: the other thread fails, or a read of minutes is in its way.
const OVERDUE: i64 = 4 * DUE;

/// How long emptying the log waits for readers. Commits wait meanwhile.
const MOMENT: Duration = Duration::from_millis(10);

/// The pause before the next attempt.
const PAUSE: Duration = Duration::from_millis(250);

thread_local! {
    /// Pages in the log after the last commit of this thread's connection. SQLite's hook is a plain function.
    static PAGES: Cell<i64> = const { Cell::new(0) };
}

/// The thread that copies next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Turn {
    /// None: the log is short.
    Nobody,
    /// The thread copies.
    Thread,
    /// Few pages are left, which the writer copies.
    Writer,
}

/// The writer's handle of the thread.
pub(super) struct Checkpoints {
    turn: Arc<AtomicU8>,
    /// Whether the log holds erased data.
    erases: Arc<AtomicBool>,
    due: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Checkpoints {
    /// Starts the thread with a connection of its own to the file of `writer`. From now on commits of `writer` copy nothing
    /// by themselves.
    pub(super) fn start(writer: &Connection, path: &Path) -> Result<Self, StoreError> {
        let own = connect(path).map_err(|error| of_opening(error, path))?;
        // A killed process may have left erased data in the log.
        let is_emptied = empty(&own).unwrap_or(false);
        writer.wal_hook(Some(|_, pages| {
            PAGES.set(pages.into());
            Ok(())
        }));
        let turn = Arc::new(AtomicU8::new(Turn::Nobody as u8));
        // One message is enough: the next one is sent when it's the writer's turn again.
        let (due, wanted) = sync_channel(1);
        let erases = Arc::new(AtomicBool::new(!is_emptied));
        let (told, erased) = (Arc::clone(&turn), Arc::clone(&erases));
        let thread = std::thread::Builder::new()
            .name("sqlite-checkpoints".to_owned())
            .spawn(move || run(&own, &wanted, &told, &erased))
            .map_err(StoreError::open)?;
        Ok(Self {
            turn,
            erases,
            due: Some(due),
            thread: Some(thread),
        })
    }

    /// Does the writer's part after a group was committed, on the writer's thread; mostly there is none. `erases`: the
    /// group has erased data, which must not stay in the log.
    pub(super) fn after_commit(&self, writer: &Connection, erases: bool) {
        if erases {
            self.erases.store(true, Ordering::Release);
            self.wake();
        }
        let pages = PAGES.get();
        let turn = self.turn.load(Ordering::Acquire);
        let is_its_turn = turn == Turn::Writer as u8;
        if pages >= OVERDUE || is_its_turn {
            // A failed copy is tried again after the next commits.
            let _ = copy(writer);
            if is_its_turn {
                self.turn.store(Turn::Nobody as u8, Ordering::Release);
            }
        } else if pages >= DUE && turn == Turn::Nobody as u8 {
            self.turn.store(Turn::Thread as u8, Ordering::Release);
            self.wake();
        }
    }

    fn wake(&self) {
        if let Some(due) = &self.due {
            // A thread that has ended takes no message: then the log grows until it is overdue.
            let _ = due.try_send(());
        }
    }
}

impl Drop for Checkpoints {
    /// Waits until the thread has closed its connection.
    fn drop(&mut self) {
        drop(self.due.take());
        if let Some(thread) = self.thread.take() {
            // A panic has been printed; nothing depends on the thread.
            let _ = thread.join();
        }
    }
}

fn run(own: &Connection, wanted: &Receiver<()>, turn: &AtomicU8, erases: &AtomicBool) {
    while is_wanted(wanted, erases) {
        let is_its_turn = turn.load(Ordering::Acquire) == Turn::Thread as u8;
        let is_erasing = erases.swap(false, Ordering::AcqRel);
        if is_its_turn || is_erasing {
            bring_over(own);
        }
        if is_its_turn {
            turn.store(Turn::Writer as u8, Ordering::Release);
        }
        // The few remaining pages are copied while commits wait.
        if is_erasing && !empty(own).unwrap_or(false) {
            erases.store(true, Ordering::Release);
        }
    }
}

/// Waits for the next task; returns false if none will come.
fn is_wanted(wanted: &Receiver<()>, erases: &AtomicBool) -> bool {
    if !erases.load(Ordering::Acquire) {
        return wanted.recv().is_ok();
    }
    match wanted.recv_timeout(PAUSE) {
        Ok(()) | Err(RecvTimeoutError::Timeout) => true,
        Err(RecvTimeoutError::Disconnected) => false,
    }
}

fn bring_over(own: &Connection) {
    for _ in 0..ROUNDS {
        match copy(own) {
            Ok(left) if left > FEW => {}
            Ok(_) => break,
            Err(error) => {
                tracing::warn!(%error, "the write-ahead log could not be brought into the file; it grows meanwhile");
                break;
            }
        }
    }
}

/// Copies everything and truncates the log. Returns whether it could: not while a reader uses the log.
fn empty(connection: &Connection) -> rusqlite::Result<bool> {
    connection.query_row("pragma wal_checkpoint(truncate)", [], |row| {
        let busy: i64 = row.get(0)?;
        Ok(busy == 0)
    })
}

/// Copies the pages that no reader uses any more, and waits for none. Returns how many pages are left.
fn copy(connection: &Connection) -> rusqlite::Result<i64> {
    connection.query_row("pragma wal_checkpoint(passive)", [], |row| {
        let (log, copied): (i64, i64) = (row.get(1)?, row.get(2)?);
        Ok(log - copied)
    })
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(MOMENT)?;
    // As for the writer: copied pages are on the disk before the log is overwritten.
    connection.pragma_update(None, "synchronous", "full")?;
    connection.pragma_update(None, "fullfsync", true)?;
    connection.pragma_update(None, "checkpoint_fullfsync", true)?;
    connection.pragma_update(None, "cache_size", 10)?;
    Ok(connection)
}
