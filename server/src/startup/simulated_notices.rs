//! Notices of a sandbox's simulated processors: sends them, and registers their targets.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use multirail_app::accounts::ports::NoticeRegistrar;
use multirail_app::platform::ports::Actor;
use multirail_app::{Origin, Services};
use multirail_connector_kit::ConnectorSet;
use multirail_domain::accounts::connector_account::ConnectorAccount;
use multirail_simulator::processor::{NAMES, Processor};
use multirail_simulator::send_notices;
use multirail_simulator_wire::Transport;
use tokio::task::JoinHandle;

/// How long the processor may take to answer, and how long a start waits for the registration of all accounts.
const PATIENCE: Duration = Duration::from_secs(2);

/// The sending of notices by the processor in this process, which ends when this is dropped.
pub(super) struct Sending(JoinHandle<()>);

impl Drop for Sending {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Sending {
    pub(super) fn start(processor: &Arc<Processor>) -> Self {
        let processor = Arc::clone(processor);
        Sending(tokio::spawn(async move {
            match send_notices(processor).await {}
        }))
    }
}

/// Registers this server with the simulated processors. A server that speaks TLS has none: they speak plain HTTP to this
/// machine only.
pub(super) struct SimulatedRegistrar {
    pub connectors: &'static dyn ConnectorSet,
    pub transport: Arc<dyn Transport>,
    /// This server's address, without a trailing slash.
    pub own_url: String,
}

#[async_trait]
impl NoticeRegistrar for SimulatedRegistrar {
    fn serves(&self, connector_name: &str) -> bool {
        NAMES.contains(&connector_name)
    }

    async fn register(&self, account: &ConnectorAccount) -> Result<(), String> {
        let secrets = account.secrets.webhook.as_ref();
        let secrets = secrets.ok_or("the account has no secret for notices")?;
        let address = account.notice_address(&self.own_url);
        let address = address.ok_or("only accounts for payments have notices")?;
        let access = account.access();
        let entered = self.connectors.send_notices_to(
            self.transport.as_ref(),
            &account.connector_name,
            &access,
            &address,
            &secrets.merchant_secret,
        );
        let entered = tokio::time::timeout(PATIENCE, entered).await;
        entered.unwrap_or_else(|_| Err("the processor takes long to answer".to_owned()))
    }
}

/// The registration of all accounts, which ends when this is dropped.
pub(super) struct Registering(JoinHandle<()>);

impl Drop for Registering {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Registering {
    /// Registers the accounts of every merchant again: the server may listen at another port than at its last start. A
    /// sandbox may have many, so the start waits for a moment only.
    pub(super) async fn start(services: &Arc<Services>) -> Self {
        let services = Arc::clone(services);
        let mut registering = Registering(tokio::spawn(async move {
            let origin = Origin::of_service(Actor::Startup);
            if let Err(error) = services
                .connector_accounts
                .register_all_notices(&origin)
                .await
            {
                tracing::warn!(%error, "simulated processors don't know every account");
            }
        }));
        let _ = tokio::time::timeout(PATIENCE, &mut registering.0).await;
        registering
    }
}
