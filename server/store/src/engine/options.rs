//! Settings of an engine.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

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
