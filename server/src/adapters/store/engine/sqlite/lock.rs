//! One process per SQLite file.
//!
//! A second server on the same file would work from its own caches and run every worker twice. The
//! lock is the operating system's, on a file beside the database: it ends with the process, however
//! that ends, and the file that stays behind means nothing.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use super::super::error::StoreError;

/// Held for as long as this lives.
#[derive(Debug)]
pub(super) struct ProcessLock(#[expect(dead_code, reason = "the lock ends with it")] File);

impl ProcessLock {
    /// Locks `<database>.lock`.
    pub(super) fn take(database: &Path) -> Result<Self, StoreError> {
        let path = lock_path(database);
        let describe = |error| StoreError::open(format!("{}: {error}", path.display()));
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(&path)
            .map_err(describe)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                // Best effort: without the number the message is still true.
                let _ = file.read_to_string(&mut holder);
                return Err(StoreError::Locked {
                    path: database.display().to_string(),
                    holder: holder.trim().parse().ok(),
                });
            }
            Err(TryLockError::Error(error)) => return Err(describe(error)),
        }
        file.set_len(0).map_err(describe)?;
        file.rewind().map_err(describe)?;
        writeln!(file, "{}", std::process::id()).map_err(describe)?;
        Ok(Self(file))
    }
}

fn lock_path(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(".lock");
    name.into()
}
