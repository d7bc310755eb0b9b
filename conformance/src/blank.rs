//! A database that holds the schema and nothing else.
//!
//! `multirail migrate` creates one for each process; every server gets a copy of its own. Migrating each of them took a
//! fifth of the computing time of all scenarios together.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use multirail_server::config::{Config, Inputs, Setting};
use multirail_server::startup::migrate;
use multirail_test_postgres::{Cluster, TestPostgres};
use tempfile::TempDir;
use tokio::sync::OnceCell;

/// The name of a server's database file, in its data directory.
const FILE: &str = "multirail.sqlite";

/// Copies the file into a data directory.
///
/// # Panics
/// If no database can be created or copied.
pub async fn copy_file_into(directory: &Path) {
    static FILE_HELD: OnceCell<Vec<u8>> = OnceCell::const_new();
    let held = FILE_HELD.get_or_init(async || {
        let directory = TempDir::new().expect("a temporary folder");
        let folder = directory.path().to_string_lossy();
        bring_up_to_date(Inputs::default().with(Setting::DataDirectory, folder)).await;
        let left: Vec<_> = fs::read_dir(&directory)
            .expect("the folder")
            .map(|entry| entry.expect("an entry").file_name())
            .filter(|name| name.to_string_lossy().starts_with(FILE))
            .collect();
        assert_eq!(left, [FILE], "all of it is in one file");
        fs::read(directory.path().join(FILE)).expect("the database's file")
    });
    fs::write(directory.join(FILE), held.await).expect("a copy of the database's file");
}

/// A copy on the test process's PostgreSQL server, removed when the value is dropped.
pub struct PostgresCopy {
    pub url: String,
    cluster: Arc<Cluster>,
}

impl PostgresCopy {
    /// Makes a copy.
    ///
    /// # Panics
    /// If PostgreSQL is not installed, or no database can be created or copied.
    pub async fn make() -> Self {
        static BLANK: OnceCell<String> = OnceCell::const_new();
        let cluster = blocking(|| {
            TestPostgres::start_or_explain()
                .unwrap_or_else(|why| panic!("MULTIRAIL_TEST_ENGINE=postgres, but {why}"))
        });
        let cluster = cluster.await;
        let blank = BLANK.get_or_init(async || {
            let cluster = Arc::clone(&cluster);
            let url = blocking(move || cluster.create_database()).await;
            bring_up_to_date(Inputs::default().with(Setting::DatabaseUrl, url.as_str())).await;
            url
        });
        let (blank, copying) = (blank.await, Arc::clone(&cluster));
        let url = blocking(move || copying.copy_database(blank)).await;
        PostgresCopy { url, cluster }
    }
}

impl Drop for PostgresCopy {
    fn drop(&mut self) {
        self.cluster.drop_database(&self.url);
    }
}

async fn bring_up_to_date(inputs: Inputs) {
    let inputs = inputs.with(Setting::Sandbox, "true");
    let config = Config::read(&inputs).unwrap_or_else(|problems| panic!("{problems}"));
    migrate(config)
        .await
        .unwrap_or_else(|error| panic!("there is no schema: {error}"));
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let done = tokio::task::spawn_blocking(work).await;
    done.expect("a database can be made")
}
