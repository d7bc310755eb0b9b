//! What speaks to processors.

use std::sync::Arc;

use multirail_connectors::Connectors;
use multirail_connectors::client::{Client, ClientSettings};
use multirail_connectors::simulator::Transport;
use multirail_connectors::simulator::remote::Remote;
use multirail_outbound::Certificate;
use multirail_simulator::InProcess;
use multirail_simulator::processor::Processor;

use super::StartupError;
use crate::config::Config;

/// The way of a sandbox to the simulated processors, in this process or in one of their own.
pub(super) fn to_simulators(
    config: &Config,
    processor: Option<&Arc<Processor>>,
) -> Option<Arc<dyn Transport>> {
    match (processor, config.simulator_address) {
        (Some(processor), _) => Some(Arc::new(InProcess::new(Arc::clone(processor)))),
        (None, Some(address)) if config.is_sandbox() => {
            Some(Arc::new(Remote::new(address, config.processor_deadline)))
        }
        (None, _) => None,
    }
}

/// The connectors of this server; a sandbox has the simulated processors besides.
///
/// # Errors
/// Certificates that can't be read.
pub(super) fn directory(
    config: &Config,
    processor: Option<&Arc<Processor>>,
) -> Result<Connectors, StartupError> {
    let deadline = config.processor_deadline;
    let connectors = Connectors::production(&client(config)?);
    Ok(match to_simulators(config, processor) {
        Some(transport) => connectors.with_simulators(transport, deadline),
        None => connectors,
    })
}

fn client(config: &Config) -> Result<Arc<Client>, StartupError> {
    let trusted = config
        .connector_certificates()
        .map_err(|problem| StartupError::Refused(problem.to_string()))?;
    Ok(Arc::new(Client::new(ClientSettings {
        targets: config.connector_targets(),
        deadline: config.processor_deadline,
        calls_per_account: config.connectors.account_concurrency,
        proxy: config.connectors.proxy.clone(),
        trusted: trusted
            .iter()
            .map(|der| Certificate::from_der(der).expect("DER is taken as it is"))
            .collect(),
    })))
}
