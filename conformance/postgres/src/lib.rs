//! A private PostgreSQL server for tests, started from the machine's own binaries.
//!
//! ```no_run
//! # use multirail_test_postgres::TestPostgres;
//! let Ok(cluster) = TestPostgres::start_or_explain() else { return };
//! let url = cluster.create_database(); // postgres://multirail@127.0.0.1:.../test_1
//! ```
//!
//! One server for each test process, one database for each test. Nothing is installed or downloaded, and no existing server
//! is touched. The server ends with the process that started it, even if that is killed. Without binaries the tests that
//! need them print a message and pass; with the environment variable `REQUIRE_POSTGRES=1` (as in `.ci/run`) they fail.
//!
//! The server runs without fsync: it survives being killed (see [`Cluster::kill`]), but measures of its speed mean nothing.
//! Measurements use [`TestPostgres::start_durable`].

mod binaries;
mod cluster;
mod directory;
mod helpers;
mod port;
mod protocol;
mod system;
mod unavailable;

use std::path::Path;
use std::sync::{Arc, OnceLock};

pub use cluster::Cluster;
use cluster::Keeping;
pub use port::free_port;
pub use unavailable::Unavailable;

/// Bytes that a cluster in memory needs: its log, and the databases of many tests at ten megabytes each.
const ROOM: u64 = 2 << 30;

/// The entry point to a [`Cluster`].
pub struct TestPostgres;

impl TestPostgres {
    /// Returns the server of this process, which the first call starts in about a second. Blocks meanwhile.
    ///
    /// # Errors
    /// [`Unavailable`], which has been printed as well.
    ///
    /// # Panics
    /// If no server can be started and `REQUIRE_POSTGRES=1`.
    pub fn start_or_explain() -> Result<Arc<Cluster>, Unavailable> {
        static SHARED: OnceLock<Result<Arc<Cluster>, Unavailable>> = OnceLock::new();
        explain(SHARED.get_or_init(start_quick).clone())
    }

    /// Starts a server for one test alone, which may stop and kill it. It ends when the last handle is dropped.
    ///
    /// # Errors
    /// As [`TestPostgres::start_or_explain`].
    ///
    /// # Panics
    /// As [`TestPostgres::start_or_explain`].
    pub fn start_own_or_explain() -> Result<Arc<Cluster>, Unavailable> {
        explain(start_quick())
    }

    /// Starts a server for measurements, with the installed settings: it waits for its disk. Its data lies in a new folder
    /// under `parent`, which every user must be able to enter.
    ///
    /// # Errors
    /// [`Unavailable`]; nothing is printed.
    pub fn start_durable(parent: &Path) -> Result<Arc<Cluster>, Unavailable> {
        Cluster::start_new(parent, Keeping::Full).map(Arc::new)
    }
}

/// Starts in memory if the machine has such a folder with enough room. A test's database has a few hundred files, and
/// creating and removing them on a disk takes longer than the test.
fn start_quick() -> Result<Arc<Cluster>, Unavailable> {
    let in_memory = Path::new("/dev/shm");
    if system::free_bytes(in_memory) >= ROOM {
        return Cluster::start_new(in_memory, Keeping::InMemory).map(Arc::new);
    }
    Cluster::start_new(&std::env::temp_dir(), Keeping::OnDisk).map(Arc::new)
}

fn explain<T>(result: Result<T, Unavailable>) -> Result<T, Unavailable> {
    if let Err(why) = &result {
        assert!(
            std::env::var_os("REQUIRE_POSTGRES").is_none_or(|value| value != "1"),
            "REQUIRE_POSTGRES=1, but {why}"
        );
        // Past the test harness, which hides the output of a passing test.
        system::say(&format!("PostgreSQL tests did not run: {why}\n"));
    }
    result
}
