//! The transport to a simulated processor in another process (`multirail simulator`), over HTTP.

use std::net::SocketAddr;
use std::time::Duration;

use async_trait::async_trait;
use multirail_connector_kit::ClientSettings;
use multirail_kernel::secret::SecretText;
use multirail_kernel::target::TargetRules;
use multirail_sdk::connector::Access;
use multirail_simulator_wire::{API_KEY_HEADER, KEY_HEADER, Method, WireRequest, WireResponse};
use multirail_simulator_wire::{Transport, TransportError};

use crate::client::{self, Client};
use crate::wire::{Body, WireRequest as Request};

/// Maximum number of concurrent calls. A server's default limit is the same, and the simulator has
/// none.
const CALLS: usize = 1_024;

/// Sends wire requests to a loopback address.
pub struct Remote {
    address: String,
    client: Client,
}

impl Remote {
    /// Creates the transport to a simulator at this loopback address. `deadline` limits the whole
    /// call.
    ///
    /// # Panics
    /// If the address is not a loopback address: the configuration has checked that.
    pub fn new(address: SocketAddr, deadline: Duration) -> Self {
        assert!(
            address.ip().is_loopback(),
            "{address} is not on this machine"
        );
        let settings = ClientSettings {
            targets: TargetRules {
                allows_http: true,
                allows_loopback: true,
                ..TargetRules::default()
            },
            deadline,
            calls_per_account: CALLS,
            proxy: None,
            trusted: Vec::new(),
        };
        Remote {
            address: format!("http://{address}"),
            client: Client::new(settings),
        }
    }
}

#[async_trait]
impl Transport for Remote {
    async fn send(&self, request: WireRequest) -> Result<WireResponse, TransportError> {
        let mut written = match request.method {
            Method::Get => Request::get(request.path),
            Method::Post => Request::post(request.path, Body::Json(request.body)),
        };
        written = written.header(API_KEY_HEADER, request.api_key);
        if let Some(key) = request.key {
            written = written.header(KEY_HEADER, SecretText::new(key));
        }
        let nobodys = Access::default();
        match self.client.send(&nobodys, &self.address, written).await {
            Ok(answer) => Ok(WireResponse {
                status: answer.status,
                body: String::from_utf8_lossy(&answer.body).into_owned(),
            }),
            Err(client::TransportError::NotSent(_)) => Err(TransportError::NotSent),
            Err(client::TransportError::Broken) => Err(TransportError::Broken),
            Err(client::TransportError::TimedOut) => Err(TransportError::TimedOut),
            Err(client::TransportError::TooLong) => Err(TransportError::TooLong),
        }
    }
}
