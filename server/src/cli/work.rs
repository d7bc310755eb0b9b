//! The work that needs a server or a database.

use std::error::Error;
use std::future::Future;

use multirail_domain::routing::RoutingStrategy;

use super::{
    AuditRequest, BackupRequest, Certification, ConnectorCheck, DocumentFormat, FAILED,
    KeysRequest, KnownConnector, RestoreRequest, Simulator, Tell, Tried,
};
use crate::config::Config;
use crate::telemetry::{self, TelemetryError};

/// The work of the program, after the arguments are parsed.
pub trait Work {
    /// Why it failed. Shown with its causes.
    type Error: Error + 'static;

    /// Returns the exit code for an error of the work.
    fn exit_code(&self, _error: &Self::Error) -> u8 {
        FAILED
    }

    /// Serves until it is told to stop.
    fn serve(&self, config: Config) -> impl Future<Output = Result<(), Self::Error>>;

    /// Migrates the database to this version.
    fn migrate(&self, config: Config) -> impl Future<Output = Result<(), Self::Error>>;

    /// Copies the database into a folder.
    fn back_up(
        &self,
        config: Config,
        asked: BackupRequest,
        tell: Tell<'_>,
    ) -> impl Future<Output = Result<(), Self::Error>>;

    /// Checks a backup, and puts it in place if asked to.
    fn restore(
        &self,
        config: Config,
        asked: RestoreRequest,
        tell: Tell<'_>,
    ) -> impl Future<Output = Result<(), Self::Error>>;

    /// Tries the services that the settings name; returns the result of each.
    fn try_connections(&self, config: &Config) -> impl Future<Output = Vec<Tried>>;

    /// Runs the simulated processors until it is told to stop.
    fn simulate(&self, simulator: Simulator) -> impl Future<Output = Result<(), Self::Error>>;

    /// Has a running server ask a processor about an account; returns the text to print if the credentials are valid.
    fn check_connector(
        &self,
        asked: ConnectorCheck,
    ) -> impl Future<Output = Result<String, Self::Error>>;

    /// Plays the stories of the connectors' tests through a merchant's test account, and reports each.
    fn certify_connector(
        &self,
        asked: Certification,
        tell: Tell<'_>,
    ) -> impl Future<Output = Result<(), Self::Error>>;

    /// Has a running server show or change its keys, and reports the progress line by line.
    fn ask_about_keys(
        &self,
        asked: KeysRequest,
        tell: Tell<'_>,
    ) -> impl Future<Output = Result<(), Self::Error>>;

    /// Has a running server check or show its audit log, and reports it line by line.
    fn ask_about_audit_log(
        &self,
        asked: AuditRequest,
        tell: Tell<'_>,
    ) -> impl Future<Output = Result<(), Self::Error>>;

    /// Returns the connectors of this program, and which of them a server with these settings has.
    fn connectors(&self, config: &Config) -> Vec<KnownConnector>;

    /// Returns the rules of this program that choose connector accounts.
    fn routing(&self) -> &dyn RoutingStrategy;

    /// Returns the interface document.
    fn document(&self, format: DocumentFormat) -> Result<String, Self::Error>;

    /// Starts logging to the place that the settings name. It affects the whole process, so tests do nothing.
    fn start_logging(&self, config: &Config) -> Result<(), TelemetryError> {
        telemetry::init(config.log_format, &config.log_level)
    }
}
