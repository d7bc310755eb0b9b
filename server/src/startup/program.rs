//! The work that the command line starts.

use std::io;

use multirail_domain::routing::RoutingStrategy;
use multirail_kernel::clock::Clock;
use multirail_system::clock::SystemClock;

use super::{
    StartupError, audit_log, backup, certify, connection_check, connector_check, connectors,
    key_change, simulator,
};
use crate::BuiltIn;
use crate::cli::{
    AuditRequest, BackupRequest, Certification, ConnectorCheck, DocumentFormat, KeysRequest,
    KnownConnector, RestoreRequest, Simulator, Tell, Tried, Work,
};
use crate::config::Config;

/// The whole program: `cli::run(&Program { .. })` is `multirail`.
pub struct Program {
    pub built_in: BuiltIn,
}

impl Work for Program {
    type Error = StartupError;

    fn exit_code(&self, error: &StartupError) -> u8 {
        error.exit_code()
    }

    async fn serve(&self, config: Config) -> Result<(), StartupError> {
        super::serve(config, self.built_in).await
    }

    async fn migrate(&self, config: Config) -> Result<(), StartupError> {
        super::migrate(config).await
    }

    async fn back_up(
        &self,
        config: Config,
        asked: BackupRequest,
        tell: Tell<'_>,
    ) -> Result<(), StartupError> {
        backup::run(config, asked, tell, SystemClock::new().wall()).await
    }

    async fn restore(
        &self,
        config: Config,
        asked: RestoreRequest,
        tell: Tell<'_>,
    ) -> Result<(), StartupError> {
        backup::restore(config, asked, tell).await
    }

    async fn try_connections(&self, config: &Config) -> Vec<Tried> {
        connection_check::run(config).await
    }

    async fn simulate(&self, asked: Simulator) -> Result<(), StartupError> {
        simulator::run(asked).await
    }

    async fn check_connector(&self, asked: ConnectorCheck) -> Result<String, StartupError> {
        connector_check::run(asked).await
    }

    async fn certify_connector(
        &self,
        asked: Certification,
        tell: Tell<'_>,
    ) -> Result<(), StartupError> {
        certify::run(self.built_in, asked, tell).await
    }

    async fn ask_about_keys(
        &self,
        asked: KeysRequest,
        tell: &mut dyn FnMut(&str) -> io::Result<()>,
    ) -> Result<(), StartupError> {
        key_change::run(asked, tell).await
    }

    async fn ask_about_audit_log(
        &self,
        asked: AuditRequest,
        tell: &mut dyn FnMut(&str) -> io::Result<()>,
    ) -> Result<(), StartupError> {
        audit_log::run(asked, tell).await
    }

    fn connectors(&self, config: &Config) -> Vec<KnownConnector> {
        connectors::known(self.built_in.connectors, config)
    }

    fn routing(&self) -> &dyn RoutingStrategy {
        self.built_in.routing
    }

    fn document(&self, format: DocumentFormat) -> Result<String, StartupError> {
        super::document(format)
    }
}
