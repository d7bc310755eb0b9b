//! Copies a SQLite file while a server writes to it.
//!
//! The copy reads one snapshot, which a read transaction pins: commits go on and never restart the copy, as they do with
//! SQLite's shell. The log grows meanwhile, and a commit that extends the log is slower than one that overwrites it. The
//! copy therefore goes without a pause into the page cache, and to the disk in small pieces after the snapshot is released.

use std::fs::{File, OpenOptions};
use std::io;
use std::num::NonZeroU64;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::Duration;

use multirail_sql::StoreError;
use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags};
use rustix::fs::{Advice, fadvise};

use super::errors::of_reader;

/// Pages that are copied at once: 4 MB.
const PORTION: i32 = 1024;

/// The pause before another attempt while a process has the file locked.
const RETRIED_AFTER: Duration = Duration::from_millis(200);

/// How long the copy waits while another process has the file locked.
const PATIENCE: Duration = Duration::from_secs(30);

/// Bytes that go to the disk at once: a commit waits for no more than these.
const FLUSHED: NonZeroU64 = NonZeroU64::new(1 << 20).unwrap();

/// The pause after each of them, which makes 50 MB a second.
const FLUSHED_EVERY: Duration = Duration::from_millis(20);

/// Copies the database at `source`, as of now, to `target`, which only this user can read. Returns the copy's pages once it
/// is on the disk. Blocks.
///
/// # Errors
/// Fails when `source` is missing or can't be read, and when `target` exists or can't be written.
pub fn back_up(source: &Path, target: &Path) -> Result<u64, StoreError> {
    let made = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(target);
    let made = made.map_err(|error| StoreError::open(format!("{}: {error}", target.display())))?;
    let copied = copy(source, target).map_err(of_reader);
    let pages = copied?;
    flush(&made, target)?;
    Ok(pages)
}

fn copy(source: &Path, target: &Path) -> rusqlite::Result<u64> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let from = Connection::open_with_flags(source, flags)?;
    from.busy_timeout(PATIENCE)?;
    from.execute_batch("begin")?;
    // The first read takes the snapshot.
    from.query_row("select count(*) from sqlite_schema", [], |_| Ok(()))?;
    let mut to = Connection::open_with_flags(
        target,
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )?;
    // An interrupted copy is deleted, and `flush` writes to the disk.
    to.query_row("pragma journal_mode = off", [], |_| Ok(()))?;
    to.pragma_update(None, "synchronous", "off")?;
    let backup = Backup::new(&from, &mut to)?;
    let mut waited = Duration::ZERO;
    loop {
        match backup.step(PORTION)? {
            StepResult::Done => break,
            StepResult::More => waited = Duration::ZERO,
            // Another process has the file locked, for a moment at most.
            _ if waited < PATIENCE => {
                std::thread::sleep(RETRIED_AFTER);
                waited += RETRIED_AFTER;
            }
            _ => {
                let busy = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_BUSY);
                return Err(rusqlite::Error::SqliteFailure(busy, None));
            }
        }
    }
    Ok(u64::try_from(backup.progress().pagecount).unwrap_or(0))
}

/// Returns once the copy and its name are on the disk.
fn flush(made: &File, target: &Path) -> Result<(), StoreError> {
    let folder = target.parent().filter(|path| !path.as_os_str().is_empty());
    let folder = File::open(folder.unwrap_or(Path::new(".")));
    write_out(made)
        .and_then(|()| made.sync_all())
        .and_then(|()| folder.and_then(|folder| folder.sync_all()))
        .map_err(|error| StoreError::open(format!("{}: {error}", target.display())))
}

/// Sends a file to the disk in small pieces. Linux begins to write pages that a program no longer needs, and returns at
/// once.
fn write_out(made: &File) -> io::Result<()> {
    let mut from = 0;
    while from < made.metadata()?.len() {
        fadvise(made, from, Some(FLUSHED), Advice::DontNeed)?;
        std::thread::sleep(FLUSHED_EVERY);
        from += FLUSHED.get();
    }
    Ok(())
}
