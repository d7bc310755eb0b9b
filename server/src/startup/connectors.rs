//! What speaks to processors.

use std::sync::Arc;

use multirail_connectors::Connectors;
use multirail_connectors::client::{Client, ClientSettings};
use multirail_connectors::simulator::remote::Remote;
use multirail_outbound::Certificate;
use multirail_simulator::InProcess;
use multirail_simulator::processor::Processor;

use super::StartupError;
use crate::config::Config;

/// The connectors of this server; a sandbox has the simulated processors besides, in this process or in one of their own.
///
/// # Errors
/// Certificates that can't be read.
pub(super) fn directory(
    config: &Config,
    processor: Option<&Arc<Processor>>,
) -> Result<Connectors, StartupError> {
    let trusted = config
        .connector_certificates()
        .map_err(|problem| StartupError::Refused(problem.to_string()))?;
    let deadline = config.processor_deadline;
    let client = Client::new(ClientSettings {
        targets: config.connector_targets(),
        deadline,
        calls_per_account: config.connectors.account_concurrency,
        proxy: config.connectors.proxy.clone(),
        trusted: trusted
            .iter()
            .map(|der| Certificate::from_der(der).expect("DER is taken as it is"))
            .collect(),
    });
    let connectors = Connectors::production(&Arc::new(client));
    Ok(match (processor, config.simulator_address) {
        (Some(processor), _) => {
            let here = InProcess::new(Arc::clone(processor));
            connectors.with_simulators(Arc::new(here), deadline)
        }
        (None, Some(address)) if config.is_sandbox() => {
            let there = Remote::new(address, deadline);
            connectors.with_simulators(Arc::new(there), deadline)
        }
        (None, _) => connectors,
    })
}
