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
    /// Time limit of one statement on PostgreSQL (migrations excepted); on SQLite how long to wait
    /// while somebody else, a backup for instance, has the file locked.
    pub statement_timeout: Duration,
    /// How many batches may wait for the SQLite writer before [`super::StoreError::Overloaded`].
    pub write_queue: usize,
    /// How many batches the SQLite writer puts into one transaction at most.
    pub group_limit: usize,
    /// How often a batch is tried again on PostgreSQL after a deadlock or serialization failure.
    pub retries: u32,
    /// The name under which PostgreSQL lists our connections.
    pub application_name: String,
    /// What happens when SQLite can't say that a commit is on disk.
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
            fatal: Fatal::abort(),
        }
    }
}

/// Called with one line of explanation when the SQLite file can no longer be trusted to hold what we
/// would answer: a failed COMMIT or fsync, an I/O error, a full disk.
///
/// The default writes the line to the log and aborts the process: after a failed fsync nobody knows
/// what is on disk, and only opening the file anew tells. A test may pass something that returns;
/// the writer then answers nothing with success any more and ends.
#[derive(Clone)]
pub struct Fatal(Arc<dyn Fn(&str) + Send + Sync>);

impl Fatal {
    /// Log and abort.
    pub fn abort() -> Self {
        Self::new(|why| {
            tracing::error!(reason = why, "the SQLite database failed; the process ends");
            std::process::abort();
        })
    }

    /// Anything else, for tests.
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
