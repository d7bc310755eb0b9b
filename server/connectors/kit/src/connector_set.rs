//! The connectors that a program is built with.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use multirail_kernel::secret::SecretText;
use multirail_sdk::connector::{Access, Capabilities, ConnectorDirectory, Description};
use multirail_simulator_wire::Transport;

use crate::{ClientSettings, TestMode};

/// A connector in the operator's list.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    pub capabilities: &'static Capabilities,
    pub name: &'static str,
    /// The version of the processor's API, if it has versions.
    pub api_version: Option<&'static str>,
    pub is_simulator: bool,
}

/// The access to the simulated processors of a sandbox.
pub struct Simulators {
    pub transport: Arc<dyn Transport>,
    /// The time limit of a call.
    pub deadline: Duration,
}

/// The connectors that a program is built with.
#[async_trait]
pub trait ConnectorSet: Send + Sync {
    /// Returns the connectors of a server. A sandbox also has the simulated processors. `described` are account kinds
    /// that have a description and are never called.
    fn directory(
        &self,
        client: ClientSettings,
        simulators: Option<Simulators>,
        described: &'static [Description],
    ) -> Arc<dyn ConnectorDirectory>;

    /// Returns every connector that is built, allowed or not, in a fixed order.
    fn known(&self, client: ClientSettings) -> Vec<Known>;

    /// Returns the test mode of a connector that moves money.
    fn test_mode(&self, connector: &str) -> Option<&'static TestMode>;

    /// Returns the transport to simulated processors in another process of this machine.
    ///
    /// # Panics
    /// If the address is not a loopback address: the configuration has checked that.
    fn remote_simulators(&self, address: SocketAddr, deadline: Duration) -> Arc<dyn Transport>;

    /// Makes a simulated processor send the notices of a `connector` account to an address of this machine, signed with
    /// `secret`.
    ///
    /// # Errors
    /// The reason for a refusal or for an unknown result.
    async fn send_notices_to(
        &self,
        transport: &dyn Transport,
        connector: &str,
        access: &Access,
        address: &str,
        secret: &SecretText,
    ) -> Result<(), String>;
}
