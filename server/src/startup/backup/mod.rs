//! `multirail backup` and `multirail restore`: copies the SQLite database while a server runs, checks a copy, and puts one
//! in the place of a lost database. PostgreSQL has tools of its own; its restored database is checked here as well.

mod check;
mod manifest;
mod place;

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use multirail_database::sqlite::backup::back_up;
use multirail_database::sqlite::integrity::{Access, Depth, faults, row_counts};
use multirail_kernel::timestamp::Timestamp;

use super::StartupError;
use crate::cli::{BackupRequest, RestoreRequest, Tell};
use crate::config::{Config, DatabaseEngine};
use manifest::{CopiedFile, MANIFEST};

/// The database within a backup.
const DATABASE: &str = "multirail.sqlite";

/// The copy until it is complete.
const UNFINISHED: &str = "multirail.sqlite.unfinished";

/// The priority of a backup: it uses only idle processor time.
const NICENESS: i32 = 19;

/// Copies the database of the settings into a folder.
///
/// # Errors
/// Fails when the folder isn't empty, when the database can't be read, or when it is damaged: then no manifest is written.
pub(super) async fn run(
    config: Config,
    asked: BackupRequest,
    tell: Tell<'_>,
    now: Timestamp,
) -> Result<(), StartupError> {
    let Some(source) = config.sqlite_file() else {
        return Err(StartupError::Refused(
            "multirail backup copies a SQLite file; PostgreSQL is backed up by pg_dump, or by pg_basebackup and an archive of its \
             log: server/deploy/BACKUP.md"
                .to_owned(),
        ));
    };
    let folder = asked.to;
    let (from, to) = (source.clone(), folder.clone());
    let copied = tokio::task::spawn_blocking(move || copy(&from, &to));
    let (file, rows) = copied
        .await
        .map_err(|error| StartupError::Refused(error.to_string()))??;
    let engine = check::open(&folder.join(DATABASE)).await?;
    let described = manifest::describe(&engine, file, rows, now).await;
    engine.close().await;
    let manifest = described?;
    manifest.write(&folder)?;
    for line in [
        format!(
            "{} is copied to {}: {} bytes, {} payments, schema {}",
            source.display(),
            folder.display(),
            manifest.bytes(),
            manifest.rows_of("payments"),
            manifest.schema
        ),
        format!(
            "check it with: multirail restore --check {}",
            folder.display()
        ),
    ] {
        say(&mut *tell, &line)?;
    }
    Ok(())
}

/// Copies the file, and checks the copy for damage. Blocks.
fn copy(source: &Path, folder: &Path) -> Result<(CopiedFile, Vec<(String, i64)>), StartupError> {
    // If this fails, the priority stays as it is.
    let _ = rustix::process::nice(NICENESS);
    if !source.is_file() {
        return Err(StartupError::Refused(format!(
            "{} is not there: name the database with --database-url, or the folder that it is in by MULTIRAIL_DATA_DIRECTORY",
            source.display()
        )));
    }
    make_empty(folder)?;
    let (unfinished, finished) = (folder.join(UNFINISHED), folder.join(DATABASE));
    back_up(source, &unfinished).map_err(|error| StartupError::Database(error.to_string()))?;
    let found = faults(&unfinished, Depth::Quick, Access::AtRest);
    let found = found.map_err(|error| StartupError::Database(error.to_string()))?;
    if !found.is_empty() {
        return Err(StartupError::BackupNotWhole(format!(
            "{} is damaged, and so is its copy {}: {}",
            source.display(),
            unfinished.display(),
            found.join("; ")
        )));
    }
    let rows = row_counts(&unfinished, Access::AtRest);
    let rows = rows.map_err(|error| StartupError::Database(error.to_string()))?;
    fs::rename(&unfinished, &finished).map_err(|error| refused(&finished, error))?;
    let copied = CopiedFile::read(folder, DATABASE).map_err(|error| refused(&finished, error))?;
    Ok((copied, rows))
}

/// Creates the folder, readable by this user only; an existing one has to be empty.
fn make_empty(folder: &Path) -> Result<(), StartupError> {
    match fs::read_dir(folder) {
        Ok(mut entries) => match entries.next() {
            None => Ok(()),
            Some(_) => Err(StartupError::Refused(format!(
                "{} is not empty: name a new folder",
                folder.display()
            ))),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(folder)
            .map_err(|error| refused(folder, error)),
        Err(error) => Err(refused(folder, error)),
    }
}

/// Checks a backup, and puts it in place unless only a check is wanted.
///
/// # Errors
/// Fails when the backup, or a database of PostgreSQL, has a fault, and when there is a database in the place for it.
pub(super) async fn restore(
    config: Config,
    asked: RestoreRequest,
    tell: Tell<'_>,
) -> Result<(), StartupError> {
    let master = &asked.master_key;
    match (asked.from, config.database_url.engine(), asked.is_check) {
        (Some(folder), DatabaseEngine::Sqlite, true) => {
            check::backup(&folder, master, &mut *tell).await.map(drop)
        }
        (Some(folder), DatabaseEngine::Sqlite, false) => {
            let target = config.sqlite_file().unwrap_or_default();
            place::expect_free(&target)?;
            let manifest = check::backup(&folder, master, &mut *tell).await?;
            place::put(&folder, &manifest, &target)?;
            say(
                &mut *tell,
                &format!(
                    "{} holds the database as of {}; before the server starts read what to do about payments made since: \
                     server/deploy/BACKUP.md",
                    target.display(),
                    manifest.made_at
                ),
            )
        }
        (None, DatabaseEngine::Postgres, true) => check::postgres(&config, master, &mut *tell).await,
        (Some(_), DatabaseEngine::Postgres, _) => Err(StartupError::Refused(
            "the settings name a PostgreSQL database, whose backups PostgreSQL's own tools restore; `multirail restore --check` \
             without a folder then checks it"
                .to_owned(),
        )),
        (None, DatabaseEngine::Postgres, false) => Err(StartupError::Refused(
            "PostgreSQL's own tools restore its backups; say --check to check the database that the settings name".to_owned(),
        )),
        (None, DatabaseEngine::Sqlite, _) => Err(StartupError::Refused(
            "name the folder of the backup: multirail restore --check FOLDER".to_owned(),
        )),
    }
}

fn refused(path: &Path, error: impl std::fmt::Display) -> StartupError {
    StartupError::Refused(format!("{}: {error}", path.display()))
}

fn say(tell: Tell<'_>, line: &str) -> Result<(), StartupError> {
    tell(line).map_err(|error| StartupError::Refused(format!("cannot write: {error}")))
}

/// Returns the path of a backup's manifest.
fn manifest_of(folder: &Path) -> PathBuf {
    folder.join(MANIFEST)
}
