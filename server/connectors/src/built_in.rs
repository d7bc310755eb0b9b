//! All connectors, for the program that is built with them.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use multirail_connector_kit::{ClientSettings, ConnectorSet, Known, Simulators, TestMode};
use multirail_kernel::secret::SecretText;
use multirail_sdk::connector::{Access, ConnectorDirectory, Description};
use multirail_simulator_wire::Transport;

use crate::Connectors;
use crate::client::Client;
use crate::simulator::notice_endpoint;
use crate::simulator::remote::Remote;

/// The connectors of this crate.
pub struct BuiltIn;

#[async_trait]
impl ConnectorSet for BuiltIn {
    fn directory(
        &self,
        client: ClientSettings,
        simulators: Option<Simulators>,
        described: &'static [Description],
    ) -> Arc<dyn ConnectorDirectory> {
        let connectors =
            Connectors::production(&Arc::new(Client::new(client))).with_described(described);
        Arc::new(match simulators {
            Some(simulators) => {
                connectors.with_simulators(simulators.transport, simulators.deadline)
            }
            None => connectors,
        })
    }

    fn known(&self, client: ClientSettings) -> Vec<Known> {
        crate::known(&Arc::new(Client::new(client)))
    }

    fn test_mode(&self, connector: &str) -> Option<&'static TestMode> {
        crate::test_mode(connector)
    }

    fn remote_simulators(&self, address: SocketAddr, deadline: Duration) -> Arc<dyn Transport> {
        Arc::new(Remote::new(address, deadline))
    }

    async fn send_notices_to(
        &self,
        transport: &dyn Transport,
        connector: &str,
        access: &Access,
        address: &str,
        secret: &SecretText,
    ) -> Result<(), String> {
        notice_endpoint::enter(transport, connector, access, address, secret).await
    }
}
