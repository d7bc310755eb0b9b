//! A real server for one test.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use multirail_server::BuiltIn;
use multirail_server::config::{Config, Inputs, Setting};
use multirail_server::startup::{Demo, Running, WorkerStatus, start};
use multirail_simulator::processor::{Processor, Totals};
use multirail_simulator::scripted::{Call as ScriptedCall, Fault};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::blank::{self, PostgresCopy};
use multirail_verifier::wire::{Call, Wire};

/// The parts of every server under test: those of the program.
pub const BUILT_IN: BuiltIn = BuiltIn {
    connectors: &multirail_connectors::BuiltIn,
    routing: &multirail_routing::BuiltIn,
};

/// The database engine of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    Sqlite,
    Postgres,
}

impl Engine {
    /// Reads `MULTIRAIL_TEST_ENGINE`: `sqlite` (when absent) or `postgres`.
    ///
    /// # Panics
    /// On any other word.
    pub fn from_environment() -> Self {
        match std::env::var("MULTIRAIL_TEST_ENGINE").as_deref() {
            Err(_) | Ok("" | "sqlite") => Engine::Sqlite,
            Ok("postgres") => Engine::Postgres,
            Ok(other) => panic!("MULTIRAIL_TEST_ENGINE is sqlite or postgres, not {other}"),
        }
    }
}

/// As long as production requires.
const PRODUCTION_ADMIN_KEY: &str = "admin_of_the_scenarios_0123456789abcdef";

/// No placeholder, which production refuses.
const PRODUCTION_MASTER_KEY: &str =
    "2f81c7a05d3e964bb8f6127c90ae53d41b7e0298c6f5a43d8107be925cf06a3e";

/// A server on a free port with a database of its own, removed when the value is dropped.
pub struct TestServer {
    pub wire: Wire,
    running: Running,
    // After the server, so that its database outlives it.
    _database: Option<PostgresCopy>,
    _directory: TempDir,
}

impl TestServer {
    /// Starts a sandbox on the engine that the environment names.
    pub async fn start() -> Arc<Self> {
        Self::start_with(|inputs| inputs).await
    }

    /// Starts a sandbox with other settings.
    pub async fn start_with(change: impl FnOnce(Inputs) -> Inputs) -> Arc<Self> {
        Self::start_on(Engine::from_environment(), change).await
    }

    /// Starts a sandbox on this engine.
    ///
    /// # Panics
    /// If it doesn't start, or if PostgreSQL is wanted and not installed.
    pub async fn start_on(engine: Engine, change: impl FnOnce(Inputs) -> Inputs) -> Arc<Self> {
        let sandbox = Inputs::default().with(Setting::Sandbox, "true");
        // By default a scenario decides itself when the simulated processors send notices.
        let inputs = change(sandbox).with(Setting::SimulatorNotices, "false");
        Self::boot(engine, inputs).await
    }

    /// Starts a server that moves real money, on the engine that the environment names. A proxy in front would speak TLS.
    pub async fn start_in_production(change: impl FnOnce(Inputs) -> Inputs) -> Arc<Self> {
        let production = Inputs::default()
            .with(Setting::AdminApiKey, PRODUCTION_ADMIN_KEY)
            .with(Setting::MasterKey, PRODUCTION_MASTER_KEY)
            .with(Setting::BehindProxy, "true");
        Self::boot(Engine::from_environment(), change(production)).await
    }

    async fn boot(engine: Engine, inputs: Inputs) -> Arc<Self> {
        let directory = directory();
        let inputs = inputs
            .with(Setting::Listen, "127.0.0.1:0")
            .with(Setting::DataDirectory, directory.path().to_string_lossy());
        let (inputs, database) = match engine {
            Engine::Sqlite => {
                blank::copy_file_into(directory.path()).await;
                (inputs, None)
            }
            Engine::Postgres => {
                let copy = PostgresCopy::make().await;
                (
                    inputs.with(Setting::DatabaseUrl, copy.url.as_str()),
                    Some(copy),
                )
            }
        };
        let config = Config::read(&inputs).unwrap_or_else(|problems| panic!("{problems}"));
        config
            .check()
            .unwrap_or_else(|problems| panic!("{problems}"));
        let running = start(config, BUILT_IN)
            .await
            .unwrap_or_else(|error| panic!("the server doesn't start: {error}"));
        Arc::new(Self {
            wire: Wire::new(&running.url),
            running,
            _database: database,
            _directory: directory,
        })
    }

