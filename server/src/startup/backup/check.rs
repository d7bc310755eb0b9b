//! Checks a backup, or a restored database, without changing it.

use std::path::Path;
use std::sync::Arc;

use multirail_app::platform::audit::AuditLog;
use multirail_app::platform::ports::StoreFailure;
use multirail_database::sqlite::integrity::{Access, Depth, broken_references, faults, row_counts};
use multirail_database::{Engine, Options};
use multirail_kernel::audit::stamp_text;
use multirail_seal::{KeyRing, MasterKey, RingSeal};
use multirail_store::platform::keys::stored_keys;
use multirail_store::{Inspection, SqlStore};
use multirail_system::random::OsRandom;

use super::super::declared;
use super::manifest::{CopiedFile, Manifest};
use super::{DATABASE, StartupError, refused, say};
use crate::cli::Tell;
use crate::config::Config;

/// Checks a backup and reports its valid parts, line by line.
///
/// # Errors
/// [`StartupError::BackupNotWhole`] with all faults.
pub(super) async fn backup(
    folder: &Path,
    master: &MasterKey,
    tell: Tell<'_>,
) -> Result<Manifest, StartupError> {
    let manifest = Manifest::read(folder)?;
    say(
        &mut *tell,
        &format!(
            "backup of {}, made by multirail {} at schema {}",
            manifest.made_at, manifest.program, manifest.schema
        ),
    )?;
    let database = folder.join(DATABASE);
    let (wanted, from) = (manifest.clone(), folder.to_owned());
    let looked = tokio::task::spawn_blocking(move || files(&wanted, &from));
    let facts = looked
        .await
        .map_err(|error| StartupError::Refused(error.to_string()))??;
    for fact in facts {
        say(&mut *tell, &fact)?;
    }
    let engine = open(&database).await?;
    let checked = content(&engine, master, tell).await;
    engine.close().await;
    checked?;
    Ok(manifest)
}

/// Checks the PostgreSQL database that the settings name. No server may use it meanwhile.
///
/// # Errors
/// As [`backup`].
pub(super) async fn postgres(
    config: &Config,
    master: &MasterKey,
    tell: Tell<'_>,
) -> Result<(), StartupError> {
    let options = Options {
        statement_timeout: config.statement_timeout,
        ..Options::default()
    };
    let engine = Engine::open(config.database_url.expose(), options).await;
    let engine = engine.map_err(|error| StartupError::Database(error.to_string()))?;
    let checked = content(&engine, master, tell).await;
    engine.close().await;
    checked
}

/// Opens a copy that nothing writes to.
pub(super) async fn open(database: &Path) -> Result<Engine, StartupError> {
    let engine = Engine::open_at_rest(database, Options::default()).await;
    engine.map_err(|error| StartupError::Database(error.to_string()))
}

/// Compares the files with the manifest, and checks the database for damage; returns the valid parts, a line each. Blocks.
fn files(manifest: &Manifest, folder: &Path) -> Result<Vec<String>, StartupError> {
    let unread = |error: multirail_database::StoreError| StartupError::Database(error.to_string());
    for file in &manifest.files {
        let path = folder.join(&file.name);
        let found = CopiedFile::read(folder, &file.name).map_err(|error| refused(&path, error))?;
        if found != *file {
            return Err(not_whole(format!(
                "{} is not what was backed up: {} bytes with the SHA-256 {}, the manifest says {} and {}",
                path.display(),
                found.bytes,
                found.sha256,
                file.bytes,
                file.sha256
            )));
        }
    }
    let database = folder.join(DATABASE);
    if manifest.files.iter().all(|file| file.name != DATABASE) {
        return Err(not_whole(format!("the manifest names no {DATABASE}")));
    }
    let found = faults(&database, Depth::Full, Access::AtRest).map_err(unread)?;
    if !found.is_empty() {
        return Err(not_whole(format!(
            "the file is damaged: {}",
            found.join("; ")
        )));
    }
    let broken = broken_references(&database, Access::AtRest).map_err(unread)?;
    if !broken.is_empty() {
        return Err(not_whole(broken.join("; ")));
    }
    let rows = row_counts(&database, Access::AtRest).map_err(unread)?;
    let rows: std::collections::BTreeMap<_, _> = rows.into_iter().collect();
    if rows != manifest.rows {
        return Err(not_whole(
            "its tables hold another number of rows than the manifest says".to_owned(),
        ));
    }
    Ok(vec![
        format!(
            "files        {} bytes, as the manifest says",
            manifest.bytes()
        ),
        "database     not damaged, and every reference leads somewhere".to_owned(),
        format!(
            "rows         {} in {} tables",
            rows.values().sum::<i64>(),
            rows.len()
        ),
    ])
}

