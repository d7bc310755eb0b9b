//! One process per SQLite file.
//!
//! A second server on the same file would work from its own caches and run every worker twice. The lock is the operating
//! system's (flock) on the database file itself. So a file has one server under any name, and the lock ends with the
//! process, even with a crash. On Linux's local file systems it doesn't interact with SQLite's own locks (fcntl). On NFS,
//! where one is implemented by the other, opening fails; SQLite's write-ahead log must not lie there anyway.

use std::collections::BTreeSet;
use std::fs::{File, Metadata, OpenOptions, TryLockError};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use multirail_sql::StoreError;

/// The files that this process has locked. Closing any descriptor of a file drops all locks that SQLite holds on it in this
/// process, so a file in this list is not even opened.
static HELD: Mutex<BTreeSet<FileId>> = Mutex::new(BTreeSet::new());

fn held() -> MutexGuard<'static, BTreeSet<FileId>> {
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The identity of a file, independent of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FileId {
    device: u64,
    inode: u64,
}

impl FileId {
    pub(super) fn from_metadata(metadata: &Metadata) -> Self {
        Self {
            device: metadata.dev(),
            inode: metadata.ino(),
        }
    }

    /// Reads the identity of the file at a path. It asks Linux for the inode alone. Reading a file's times would make the
    /// file system record exact ones with every commit.
    #[cfg(target_os = "linux")]
    pub(super) fn at(path: &Path) -> std::io::Result<Self> {
        use rustix::fs::{AtFlags, CWD, StatxFlags, makedev, statx};
        let found = statx(CWD, path, AtFlags::empty(), StatxFlags::INO)?;
        Ok(Self {
            device: makedev(found.stx_dev_major, found.stx_dev_minor),
            inode: found.stx_ino,
        })
    }

    /// Reads the identity of the file at a path.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn at(path: &Path) -> std::io::Result<Self> {
        path.metadata()
            .map(|metadata| Self::from_metadata(&metadata))
    }
}

/// A directory's identity, and when an entry in it was last created, removed or replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    directory: FileId,
    changed: (i64, i64),
}

impl Stamp {
    /// Unlike a file's, a directory's times may be read: it is hardly ever written.
    pub(super) fn at(directory: &Path) -> std::io::Result<Self> {
        let found = directory.metadata()?;
        Ok(Self {
            directory: FileId::from_metadata(&found),
            changed: (found.ctime(), found.ctime_nsec()),
        })
    }
}

/// The lock, held as long as anything of the file is open.
#[derive(Debug)]
pub(super) struct ProcessLock {
    file: Option<File>,
    id: FileId,
}

impl ProcessLock {
    /// Locks the file. Creates it if there is none, readable by this user only; SQLite gives its other files the same mode.
    pub(super) fn take(database: &Path) -> Result<Self, StoreError> {
        let describe = |error| StoreError::open(format!("{}: {error}", database.display()));
        let locked = |holder| StoreError::Locked {
            path: database.display().to_string(),
            holder,
        };
        let mut held = held();
        if let Ok(metadata) = database.metadata()
            && held.contains(&FileId::from_metadata(&metadata))
        {
            return Err(locked(Some(std::process::id())));
        }
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(database)
            .map_err(describe)?;
        let metadata = file.metadata().map_err(describe)?;
        let id = FileId::from_metadata(&metadata);
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(locked(holder(id))),
            Err(TryLockError::Error(error)) => return Err(describe(error)),
        }
        // SQLite puts its write-ahead log beside the name that it gets. After a crash, a start with another name would not
        // find it, and would lose the last commits.
        if metadata.nlink() > 1 {
            return Err(StoreError::open(format!(
                "{} has {} names (hard links); remove the others, its write-ahead log goes by one of them",
                database.display(),
                metadata.nlink()
            )));
        }
        held.insert(id);
        Ok(Self {
            file: Some(file),
            id,
        })
    }

    /// Returns the identity of the locked file.
    pub(super) fn id(&self) -> FileId {
        self.id
    }
}

impl Drop for ProcessLock {
    fn drop(&mut self) {
        let mut held = held();
        drop(self.file.take());
        held.remove(&self.id);
    }
}

/// How often the system's list of locks is read. It comes in pieces, and a lock can slip between two of them while others
/// come and go.
const READINGS: usize = 5;

/// Returns the process that holds the lock, if the system tells: without it the message is still true.
fn holder(id: FileId) -> Option<u32> {
    (0..READINGS).find_map(|_| holder_now(id))
}

fn holder_now(id: FileId) -> Option<u32> {
    let locks = std::fs::read_to_string("/proc/locks").ok()?;
    let (major, minor) = (rustix::fs::major(id.device), rustix::fs::minor(id.device));
    let file = format!("{major:02x}:{minor:02x}:{}", id.inode);
    locks.lines().find_map(|line| holder_in(line, &file))
}

/// Parses a line such as `3: FLOCK  ADVISORY  WRITE 1234 fe:00:5678 0 EOF`. A process of another container has the number
/// 0.
fn holder_in(line: &str, file: &str) -> Option<u32> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [_, "FLOCK", _, _, process, locked, ..] = words[..] else {
        return None;
    };
    let process = process.parse().ok().filter(|process| *process > 0)?;
    (locked == file).then_some(process)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_holder_is_read_from_the_line_of_its_file() {
        let line = "3: FLOCK  ADVISORY  WRITE 1234 fe:00:5678 0 EOF";
        assert_eq!(holder_in(line, "fe:00:5678"), Some(1234));
        assert_eq!(holder_in(line, "fe:00:567"), None);
        let waiting = "3: -> FLOCK  ADVISORY  WRITE 1234 fe:00:5678 0 EOF";
        assert_eq!(holder_in(waiting, "fe:00:5678"), None);
        let sqlite = "4: POSIX  ADVISORY  READ 1234 fe:00:5678 1073741826 1073742335";
        assert_eq!(holder_in(sqlite, "fe:00:5678"), None);
        let outside = "3: FLOCK  ADVISORY  WRITE 0 fe:00:5678 0 EOF";
        assert_eq!(holder_in(outside, "fe:00:5678"), None);
    }
}
