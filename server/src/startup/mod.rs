//! Puts a server together: the only place that names concrete adapters.

mod audit_log;
mod backup;
mod billing;
mod certify;
mod connection_check;
mod connector_check;
mod connectors;
mod declared;
mod demo;
mod identity;
mod key_change;
mod listen;
mod mail;
mod oidc;
mod open;
mod operations;
mod operator_call;
mod pages;
mod printout;
mod program;
mod public_listener;
mod services;
mod simulated_notices;
mod simulator;
mod stop_signal;
mod webhooks;

use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use multirail_app::Services;
use multirail_database::{Engine, Fatal};
use multirail_guard::Guard;
use multirail_http::Context;
use multirail_http::platform::console::ConsoleSite;
use multirail_identity::app::Identity;
use multirail_kernel::random::Random;
use multirail_simulator::processor::Processor;
use multirail_system::random::OsRandom;
use tokio::sync::watch;

use crate::BuiltIn;
use crate::cli::DocumentFormat;
use crate::config::{Config, Mode};
use crate::sandbox_keys::{Keys, KeysError, keys_for};
use crate::telemetry::figures::Figures;
use crate::telemetry::figures_page::FiguresPage;
use crate::workers::Workers;

use simulated_notices::{Registering, Sending};
use stop_signal::StopSignal;

pub use demo::Demo;
pub use multirail_app::platform::worker_health::WorkerStatus;
pub use program::Program;

/// Why a server does not start, or ends. One line, for the operator.
#[derive(Debug, thiserror::Error)]
pub enum StartupError {
    #[error(transparent)]
    Keys(#[from] KeysError),
    #[error("the database can't be used: {0}")]
    Database(String),
    #[error("{0}")]
    Refused(String),
    #[error("can't listen on {address}: {reason}")]
    Listen { address: SocketAddr, reason: String },
    #[error(
        "nobody knows whether the last commit is in the database file, the next start tells: {0}"
    )]
    CommitLost(String),
    #[error("{0}")]
    CredentialsRefused(String),
    #[error("{0}")]
    AccountDiffers(String),
    #[error("{0}")]
    AuditLogNotWhole(String),
    #[error("{0}")]
    BackupNotWhole(String),
}

impl StartupError {
    /// Returns the exit code of the process. A service manager restarts it after any of the first three; 3 means that a
    /// restart will help. 4 is a negative answer to a check: a processor refuses an account's credentials or differs from the
    /// stories, or the audit log or a backup was altered.
    pub fn exit_code(&self) -> u8 {
        match self {
            StartupError::Keys(_)
            | StartupError::Database(_)
            | StartupError::Refused(_)
            | StartupError::Listen { .. } => 1,
            StartupError::CommitLost(_) => 3,
            StartupError::CredentialsRefused(_)
            | StartupError::AccountDiffers(_)
            | StartupError::AuditLogNotWhole(_)
            | StartupError::BackupNotWhole(_) => 4,
        }
    }
}

/// The interval at which a stopping server checks for open requests.
const LOOK_AGAIN: Duration = Duration::from_millis(5);

/// A server that runs.
pub struct Running {
    pub address: SocketAddr,
    /// The server's address, without a trailing slash.
    pub url: String,
    /// Whether it speaks TLS itself.
    pub is_tls: bool,
    pub keys: Keys,
    pub services: Arc<Services>,
    /// The demo merchant of a sandbox.
    pub demo: Option<Demo>,
    /// The simulated processor of a sandbox, if it runs in this process.
    pub processor: Option<Arc<Processor>>,
    /// The address of the metrics, if they are served.
    pub metrics_address: Option<SocketAddr>,
    /// The address by which this machine reaches the server.
    own_url: String,
    identity: Arc<Identity>,
    server: dropshot::HttpServer<Context>,
    state: Context,
    shutdown_delay: Duration,
    guard: Option<Guard>,
    figures: Option<FiguresPage>,
    _sending: Option<Sending>,
    _registering: Option<Registering>,
    workers: Workers,
    engine: Engine,
    lost_commit: watch::Receiver<Option<String>>,
}

impl Running {
    /// Waits until a commit fails so that only a new start can tell whether it is stored. The program then ends.
    pub async fn lost_commit(&mut self) -> String {
        match self.lost_commit.wait_for(Option::is_some).await {
            Ok(why) => why.clone().unwrap_or_default(),
            // The database is closed, or can't lose a commit.
            Err(_) => std::future::pending().await,
        }
    }

