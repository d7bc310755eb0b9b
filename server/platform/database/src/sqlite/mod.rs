//! SQLite: one file, one process, one writer thread, several readers.
//!
//! The file is in WAL mode with `synchronous=FULL`: a batch that was answered survives a power cut. Both kinds of threads
//! use rusqlite, because sqlx hands every single statement to a thread and back.

pub mod backup;
mod checkpoints;
mod errors;
mod file_check;
mod files;
mod group_commit;
pub mod integrity;
mod job;
mod lock;
mod migration;
mod reader;
mod statement;
mod writer;

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use multirail_sql::{Read, Row, StoreError, Write, WriteError};
use sqlx::migrate::Migrator;

use super::options::Options;
use integrity::{Access, Depth};
use lock::ProcessLock;
use reader::Reader;
use writer::Writer;

pub use writer::Statistics;

/// An open SQLite file. Clones share it.
#[derive(Clone, Debug)]
pub struct Sqlite {
    path: Arc<Path>,
    busy_timeout: Duration,
    /// The writing thread; none for a file that is only read.
    writer: Option<Writer>,
    reader: Reader,
}

impl Sqlite {
    /// Opens the file at `path`, the text after `sqlite:`; two slashes before it may stay. A missing file and its directory
    /// are created, for this user only.
    pub(super) async fn open(path: &str, options: Options) -> Result<Self, StoreError> {
        let path: Arc<Path> = file_path(path)?.into();
        make_directory(&path)?;
        let lock = Arc::new(ProcessLock::take(&path)?);
        check(&path, &options).await?;

        let writer = {
            let (path, lock, options) = (path.clone(), Arc::clone(&lock), options.clone());
            tokio::task::spawn_blocking(move || Writer::start(&path, lock, &options))
                .await
                .map_err(StoreError::open)??
        };
        // After the writer, which has turned on the write-ahead log that readers need.
        let reader = Reader::open(&path, writer.files(), lock, &options).await?;
        Ok(Self {
            path,
            busy_timeout: options.statement_timeout,
            writer: Some(writer),
            reader,
        })
    }

    /// Opens a file that nothing writes to. Changes neither the file nor its folder.
    pub(super) async fn open_at_rest(path: &Path, options: Options) -> Result<Self, StoreError> {
        let reader = Reader::open_at_rest(path, &options).await?;
        Ok(Self {
            path: path.into(),
            busy_timeout: options.statement_timeout,
            writer: None,
            reader,
        })
    }

    pub(super) async fn fetch(&self, read: &Read) -> Result<Vec<Row>, StoreError> {
        self.reader.fetch(read).await
    }

    pub(super) async fn write(&self, batch: Vec<Write>) -> Result<Vec<u64>, WriteError> {
        match &self.writer {
            Some(writer) => writer.write(batch).await,
            None => Err(read_only().into()),
        }
    }

    /// Checks whether something could be stored now.
    pub(super) async fn check(&self) -> Result<(), WriteError> {
        match &self.writer {
            Some(writer) => writer.check().await,
            None => Err(read_only().into()),
        }
    }

    /// Returns the faults of the file; none if it is sound. A server goes on meanwhile.
    pub(super) async fn faults(&self) -> Result<Vec<String>, StoreError> {
        let (path, access) = (Arc::clone(&self.path), self.access());
        let look = move || integrity::faults(&path, Depth::Full, access);
        tokio::task::spawn_blocking(look)
            .await
            .map_err(StoreError::open)?
    }

    fn access(&self) -> Access {
        match &self.writer {
            Some(_) => Access::Shared,
            None => Access::AtRest,
        }
    }

    /// Returns the writer's counts since the file was opened.
    pub fn statistics(&self) -> Statistics {
        let writer = self.writer.as_ref();
        writer.map(Writer::statistics).unwrap_or_default()
    }

    pub(super) async fn migrate(&self, migrator: Migrator) -> Result<(), StoreError> {
        let (path, busy_timeout) = (Arc::clone(&self.path), self.busy_timeout);
        tokio::task::spawn_blocking(move || migration::apply(&path, busy_timeout, &migrator))
            .await
            .map_err(StoreError::open)?
    }

    pub(super) async fn close(&self) {
        self.reader.close().await;
        if let Some(writer) = &self.writer {
            writer.close().await;
        }
    }
}

/// Returns the path behind `sqlite:`; two slashes before it may stay.
///
/// # Errors
/// Fails when the text isn't the path of a file.
pub fn file_path(path: &str) -> Result<PathBuf, StoreError> {
    let path = path.strip_prefix("//").unwrap_or(path);
    if path.is_empty() || path.starts_with(':') || path.contains('?') {
        return Err(StoreError::open(
            "sqlite: wants the path of a file after it, without options",
        ));
    }
    Ok(PathBuf::from(path))
}

/// Refuses a damaged file, before anything in it is repaired or changed.
async fn check(path: &Arc<Path>, options: &Options) -> Result<(), StoreError> {
    let Some(look) = options.file_check else {
        return Ok(());
    };
    let path = Arc::clone(path);
    tokio::task::spawn_blocking(move || look.at(&path))
        .await
        .map_err(StoreError::open)?
}

/// Returns the address by which SQLite opens a file.
fn address(path: &Path, access: Access) -> String {
    let mut address = "file:".to_owned();
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'%' | b'?' | b'#' | 0x80.. => address.push_str(&format!("%{byte:02X}")),
            _ => address.push(char::from(*byte)),
        }
    }
    match access {
        Access::Shared => {}
        Access::AtRest => address.push_str("?immutable=1"),
    }
    address
}

fn read_only() -> StoreError {
    StoreError::Statement("the file was opened for reading only".to_owned())
}

fn make_directory(path: &Path) -> Result<(), StoreError> {
    let Some(directory) = path.parent().filter(|d| !d.as_os_str().is_empty()) else {
        return Ok(());
    };
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(directory)
        .map_err(|error| StoreError::open(format!("{}: {error}", directory.display())))
}
