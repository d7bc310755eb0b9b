//! The files of an open database, and why the system refuses to write to them.
//!
//! A process that has a deleted or replaced file open can still write to it, but its writes are lost when the process ends.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use multirail_sql::{Standstill, StoreError};
use rustix::fs::{StatVfsMountFlags, statvfs};
use rustix::process::{Resource, getrlimit};

use super::lock::{FileId, Stamp};

/// The longest piece that SQLite writes at once: a page with the head of its frame in the write-ahead log.
const LONGEST_PIECE: u64 = 65_536 + 24;

/// The database file, its write-ahead log and the index of that.
#[derive(Debug)]
pub(super) struct Files([(PathBuf, FileId); 3]);

impl Files {
    /// Records the files of a database that SQLite has open. `database` is the locked file.
    pub(super) fn open(path: &Path, database: FileId) -> Result<Self, StoreError> {
        let [_, log, index] = names(path).map_err(|error| describe(path, &error))?;
        let known = |path: PathBuf| match FileId::at(&path) {
            Ok(id) => Ok((path, id)),
            Err(error) => Err(describe(&path, &error)),
        };
        Ok(Self([
            // By the given name: a link that points elsewhere later is a change, too.
            (path.to_owned(), database),
            known(log)?,
            known(index)?,
        ]))
    }

    /// Checks that all of them are where they were. Takes a few microseconds.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        for (path, id) in &self.0 {
            let (standstill, why) = match FileId::at(path) {
                Ok(found) if found == *id => continue,
                Ok(_) => (Standstill::Replaced, "is another file now".to_owned()),
                Err(error) => (Standstill::Gone, error.to_string()),
            };
            let why = format!("{}: {why}", path.display());
            return Err(StoreError::Standstill(standstill, why));
        }
        Ok(())
    }
}

/// Checks before each group whether the files are where they were, mostly by one look at their directory instead of one at
/// each file.
pub(super) struct Watch {
    files: Arc<Files>,
    /// The directory of the files; none if the database's path is a link, which may be changed elsewhere.
    directory: Option<PathBuf>,
    quiet: Quiet,
}

impl Watch {
    pub(super) fn new(files: Arc<Files>, path: &Path) -> Self {
        Self {
            directory: directory_of(path),
            files,
            quiet: Quiet::default(),
        }
    }

    /// Like [`Files::check`].
    pub(super) fn check(&mut self) -> Result<(), StoreError> {
        let now = Instant::now();
        let directory = self.directory.as_deref();
        let stamp = directory.and_then(|directory| Stamp::at(directory).ok());
        if self.quiet.vouches(stamp, now) {
            return Ok(());
        }
        let checked = self.files.check();
        self.quiet.looked(stamp.filter(|_| checked.is_ok()), now);
        checked
    }
}

/// The time for which a directory has been unchanged. Creating, removing or renaming a file in it changes its time stamp.
#[derive(Debug, Default)]
struct Quiet(Option<Seen>);

#[derive(Debug)]
struct Seen {
    stamp: Stamp,
    first: Instant,
    last_look: Instant,
}

impl Quiet {
    /// The resolution of the time stamps' clock, at most. A check must be that much later than the stamp: a change soon
    /// after the stamp may leave it unchanged.
    const SETTLED: Duration = Duration::from_millis(100);
    /// The longest time between two full checks. They find changes that leave no trace in the directory, such as a mount
    /// over a file.
    const TRUSTED: Duration = Duration::from_secs(1);

    /// Returns whether the files need no check.
    fn vouches(&self, stamp: Option<Stamp>, now: Instant) -> bool {
        self.0.as_ref().is_some_and(|seen| {
            stamp == Some(seen.stamp)
                && seen.last_look.duration_since(seen.first) >= Self::SETTLED
                && now.duration_since(seen.last_look) < Self::TRUSTED
        })
    }

    /// Records that the files are in order, with their directory's time stamp from just before.
    fn looked(&mut self, stamp: Option<Stamp>, now: Instant) {
        let before = self.0.take();
        self.0 = stamp.map(|stamp| Seen {
            stamp,
            first: before
                .filter(|seen| seen.stamp == stamp)
                .map_or(now, |seen| seen.first),
            last_look: now,
        });
    }
}

/// Returns the directory of the database, unless the file's path is a link.
fn directory_of(path: &Path) -> Option<PathBuf> {
    let beside = path.parent()?;
    let directory = if beside.as_os_str().is_empty() {
        Path::new(".")
    } else {
        beside
    };
    let by_name = directory.canonicalize().ok()?.join(path.file_name()?);
    (path.canonicalize().ok()? == by_name).then(|| directory.to_owned())
}

/// Finds out why the system refused to write to the database, as SQLite says only that it did.
pub(super) fn standstill(database: &Path) -> Standstill {
    if let Ok(system) = statvfs(database) {
        if system.f_flag.contains(StatVfsMountFlags::RDONLY) {
            return Standstill::ReadOnly;
        }
        if system.f_bavail == 0 {
            return Standstill::Full;
        }
    }
    let lengths = names(database).into_iter().flatten();
    let lengths = lengths.filter_map(|path| path.metadata().ok());
    let longest = lengths.map(|metadata| metadata.len()).max().unwrap_or(0);
    match getrlimit(Resource::Fsize).current {
        Some(limit) if longest + LONGEST_PIECE >= limit => Standstill::SizeLimit,
        Some(_) | None => Standstill::DiskError,
    }
}

/// Returns the paths of the three files. SQLite follows symbolic links before it puts anything beside the database.
fn names(database: &Path) -> std::io::Result<[PathBuf; 3]> {
    let followed = database.canonicalize()?;
    let beside = |suffix: &str| {
        let mut name = followed.clone().into_os_string();
        name.push(suffix);
        PathBuf::from(name)
    };
    let (log, index) = (beside("-wal"), beside("-shm"));
    Ok([followed, log, index])
}

fn describe(path: &Path, error: &std::io::Error) -> StoreError {
    StoreError::open(format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests;
