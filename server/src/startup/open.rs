//! Opens the database: migrations, its mode, its keys.

use std::sync::Arc;
use std::time::{Duration, Instant};

use multirail_app::customers::ports::Vault;
use multirail_app::platform::lease::in_flight_seconds;
use multirail_app::platform::ports::installation_keys::InstallationKey;
use multirail_app::platform::ports::{Clock, ClockStore, StoreFailure};
use multirail_database::{Dialect, Engine, Fatal, FileCheck, Migrated, Options, StoreError};
use multirail_kernel::random::Random;
use multirail_kernel::timestamp::Timestamp;
use multirail_seal::{EmbeddedVault, KeyRing, MasterKey, ReadMasterKey, RingSeal, SharedRing};
use multirail_store::SqlStore;
use multirail_store::platform::keys::{store_first_keys, stored_keys};
use multirail_system::clock::SystemClock;
use zeroize::Zeroizing;

use super::StartupError;
use super::declared;
use crate::config::{Config, DatabaseCheck};
use crate::sandbox_keys::Keys;

/// The interval at which a start tries a database that isn't up yet.
const ASK_AGAIN: Duration = Duration::from_secs(1);

/// The largest SQLite file whose indexes every start checks.
const FULLY_CHECKED_BYTES: u64 = 256 << 20;

/// The opened database, which the rest of a server uses.
pub(super) struct Opened {
    pub engine: Engine,
    pub store: Arc<SqlStore>,
    pub seal: Arc<RingSeal>,
    pub ring: SharedRing,
    pub vault: Arc<dyn Vault>,
    pub clock: Arc<SystemClock>,
    /// Business time of the start, if no other process can use the database.
    pub alone_since: Option<Timestamp>,
}

pub(super) async fn open(
    config: &Config,
    keys: &Keys,
    random: &Arc<dyn Random>,
    fatal: Fatal,
) -> Result<Opened, StartupError> {
    let master = &keys.master_key;
    let (engine, _) = engine(config, fatal).await?;
    check_mode(&engine, config).await?;
    let clock = Arc::new(SystemClock::new());
    let ring = key_ring(&engine, master, random, clock.wall_micros()).await;
    let ring = ring.map_err(|refused| lost_master_key(keys, refused))?;
    let ring = SharedRing::from(ring);
    let seal = RingSeal::new(ring.clone(), Arc::clone(random));
    let later = later_master_key(config);
    let seal = Arc::new(seal.with_master_key(master.clone(), later));
    let in_flight = in_flight_seconds(config.processor_deadline);
    let store = Arc::new(declared::store(&engine, seal.clone(), in_flight)?);
    let vault = Arc::new(EmbeddedVault::new(ring.clone(), store.clone()));
    clock.set_advanced_seconds(store.clock_offset().await.map_err(database)?);
    let alone_since = match engine.dialect() {
        // The file is locked for this process.
        Dialect::Sqlite => {
            let now = clock.now();
            store.take_over(now).await.map_err(database)?;
            Some(now)
        }
        Dialect::Postgres => None,
    };
    Ok(Opened {
        engine,
        store,
        seal,
        ring,
        vault,
        clock,
        alone_since,
    })
}

/// Opens and migrates the database; reports the migrations.
pub(super) async fn engine(
    config: &Config,
    fatal: Fatal,
) -> Result<(Engine, Migrated), StartupError> {
    let options = Options {
        connections: config.database_pool_size,
        statement_timeout: config.statement_timeout,
        file_check: file_check(config.database_check),
        fatal,
        ..Options::default()
    };
    let give_up_at = Instant::now() + config.database_wait;
    loop {
        match migrated(config, &options).await {
            Ok(done) => return Ok(done),
            Err(StoreError::Unavailable(why)) if Instant::now() < give_up_at => {
                let left = give_up_at.saturating_duration_since(Instant::now());
                tracing::warn!(
                    why,
                    seconds_left = left.as_secs(),
                    "the database is not up yet, or in use: waiting"
                );
                tokio::time::sleep(ASK_AGAIN.min(left)).await;
            }
            Err(error) => return Err(StartupError::Database(error.to_string())),
        }
    }
}

fn file_check(wanted: DatabaseCheck) -> Option<FileCheck> {
    let full_up_to_bytes = match wanted {
        DatabaseCheck::Auto => FULLY_CHECKED_BYTES,
        DatabaseCheck::Full => u64::MAX,
        DatabaseCheck::Quick => 0,
        DatabaseCheck::Off => return None,
    };
    Some(FileCheck { full_up_to_bytes })
}

async fn migrated(config: &Config, options: &Options) -> Result<(Engine, Migrated), StoreError> {
    let engine = Engine::open(config.database_url.expose(), options.clone()).await?;
    let migrated = engine.migrate().await?;
    Ok((engine, migrated))
}

/// Checks the mode, which a database keeps for ever: simulated and real money never mix.
async fn check_mode(engine: &Engine, config: &Config) -> Result<(), StartupError> {
    let mode = if config.is_sandbox() {
        "sandbox"
    } else {
        "production"
    };
    let born = SqlStore::remember(engine, "mode", mode)
        .await
        .map_err(database)?;
    if born == mode {
        return Ok(());
    }
    Err(StartupError::Refused(format!(
        "this database is a {born} database and can't be served as {mode}; name another one with --database-url"
    )))
}

async fn key_ring(
    engine: &Engine,
    master: &MasterKey,
    random: &Arc<dyn Random>,
    now_micros: i64,
) -> Result<KeyRing, StartupError> {
    let mut stored = stored_keys(engine).await.map_err(database)?;
    if stored.is_empty() {
        let (_, wrapped) = KeyRing::create(master, random.as_ref(), now_micros);
        let first: Vec<InstallationKey> = wrapped.into_iter().map(Into::into).collect();
        store_first_keys(engine, &first).await.map_err(database)?;
        // Another server may have been first: its stored keys are used.
        stored = stored_keys(engine).await.map_err(database)?;
    }
    KeyRing::open_stored(master, &stored).map_err(|error| StartupError::Refused(error.to_string()))
}

/// Deletes a master key that was just made for a database with another one, so that the lost one can take its place.
fn lost_master_key(keys: &Keys, refused: StartupError) -> StartupError {
    match (refused, keys.made_master_key()) {
        (StartupError::Refused(_), Some(made)) => {
            // If it stays, the next start reports the problem.
            let _ = std::fs::remove_file(made);
            StartupError::Refused(format!(
                "the key file {} is missing, but the database was sealed with its key: restore the file, or start with an empty data \
                 directory and an empty database",
                made.display()
            ))
        }
        (refused, _) => refused,
    }
}

/// Returns the function that reads the master key again, after the operator has replaced the one that the server started
/// with.
fn later_master_key(config: &Config) -> Option<ReadMasterKey> {
    let path = config.master_key_file()?;
    Some(Box::new(move || {
        let text = Zeroizing::new(std::fs::read_to_string(&path).ok()?);
        MasterKey::from_hex(text.trim()).ok()
    }))
}

fn database(failure: StoreFailure) -> StartupError {
    StartupError::Database(failure.to_string())
}