/// Checks money, keys and the audit log. All checks run before the first fault is reported.
async fn content(engine: &Engine, master: &MasterKey, tell: Tell<'_>) -> Result<(), StartupError> {
    let pending = engine.pending_migrations().await;
    let pending = pending.map_err(|error| StartupError::Database(error.to_string()))?;
    if let Some(first) = pending.first() {
        return Err(StartupError::Refused(format!(
            "the database is of an earlier version, it lacks {}: check it with the version of multirail that made it, or restore \
             it and run `multirail migrate`",
            first.name
        )));
    }
    let stored = stored_keys(engine).await.map_err(unread)?;
    let ring = KeyRing::open_stored(master, &stored).map_err(|error| {
        not_whole(format!(
            "the master key {} does not open the keys of this database: {error}",
            master.name()
        ))
    })?;
    let seal = Arc::new(RingSeal::new(ring, Arc::new(OsRandom)));
    let store = declared::store(engine, seal.clone(), 0)?;
    let mut wrong = Vec::new();
    let money = store.inspect_money().await.map_err(unread)?;
    report(&mut wrong, &money, "payments whose money does not add up");
    say(
        &mut *tell,
        &format!(
            "money        {} payments, {}",
            money.looked_at,
            verdict(&money)
        ),
    )?;
    let sealed = store.inspect_sealed().await.map_err(unread)?;
    report(&mut wrong, &sealed, "values that no key opens");
    say(
        &mut *tell,
        &format!(
            "keys         {} sealed values, {}; {} more went with the keys of redacted customers",
            sealed.looked_at - sealed.destroyed,
            verdict(&sealed),
            sealed.destroyed
        ),
    )?;
    let line = audit_log(&store, &seal, &mut wrong).await.map_err(unread)?;
    say(&mut *tell, &line)?;
    if wrong.is_empty() {
        return say(tell, "all of it is whole");
    }
    Err(not_whole(wrong.join("; ")))
}

async fn audit_log(
    store: &SqlStore,
    seal: &RingSeal,
    wrong: &mut Vec<String>,
) -> Result<String, StoreFailure> {
    let log = AuditLog::new(store, seal);
    let verified = log.verify_all().await?;
    for request_id in log.altered_before_chained().await? {
        wrong.push(format!(
            "the entry of request {request_id} in the audit log was changed"
        ));
    }
    if let Some(fault) = verified.fault {
        wrong.push(format!(
            "entry {} of the audit log is {}",
            fault.sequence,
            super::super::audit_log::in_words(fault.kind.as_str())
        ));
    }
    Ok(match verified.until {
        0 => "audit log    no entries".to_owned(),
        until => format!(
            "audit log    {until} entries are whole; the last one is {until}:{}",
            stamp_text(&verified.link)
        ),
    })
}

fn verdict(inspection: &Inspection) -> String {
    match inspection.faults {
        0 => "all of them right".to_owned(),
        faults => format!("{faults} faults"),
    }
}

fn report(wrong: &mut Vec<String>, inspection: &Inspection, what: &str) {
    if inspection.faults > 0 {
        let named = inspection.named.join("; ");
        wrong.push(format!("{} {what}: {named}", inspection.faults));
    }
}

fn not_whole(why: String) -> StartupError {
    StartupError::BackupNotWhole(why)
}

fn unread(failure: StoreFailure) -> StartupError {
    StartupError::Database(failure.to_string())
}
