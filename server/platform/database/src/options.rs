//! Settings of an engine.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Settings for opening an engine. `Options::default()` suits a small server.
#[derive(Clone, Debug)]
pub struct Options {
    /// The most connections: all of the pool on PostgreSQL, the readers on SQLite (whose single writer is additional).
    pub connections: u32,
    /// How long to wait for a free or new connection.
    pub acquire_timeout: Duration,
    /// Time limit of one statement on PostgreSQL (migrations excepted). On SQLite, how long to wait while another process,
    /// such as a backup, has the file locked.
    pub statement_timeout: Duration,
    /// How many batches may wait for the SQLite writer before [`super::StoreError::Overloaded`].
    pub write_queue: usize,
    /// The most batches that the SQLite writer puts into one transaction.
    pub group_limit: usize,
    /// How often a batch is tried again on PostgreSQL after a deadlock or serialization failure.
    pub retries: u32,
    /// The name under which PostgreSQL lists our connections.
    pub application_name: String,
    /// The inspection of a SQLite file before it is opened, if any.
    pub file_check: Option<FileCheck>,
    /// The action when SQLite can't say whether a commit is on disk.
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

/// A hook that is called with one line of explanation when nobody knows whether a commit is in the SQLite file. After a
/// failed fsync, for instance, only a new start can tell.
///
/// The writer has ended by then and has reported no success. A server then shuts down in order; the default writes the line
/// to the log.
#[derive(Clone)]
pub struct Fatal(Arc<dyn Fn(&str) + Send + Sync>);

impl Fatal {
    /// Returns a hook that writes the line to the log.
    pub fn logged() -> Self {
        Self::new(|why| tracing::error!(why, "nothing is written to the SQLite file any more"))
    }

    /// Returns a hook that calls this function.
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

/// The limits of a start's search for damage in a SQLite file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileCheck {
    /// The largest file, in bytes, whose indexes are compared with their tables. In a larger one only pages and rows are
    /// read, which takes a fraction of the time.
    pub full_up_to_bytes: u64,
}
