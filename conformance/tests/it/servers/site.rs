//! Servers in sequence or in parallel on one database.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use multirail_conformance::patience::until_found;
use multirail_conformance::{Engine, Shop, TestServer};
use multirail_server::config::{Inputs, Setting};
use multirail_test_postgres::{Cluster, TestPostgres};

pub const MASTER_KEY: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

/// The folder and database that these servers share.
#[derive(Clone)]
pub struct Site {
    directory: Arc<tempfile::TempDir>,
    /// None means SQLite in the folder.
    database_url: Option<String>,
}

impl Site {
    pub fn on_sqlite() -> Self {
        Self {
            directory: Arc::new(tempfile::tempdir().expect("a temporary folder")),
            database_url: None,
        }
    }

    /// Creates a database on PostgreSQL. Prints a message and returns none if PostgreSQL isn't installed.
    pub async fn on_postgres() -> Option<Self> {
        let made = tokio::task::spawn_blocking(|| {
            TestPostgres::start_or_explain().map(|one| one.create_database())
        });
        let url = made.await.expect("a database can be made").ok()?;
        Some(Self {
            database_url: Some(url),
            ..Self::on_sqlite()
        })
    }

    /// Starts a PostgreSQL server for this site alone, whose files can be read.
    pub async fn on_own_postgres() -> Option<(Self, Arc<Cluster>)> {
        let made = tokio::task::spawn_blocking(|| {
            TestPostgres::start_own_or_explain().map(|one| (one.create_database(), one))
        });
        let (url, cluster) = made.await.expect("a database can be made").ok()?;
        let site = Self {
            database_url: Some(url),
            ..Self::on_sqlite()
        };
        Some((site, cluster))
    }

    /// Returns the URL of the database if it is PostgreSQL.
    pub fn database_url(&self) -> Option<&str> {
        self.database_url.as_deref()
    }

    /// Returns the folder in which such a server keeps its files.
    pub fn folder(&self, folder: &str) -> PathBuf {
        self.directory.path().join(folder)
    }

    /// Starts a server whose simulated processor keeps its books in this folder.
    pub async fn server(&self, folder: &str) -> Arc<TestServer> {
        self.server_with(folder, |inputs| inputs).await
    }

    /// Starts a server with changed settings.
    pub async fn server_with(
        &self,
        folder: &str,
        more: impl FnOnce(Inputs) -> Inputs,
    ) -> Arc<TestServer> {
        let folder = self.folder(folder);
        std::fs::create_dir_all(&folder).expect("a folder can be made");
        until_free(&folder).await;
        let change = |mut inputs: Inputs| {
            inputs
                .options
                .retain(|(setting, _)| *setting != Setting::DataDirectory);
            let inputs = inputs
                .with(Setting::DataDirectory, folder.to_string_lossy())
                .with(Setting::MasterKey, MASTER_KEY)
                .with(Setting::ProcessorDeadlineMs, "2000");
            more(match &self.database_url {
                Some(url) => inputs.with(Setting::DatabaseUrl, url),
                None => inputs,
            })
        };
        TestServer::start_on(Engine::Sqlite, change).await
    }
}

/// Waits until a killed server has released its database, a moment after its death. The test reads the system's list
/// of locks: closing the file here would drop SQLite's own locks of a server in this process.
pub async fn until_free(folder: &Path) {
    let Ok(database) = std::fs::metadata(folder.join("multirail.sqlite")) else {
        return;
    };
    let file = format!(":{}", database.ino());
    let is_held = || {
        let locks = std::fs::read_to_string("/proc/locks").unwrap_or_default();
        let mut lines = locks.lines().filter(|line| line.contains("FLOCK"));
        lines.any(|line| line.split_whitespace().any(|word| word.ends_with(&file)))
    };
    // The list is read in pieces, and a lock can be missed when others come and go. So it is read several times.
    until_found("the database is unlocked", async || {
        for _ in 0..3 {
            if is_held() {
                return Err("it is locked");
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        Ok(())
    })
    .await;
}

/// A shop between two servers.
pub struct Closed {
    merchant_id: String,
    profile_id: String,
    api_key: String,
    publishable_key: String,
    connector_account_id: String,
}

/// Takes a shop from its server, so that nothing holds that server any more.
pub fn closed(shop: Shop) -> (Arc<TestServer>, Closed) {
    let closed = Closed {
        merchant_id: shop.merchant_id,
        profile_id: shop.profile_id,
        api_key: shop.api_key,
        publishable_key: shop.publishable_key,
        connector_account_id: shop.connector_account_id,
    };
    (shop.server, closed)
}

impl Closed {
    /// Opens the same shop at this server.
    pub fn opens_at(self, server: Arc<TestServer>) -> Shop {
        Shop {
            server,
            merchant_id: self.merchant_id,
            profile_id: self.profile_id,
            api_key: self.api_key,
            publishable_key: self.publishable_key,
            connector_account_id: self.connector_account_id,
        }
    }
}

/// Moves the shop to another server; returns its old server too.
pub fn moved(shop: Shop, to: Arc<TestServer>) -> (Shop, Arc<TestServer>) {
    let old = Arc::clone(&shop.server);
    (Shop { server: to, ..shop }, old)
}

/// Returns whether any file of the folder contains this text.
pub fn is_found(folder: &Path, text: &str) -> bool {
    let files = std::fs::read_dir(folder).expect("a folder");
    let paths = files.map(|file| file.expect("a file").path());
    paths.filter(|path| path.is_file()).any(|path| {
        let bytes = std::fs::read(path).expect("a file");
        bytes
            .windows(text.len())
            .any(|some| some == text.as_bytes())
    })
}
