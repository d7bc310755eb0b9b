//! manifest.json: the contents of a backup, and their checksums.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use multirail_database::Engine;
use multirail_database::sqlite::integrity::library_version;
use multirail_kernel::timestamp::Timestamp;
use multirail_store::{applied_schema, noted_audit_log, stored_mode};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{StartupError, manifest_of, refused};

pub(super) const MANIFEST: &str = "manifest.json";

/// The form of the manifest that this program writes and reads.
const FORMAT: u32 = 1;

/// The manifest of a backup. Written last: a folder without it holds no complete backup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Manifest {
    pub format: u32,
    /// When the copy was finished, in wall time. Later commits are not in it.
    pub made_at: String,
    /// Version of the program that made it.
    pub program: String,
    /// Version of its SQLite library.
    pub sqlite: String,
    /// The last migration of the database.
    pub schema: String,
    /// `production` or `sandbox`.
    pub mode: Option<String>,
    /// The last entry of the audit log, in the form for `multirail audit verify --noted`.
    pub audit_log: Option<String>,
    pub files: Vec<CopiedFile>,
    /// Rows by table.
    pub rows: BTreeMap<String, i64>,
}

/// A file of a backup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct CopiedFile {
    pub name: String,
    pub bytes: u64,
    /// In hexadecimal digits, as `sha256sum` writes it.
    pub sha256: String,
}

impl CopiedFile {
    /// Reads a file of a folder and computes its checksum.
    pub fn read(folder: &Path, name: &str) -> io::Result<Self> {
        let mut file = File::open(folder.join(name))?;
        let (bytes, sha256) = summed(&mut file, &mut io::sink())?;
        Ok(CopiedFile {
            name: name.to_owned(),
            bytes,
            sha256,
        })
    }
}

/// Copies everything; returns the number of bytes, and their SHA-256.
pub(super) fn summed(from: &mut impl Read, to: &mut impl Write) -> io::Result<(u64, String)> {
    let mut hash = Sha256::new();
    let mut portion = vec![0; 1 << 20];
    let mut bytes = 0;
    loop {
        let count = from.read(&mut portion)?;
        if count == 0 {
            let digits = hash
                .finalize()
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect();
            return Ok((bytes, digits));
        }
        hash.update(&portion[..count]);
        to.write_all(&portion[..count])?;
        bytes += count as u64;
    }
}

/// Returns the manifest of a copy.
pub(super) async fn describe(
    engine: &Engine,
    file: CopiedFile,
    rows: Vec<(String, i64)>,
    now: Timestamp,
) -> Result<Manifest, StartupError> {
    let unread = |error: multirail_app::platform::ports::StoreFailure| {
        StartupError::Database(error.to_string())
    };
    Ok(Manifest {
        format: FORMAT,
        made_at: now
            .to_datetime()
            .to_rfc3339_opts(chrono::SecondsFormat::Millis, true),
        program: env!("CARGO_PKG_VERSION").to_owned(),
        sqlite: library_version().to_owned(),
        schema: applied_schema(engine).await.map_err(unread)?,
        mode: stored_mode(engine).await.map_err(unread)?,
        audit_log: noted_audit_log(engine).await.map_err(unread)?,
        files: vec![file],
        rows: rows.into_iter().collect(),
    })
}

impl Manifest {
    /// Writes the manifest, readable by this user only, completely or not at all.
    pub fn write(&self, folder: &Path) -> Result<(), StartupError> {
        let path = manifest_of(folder);
        let unfinished = folder.join(format!("{MANIFEST}.unfinished"));
        let mut text = serde_json::to_string_pretty(self).map_err(|error| refused(&path, error))?;
        text.push('\n');
        let written = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&unfinished)
            .and_then(|mut file| {
                file.write_all(text.as_bytes())?;
                file.sync_all()
            })
            .and_then(|()| fs::rename(&unfinished, &path))
            .and_then(|()| File::open(folder)?.sync_all());
        written.map_err(|error| refused(&path, error))
    }

    /// Reads the manifest of a backup.
    pub fn read(folder: &Path) -> Result<Self, StartupError> {
        let path = manifest_of(folder);
        let broken = |why: &str| StartupError::BackupNotWhole(format!("{}: {why}", path.display()));
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(broken(
                    "it is not there, so that no whole backup is in this folder",
                ));
            }
            Err(error) => return Err(refused(&path, error)),
        };
        let manifest: Manifest =
            serde_json::from_str(&text).map_err(|error| broken(&error.to_string()))?;
        if manifest.format != FORMAT {
            return Err(broken(&format!(
                "it has the form {}, and this program reads {FORMAT}",
                manifest.format
            )));
        }
        Ok(manifest)
    }

    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }

    pub fn rows_of(&self, table: &str) -> i64 {
        self.rows.get(table).copied().unwrap_or(0)
    }
}
