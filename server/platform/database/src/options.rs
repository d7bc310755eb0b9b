//! Settings of an engine.

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use multirail_sql::Standstill;

use super::StoreError;
use super::sqlite::integrity::{self, Access, Depth};

/// How to open an engine. `Options::default()` suits a small server.
#[derive(Clone, Debug)]
pub struct Options {
    /// Connections at most: all of the pool on PostgreSQL, the readers on SQLite (whose single
    /// writer comes on top).
    pub connections: u32,
    /// How long to wait for a free connection, and for a new one to be made.
    pub acquire_timeout: Duration,
    /// Time limit of one statement on PostgreSQL (migrations excepted); on SQLite how long to wait while another
    /// process, such as a backup, has the file locked.
    pub statement_timeout: Duration,
    /// How many batches may wait for the SQLite writer before [`super::StoreError::Overloaded`].
    pub write_queue: usize,
    /// How many batches the SQLite writer puts into one transaction at most.
    pub group_limit: usize,
    /// How often a batch is tried again on PostgreSQL after a deadlock or serialization failure.
    pub retries: u32,
    /// The name under which PostgreSQL lists our connections.
    pub application_name: String,
    /// The inspection of a SQLite file before it is opened; none where it isn't inspected.
    pub file_check: Option<FileCheck>,
    /// What happens when SQLite can't say whether a commit is on disk.
    pub fatal: Fatal,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            connections: 8,
            acquire_timeout: Duration::from_secs(5),
            statement_timeout: Duration::from_secs(10),
            write_queue: 1024,
            group_limit: 128,
            retries: 5,
            application_name: "multirail".to_owned(),
            file_check: None,
            fatal: Fatal::logged(),
        }
    }
}

/// Called with one line of explanation when it can't be known whether a commit is in the SQLite file: after a failed
/// fsync, for instance, only opening the file anew tells.
///
/// The writer has ended then, and has told nobody of success. A server ends as well, in order; the default writes the
/// line to the log.
#[derive(Clone)]
pub struct Fatal(Arc<dyn Fn(&str) + Send + Sync>);

impl Fatal {
    /// A line in the log.
    pub fn logged() -> Self {
        Self::new(|why| tracing::error!(why, "nothing is written to the SQLite file any more"))
    }

    /// Anything else.
    pub fn new(hook: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self(Arc::new(hook))
    }

    pub(super) fn call(&self, why: &str) {
        (self.0)(why);
    }
}

impl fmt::Debug for Fatal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Fatal")
    }
}

/// The way in which a start looks for damage of a SQLite file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileCheck {
    /// Indexes are compared with their tables in a file of this many bytes at most. In a longer one every page and every row is
    /// looked at, which takes a fraction of that time.
    pub full_up_to_bytes: u64,
}

/// A start that takes longer than this says why.
const REMARKABLE: Duration = Duration::from_secs(1);

impl FileCheck {
    /// Looks at the file; blocks. One that isn't there, or is empty, is whole.
    pub(super) fn at(self, path: &Path) -> Result<(), StoreError> {
        let bytes = path.metadata().map_or(0, |metadata| metadata.len());
        if bytes == 0 {
            return Ok(());
        }
        let depth = if bytes <= self.full_up_to_bytes {
            Depth::Full
        } else {
            Depth::Quick
        };
        let began = Instant::now();
        // An unreadable file can't be opened either, and that error says so better.
        let Ok(faults) = integrity::faults(path, depth, Access::Shared) else {
            return Ok(());
        };
        let took = began.elapsed();
        if took > REMARKABLE {
            tracing::info!(bytes, ?took, "the database file was checked");
        }
        match faults.first() {
            None => Ok(()),
            Some(_) => Err(StoreError::Standstill(
                Standstill::Damaged,
                format!("{}: {}", path.display(), faults.join("; ")),
            )),
        }
    }
}