    /// Makes a link that opens the console once, as the demo merchant's owner. It has the address by which this machine
    /// reaches the server, because it is valid here only. `None` where the console isn't at that address, or where there
    /// is no demo merchant.
    ///
    /// # Errors
    /// The database can't be used.
    pub async fn console_link(&self) -> Result<Option<String>, StartupError> {
        let console = match &self.state.console {
            ConsoleSite::Shared => self.state.console.address(&self.own_url),
            ConsoleSite::Closed | ConsoleSite::Own(_) => None,
        };
        let (Some(console), Some(demo)) = (console, &self.demo) else {
            return Ok(None);
        };
        let token = demo::owner_link(&self.identity, demo).await?;
        // Browsers send no fragment to any server.
        Ok(Some(format!("{console}#sign_in={}", token.expose())))
    }

    /// Returns the server's own address, if the connection guard stands in front of it.
    fn behind_guard(&self) -> Option<SocketAddr> {
        self.guard.as_ref().map(|_| self.server.local_addr())
    }

    /// Reports that it isn't ready, goes on until load balancers have noticed, and waits until every request has its
    /// answer.
    async fn leaves_rotation(&self) {
        self.state.stopping.begin();
        tokio::time::sleep(self.shutdown_delay).await;
        // Until the listener is closed it accepts connections. Nothing serves them while open requests are waited for, so
        // those come first.
        while self.state.traffic.unanswered() > 0 {
            tokio::time::sleep(LOOK_AGAIN).await;
        }
    }

    /// Leaves rotation, finishes running requests, then stops. After `patience` it closes the listener without waiting for
    /// the rest.
    ///
    /// # Errors
    /// dropshot's, when the server had failed before.
    pub async fn close_within(self, patience: Duration) -> Result<(), String> {
        let _ = tokio::time::timeout(patience, self.leaves_rotation()).await;
        if let Some(guard) = &self.guard {
            guard.close_door();
            // Clients that have just connected still get an answer.
            guard.newcomers_have_spoken().await;
        }
        self.close().await
    }

    /// Finishes running requests, then stops.
    ///
    /// # Errors
    /// dropshot's, when the server had failed before.
    pub async fn close(self) -> Result<(), String> {
        self.state.stopping.begin();
        if let Some(guard) = &self.guard {
            guard.close_door();
        }
        // In parallel, so that no request is cut off because a worker takes long.
        let ((), closed) = tokio::join!(self.workers.stop(), self.server.close());
        if let Err(error) = self.services.request_log.store_last().await {
            tracing::warn!(%error, "the last requests can't be stored in the request log");
        }
        if let Some(guard) = self.guard {
            guard.leave().await;
        }
        drop(self.figures);
        self.engine.close().await;
        closed
    }
}

/// Starts a server with these parts and returns once it answers.
///
/// # Errors
/// The reason why it can't serve, in one line.
pub async fn start(config: Config, built_in: BuiltIn) -> Result<Running, StartupError> {
    let random: Arc<dyn Random> = Arc::new(OsRandom);
    let keys = keys_for(&config, random.as_ref())?;
    public_listener::allow_files(&config);
    public_listener::choose_cryptography();
    let figures = figures(&config).await?;
    let (fatal, lost_commit) = fatal();
    let opened = open::open(&config, &keys, &random, fatal).await?;
    let bound = listen::listen(&config, built_in, &keys, &opened, &random).await?;
    let mut of_satellites = multirail_billing::workers::all(&bound.billing);
    of_satellites.extend(multirail_identity::workers::all(&bound.identity));
    let workers = Workers::start(&bound.services, of_satellites);
    let sending = bound.processor.as_ref().map(Sending::start);
    let demo = if config.is_sandbox() {
        let demo = demo::ensure(&bound.services, &config).await?;
        Some(demo)
    } else {
        None
    };
    let registering = match config.is_sandbox() {
        true => Some(Registering::start(&bound.services).await),
        false => None,
    };
    Ok(Running {
        address: bound.address,
        url: bound.url,
        is_tls: config.tls.is_some(),
        keys,
        services: bound.services,
        demo,
        processor: bound.processor,
        metrics_address: figures.as_ref().map(|page| page.address),
        own_url: config.own_url(bound.address),
        identity: bound.identity,
        server: bound.server,
        state: bound.state,
        shutdown_delay: config.shutdown_delay,
        guard: bound.guard,
        figures,
        _sending: sending,
        _registering: registering,
        workers,
        engine: opened.engine,
        lost_commit,
    })
}

