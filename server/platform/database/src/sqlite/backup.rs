//! Copies a SQLite file while a server writes to it.
//!
//! The copy reads from one snapshot, which a read transaction pins: commits go on and never start it anew, as they do with
//! SQLite's shell. Between two portions it pauses, so that payments keep the processor and the disk.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::{Duration, Instant};

use multirail_sql::StoreError;
use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags};

use super::errors::of_reader;

/// Pages that are copied at once: 512 KB.
const PORTION: i32 = 128;

/// A portion is followed by a pause this many times as long as the portion took.
const PAUSES: u32 = 4;

/// A pause is never longer.
const LONGEST_PAUSE: Duration = Duration::from_millis(200);

/// Portions after which the copy is written to the disk, so that no commit waits for hundreds of megabytes at the end.
const FLUSHED_AFTER: usize = 16;

/// The time that the copy waits while another process has the file locked.
const PATIENCE: Duration = Duration::from_secs(30);

/// Copies the database at `source`, as of now, to `target`, which is made for our eyes only. Returns the copy's pages once it
/// is on the disk. Blocks.
///
/// # Errors
/// `source` isn't there or can't be read, `target` exists or can't be written.
pub fn back_up(source: &Path, target: &Path) -> Result<u64, StoreError> {
    let made = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(target);
    let made = made.map_err(|error| StoreError::open(format!("{}: {error}", target.display())))?;
    let copied = copy(source, target, &made).map_err(of_reader);
    let pages = copied?;
    flush(&made, target)?;
    Ok(pages)
}

fn copy(source: &Path, target: &Path, made: &File) -> rusqlite::Result<u64> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let from = Connection::open_with_flags(source, flags)?;
    from.busy_timeout(PATIENCE)?;
    from.execute_batch("begin")?;
    // The snapshot is taken by the first read.
    from.query_row("select count(*) from sqlite_schema", [], |_| Ok(()))?;
    let mut to = Connection::open_with_flags(
        target,
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )?;
    // An interrupted copy is thrown away, and `flush` writes to the disk.
    to.query_row("pragma journal_mode = off", [], |_| Ok(()))?;
    to.pragma_update(None, "synchronous", "off")?;
    let backup = Backup::new(&from, &mut to)?;
    let mut waited = Duration::ZERO;
    for portion in 1_usize.. {
        let began = Instant::now();
        match backup.step(PORTION)? {
            StepResult::Done => break,
            StepResult::More => waited = Duration::ZERO,
            // Another process has the file locked, which it does for a moment at most.
            _ if waited < PATIENCE => {
                std::thread::sleep(LONGEST_PAUSE);
                waited += LONGEST_PAUSE;
            }
            _ => {
                let busy = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_BUSY);
                return Err(rusqlite::Error::SqliteFailure(busy, None));
            }
        }
        if portion % FLUSHED_AFTER == 0 {
            // A failure here comes again at the end, where it is reported.
            let _ = made.sync_data();
        }
        let pause = began.elapsed().saturating_mul(PAUSES);
        std::thread::sleep(pause.min(LONGEST_PAUSE));
    }
    Ok(u64::try_from(backup.progress().pagecount).unwrap_or(0))
}

fn flush(made: &File, target: &Path) -> Result<(), StoreError> {
    let folder = target.parent().filter(|path| !path.as_os_str().is_empty());
    let folder = File::open(folder.unwrap_or(Path::new(".")));
    made.sync_all()
        .and_then(|()| folder.and_then(|folder| folder.sync_all()))
        .map_err(|error| StoreError::open(format!("{}: {error}", target.display())))
}
