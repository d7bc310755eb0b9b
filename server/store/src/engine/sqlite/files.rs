//! The files that an open database consists of, and what the system has against writing them.
//!
//! A process that has a deleted or replaced file open can still write to it, and what it writes ends with the process.

use std::path::{Path, PathBuf};

use multirail_app::ports::Standstill;
use rustix::fs::{StatVfsMountFlags, statvfs};
use rustix::process::{Resource, getrlimit};

use super::super::error::StoreError;
use super::lock::FileId;

/// The longest piece that SQLite writes at once: a page with the head of its frame in the write-ahead log.
const LONGEST_PIECE: u64 = 65_536 + 24;

/// The database file, its write-ahead log and the index of that.
#[derive(Debug)]
pub(super) struct Files([(PathBuf, FileId); 3]);

impl Files {
    /// Remembers the files of a database that SQLite has open. `database` is the file that is locked.
    pub(super) fn of(path: &Path, database: FileId) -> Result<Self, StoreError> {
        let [_, log, index] = names(path).map_err(|error| describe(path, &error))?;
        let known = |path: PathBuf| match FileId::at(&path) {
            Ok(id) => Ok((path, id)),
            Err(error) => Err(describe(&path, &error)),
        };
        Ok(Self([
            // By the name that was given: a link that points elsewhere later counts as well.
            (path.to_owned(), database),
            known(log)?,
            known(index)?,
        ]))
    }

    /// Whether all of them are where they were. Takes a few microseconds.
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

/// Why the system refused to write to the database, as far as it can be seen: SQLite says only that it did.
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

/// The three files. SQLite follows symbolic links before it puts anything beside the database.
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