/// Returns the hook that the database calls after it lost a commit, and the channel that reports it.
fn fatal() -> (Fatal, watch::Receiver<Option<String>>) {
    let (told, heard) = watch::channel(None);
    let fatal = Fatal::new(move |why| {
        tracing::error!(
            why,
            "nobody knows whether the last commit is in the database file: this server ends"
        );
        told.send_replace(Some(why.to_owned()));
    });
    (fatal, heard)
}

/// Opens the metrics page, if it is configured. Comes before everything that measures.
async fn figures(config: &Config) -> Result<Option<FiguresPage>, StartupError> {
    let Some(address) = config.metrics_listen else {
        return Ok(None);
    };
    let figures = Figures::keep().map_err(|error| StartupError::Refused(error.to_string()))?;
    let page = FiguresPage::open(address, figures).await;
    let page = page.map_err(|error| StartupError::Listen {
        address,
        reason: error.to_string(),
    })?;
    tracing::info!(address = %page.address, "serving the metrics");
    Ok(Some(page))
}

/// How long a start may continue after a stop signal.
const LAST_OF_START: Duration = Duration::from_secs(5);

/// `multirail serve`: starts, prints how to use the server, serves until SIGTERM or Ctrl-C, and finishes running requests.
///
/// # Errors
/// As [`start`], and [`StartupError::CommitLost`].
pub async fn serve(config: Config, built_in: BuiltIn) -> Result<(), StartupError> {
    let grace = config.shutdown_grace;
    let delay = config.shutdown_delay;
    let mode = config.mode;
    let mut stop = StopSignal::listen();
    let mut starting = pin!(start(config, built_in));
    let started = tokio::select! {
        started = &mut starting => Some(started?),
        () = stop.comes() => None,
    };
    let is_stopped = started.is_none();
    let mut running = match started {
        Some(running) => running,
        // It may answer already; a start that waits for something is cancelled.
        None => match tokio::time::timeout(grace.min(LAST_OF_START), starting).await {
            Ok(running) => running?,
            Err(_) => return Ok(()),
        },
    };
    tracing::info!(
        address = %running.address,
        url = running.url,
        behind_guard = running.behind_guard().map(tracing::field::display),
        "serving"
    );
    match mode {
        Mode::Sandbox => {
            let link = running.console_link().await.unwrap_or_else(|error| {
                tracing::warn!(%error, "no link to the console could be made");
                None
            });
            printout::say(&printout::sandbox(&running, link.as_deref()));
        }
        Mode::Production | Mode::PublicSandbox => printout::say(&printout::address(&running)),
    }
    let lost = tokio::select! {
        () = stop.comes(), if !is_stopped => None,
        () = std::future::ready(()), if is_stopped => None,
        why = running.lost_commit() => Some(why),
    };
    tracing::info!("stopping: finishing running requests");
    let patience = delay + grace / 2;
    match tokio::time::timeout(delay + grace, running.close_within(patience)).await {
        Ok(Ok(())) => tracing::info!("stopped"),
        Ok(Err(why)) => tracing::error!(why, "the server stopped by itself"),
        Err(_) => tracing::warn!("the grace period is over: some requests were cut off"),
    }
    match lost {
        None => Ok(()),
        Some(why) => Err(StartupError::CommitLost(why)),
    }
}

/// `multirail migrate`: migrates the database, prints the migrations, and exits.
///
/// # Errors
/// Fails when the database can't be opened or migrated.
pub async fn migrate(config: Config) -> Result<(), StartupError> {
    let (engine, migrated) = open::engine(&config, Fatal::logged()).await?;
    engine.close().await;
    printout::say(&printout::migrated(&migrated));
    Ok(())
}

/// `multirail openapi`: returns the document.
///
/// # Errors
/// Never today; the signature allows documents that depend on configuration.
pub fn document(format: DocumentFormat) -> Result<String, StartupError> {
    Ok(match format {
        DocumentFormat::Json => multirail_api::document_json(),
        DocumentFormat::Yaml => multirail_api::document_yaml(),
    })
}

#[cfg(test)]
mod tests;