    /// Returns the server's public address, without a trailing slash.
    pub fn url(&self) -> &str {
        &self.running.url
    }

    /// Returns the address that it listens on, even if its public address is another.
    pub fn address(&self) -> String {
        format!("http://{}", self.running.address)
    }

    /// Returns the address of the metrics, if they are served.
    pub fn metrics_address(&self) -> Option<SocketAddr> {
        self.running.metrics_address
    }

    /// Returns the operator's key.
    pub fn admin_key(&self) -> &str {
        self.running.keys.admin_api_key.expose()
    }

    /// Returns the sandbox's own merchant.
    ///
    /// # Panics
    /// If the server is no sandbox.
    pub fn demo(&self) -> &Demo {
        self.running.demo.as_ref().expect("a sandbox has one")
    }

    /// Makes a link that opens the console once, as the demo merchant's owner.
    ///
    /// # Panics
    /// If the server is no sandbox, or was built without the console.
    pub async fn console_link(&self) -> String {
        let link = self.running.console_link().await.expect("a database");
        link.expect("a sandbox has a console")
    }

    /// Returns a call of the operator.
    pub fn operator(&self, operation: &str) -> Call {
        self.wire.call(operation).key(self.admin_key())
    }

    /// Moves business time forward.
    pub async fn time_passes(&self, seconds: i64) -> Value {
        self.operator("sandbox_clock_advance")
            .json(&json!({ "advance_seconds": seconds }))
            .await
            .ok()
    }

    /// Returns the simulated processor.
    ///
    /// # Panics
    /// If the server is no sandbox.
    pub fn processor(&self) -> &Processor {
        self.running
            .processor
            .as_deref()
            .expect("a sandbox has a simulated processor")
    }

    /// Lets the processor's next call of this kind meet this fault.
    pub fn next_call_meets(&self, call: ScriptedCall, fault: Fault) {
        self.processor().script().next(call, fault);
    }

    /// Reports a failure of this worker, as its supervisor does.
    pub fn worker_fails(&self, worker: &'static str) {
        let health = &self.running.services.worker_health;
        health.set(worker, WorkerStatus::Restarting);
    }

    /// Returns the totals of the processor's own books, over all payments.
    ///
    /// # Panics
    /// If the books can't be read.
    pub fn money(&self) -> Totals {
        let all = self
            .processor()
            .ledger()
            .totals()
            .expect("the books can be read");
        all.into_values()
            .fold(Totals::default(), |sum, one| Totals {
                authorized: sum.authorized + one.authorized,
                captured: sum.captured + one.captured,
                released: sum.released + one.released,
                reversed: sum.reversed + one.reversed,
                refunded: sum.refunded + one.refunded,
            })
    }

    /// Stops the server as an operator does: running requests are finished.
    ///
    /// # Panics
    /// If the test still holds the server elsewhere.
    pub async fn stops(self: Arc<Self>) -> Result<(), String> {
        let only = Arc::into_inner(self).expect("nobody else holds the server");
        only.running.close().await
    }
}

/// Returns a folder in memory if the machine has one: these tests restart nothing, and would mostly wait for the disk. Such
/// folders can be small, so other tests don't use them.
fn directory() -> TempDir {
    let in_memory = Path::new("/dev/shm");
    let is_small_crowd =
        std::thread::available_parallelism().is_ok_and(|threads| threads.get() <= 16);
    let made = if is_small_crowd && in_memory.is_dir() {
        tempfile::tempdir_in(in_memory).or_else(|_| tempfile::tempdir())
    } else {
        tempfile::tempdir()
    };
    made.expect("a temporary folder")
}
