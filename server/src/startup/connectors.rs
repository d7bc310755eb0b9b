//! Builds the connectors.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use multirail_billing_domain::account_description;
use multirail_connector_kit::{ClientSettings, ConnectorSet, Simulators};
use multirail_outbound::{Certificate, Manner};
use multirail_platform::account_limits::AccountLimits;
use multirail_sdk::connector::ConnectorDirectory;
use multirail_senders::apple_pay::{Apple, AppleSettings};
use multirail_simulator::InProcess;
use multirail_simulator::processor::Processor;
use multirail_simulator_wire::Transport;
use multirail_wallets::{APPLE_ROOT, Wallets};

use super::StartupError;
use super::public_listener::choose_cryptography;
use crate::BuiltIn;
use crate::cli::KnownConnector;
use crate::config::Config;

/// The parts of a server, and its simulated processors.
#[derive(Clone, Copy)]
pub(super) struct Sources<'a> {
    pub(super) built_in: BuiltIn,
    /// The simulated processor of a sandbox, if it runs in this process.
    pub(super) simulated: Option<&'a Arc<Processor>>,
}

impl Sources<'_> {
    /// Returns a sandbox's access to the simulated processors, in this process or in one of their own.
    pub(super) fn to_simulators(self, config: &Config) -> Option<Arc<dyn Transport>> {
        match (self.simulated, config.simulator_address) {
            (Some(processor), _) => Some(Arc::new(InProcess::new(Arc::clone(processor)))),
            (None, Some(address)) if config.is_sandbox() => Some(
                self.built_in
                    .connectors
                    .remote_simulators(address, config.processor_deadline),
            ),
            (None, _) => None,
        }
    }

    /// Returns the connectors of this server; a sandbox also has the simulated processors.
    ///
    /// # Errors
    /// Fails when certificates can't be read.
    pub(super) fn directory(
        self,
        config: &Config,
    ) -> Result<Arc<dyn ConnectorDirectory>, StartupError> {
        let simulators = self.to_simulators(config).map(|transport| Simulators {
            transport,
            deadline: config.processor_deadline,
        });
        let client = client(config, trusted(config)?);
        let described = &account_description::DESCRIPTIONS;
        let connectors = self.built_in.connectors;
        Ok(connectors.directory(client, simulators, described))
    }
}

/// Returns every connector of this program, and whether a server with these settings has it.
pub(super) fn known(connectors: &dyn ConnectorSet, config: &Config) -> Vec<KnownConnector> {
    choose_cryptography();
    // Nothing is called, so no certificates are needed.
    let known = connectors.known(client(config, Vec::new())).into_iter();
    known
        .map(|connector| KnownConnector {
            capabilities: connector.capabilities,
            name: connector.name,
            api_version: connector.api_version,
            is_simulator: connector.is_simulator,
            is_usable: !connector.is_simulator || config.is_sandbox(),
        })
        .collect()
}

/// Returns the client that validates merchants at Apple Pay.
///
/// # Errors
/// Fails when certificates can't be read.
pub(super) fn apple_pay(config: &Config) -> Result<Apple, StartupError> {
    Ok(Apple::new(AppleSettings {
        url: config.connectors.apple_pay_gateway_url.clone(),
        targets: config.connector_targets(),
        deadline: config.processor_deadline,
        manner: Manner {
            proxy: config.connectors.proxy.clone(),
            trusted: trusted(config)?,
            ..Manner::webhooks()
        },
    }))
}

/// Returns the keys and certificates that open wallets' tokens.
///
/// # Errors
/// Fails when a root certificate can't be read.
pub(super) fn wallets(config: &Config) -> Result<Wallets, StartupError> {
    let refused = |path: &Path, why: String| {
        StartupError::Refused(format!(
            "apple_pay_root_certificate {}: {why}",
            path.display()
        ))
    };
    let Some(path) = &config.connectors.apple_pay_root_certificate else {
        return Ok(Wallets::new(APPLE_ROOT).expect("Apple's own certificate is one"));
    };
    let text = fs::read_to_string(path).map_err(|error| refused(path, error.to_string()))?;
    Wallets::new(&text).map_err(|_| refused(path, "it holds no certificate".to_owned()))
}

/// Returns the number of questions that each account is asked at once: half of its calls, so that payments find places.
pub(super) fn questions(config: &Config) -> AccountLimits {
    let places = (config.connectors.account_concurrency / 2).max(1);
    AccountLimits::new(places, config.processor_deadline / 4)
}

fn client(config: &Config, trusted: Vec<Certificate>) -> ClientSettings {
    ClientSettings {
        targets: config.connector_targets(),
        deadline: config.processor_deadline,
        calls_per_account: config.connectors.account_concurrency,
        proxy: config.connectors.proxy.clone(),
        trusted,
    }
}

fn trusted(config: &Config) -> Result<Vec<Certificate>, StartupError> {
    let certificates = config
        .connector_certificates()
        .map_err(|problem| StartupError::Refused(problem.to_string()))?;
    Ok(certificates
        .iter()
        .map(|der| Certificate::from_der(der).expect("DER is taken as it is"))
        .collect())
}
