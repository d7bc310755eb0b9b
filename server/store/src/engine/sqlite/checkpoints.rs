//! Checkpoints: bringing what the write-ahead log has gathered into the file, on a thread beside the one that writes.
//!
//! SQLite's own way is to do that inside the commit that makes the log too long, and then all writes wait until thousands of
//! pages are on the disk. Here a second connection copies them while commits go on. It can't come to an end by itself: what
//! is committed meanwhile is left over, and only a log of which nothing is left over begins anew at its front. So it
//! copies until little is left; the writer itself, between two groups, copies that little.

use std::cell::Cell;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

use rusqlite::Connection;

use super::super::error::StoreError;
use super::errors::of_opening;

/// How many pages the log gathers before they are brought into the file: 16 MB. A page that many batches have changed is
/// brought over once, so a longer log writes less.
const DUE: i64 = 4_000;

/// So many pages, at most, are left for the writer.
const FEW: i64 = 100;

/// How often the thread goes over what came meanwhile before the writer does the rest, however much that is.
const ROUNDS: usize = 4;

/// A log this long is brought over by the writer at once: the other thread fails, or a read of minutes is in its way.
const OVERDUE: i64 = 4 * DUE;

thread_local! {
    /// Pages in the log after the last commit of this thread's connection. SQLite's hook is a plain function.
    static PAGES: Cell<i64> = const { Cell::new(0) };
}

/// Whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Turn {
    /// Nobody's: the log is short.
    Nobody,
    /// The thread copies.
    Thread,
    /// Little is left, which the writer copies.
    Writer,
}

/// The writer's end.
pub(super) struct Checkpoints {
    turn: Arc<AtomicU8>,
    due: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Checkpoints {
    /// Starts the thread with a connection of its own to the file of `writer`. From now on commits of that one bring nothing
    /// over by themselves.
    pub(super) fn start(writer: &Connection, path: &Path) -> Result<Self, StoreError> {
        let own = connect(path).map_err(|error| of_opening(error, path))?;
        writer.wal_hook(Some(|_, pages| {
            PAGES.set(pages.into());
            Ok(())
        }));
        let turn = Arc::new(AtomicU8::new(Turn::Nobody as u8));
        // One message is enough: the next one is sent when it's the writer's turn again.
        let (due, wanted) = sync_channel(1);
        let told = Arc::clone(&turn);
        let thread = std::thread::Builder::new()
            .name("sqlite-checkpoints".to_owned())
            .spawn(move || run(&own, &wanted, &told))
            .map_err(StoreError::open)?;
        Ok(Self {
            turn,
            due: Some(due),
            thread: Some(thread),
        })
    }

    /// After a group that was committed, on the thread that did: does what is the writer's part, which is mostly nothing.
    pub(super) fn after_commit(&self, writer: &Connection) {
        let pages = PAGES.get();
        let turn = self.turn.load(Ordering::Acquire);
        let is_its_turn = turn == Turn::Writer as u8;
        if pages >= OVERDUE || is_its_turn {
            // What fails is tried again after the next commits.
            let _ = copy(writer);
            if is_its_turn {
                self.turn.store(Turn::Nobody as u8, Ordering::Release);
            }
        } else if pages >= DUE && turn == Turn::Nobody as u8 {
            self.turn.store(Turn::Thread as u8, Ordering::Release);
            if let Some(due) = &self.due {
                // A thread that has ended takes no message: then the log grows until it is overdue.
                let _ = due.try_send(());
            }
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

fn run(own: &Connection, wanted: &Receiver<()>, turn: &AtomicU8) {
    while wanted.recv().is_ok() {
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
        turn.store(Turn::Writer as u8, Ordering::Release);
    }
}

/// Brings over what nobody reads from the log any more, and waits for nobody. Answers how many pages are left.
fn copy(connection: &Connection) -> rusqlite::Result<i64> {
    connection.query_row("pragma wal_checkpoint(passive)", [], |row| {
        let (log, copied): (i64, i64) = (row.get(1)?, row.get(2)?);
        Ok(log - copied)
    })
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    // As the writer's: what is brought over is on the disk before the log is written over.
    connection.pragma_update(None, "synchronous", "full")?;
    connection.pragma_update(None, "fullfsync", true)?;
    connection.pragma_update(None, "checkpoint_fullfsync", true)?;
    connection.pragma_update(None, "cache_size", 10)?;
    Ok(connection)
}
